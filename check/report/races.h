// A race, and the instructions that race, in words. The arena owns every text that is returned.
#ifndef PTXLITMUS_CHECK_REPORT_RACES_H
#define PTXLITMUS_CHECK_REPORT_RACES_H

#include "check/report/report.h"

struct arena;

// Returns the instruction as the test writes it, on one line and without the padding of a table.
const char *race_instruction_text(struct arena *arena, const struct instruction *instruction);

// Returns the line of the source that an instruction of a module was made of, "mp.cu:8"
// (litmus/readers/module/origin.h); NULL where it is not known.
const char *race_source_text(struct arena *arena, const struct instruction *instruction);

// Returns the line of an instruction: "line 7", in a module with .loc lines "line 41 (mp.cu:8)", in
// a report of a .cu file "mp.cu:8", since lines of its PTX are of no use.
const char *race_line_text(struct arena *arena, const struct report *report,
                           const struct instruction *instruction);

// Returns the place of an event of a thread: "P0 line 7", in a module with .loc lines "P0 line 41
// (mp.cu:8)".
const char *race_place_text(struct arena *arena, const struct report *report,
                            const struct event *event);

// Returns an access with its place: "P0 line 7: st.weak.u32 [x], 1".
const char *race_access_text(struct arena *arena, const struct report *report, unsigned event);

// Returns both accesses of a race: "P0 line 7: st.weak.u32 [x], 1, and P1 line 7: ld.weak.u32 %r0,
// [x]".
const char *race_text(struct arena *arena, const struct report *report, const struct race *race);

// Returns why accesses race that look as if they could not, in a sentence that lives for ever:
// those of 128 bits, and elements of vectors. NULL where there is nothing to say.
const char *race_why_text(const struct report *report, const struct race *race);

#endif
