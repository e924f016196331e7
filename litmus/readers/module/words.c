// The words of a body: registers, labels, names of the module.
#include "litmus/readers/module/reading.h"

#include "litmus/names/table.h"
#include "litmus/ptx/ptx.h"
#include "litmus/source/arena.h"

int module_word(struct module_reading *reading, struct body_words *words,
                const struct token *token) {
    const char *name = token_text(reading->arena, token);
    int number = name_table_find(words->numbers, name);
    if (number >= 0)
        return number;
    words->items = arena_grow(reading->arena, words->items, words->count, sizeof *words->items);
    words->items[words->count] = (struct body_word){
        .name = name, .first = token, .is_special = ptx_is_special(name), .definition = -1};
    name_table_add(words->numbers, name, (int)words->count);
    return (int)words->count++;
}

void module_declare_word(struct module_reading *reading, struct body_words *words,
                         const struct token *token) {
    int word = module_word(reading, words, token); // may move the array
    words->items[word].is_declared = true;
}

void module_declare_range(struct module_reading *reading, struct body_words *words,
                          const struct token *token, uint64_t count) {
    const char *prefix = token_text(reading->arena, token);
    int range = name_table_find(words->ranges, prefix);
    if (range < 0) {
        range = (int)words->range_count;
        ARENA_APPEND(reading->arena, words->range_counts, words->range_count, 0);
        name_table_add(words->ranges, prefix, range);
    }
    if (words->range_counts[range] < count)
        words->range_counts[range] = count;
}
