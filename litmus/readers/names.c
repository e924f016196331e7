// Name tables, and the variables and registers that readers look up in them.
//
// A table is an array of slots that is never more than half full; a name stands in the first free
// slot from the one that its hash names. It is our own because uthash frees what it allocates one
// by one, and all of a test lives in its arena.
#include "litmus/readers/names.h"

#include "litmus/readers/reader.h"
#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"

#include <string.h>

struct slot {
    const char *name; // NULL: free
    int number;
};

struct name_table {
    struct arena *arena;
    struct slot *slots;
    size_t count, capacity; // capacity is a power of two
};

struct name_table *name_table_new(struct arena *arena) {
    struct name_table *table = ARENA_NEW(arena, struct name_table);
    table->arena = arena;
    table->capacity = 16;
    table->slots = ARENA_ARRAY(arena, struct slot, table->capacity);
    return table;
}

// FNV-1a
static size_t hash(const char *name) {
    uint64_t sum = 0xCBF29CE484222325U;
    for (; *name; name++)
        sum = (sum ^ (unsigned char)*name) * 0x100000001B3U;
    return (size_t)(sum ^ sum >> 32);
}

// The slot of a name: its own, or the free one where it belongs.
static struct slot *find_slot(const struct name_table *table, const char *name) {
    size_t at = hash(name) & (table->capacity - 1);
    while (table->slots[at].name && strcmp(table->slots[at].name, name) != 0)
        at = (at + 1) & (table->capacity - 1);
    return &table->slots[at];
}

int name_table_find(const struct name_table *table, const char *name) {
    const struct slot *slot = find_slot(table, name);
    return slot->name ? slot->number : -1;
}

static void enlarge(struct name_table *table) {
    const struct slot *old = table->slots;
    size_t old_capacity = table->capacity;
    table->capacity *= 2;
    table->slots = ARENA_ARRAY(table->arena, struct slot, table->capacity);
    for (size_t i = 0; i < old_capacity; i++)
        if (old[i].name)
            *find_slot(table, old[i].name) = old[i];
}

void name_table_add(struct name_table *table, const char *name, int number) {
    if (2 * (table->count + 1) > table->capacity)
        enlarge(table);
    struct slot *slot = find_slot(table, name);
    if (slot->name)
        bug("the name '%s' is in its table already", name);
    *slot = (struct slot){name, number};
    table->count++;
}

int reader_variable(const struct reader *reader, const char *name) {
    if (reader->variable_names)
        return name_table_find(reader->variable_names, name);
    for (size_t i = 0; i < reader->test->variable_count; i++)
        if (strcmp(reader->test->variables[i].name, name) == 0)
            return (int)i;
    return -1;
}

int reader_add_variable(struct reader *reader, const struct variable *variable) {
    struct test *test = reader->test;
    int index = (int)test->variable_count;
    test->variables =
        arena_grow(reader->arena, test->variables, test->variable_count, sizeof(*variable));
    test->variables[test->variable_count++] = *variable;
    if (reader->variable_names)
        name_table_add(reader->variable_names, variable->name, index);
    return index;
}

const char *reader_nearest_variable(const struct reader *reader, const char *name) {
    const struct test *test = reader->test;
    if (!diag_kept(reader->diagnostics)) // nobody would see it
        return NULL;
    const char **names = ARENA_ARRAY(reader->arena, const char *, test->variable_count + 1);
    for (size_t i = 0; i < test->variable_count; i++)
        names[i] = test->variables[i].name;
    return diag_nearest(name, strlen(name), names, test->variable_count);
}

int reader_require_variable(struct reader *reader, const struct token *name) {
    const char *text = token_text(reader->arena, name);
    int found = reader_variable(reader, text);
    if (found >= 0 || reader->variables_failed)
        return found;
    diag_error(reader->diagnostics, name->span, "there is no variable '%.40s'", text);
    const char *nearest = reader_nearest_variable(reader, text);
    if (nearest)
        diag_hint(reader->diagnostics, "did you mean '%s'?", nearest);
    else
        diag_hint(reader->diagnostics, "declare it before the threads: .global .u32 %.40s;", text);
    return -1;
}

void reader_need(struct reader *reader, struct need need) {
    struct test *test = reader->test;
    if (need.ptx <= PTX_OLDEST)
        need.ptx = 0;
    if (need.sm <= PTX_FIRST_SM)
        need.sm = 0;
    if (need.ptx == 0 && need.sm == 0)
        return;
    test->needs = arena_grow(reader->arena, test->needs, test->need_count, sizeof *test->needs);
    test->needs[test->need_count++] = need;
}

int reader_find_register(const struct thread *thread, const char *name) {
    return thread->register_names ? name_table_find(thread->register_names, test_register_key(name))
                                  : -1;
}

int reader_register(struct reader *reader, struct thread *thread, const struct token *token,
                    unsigned width) {
    return reader_named_register(reader, thread, token_text(reader->arena, token), token->span,
                                 width);
}

int reader_named_register(struct reader *reader, struct thread *thread, const char *name,
                          struct span span, unsigned width) {
    int found = reader_find_register(thread, name);
    if (found >= 0)
        return found;
    if (!thread->register_names)
        thread->register_names = name_table_new(reader->arena);
    int index = (int)thread->register_count;
    thread->registers = arena_grow(reader->arena, thread->registers, thread->register_count,
                                   sizeof(*thread->registers));
    thread->registers[thread->register_count++] =
        (struct test_register){.name = name, .width = width, .span = span, .initial_variable = -1};
    name_table_add(thread->register_names, test_register_key(name), index);
    return index;
}
