// Access to the instruction table: lookups by name, and the small language of its qualifiers.
#include "litmus/ptx/instructions.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// --- The rows ----------------------------------------------------------------------------------

static const struct form forms[] = {
#define FORM(opcode_id, name_text, qualifier_text, ptx_version, target, ...)                       \
    {.opcode = OP_##opcode_id,                                                                     \
     .name = (name_text),                                                                          \
     .qualifiers = qualifier_text,                                                                 \
     .ptx = (ptx_version),                                                                         \
     .sm = (target),                                                                               \
     .operands = {__VA_ARGS__}},
#define OUTSIDE(opcode_id, name_text, qualifier_text, why)                                         \
    {.opcode = OP_##opcode_id, .name = (name_text), .qualifiers = qualifier_text, .outside = (why)},
#include "litmus/ptx/instructions.def"
};

static const struct requirement requirements[] = {
#define REQUIRES(names, qualifiers, ptx, sm) {names, qualifiers, ptx, sm},
#include "litmus/ptx/instructions.def"
};

static const struct {
    const char *name, *spelling, *sentence;
} explanations[] = {
#define EXPLAIN(name, qualifier, sentence) {name, qualifier, sentence},
#include "litmus/ptx/instructions.def"
};

static const struct {
    const char *word, *what;
} unread[] = {
#define UNREAD(word, what) {word, what},
#include "litmus/ptx/instructions.def"
};

static const struct qualifier qualifiers[] = {
#define QUALIFIER(class, spelling, value) {CLASS_##class, spelling, value},
#include "litmus/ptx/qualifiers.def"
};

static const struct {
    const char *name, *noun;
    unsigned weight;
} classes[] = {
#define CLASS(id, name, noun, weight) {name, noun, weight},
#include "litmus/ptx/qualifiers.def"
};

// --- Lookups -----------------------------------------------------------------------------------

const struct qualifier *ptx_qualifier(enum qualifier_class class, const char *spelling) {
    for (size_t i = 0; i < COUNT(qualifiers); i++)
        if (qualifiers[i].class == class && strcmp(qualifiers[i].spelling, spelling) == 0)
            return &qualifiers[i];
    return NULL;
}

bool ptx_is_qualifier(const char *spelling) {
    for (size_t i = 0; i < COUNT(qualifiers); i++)
        if (strcmp(qualifiers[i].spelling, spelling) == 0)
            return true;
    return false;
}

const char *ptx_class_noun(enum qualifier_class class) {
    return classes[class].noun;
}

unsigned ptx_class_weight(enum qualifier_class class) {
    return classes[class].weight;
}

const struct form *ptx_forms(size_t *count) {
    *count = COUNT(forms);
    return forms;
}

const struct form *ptx_forms_named(const char *name, size_t *count) {
    size_t first = 0;
    while (first < COUNT(forms) && strcmp(forms[first].name, name) != 0)
        first++;
    size_t last = first;
    while (last < COUNT(forms) && strcmp(forms[last].name, name) == 0)
        last++;
    *count = last - first;
    return *count ? &forms[first] : NULL;
}

const struct requirement *ptx_requirements(size_t *count) {
    *count = COUNT(requirements);
    return requirements;
}

const char *ptx_explanation(const char *name, const char *spelling) {
    for (size_t i = 0; i < COUNT(explanations); i++)
        if (strcmp(explanations[i].name, name) == 0 &&
            strcmp(explanations[i].spelling, spelling) == 0)
            return explanations[i].sentence;
    return NULL;
}

const char *ptx_unread(const char *word) {
    for (size_t i = 0; i < COUNT(unread); i++)
        if (strcmp(unread[i].word, word) == 0)
            return unread[i].what;
    return NULL;
}

const char *ptx_nearest_opcode(struct arena *arena, const char *word) {
    const char **words = ARENA_ARRAY(arena, const char *, COUNT(forms));
    size_t count = 0;
    for (size_t i = 0; i < COUNT(forms); i++)
        if (i == 0 || forms[i].name != forms[i - 1].name)
            words[count++] = arena_strndup(arena, forms[i].name, strcspn(forms[i].name, "."));
    return diag_nearest(word, strlen(word), words, count);
}

bool ptx_is_opcode(const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i < COUNT(forms); i++)
        if (strcspn(forms[i].name, ".") == length && memcmp(forms[i].name, word, length) == 0)
            return true;
    return ptx_unread(word) != NULL;
}

// --- The language of the qualifiers ------------------------------------------------------------

static bool piece_is(struct piece piece, const char *text) {
    return strlen(text) == piece.length && memcmp(piece.text, text, piece.length) == 0;
}

static enum qualifier_class class_named(struct piece name) {
    for (size_t i = 0; i < COUNT(classes); i++)
        if (piece_is(name, classes[i].name))
            return (enum qualifier_class)i;
    bug("the instruction table names no class '%.*s'", (int)name.length, name.text);
}

// slot = alternatives | "{" alternatives ["=" qualifier] "}" | "(" alternatives ")"
// alternatives = class ":" qualifier ("|" qualifier)*
bool ptx_next_slot(const char **cursor, struct slot *slot) {
    const char *text = *cursor + strspn(*cursor, " ");
    if (*text == '\0')
        return false;
    *slot = (struct slot){.optional = *text == '{', .implied = *text == '('};
    if (slot->optional || slot->implied)
        text++;
    size_t length = strcspn(text, " })");
    *cursor = text + length + (text[length] != '\0');
    size_t colon = strcspn(text, ":");
    slot->class = class_named((struct piece){text, colon});
    const char *fallback = memchr(text, '=', length);
    if (fallback) {
        slot->fallback = (struct piece){fallback + 1, (size_t)(text + length - fallback - 1)};
        length = (size_t)(fallback - text);
    }
    slot->alternatives = (struct piece){text + colon + 1, length - colon - 1};
    return true;
}

bool ptx_next_alternative(struct piece *rest, struct piece *alternative) {
    if (rest->length == 0)
        return false;
    const char *bar = memchr(rest->text, '|', rest->length);
    size_t length = bar ? (size_t)(bar - rest->text) : rest->length;
    *alternative = (struct piece){rest->text, length};
    size_t skipped = length + (bar != NULL);
    *rest = (struct piece){rest->text + skipped, rest->length - skipped};
    return true;
}

bool ptx_slot_takes(const struct slot *slot, const char *spelling) {
    struct piece rest = slot->alternatives, alternative;
    while (ptx_next_alternative(&rest, &alternative))
        if (piece_is(alternative, spelling))
            return true;
    return false;
}

void ptx_operand_counts(const struct form *form, bool has_hint, bool has_bool, unsigned *least,
                        unsigned *most) {
    *least = *most = 0;
    for (size_t i = 0; i < FORM_OPERANDS && form->operands[i] != ROLE_NONE; i++) {
        uint32_t role = form->operands[i];
        if (((role & WHEN_HINT) && !has_hint) || ((role & WHEN_BOOL) && !has_bool))
            continue;
        ++*most;
        if (!(role & OPTIONAL))
            ++*least;
    }
}
