// Where the variables of a test lie: objects of bytes, the addresses that lead to them, and what
// the placement of a thread says of it (PTX ISA 5.1, 10; memory-model: instances of state spaces,
// placement of CTAs).
#ifndef PTXLITMUS_ORACLE_MEMORY_H
#define PTXLITMUS_ORACLE_MEMORY_H

#include "litmus/test.h"
#include "tests/oracle/value.h"

#include <stddef.h>

// One instance of a variable: physical memory.
struct object {
    int variable; // that is not an alias
    int thread; // of .shared: the first thread of its CTA; of .local and .param its thread; else -1
    unsigned size;
};

struct memory {
    const struct test *test;
    struct object *objects;
    size_t count;
    uint64_t *offsets; // by variable: where it lies in the window of its space
};

// What an access touches: bytes of an object, through one of its virtual addresses.
struct spot {
    int object;
    unsigned offset;
    int range;        // the variable whose virtual address it is
    enum proxy proxy; // of accesses through that name
};

// The caller releases it with memory_free.
struct memory memory_new(const struct test *test);
void memory_free(struct memory *memory);

// The address of a variable, in the window of its own space or as a generic one, as a thread sees
// it.
uint64_t memory_address(const struct memory *memory, int thread, int variable);
uint64_t memory_generic_address(const struct memory *memory, int thread, int variable);

// What `size` bytes at an address of a space are to a thread. Returns false when they are in no
// variable.
bool memory_find(const struct memory *memory, int thread, enum state_space space, uint64_t address,
                 unsigned size, struct spot *spot);

// The place of an access that names its variable.
bool memory_find_variable(const struct memory *memory, int thread, int variable, int64_t offset,
                          unsigned size, struct spot *spot);

// Returns the rank of the CTA of a thread in its cluster.
unsigned memory_rank_of_thread(const struct memory *memory, int thread);

// The same of the CTA that has an object.
unsigned memory_rank_of_object(const struct memory *memory, int object);

// The instance of a .shared object's variable in the CTA of a rank of its cluster; -1: there is
// none.
int memory_object_in_rank(const struct memory *memory, int object, unsigned rank);

// How many CTAs the cluster of a thread has.
unsigned memory_cluster_size(const struct memory *memory, int thread);

// cvta, cvta.to, isspacep, mapa and getctarank (PTX ISA 9.7.9). They return false where the
// address is in no window that the instruction can take.
bool memory_to_generic(const struct memory *memory, int thread, enum state_space space,
                       uint64_t address, uint64_t *generic);
bool memory_from_generic(const struct memory *memory, int thread, enum state_space space,
                         uint64_t generic, uint64_t *address);
bool memory_is_in_space(const struct memory *memory, int thread, enum state_space space,
                        uint64_t generic);
bool memory_map_to_rank(const struct memory *memory, int thread, enum state_space space,
                        uint64_t address, unsigned rank, uint64_t *mapped);
bool memory_rank_of(const struct memory *memory, int thread, enum state_space space,
                    uint64_t address, unsigned *rank);

// What a byte of an object holds before the test runs.
struct value memory_initial_byte(const struct memory *memory, int object, unsigned offset);

// The object of a variable for a thread or, for one of .shared memory, for a CTA by its number (the
// only one there is).
int memory_object_of(const struct memory *memory, int thread, int variable);
int memory_object_in_cta(const struct memory *memory, unsigned cta, int variable);

// A special register. Returns false where the placement leaves it open.
bool memory_special(const struct test *test, int thread, enum special_register special,
                    unsigned member, uint32_t *value);

// Whether one grid is started by the launch_dependents of another.
bool memory_depends_on(const struct test *test, unsigned grid, unsigned after);

#endif
