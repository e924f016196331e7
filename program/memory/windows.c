// Generic addresses (PTX ISA 6.4.1.1): the windows of the state spaces.
//
// The address of a variable is relative to the window of its space; its generic address is in
// that window. The window of .global begins at 0 and includes that of kernel parameters. Instances
// of .shared variables are side by side in one window, that of .shared::cluster; a CTA's own window
// is where its instances are.

#include "program/cells.h"

#include <assert.h>

uint64_t program_window(enum state_space space) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    switch (space) {
    case SPACE_PARAM: return PROGRAM_WINDOW_SIZE / 2;
    case SPACE_CONST: return 1 * PROGRAM_WINDOW_SIZE;
    case SPACE_LOCAL: return 2 * PROGRAM_WINDOW_SIZE;
    case SPACE_TENSOR: return 4 * PROGRAM_WINDOW_SIZE;
    case SPACE_SHARED:
    case SPACE_SHARED_CLUSTER: return 3 * PROGRAM_WINDOW_SIZE;
    default: return 0;
    }
}
