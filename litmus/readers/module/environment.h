// Inside litmus/readers/module: special registers %envreg<n> whose values a manifest gives.
#ifndef PTXLITMUS_READERS_MODULE_ENVIRONMENT_H
#define PTXLITMUS_READERS_MODULE_ENVIRONMENT_H

#include "litmus/readers/frame.h"
#include "litmus/readers/module/manifest.h"

// Reads an `envreg` item, and says in the launch which variable, which is added to the frame's
// test, has the value. An address in it is resolved with those of other initial values. Returns
// false after an error.
//
//   envreg = "envreg" integer ("," integer)? "=" value
//
// With two numbers, the first register holds the upper half of 64 bits, and the second one the
// lower half: so cooperative groups find the workspace of a grid, in %envreg1 and %envreg2.
bool environment_declare(struct frame *frame, struct launch *launch,
                         const struct manifest_item *item);

#endif
