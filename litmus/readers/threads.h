// Inside litmus/readers: the threads, how they are launched, and what their registers begin with.
// Each file has the grammar of what it reads. What is read goes into frame->test.
#ifndef PTXLITMUS_READERS_THREADS_H
#define PTXLITMUS_READERS_THREADS_H

#include "litmus/readers/frame.h"

// Reads the `launch`, `progress` or `assume` at the current token, if there is one (schedule.c):
// how the test is launched, what its schedule promises, and what is taken for granted of it.
// Returns whether there was; it may have had errors.
bool frame_parse_schedule(struct frame *frame);

// Reads the `launch`, `progress` or `assume` at the current token without what ends it. Returns
// false after an error that leaves open where it ends; there may be others.
bool frame_parse_schedule_words(struct frame *frame);

// Reads the `grid ... after ...` at the current token, if there is one (grids.c). Returns whether
// there was; it may have had errors.
bool frame_parse_grids(struct frame *frame);

// Adds that a grid comes after another one (grids.c). Returns false after an error: it does
// already, or would come after itself.
bool frame_add_grid_order(struct frame *frame, const struct grid_order *order);

// Reports orders of grids that have no threads, and ordered grids on several GPUs (grids.c).
void frame_check_grids(struct frame *frame);

// As ptx_parse_body, for bodies in Dat3M's dialect (dat3m.c).
void dat3m_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                      size_t count);

// As ptx_parse_body, for bodies in C++ (cpp/body.c).
void cpp_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                    size_t count);

// Reads the initial value of a register, which is kept in the frame (registers.c). Returns false
// after an error.
bool frame_parse_register_initial(struct frame *frame);

// Gives the registers their initial values, once all bodies are read (registers.c).
void frame_apply_register_initials(struct frame *frame);

// Reads one thread's header and adds the thread (placement.c). Returns false after an error that
// prevents only this thread from being read.
bool frame_parse_thread_header(struct frame *frame);

// Reads all threads and collects their bodies (bodies.c). Returns false after an error that makes
// reading on pointless.
bool frame_parse_threads(struct frame *frame);

// Adds a note for each .shared variable, and each barrier, that threads of several CTAs use under
// one name, where some CTA has only one such thread: it may be meant to be shared by all CTAs,
// which it is not (instances.c).
void instances_note(const struct test *test, struct diagnostics *diagnostics);

// Returns the dialect in which the collected bodies seem to be written (guess.c).
enum dialect frame_guess_dialect(const struct frame *frame);

#endif
