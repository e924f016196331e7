// Records of results, and of errors in inputs.
#ifndef PTXLITMUS_CHECK_RECORD_RESULTS_H
#define PTXLITMUS_CHECK_RECORD_RESULTS_H

#include "check/record/record.h"

struct diagnostic;

// Returns the record of a report, which has its outcomes, as it was judged, or NULL: it was not.
// It has no line. The arena, the report and `judged` own what is in it.
struct record record_of_report(struct arena *arena, const struct report *report,
                               const struct judged *judged);

// Returns the record of an error in the input of this index (0: not known), without a line. The
// arena and the error own what is in it.
struct record record_of_error(struct arena *arena, const struct diagnostic *diagnostic,
                              size_t index);

// Returns the failures in UTF-8, but for the paths of edits; the arena owns the copy.
struct judged record_judged(struct arena *arena, const struct judged *judged);

#endif
