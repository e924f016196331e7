// The values that computed addresses may have.
#ifndef PTXLITMUS_PROGRAM_POINTERS_H
#define PTXLITMUS_PROGRAM_POINTERS_H

#include "litmus/program/program_internal.h"
#include "litmus/program/value_set.h"

// By event: the values that its address may have, when constant addresses have their candidates
// already. The candidates of the others are meaningless afterwards.
struct value_set *pointers_find(struct builder *builder);

#endif
