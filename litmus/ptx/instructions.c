// Access to the instruction table: lookups by name, and the small language of its qualifiers.
#include "litmus/ptx/instructions.h"

#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
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
#define OUTSIDE(opcode_id, name_text, qualifier_text, ptx_version, target, why)                    \
    {.opcode = OP_##opcode_id,                                                                     \
     .name = (name_text),                                                                          \
     .qualifiers = qualifier_text,                                                                 \
     .ptx = (ptx_version),                                                                         \
     .sm = (target),                                                                               \
     .outside = (why)},
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

static const struct unread unread[] = {
#define UNREAD(name, ptx, sm, what) {name, NULL, NULL, ptx, sm, what},
#define UNREAD_OF(name, all, ptx, sm, what) {name, NULL, all, ptx, sm, what},
#define BEYOND(names, qualifiers, ptx, sm, what) {names, qualifiers, NULL, ptx, sm, what},
#include "litmus/ptx/unread.def"
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

bool ptx_piece_is(struct piece piece, const char *text) {
    return strlen(text) == piece.length && memcmp(piece.text, text, piece.length) == 0;
}

const struct qualifier *ptx_qualifier_of(enum qualifier_class class, struct piece spelling) {
    assert((unsigned)class < CLASS_COUNT);
    for (size_t i = 0; i < COUNT(qualifiers); i++)
        if (qualifiers[i].class == class && ptx_piece_is(spelling, qualifiers[i].spelling))
            return &qualifiers[i];
    return NULL;
}

const struct qualifier *ptx_qualifier(enum qualifier_class class, const char *spelling) {
    assert((unsigned)class < CLASS_COUNT);
    return ptx_qualifier_of(class, (struct piece){spelling, strlen(spelling)});
}

const char *ptx_spelling(enum qualifier_class class, int value) {
    assert((unsigned)class < CLASS_COUNT);
    for (size_t i = 0; i < COUNT(qualifiers); i++)
        if (qualifiers[i].class == class && qualifiers[i].value == value)
            return qualifiers[i].spelling;
    return "";
}

bool ptx_is_qualifier(const char *spelling) {
    for (size_t i = 0; i < COUNT(qualifiers); i++)
        if (strcmp(qualifiers[i].spelling, spelling) == 0)
            return true;
    return false;
}

const char *ptx_class_name(enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    return classes[class].name;
}

const char *ptx_class_noun(enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    return classes[class].noun;
}

unsigned ptx_class_weight(enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    return classes[class].weight;
}

const struct form *ptx_forms(size_t *count) {
    *count = COUNT(forms);
    return forms;
}

// Most names differ in their first letter: that is seen without a call, for each of hundreds of
// rows.
static bool is_named(const struct form *form, const char *name) {
    return form->name[0] == name[0] && strcmp(form->name, name) == 0;
}

const struct form *ptx_forms_named(const char *name, size_t *count) {
    size_t first = 0;
    while (first < COUNT(forms) && !is_named(&forms[first], name))
        first++;
    size_t last = first;
    while (last < COUNT(forms) && is_named(&forms[last], name))
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

const struct unread *ptx_unread_rows(size_t *count) {
    *count = COUNT(unread);
    return unread;
}

const struct unread *ptx_unread(const char *name) {
    for (size_t i = 0; i < COUNT(unread); i++)
        if (!unread[i].qualifiers && strcmp(unread[i].names, name) == 0)
            return &unread[i];
    return NULL;
}

const struct unread *ptx_beyond(const char *name, const char *spelling) {
    for (size_t i = 0; i < COUNT(unread); i++)
        if (unread[i].qualifiers && ptx_is_alternative(unread[i].names, name) &&
            ptx_is_alternative(unread[i].qualifiers, spelling))
            return &unread[i];
    return NULL;
}

const char *ptx_since_text(struct arena *arena, unsigned ptx, unsigned sm) {
    const char *version = arena_format(arena, "since PTX ISA %u.%u", ptx / 10, ptx % 10);
    return sm > 0 ? arena_format(arena, "%s, %s", version, ptx_sm_text(arena, sm)) : version;
}

const char *ptx_nearest_opcode(struct arena *arena, const char *word) {
    const char **words = ARENA_ARRAY(arena, const char *, COUNT(forms) + COUNT(unread));
    size_t count = 0;
    for (size_t i = 0; i < COUNT(forms); i++)
        if (i == 0 || forms[i].name != forms[i - 1].name)
            words[count++] = arena_strndup(arena, forms[i].name, strcspn(forms[i].name, "."));
    for (size_t i = 0; i < COUNT(unread); i++) // after what is read, which wins when both are near
        if (!unread[i].qualifiers)
            words[count++] = arena_strndup(arena, unread[i].names, strcspn(unread[i].names, "."));
    return diag_nearest(word, strlen(word), words, count);
}

bool ptx_is_opcode(const char *word) {
    size_t length = strlen(word);
    for (size_t i = 0; i < COUNT(forms); i++)
        if (strcspn(forms[i].name, ".") == length && memcmp(forms[i].name, word, length) == 0)
            return true;
    for (size_t i = 0; i < COUNT(unread); i++)
        if (!unread[i].qualifiers && strcspn(unread[i].names, ".") == length &&
            memcmp(unread[i].names, word, length) == 0)
            return true;
    return false;
}

// --- The language of the qualifiers ------------------------------------------------------------

static enum qualifier_class class_named(struct piece name) {
    for (size_t i = 0; i < COUNT(classes); i++)
        if (ptx_piece_is(name, classes[i].name))
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

static bool has_alternative(struct piece rest, const char *spelling) {
    struct piece one;
    while (ptx_next_alternative(&rest, &one))
        if (ptx_piece_is(one, spelling))
            return true;
    return false;
}

bool ptx_is_alternative(const char *alternatives, const char *spelling) {
    return has_alternative((struct piece){alternatives, strlen(alternatives)}, spelling);
}

bool ptx_slot_takes(const struct slot *slot, const char *spelling) {
    return has_alternative(slot->alternatives, spelling);
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
