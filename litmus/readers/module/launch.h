// Inside litmus/readers/module: the launch of a kernel, as a manifest gives it.
#ifndef PTXLITMUS_READERS_MODULE_LAUNCH_H
#define PTXLITMUS_READERS_MODULE_LAUNCH_H

#include "litmus/readers/frame.h"
#include "litmus/readers/module/manifest.h"
#include "litmus/readers/module/module.h"

// What the launches before one that runs at the same time have: its own go on from there.
struct launch_numbers {
    unsigned thread, cta, cluster, grid; // the first numbers that are free
    size_t modelled;                     // threads that the test has
};

struct module_launch {
    const struct module_function *kernel;
    struct launch *shape; // of the arena: threads keep it
    unsigned gpu;
    bool follows;             // `then kernel`: it comes after the launch before it,
    bool is_programmatic;     // and may start before that is complete
    struct span span;         // of the line
    struct span threads_span; // after the numbers of the threads that are modelled
    struct launch_numbers first;
    const struct manifest_item **arguments; // by parameter; NULL: none yet
    const struct manifest_item *dynamic;    // the size of its dynamic shared memory, or NULL
    uint64_t dynamic_bytes;
    const struct manifest_item **environment; // what %envreg hold
    size_t environment_count;
};

// Reads a `kernel` item, or a `with` or `then` item from its second word on, at which the frame's
// tokens are. `next` is where its numbers begin; it is moved past them. `follows`: of a `then`.
// Returns false after an error.
//
//   launch = "kernel" (word | string) (("grid" | "block" | "cluster") extent | "gpu" integer
//              | "threads" ("auto" | integer ("," integer)*) | "programmatic")*
//   extent = integer ("," integer ("," integer)?)?
bool launch_parse(struct frame *frame, const struct module *module, struct launch_numbers *next,
                  bool follows, struct module_launch *launch);

// Adds the threads of a launch to the frame's test, in the order of their numbers, block by block.
void launch_add_threads(struct frame *frame, const struct module_launch *launch);

#endif
