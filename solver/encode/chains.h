// Chains of sections, which only the files chains*.c use.
//
// A section is a read of a cell and a later write of the same thread to it: an atomic addition, or
// what is done under a lock. In each execution every read takes the cell from the initial write or
// from the write of a section. If no two of them have one source, and each section's source is
// co-before the section's own write, the sections make up a single chain from the initial write on:
// no section has two followers, each has something before it, and co, which grows along the chain,
// has no cycle. Where the accesses are to several cells, because they may be torn, each read also
// has to take all of them from one write.
#ifndef PTXLITMUS_SOLVER_ENCODE_CHAINS_H
#define PTXLITMUS_SOLVER_ENCODE_CHAINS_H

#include "solver/encode/encoder.h"

enum chain_kind {
    CHAIN_ATOMICS, // each section is an atomic operation: a counter
    CHAIN_LOCK,    // each section finds the initial value and puts it back at its end
    CHAIN_COUNTER, // each section's write is a function of what it has read, the same for all
};

enum chain_state {
    CHAIN_OPEN,
    CHAIN_PROVEN,
    CHAIN_BROKEN, // the sections are not a chain in some execution
};

// A lock in whose sections those of a chain are: its own chain is proven, and so is that each
// section is before all later ones in some transitive relations of the model.
struct chain_guard {
    const struct chain *lock;
    size_t *sections; // of the lock, by section of the chain
};

struct chain {
    enum chain_kind kind;
    unsigned cell;              // the first
    unsigned cell_count;        // that all accesses are to; more than one where reads may be torn
    const struct event *start;  // the write that is before all sections; NULL: the initial one
    const struct event **reads; // by section
    unsigned *writes;           // by section; a thread's sections in program order
    size_t count;
    struct bits128 *values; // of a counter: what the n-th section reads; of a lock: what all read
    size_t excluded; // how many of the things are known that no chain may have (encode/chains.c)
    bool differ;     // its reads are known to return different values
    enum chain_state state;
    struct case_memo *memo; // NULL where cases do not decide
    // Of a proven chain: the nodes that its sections are in, one before all later ones.
    unsigned *linked;
    size_t linked_count;
    struct chain_guard guard; // the lock is NULL where there is none
};

// The chains of a program.
struct chains {
    struct chain *items;
    size_t count;
    const struct expr **equations; // EXPR_EQ: what is assumed of every execution
    size_t equation_count;
};

// Returns the cells whose accesses may be a chain of at least `least` sections; with 0, of as many
// as make a proof pay. The encoder's arena owns the result (chains_find.c).
struct chains *chains_find(struct encoder *encoder, unsigned least);

// Whether every read of `chain` is assumed to return the same value as some read of `other`, no two
// of them as the same one: a spin loop that waits for a ticket (chains_find.c).
bool chains_agree(const struct encoder *encoder, const struct chains *chains,
                  const struct chain *chain, const struct chain *other);

// Returns a proven lock whose sections hold those of the chain, one in each, or a guard without a
// lock. The encoder's arena owns it (chains_guard.c).
struct chain_guard chains_guard(const struct encoder *encoder, const struct chains *chains,
                                const struct chain *chain);

// Whether an event is another one or, for sure, in the relation with it.
static inline bool chains_is_before(const struct bound *bound, unsigned a, unsigned b) {
    return a == b || relation_has(&bound->must, a, b);
}

// Whether a pair of events is in the node where one section of a lock comes before another one:
// the first event is not after the end of the one, and the second not before the beginning of the
// other. False where that does not follow (chains_guard.c).
bool chains_is_linked(const struct encoder *encoder, const struct chain *lock, unsigned node,
                      size_t first, size_t second, unsigned a, unsigned b);

// What is remembered from case to case (chains_cases.c).
struct case_memo;

// Returns an empty memory for a chain of so many sections, which must have it for what follows; the
// encoder's arena owns it.
struct case_memo *chains_case_memo(struct encoder *encoder, size_t sections);

// Whether the axioms say of the two sections' events alone that they do not both read from
// `source`, whichever of them comes first in the lock that guards them, if one does. False where
// they do not, or more events would have to be looked at (chains_cases.c).
bool chains_cannot_share(const struct chain *chain, size_t first, size_t second, unsigned source);

// Whether they say that the section reads from `source` only if that is co-before its own write.
bool chains_must_follow(const struct chain *chain, size_t section, unsigned source);

// Whether they say that a section of a chain of several cells which takes one of them from `source`
// takes the first one from there, too.
bool chains_reads_whole(const struct chain *chain, size_t section, unsigned source);

// Whether they say that the sections are a chain in which each write comes right after the one that
// its section reads from: of any two that co orders their writes, and of each that no other write
// comes between the two. All accesses are to the chain's cell alone.
bool chains_take_turns(const struct chain *chain);

// Finds `values` of a chain of atomic operations that is a counter; NULL where it is none
// (chains_find.c).
void chains_values(struct encoder *encoder, struct chain *chain);

// Asserts what follows for the values of a proven counter: each is read exactly once. Does nothing
// for a lock (chains_count.c).
void chains_count(struct encoder *encoder, const struct chain *chain);

#endif
