// Name tables: from a name to its number, in constant time.
#ifndef PTXLITMUS_LITMUS_NAMES_TABLE_H
#define PTXLITMUS_LITMUS_NAMES_TABLE_H

#include <stddef.h>

struct arena;
struct name_table;

// Returns an empty table that lives in `arena`.
struct name_table *name_table_new(struct arena *arena);

// Returns the number of a name, or -1.
int name_table_find(const struct name_table *table, const char *name);

// Adds a name (borrowed: it must live as long as the table), which must be new.
void name_table_add(struct name_table *table, const char *name, int number);

#endif
