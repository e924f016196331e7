// Inside litmus/readers/module: the opcodes of a module, each looked up once.
#ifndef PTXLITMUS_READERS_MODULE_OPCODES_H
#define PTXLITMUS_READERS_MODULE_OPCODES_H

#include "litmus/readers/module/module.h"

struct module_opcodes;

// Returns an empty table, which lives in `arena`. Messages go to `diagnostics`; with `is_newer`
// the module is written for a version of PTX that the tables do not know, so that unknown opcodes
// in it are not errors.
struct module_opcodes *module_opcodes_new(struct arena *arena, struct diagnostics *diagnostics,
                                          bool is_newer);

// Returns the opcode that starts at `*at`, a word, which is moved past its qualifiers. NULL after
// an error.
const struct module_opcode *module_opcode_at(struct module_opcodes *opcodes,
                                             const struct token **at);

#endif
