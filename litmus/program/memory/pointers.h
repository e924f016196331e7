// The values that computed addresses may have, and those that writes may store.
#ifndef PTXLITMUS_LITMUS_PROGRAM_MEMORY_POINTERS_H
#define PTXLITMUS_LITMUS_PROGRAM_MEMORY_POINTERS_H

#include "litmus/program/builder.h"
#include "litmus/program/expr/value_set.h"

// By event: the values that its address may have, when constant addresses have their candidates
// already. The candidates of the others are meaningless afterwards.
struct value_set *pointers_find(struct builder *builder);

// By event: the values that a write may store, when all candidates are found. Where
// program_options say that values may come out of thin air, anything that depends on a read.
struct value_set *stored_values_find(struct builder *builder);

#endif
