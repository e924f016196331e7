// Whether tensors are as copies of them need them.
#include "litmus/variable.h"

#include "litmus/instruction.h"
#include "litmus/source/diagnostics.h"

bool tensor_fits_copy(struct diagnostics *diagnostics, struct span span, const struct variable *map,
                      const struct instruction *instruction, unsigned dimensions) {
    const struct tensor *tensor = map->tensor;
    if (tensor->rank != dimensions) {
        diag_error(diagnostics, span, "the tensor of '%s' has %u dimension%s, not %u", map->name,
                   tensor->rank, tensor->rank == 1 ? "" : "s", dimensions);
    } else if (instruction->copy.im2col != tensor->im2col) {
        diag_error(diagnostics, span, "'%s' is a tensormap in %s mode, not %s", map->name,
                   tensor->im2col ? "im2col" : "tiled", tensor->im2col ? "tiled" : "im2col");
        if (instruction->copy.im2col)
            diag_hint(diagnostics,
                      "'tensormap t = g, {4, 8, 2}, im2col {-1}, {-1}, 4, 8' has a lower and an "
                      "upper corner, 4 channels per pixel and 8 pixels per column");
    } else if (instruction->copy.four_rows && tensor->box[1] != 1) {
        // "The size of the bounding box in the dimension 1 must be one" (PTX ISA 5.5.3.4.1).
        diag_error(diagnostics, span,
                   "the box of a map for four rows is a part of one row, and that of '%s' has %u",
                   map->name, tensor->box[1]);
        diag_hint(diagnostics, "declare it with the box {%u, 1}", tensor->box[0]);
    } else
        return true;
    return false;
}
