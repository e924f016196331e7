// Launches of CTAs that clusterlaunchcontrol.try_cancel may cancel.
#ifndef PTXLITMUS_PROGRAM_THREAD_CANCEL_H
#define PTXLITMUS_PROGRAM_THREAD_CANCEL_H

#include "program/builder.h"

// What a clusterlaunchcontrol.try_cancel answers.
struct cancellation {
    const struct place *place;     // of the thread that asks
    unsigned number;               // from 1 on
    const struct expr *asked;      // one bit: the request is executed
    const struct expr *is_success; // one bit
    const struct expr *bits;       // 128 bits, the upper 96 of which say which CTA
    struct cancellation *next;
};

// Finds the threads whose CTAs may be cancelled: those of a launch with requests. Before all
// threads are run.
void cancel_find_threads(struct builder *builder);

// Returns whether the CTA of a thread is cancelled, so that the thread executes nothing (one bit).
const struct expr *cancel_of_thread(struct builder *builder, int thread);

// Sets program->given: a CTA is cancelled by a request that is executed, and a request cancels one.
// After all threads have been run.
void cancel_set_given(struct builder *builder);

#endif
