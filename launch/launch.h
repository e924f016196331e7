// A launch that is run once, thread by thread, with concrete values, where one run says what all
// executions do: no solver is needed then, and all threads are there.
//
// The argument, and what the run checks of it, is in docs/launches.md. In short: every read takes
// its value from the last write before it in causality order, so that in every execution each
// thread does the same; where something else decides, the run says so and answers nothing.
#ifndef PTXLITMUS_LAUNCH_LAUNCH_H
#define PTXLITMUS_LAUNCH_LAUNCH_H

#include "litmus/test.h"
#include "program/options.h"

struct diagnostics;
struct arena;

enum launch_answer {
    LAUNCH_IS_OPEN,   // the run does not say
    LAUNCH_IS_FREE,   // of data races, hangs and undefined uses, in all executions
    LAUNCH_IS_FAULTY, // some execution has one
};

// In place of a variable: tensor memory of a launch. An offset is an address then, 65536 times the
// lane and the column.
enum { LAUNCH_TENSOR_MEMORY = INT32_MAX };

// One of two accesses that race.
struct launch_access {
    int thread; // index into the test's threads
    const struct instruction *instruction;
    bool writes, is_atomic;
    bool is_detached; // an asynchronous operation of the thread does it
    unsigned size;    // bytes
    uint64_t offset;  // in the variable
};

// Two places that race. (PTX ISA 8.7.1)
struct launch_race {
    struct launch_access accesses[2]; // of the first pair of threads that was met
    unsigned variable;                // index into the test's variables; LAUNCH_TENSOR_MEMORY
    bool is_of_mixed_sizes;           // they overlap in part
    bool stores_alike;                // both store, and in all pairs the same value
    size_t pairs;                     // of threads that were met, this one included
};

// What a thread does that PTX leaves undefined, beside races: the run ends there.
struct launch_misuse {
    int thread;
    const struct instruction *instruction;
    const char *flag; // of the model
    const char *why;  // a sentence without a full stop
};

// A thread that never ends.
struct launch_wait {
    int thread;
    const struct instruction *instruction;
    bool goes_round; // a loop; else it waits there
};

struct launch_result {
    const struct test *test; // that was run
    enum launch_answer answer;
    const char *why;                // the run does not say, a sentence without a full stop; or NULL
    const struct instruction *open; // the instruction that this is about, or NULL
    struct launch_race *races;
    size_t race_count;
    struct launch_wait *waits;
    size_t wait_count;
    const struct launch_misuse *misuse; // or NULL
    uint64_t instructions;              // that were executed, by all threads
    unsigned choices; // how many runs there were, of other lanes that elect.sync elects; or 1
    unsigned ways;    // in which the machine can cancel blocks, each run; 0: it cannot
    bool is_shared;   // in some run, two threads have accessed the same memory, and one has written
    bool is_of_alike; // only of choices that are the same in all warps
    unsigned orders;  // in which its accesses can take place, each run once; 0: one run was enough
    bool reaches_out; // asynchronous operations have written to other blocks
    bool is_by_place; // faulty, and free if what these write is done in those blocks, or in
                      // those of their issuers where `async_destination` is set
    bool lacks_map;   // open, since a tensor copy is by a parameter that has no tensormap
    bool is_misplaced;       // open, since an access is outside of every variable or not aligned
    const uint64_t *reached; // by variable: the end of the bytes that were accessed; 0: none were.
                             // NULL: nothing was run
};

// How it is known how many bytes a copy by a tensormap moves that a test does not give.
enum launch_map_source {
    LAUNCH_MAP_UNKNOWN,
    LAUNCH_MAP_EXPECTED, // mbarriers expect so many
    LAUNCH_MAP_DIVIDED,  // they expect so many of several maps, and each tile ends where the next
                         // place begins
    LAUNCH_MAP_STORED,   // threads have stored so many where its copies read
    LAUNCH_MAP_LOADED,   // copies by another map have written so many there
};

// A tensormap that a parameter should have, and what copies by it show of it.
struct launch_map {
    unsigned variable; // the parameter, an index into the test's variables,
    uint64_t offset;   // and where in it the map is
    unsigned rank;
    uint64_t bytes; // that a copy moves; 0: not known
    enum launch_map_source source;
    struct tensor tensor; // with tiles that do not overlap, as large as copies by it reach
    bool is_found;        // `tensor` is known
    bool is_reduced;      // some copy by it is a reduction
};

struct launch_maps {
    const struct launch_map *items;
    size_t count;
};

struct launch_limits {
    uint64_t instructions; // that all threads may execute together
    bool (*is_late)(void); // asked now and then: whether to give up; NULL: never
};

// Runs a test, and returns what that shows; the arena owns it. Nothing is written anywhere.
struct launch_result launch_run(struct arena *arena, const struct test *test,
                                const struct program_options *options,
                                const struct launch_limits *limits);

// Runs a test of which parameters may have no tensormaps where copies are by such, to find what
// these have to be; `known` has the bytes of those that are known. Returns those that copies are
// by; the arena owns them.
struct launch_maps launch_find_maps(struct arena *arena, const struct test *test,
                                    const struct program_options *options,
                                    const struct launch_limits *limits,
                                    const struct launch_maps *known);

// --- whole.c -----------------------------------------------------------------------------------

// Returns a test in which the launches of a test have all their threads, of which its `threads`
// name some; the test itself where they have, or where these are more than 8,192. The arena owns
// the result, and the test has to live as long. What the test asks of registers is not to be asked
// of the result.
const struct test *whole_launches(struct arena *arena, const struct test *test);

// --- roles.c -----------------------------------------------------------------------------------

// Returns a test with a few threads of each block, in which a launch leaves the others out as
// `threads` does, and of which it is assumed that the others do as these do; a copy of the
// test where each block has no more threads than these. With `all`, this is done for all launches
// of kernels, else for those with `threads auto`. NULL after an error in `diagnostics`: the test
// asks for registers of single threads. The arena owns the result, and the test has to live as
// long.
struct test *roles_choose(struct arena *arena, const struct test *test,
                          const struct program_options *options, bool all,
                          struct diagnostics *diagnostics);

// Whether some launch of a test is one with `threads auto`.
bool roles_are_asked(const struct test *test);

#endif
