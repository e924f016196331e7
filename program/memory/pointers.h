// The values that computed addresses may have, and those that writes may store.
#ifndef PTXLITMUS_PROGRAM_MEMORY_POINTERS_H
#define PTXLITMUS_PROGRAM_MEMORY_POINTERS_H

#include "program/builder.h"
#include "program/expr/value_set.h"

// Returns, by event, the values that its address may have; the builder's arena owns them. Constant
// addresses must have their candidates already; the candidates of the others are meaningless
// afterwards.
struct value_set *pointers_find(struct builder *builder);

// Returns, by event, the values that a write may store, once all candidates are found; the
// builder's arena owns them. If program_options say that values may come out of thin air, a value
// that depends on a read may be any.
struct value_set *stored_values_find(struct builder *builder);

// Returns, by place in a list, the values that an expression may have, once all candidates are
// found, as above; the builder's arena owns them.
struct value_set *values_find(struct builder *builder, const struct expr *const *wanted,
                              size_t count);

#endif
