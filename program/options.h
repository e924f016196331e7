// How a program is built from a test.
#ifndef PTXLITMUS_PROGRAM_OPTIONS_H
#define PTXLITMUS_PROGRAM_OPTIONS_H

#include <stdbool.h>

// Which dependencies count: those by which the read has influence, all as written, or none.
enum dependencies { DEPENDENCIES_SEMANTIC, DEPENDENCIES_SYNTACTIC, DEPENDENCIES_NONE };

// Steps of building that make a program smaller and change nothing that it shows: no verdict, no
// flag, no state. tests/metamorphic leaves them out, one at a time, and compares.
enum program_step {
    STEP_PRIVATE = 1 << 0,   // accesses to memory that a thread alone has go (memory/known.c)
    STEP_EXCHANGES = 1 << 1, // what lanes in lockstep exchange is known (barrier/lockstep.c)
    STEP_UNWRITTEN = 1 << 2, // so is what reads of bytes return that nothing writes
                             // (memory/unwritten.c)
    STEP_UNREACHED = 1 << 3, // events go that never execute (unreached.c)
    STEP_COMPLETED =
        1 << 4, // waits that always pass are known to (barrier/completed.c), and phases
                // of all that may be in them are one variable (encode/barriers.c)
};

struct program_options {
    enum dependencies dependencies;
    // Bound of loops, except for those that end by counting after more rounds and are small.
    unsigned unroll;
    bool async_destination; // --async-place=destination
    bool whole_accesses;    // --tearing=none: no cells but those of accesses
    bool no_timeouts;       // no wait gives up by a clock, as if the test said so
    // --multimem=variable: accesses through multimem addresses are at those of the variables.
    bool multimem_variables;
    unsigned left_out; // a set of enum program_step
    // Executions that rely on what is taken for granted of threads that a launch leaves out, or
    // found what these may have stored, do not count (section 13).
    bool certain;
    bool no_thin_air; // under the model, no value depends on itself (section 4); else more
                      // cells are told apart than can be seen
    // Asked now and then while a program is built: whether to give up, which is an error. Once it
    // says so, it has to go on saying so. NULL: never.
    bool (*is_late)(void);
};

#endif
