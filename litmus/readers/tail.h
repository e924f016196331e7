// Inside litmus/readers: what comes after the threads: the condition and what is expected.
// Each file has the grammar of what it reads. What is read goes into frame->test.
#ifndef PTXLITMUS_READERS_TAIL_H
#define PTXLITMUS_READERS_TAIL_H

#include "litmus/readers/frame.h"

// Reads a condition (condition.c). Returns NULL after errors; the arena owns the condition.
struct condition *frame_parse_condition(struct frame *frame);

// Joins operands (at least one) by CONDITION_AND or CONDITION_OR into a balanced tree, so that a
// chain of thousands does not make a tree as deep (condition.c). The arena owns the result.
struct condition *frame_join_conditions(struct frame *frame, enum condition_kind kind,
                                        struct condition **operands, size_t count);

// Adds an error for a token that cannot continue a condition; `what` says what can (condition.c).
void frame_error_in_condition(struct frame *frame, const char *what);

// Reads the operand of a comparison (term.c). `left` is NULL for the left operand; for the right
// one, where a bare name is an address, it is the left operand. Returns false after an error.
bool frame_parse_term(struct frame *frame, const struct term *left, struct term *term);

// Reads an entry of `locations`: name ("[" integer "]")? | "cta" n ":" name ..., or a register
// (term.c). An array without an element is allowed and sets `*whole_array`. Returns false after an
// error.
bool frame_parse_shown_term(struct frame *frame, struct term *term, bool *whole_array);

// Returns the width in bits of a term's value, or 0 when it has none of its own (term.c).
unsigned frame_term_bits(const struct test *test, const struct term *term);

// Returns the type of a register or a location, TYPE_NONE for an undeclared register (term.c).
enum scalar_type frame_term_type(const struct test *test, const struct term *term);

// Reads an `expect` and what follows it (expect.c). Returns false after an error that leaves open
// where it ends.
bool frame_parse_expect(struct frame *frame);

// Reads locations, filter, the condition and expect, to the end of the file (tail.c).
void frame_parse_tail(struct frame *frame);

#endif
