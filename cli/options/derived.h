// What is chosen for a launch of a kernel that nothing gives.
#ifndef PTXLITMUS_CLI_OPTIONS_DERIVED_H
#define PTXLITMUS_CLI_OPTIONS_DERIVED_H

#include "launch/launch.h"

// How large a variable of a derived launch has to be, of which more is accessed than it usually
// has.
struct derived_size {
    const char *name;
    uint64_t bytes;
};

// The tensormap of a parameter, or of a part of it.
struct derived_map {
    const char *parameter; // in the module
    struct launch_map map;
};

// What runs have shown that the objects of a launch have to be.
struct derived_objects {
    bool is_measured; // how large they are was found: these have to be larger than usual
    const struct derived_size *sizes;
    size_t size_count;
    bool is_mapped; // tensormaps have been looked for
    const struct derived_map *maps;
    size_t map_count;
};

// What is chosen for a launch that nothing gives.
struct derived_launch {
    unsigned threads;     // of a block; 0 for as many as the kernel allows, or 64
    const char *why;      // not more: "not decided in 5 s"; NULL with 0
    bool is_shown;        // one run of it has met a fault
    bool is_searched;     // and so has a search of it, with blocks of
    unsigned searched;    // so many threads; 0 as above
    unsigned shape;       // of the block: 0, or the number of another one that is usual
    const char *integer;  // what integers are, "2"; NULL: 3
    const char *distance; // what those are that others are multiplied by; NULL: as integers
    const char *others;   // what they were besides, without a fault: "0, 1, 2"; NULL: nothing
    const char *open;     // what they were besides, which was not decided in time; NULL: nothing
    bool is_faulty;       // the launch is not free of faults: but others may be
    bool is_single_free;  // with one block, or cluster, one run shows that there is no fault
    unsigned free_shape;  // the same with this shape of blocks, and 1; 0: with none that was tried
    const char *free_integer; // what integers are then; NULL: as in the launch
    bool is_single;           // there is only one
    bool has_any_contents;    // nothing is known of what objects hold at first
    const char *contents;     // what a free launch is with other contents; NULL: not known
    const char *relies;       // what faults rely on that is derived, a sentence without a full
                              // stop; NULL: nothing that is known
    uint64_t measured; // bytes of all objects together, where a run is to find how much of them
                       // it accesses; 0: it is not
    struct derived_objects objects;
};

#endif
