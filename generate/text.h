// A cycle as a litmus test, and its name.
#ifndef PTXLITMUS_GENERATE_TEXT_H
#define PTXLITMUS_GENERATE_TEXT_H

#include "generate/cycle.h"

// How the accesses without marks are written.
struct text_style {
    const char *order;  // "relaxed.gpu"
    const char *expect; // "forbidden", "allowed": what the test expects; NULL: nothing
};

// Returns the text of a resolved cycle's test: its outcome is reached by the executions that have
// the cycle. An `atom` takes its order from the marks of its read and write. The arena owns the
// text. NULL after an error in `diagnostics`, which may be NULL: marks of one `atom` that no
// instruction has together.
const char *cycle_text(struct arena *arena, const struct cycle *cycle, const char *name,
                       const struct text_style *style, struct diagnostics *diagnostics);

// Returns the name of a resolved cycle, by diy's conventions: that of its family ("MP", "Z6.3")
// where it has one, then '+' and what is between the accesses of each thread, where that is not
// program order alone, and how near the threads are where not all are on one GPU in different CTAs
// and clusters: "MP+fence.sc.gpu+addr", "SB+fence.sc.ctas+cta". The cycle is turned to the
// beginning of its family. The arena owns the name.
const char *cycle_name(struct arena *arena, struct cycle *cycle, const struct text_style *style);

// Returns the words of a cycle, as cycle_read takes them; threads of which nothing is said are on
// one GPU. The arena owns them.
const char *cycle_words(struct arena *arena, const struct cycle *cycle);

#endif
