// One call of the library, from a text to a result.
#ifndef PTXLITMUS_API_ANSWER_H
#define PTXLITMUS_API_ANSWER_H

#include "api/result.h"

#include <stdatomic.h>

// What is asked, and what answering it needs. All is borrowed.
struct asking {
    enum asked_question question;
    const char *name, *text;
    size_t size, index;
    const char *state;             // of ASK_EXPLANATION; or NULL
    const struct source *manifest; // of modules; or NULL
    double begun;                  // in seconds of watchdog_now_ms's clock
    const atomic_bool *is_interrupted;
    struct solver *solver;
    struct ptxlitmus_result *result; // with what its options name
    struct diagnostics diagnostics;
};

// Answers: the result is checked, unless there are errors in the diagnostics then. Running out of
// memory calls the handler of litmus/source/allocate.h.
void answer(struct asking *asking);

#endif
