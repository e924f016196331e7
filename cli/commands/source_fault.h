// What is wrong with the launch of a .cu file, as far as it says which changes of the file may be
// right.
#ifndef PTXLITMUS_CLI_COMMANDS_SOURCE_FAULT_H
#define PTXLITMUS_CLI_COMMANDS_SOURCE_FAULT_H

#include "check/report/report.h"

struct arena;

struct source_fault {
    // Of two accesses that race, or of one that is undefined (then both are the same): lines of the
    // file. 0: it is in another one, or there are none.
    unsigned lines[2];
    bool is_race;
    bool is_async[2];    // an asynchronous operation does it
    bool is_of_block;    // both threads are in one block
    bool is_of_grids;    // one grid comes after the other, and may start before that is complete
    bool is_in_global;   // the memory is global
    bool is_of_map;      // it is a tensormap
    bool is_of_mbarrier; // a use of an mbarrier is undefined, or a thread waits for ever
    bool is_of_exited;   // memory of a block that may have ended is accessed
};

// Returns the first thing that is wrong, as a run or a search of the report has found it. The
// access that comes first in the file is the first one.
struct source_fault source_fault_of(struct arena *arena, const struct report *report);

// Whether it takes more than stronger orders, scopes and barriers of a block: orders of accesses
// do not change it.
bool source_fault_is_special(const struct source_fault *fault);

#endif
