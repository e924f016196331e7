// What a run is told when a program is built: what was asked for, and what earlier runs have found.
// A run changes nothing in it (but for what it is to collect); program.c makes the next one of it.
#ifndef PTXLITMUS_PROGRAM_PLAN_H
#define PTXLITMUS_PROGRAM_PLAN_H

#include "program/program.h"

#include <stdbool.h>

struct chosen_numbers;
struct left_stores;
struct loop_rounds;
struct map_shapes;
struct rounds_trial;

struct build_plan {
    const struct test *test;
    const struct program_options *options;
    int only_thread; // runs this thread alone: its index and 1; 0: all
    // Loops.
    bool widens;           // a round of each stands for all after the bound
    bool keeps_writes;     // no iteration that writes is left out
    bool cuts_late;        // those with barriers: see spin_find_cut
    bool keeps_cta_loops;  // no round in which threads meet at barriers is left out
    bool keeps_warp_loops; // nor one in which lanes meet
    bool stays_in_loops;   // builds program->spinning
    bool starves;          // as program_build_endless says
    unsigned stay_rounds;  // of each loop that program_build_endless unrolls; 0: for others
    // How often loops jump back that end by counting, after more rounds than the bound allows; or
    // NULL.
    struct loop_rounds **rounds;
    struct rounds_trial *trial; // collects that; NULL in all other runs
    // What earlier runs have found.
    bool tracks_undef; // reads ask whether their value is unknown
    // By thread and instruction: it may take part in a race, from where a program that was built
    // before accesses memory; NULL: only the text is known.
    bool **races;
    unsigned char **part_sizes; // by thread and instruction (memory/memory.h); NULL: not known yet
    // By thread and instruction: no read of it can find a store of a thread that is left out, as
    // barriers order them (left_windows.c). NULL: that is not known of any.
    bool **unseen;
    const struct left_stores *left_stores; // NULL where no thread is left out
    struct chosen_numbers *chosen;         // coordinates that depend on memory; NULL: not known
    struct map_shapes *shapes;             // of tensormaps (thread/shapes.c); NULL: none so far
};

#endif
