// Memory that only one thread has.
#ifndef PTXLITMUS_PROGRAM_THREAD_PRIVATE_H
#define PTXLITMUS_PROGRAM_THREAD_PRIVATE_H

#include "program/builder.h"
#include "program/thread/values.h"

struct thread_builder;

// Records what a write leaves in memory that only its thread has, if it is to such memory.
void private_write(struct thread_builder *thread, const struct event *event, struct value value);

// Returns what a read returns: what its thread wrote there, if that is known, else `value`, which
// the model decides. `address_undef`: one bit, its address depends on an unknown value.
struct value private_read(struct thread_builder *thread, const struct event *event,
                          struct value value, const struct expr *address_undef);

// Makes all memory that only the thread has unknown from here on.
void private_forget(struct thread_builder *thread);

// Whether memory that only the thread has holds, after all its events so far on a path, what it
// held before `first_event`, where `write` wrote to it.
bool private_is_restored(const struct thread_builder *thread, const struct event *write,
                         size_t first_event, const struct expr *path);

#endif
