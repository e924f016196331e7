// Values in registers: what makes them, and joins them where paths of a thread meet.
#ifndef PTXLITMUS_PROGRAM_THREAD_VALUES_H
#define PTXLITMUS_PROGRAM_THREAD_VALUES_H

#include "program/builder.h"

struct value {
    const struct expr *bits;             // NULL in a register that nothing has written yet
    const struct expr *undef;            // one bit
    struct dependency_list dependencies; // sorted by event, each event once
    // Where the conditions of the dependencies are known to imply a path: that path; else NULL.
    const struct expr *dependencies_path;
};

// --- thread/registers.c --------------------------------------------------------------------------

// Returns a constant of `width` bits as a value without dependencies.
struct value program_value_const(struct builder *builder, unsigned width, struct bits128 bits);

// Returns an unknown value of `width` bits, different from all others.
struct value program_value_unknown(struct builder *builder, unsigned width);

// Returns the value `bits` that was computed from two operands, with the dependencies of both.
struct value program_value_of(struct builder *builder, const struct expr *bits, struct value a,
                              struct value b);

// Returns what a register holds under a condition: `a` where it holds, else `b`.
struct value program_value_choose(struct builder *builder, const struct expr *condition,
                                  struct value a, struct value b);

// Returns what a register holds where two control-flow paths join: `a` on the first path, where
// `way` holds, and `b` on the other.
struct value program_value_meet(struct builder *builder, const struct expr *way, struct value a,
                                const struct expr *path_a, struct value b,
                                const struct expr *path_b);

#endif
