// What reaches what in a body: which statements give values on which an address, a branch or a
// stored value may depend.
//
// The order of the statements is left out, so that a word that is reused may be taken to reach what
// it does not, and never the other way round. Each statement is visited once.
#include "litmus/readers/module/reading.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"

struct reach {
    struct arena *arena;
    struct module_function *function;
    struct body_words *words;
    int *pending; // words that matter and whose definitions were not visited
    size_t pending_count;
};

// The end of the first operand: the ',' after it, or the ';'.
static const struct token *first_operand_end(const struct module_statement *statement) {
    unsigned depth = 0;
    const struct token *at = statement->operands;
    for (; at < statement->end; at++)
        if (token_is_punct(at, '{') || token_is_punct(at, '(') || token_is_punct(at, '['))
            depth++;
        else if (token_is_punct(at, '}') || token_is_punct(at, ')') || token_is_punct(at, ']'))
            depth--;
        else if (depth == 0 && token_is_punct(at, ','))
            return at;
    return at;
}

// The destination is all tokens from the first operand to here.
static const struct token *destination_end(const struct module_statement *statement) {
    if (!statement->opcode->has_destination || token_is_punct(statement->operands, '['))
        return statement->operands;
    return first_operand_end(statement);
}

static int word_at(const struct reach *reach, const struct token *token) {
    return reach->words->of_token[token - reach->function->body];
}

static void mark_word(struct reach *reach, int word) {
    if (word < 0 || reach->words->items[word].matters)
        return;
    reach->words->items[word].matters = true;
    reach->pending[reach->pending_count++] = word;
}

// Whether a statement is executed matters.
static void mark_guard(struct reach *reach, const struct module_statement *statement) {
    for (const struct token *at = statement->first; at < statement->operands; at++)
        mark_word(reach, word_at(reach, at));
}

// What a statement takes matters: its guard, and all operands but the destination.
static void mark_sources(struct reach *reach, struct module_statement *statement) {
    if (statement->reaches)
        return;
    statement->reaches = true;
    mark_guard(reach, statement);
    for (const struct token *at = destination_end(statement); at < statement->end; at++)
        mark_word(reach, word_at(reach, at));
}

static void note_definitions(struct reach *reach, size_t index) {
    struct module_statement *statement = &reach->function->statements[index];
    struct body_words *words = reach->words;
    const struct token *end = destination_end(statement);
    for (const struct token *at = statement->operands; at < end; at++) {
        int word = word_at(reach, at);
        if (word < 0)
            continue;
        words->definitions = arena_grow(reach->arena, words->definitions, words->definition_count,
                                        sizeof *words->definitions);
        words->definitions[words->definition_count] =
            (struct word_definition){.statement = index, .next = words->items[word].definition};
        words->items[word].definition = (int)words->definition_count++;
    }
}

bool module_is_idle(const struct module_statement *statement) {
    return !statement->reaches && !statement->opcode->has_effect;
}

void module_find_reach(struct arena *arena, struct module_function *function,
                       struct body_words *words, const char *const *matters, size_t count) {
    struct reach reach = {.arena = arena,
                          .function = function,
                          .words = words,
                          .pending = ARENA_ARRAY(arena, int, words->count + 1)};
    for (size_t i = 0; i < function->statement_count; i++)
        note_definitions(&reach, i);
    for (size_t i = 0; i < function->statement_count; i++)
        if (function->statements[i].opcode->has_effect)
            mark_sources(&reach, &function->statements[i]);
        else if (function->statements[i].opcode->is_together)
            mark_guard(&reach, &function->statements[i]);
    for (size_t i = 0; i < count; i++)
        mark_word(&reach, name_table_find(words->numbers, matters[i]));
    while (reach.pending_count > 0) {
        int word = reach.pending[--reach.pending_count];
        for (int i = words->items[word].definition; i >= 0; i = words->definitions[i].next)
            mark_sources(&reach, &function->statements[words->definitions[i].statement]);
    }
}
