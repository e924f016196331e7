// Lookups in the table of words.
#include "explain/words.h"

#include "litmus/source/arena.h"

#include <string.h>

static const struct relation_words relation_table[] = {
#define RELATION(name, telling, section, sentence, title)                                          \
    {name, TELL_##telling, section, sentence, title},
#include "explain/words.def"
};

static const struct axiom_words axiom_table[] = {
#define AXIOM(name, section, rank, rule) {name, section, rank, rule},
#include "explain/words.def"
};

const struct axiom_words *words_axioms(size_t *count) {
    *count = sizeof axiom_table / sizeof axiom_table[0];
    return axiom_table;
}

bool words_is_builtin(const struct source *source) {
    return strncmp(source->path, "<built-in>/", strlen("<built-in>/")) == 0;
}

bool words_is_relation(const struct model_node *node, const char *name) {
    return node->name != NULL && !node->is_set && node->op != NODE_BASE_RELATION &&
           words_is_builtin(node->span.source) && strcmp(node->name, name) == 0;
}

const struct relation_words *words_of_node(const struct model_node *node) {
    bool base = node->op == NODE_BASE_RELATION;
    if (node->name == NULL || node->is_set || (!base && !words_is_builtin(node->span.source)))
        return NULL;
    for (size_t i = 0; i < sizeof relation_table / sizeof relation_table[0]; i++)
        if (strcmp(relation_table[i].name, node->name) == 0)
            return &relation_table[i];
    return NULL;
}

const struct axiom_words *words_of_axiom(const struct model_axiom *axiom) {
    if (!words_is_builtin(axiom->span.source))
        return NULL;
    for (size_t i = 0; i < sizeof axiom_table / sizeof axiom_table[0]; i++)
        if (strcmp(axiom_table[i].name, axiom->name) == 0)
            return &axiom_table[i];
    return NULL;
}

const char *words_fill(struct arena *arena, const char *sentence, const char *a, const char *b) {
    const char *text = "";
    for (const char *at = sentence; *at != '\0';) {
        size_t plain = strcspn(at, "{");
        const char *name = at[plain] == '\0' ? "" : at[plain + 1] == 'a' ? a : b;
        text = arena_format(arena, "%s%.*s%s", text, (int)plain, at, name);
        at += plain + (at[plain] == '\0' ? 0 : strlen("{a}"));
    }
    return text;
}

const char *words_of_span(struct arena *arena, struct span span) {
    char *copy = span_text(arena, span);
    size_t kept = 0;
    for (size_t i = 0; copy[i] != '\0'; i++)
        if (strchr(" \t\r\n", copy[i]) == NULL)
            copy[kept++] = copy[i];
        else if (kept != 0 && copy[kept - 1] != ' ')
            copy[kept++] = ' ';
    while (kept != 0 && copy[kept - 1] == ' ')
        kept--;
    copy[kept] = '\0';
    return copy;
}

const char *words_origin(struct arena *arena, const struct model_node *node) {
    struct position at = source_position(node->span.source, node->span.begin);
    return arena_format(arena, "%s:%u: %s = %s", node->span.source->path, at.line, node->name,
                        words_of_span(arena, node->span));
}
