// Inside litmus/readers/module: the launch of a kernel, as a manifest gives it.
#ifndef PTXLITMUS_READERS_MODULE_LAUNCH_H
#define PTXLITMUS_READERS_MODULE_LAUNCH_H

#include "litmus/readers/frame.h"
#include "litmus/readers/module/manifest.h"
#include "litmus/readers/module/module.h"

struct module_launch {
    const struct module_function *kernel;
    struct launch *shape; // of the arena: threads keep it
    unsigned gpu;
    struct span span;         // of the line
    struct span threads_span; // after the numbers of the threads that are modelled
};

// Reads a `kernel` item, at which the frame's tokens begin. Returns false after an error.
//
//   launch = "kernel" (word | string) (("grid" | "block" | "cluster") extent | "gpu" integer
//              | "threads" integer ("," integer)*)*
//   extent = integer ("," integer ("," integer)?)?
bool launch_parse(struct frame *frame, const struct module *module, struct module_launch *launch);

// Adds the threads of a launch to the frame's test, in the order of their numbers, block by block.
// Returns false after an error.
bool launch_add_threads(struct frame *frame, const struct module_launch *launch);

#endif
