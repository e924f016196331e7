// What a thread's registers are, as far as its text says so: constants, addresses of variables, and
// copies of what computes them for another point of the text.
#ifndef PTXLITMUS_REPAIR_REGISTERS_H
#define PTXLITMUS_REPAIR_REGISTERS_H

#include "litmus/thread.h"

struct arena;
struct source;

// Whether an operand is a number in the text, or a register that only a mov of one writes to. If
// so, it is in `*value`.
bool register_constant(const struct thread *thread, const struct operand *operand, uint64_t *value);

// Returns the index of the variable that an operand of memory names, itself or by a register that
// only a mov of its address writes to; -1 where neither is so.
int register_variable(const struct thread *thread, const struct operand *operand);

// Statements that compute values at a point of a text.
struct register_copies {
    struct arena *arena;
    const struct source *file;
    const struct thread *thread;
    size_t point;            // the index of the instruction that they precede
    bool declares;           // new registers have to be declared
    const char **statements; // without their ends; the arena owns them
    size_t count;
    unsigned names; // of new registers, so far
};

// Returns the text of a new register with so many bits (1: a predicate), for which there is a
// declaration among the statements where one is needed.
const char *register_new(struct register_copies *copies, unsigned width);

// Adds a statement.
void register_add(struct register_copies *copies, const char *statement);

// Returns the text of a new register with the other parity than a register has, with the statement
// that computes it.
const char *register_other_parity(struct register_copies *copies, const char *parity);

// Returns a register's text at the point: its own, where something before the point writes to it;
// else that of a new one, to which the statements move what the only instruction that writes to it
// computes. NULL: they cannot.
const char *register_at(struct register_copies *copies, int reg);

// Returns the text of an operand of memory at the point, "[%r1+8]"; NULL: as above.
const char *register_memory(struct register_copies *copies, const struct operand *operand);

// Returns a name that is not in a file yet: the stem, or the stem and a number.
const char *register_unused_name(struct arena *arena, const struct source *file, const char *stem);

// Returns the text of a span in its file.
const char *register_text(struct arena *arena, struct span span);

#endif
