// Lookups in the forms of dialects.
#include "litmus/ptx/dialect.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

static const struct {
    enum dialect dialect;
    struct form form;
} rows[] = {
#define DIALECT_FORM(dialect_id, opcode_id, name_text, qualifier_text)                             \
    {DIALECT_##dialect_id,                                                                         \
     {.opcode = OP_##opcode_id, .name = (name_text), .qualifiers = qualifier_text}},
#include "litmus/ptx/dialects.def"
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static const struct qualifier further[] = {
#define DIALECT_QUALIFIER(class, spelling, value) {CLASS_##class, spelling, value},
#include "litmus/ptx/dialects.def"
};

// --- Names -------------------------------------------------------------------------------------

const struct form *dialect_form(enum dialect dialect, const struct token *name) {
    assert((unsigned)dialect <= DIALECT_NVLITMUS);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].dialect == dialect && token_is(name, rows[i].form.name))
            return &rows[i].form;
    return NULL;
}

const struct form *dialect_form_of(enum dialect dialect, const struct form *form,
                                   enum opcode opcode) {
    assert((unsigned)dialect <= DIALECT_NVLITMUS);
    assert((unsigned)opcode < OPCODE_COUNT);
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].dialect == dialect && rows[i].form.opcode == opcode &&
            strcmp(rows[i].form.name, form->name) == 0)
            return &rows[i].form;
    return NULL;
}

// The names of a dialect, each once; returns how many.
static size_t list_names(enum dialect dialect, const char *names[ROW_COUNT]) {
    assert((unsigned)dialect <= DIALECT_NVLITMUS);
    size_t count = 0;
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].dialect == dialect &&
            (count == 0 || strcmp(names[count - 1], rows[i].form.name) != 0))
            names[count++] = rows[i].form.name;
    return count;
}

const char *dialect_nearest_name(enum dialect dialect, const char *word) {
    assert((unsigned)dialect <= DIALECT_NVLITMUS);
    const char *names[ROW_COUNT];
    return diag_nearest(word, strlen(word), names, list_names(dialect, names));
}

const char *dialect_names(struct arena *arena, enum dialect dialect) {
    assert((unsigned)dialect <= DIALECT_NVLITMUS);
    const char *names[ROW_COUNT];
    return arena_list(arena, names, list_names(dialect, names), " and ");
}

// --- Qualifiers --------------------------------------------------------------------------------

static const struct qualifier *qualifier_of(enum qualifier_class class, struct piece spelling) {
    for (size_t i = 0; i < sizeof further / sizeof further[0]; i++)
        if (further[i].class == class && ptx_piece_is(spelling, further[i].spelling))
            return &further[i];
    return ptx_qualifier_of(class, spelling);
}

const struct qualifier *dialect_qualifier(enum qualifier_class class, const struct token *token) {
    assert((unsigned)class < CLASS_COUNT);
    const char *text = token->span.source->text + token->span.begin;
    if (token->kind != TOKEN_QUALIFIER)
        return NULL;
    return qualifier_of(class, (struct piece){text, token->span.end - token->span.begin});
}

void dialect_start(const struct form *form, struct instruction *instruction) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    instruction->opcode = form->opcode;
    while (ptx_next_slot(&cursor, &slot)) {
        if (!slot.implied)
            continue;
        int value = qualifier_of(slot.class, slot.alternatives)->value;
        switch (slot.class) {
        case CLASS_TYPE: instruction->type = (enum scalar_type)value; break;
        case CLASS_PROXY: instruction->proxy = (enum proxy)value; break;
        case CLASS_COMPARE: instruction->compute.compare = (enum compare_op)value; break;
        default: bug("'%s' of a dialect implies a qualifier of class %d", form->name, slot.class);
        }
    }
}

bool dialect_slot(const struct form *form, enum qualifier_class class, struct slot *slot) {
    assert((unsigned)class < CLASS_COUNT);
    const char *cursor = form->qualifiers;
    while (ptx_next_slot(&cursor, slot))
        if (slot->class == class && !slot->implied)
            return true;
    return false;
}

bool dialect_takes_token(const struct form *form, enum qualifier_class class,
                         const struct token *token, int *value) {
    const struct qualifier *found = dialect_qualifier(class, token);
    struct slot slot;
    bool takes =
        found && dialect_slot(form, class, &slot) && ptx_slot_takes(&slot, found->spelling);
    if (takes)
        *value = found->value;
    return takes;
}

bool dialect_error_order(struct diagnostics *diagnostics, const struct form *form,
                         const struct slot *orders, const struct token *order, const char *last) {
    struct arena *arena = diagnostics->arena;
    diag_error(diagnostics, order->span, "'%s' cannot be '%s'", form->name,
               token_text(arena, order));
    diag_hint(diagnostics, "it can be %s", dialect_choices(arena, orders, last));
    return false;
}

int dialect_default(const struct slot *slot, int missing) {
    return slot->fallback.length == 0 ? missing : qualifier_of(slot->class, slot->fallback)->value;
}

const char *dialect_choices(struct arena *arena, const struct slot *slot, const char *last) {
    struct piece rest = slot->alternatives, one;
    const char *list = "";
    while (ptx_next_alternative(&rest, &one))
        list = arena_format(arena, "%s%s%.*s", list,
                            *list == '\0'      ? ""
                            : rest.length == 0 ? last
                                               : ", ",
                            (int)one.length, one.text);
    return list;
}

const char *dialect_nearest_qualifier(struct arena *arena, const struct form *form,
                                      const char *word) {
    enum { NAMES_MAX = 40 };
    const char *names[NAMES_MAX], *cursor = form->qualifiers;
    struct slot slot;
    size_t count = 0;
    while (ptx_next_slot(&cursor, &slot))
        for (struct piece one; !slot.implied && ptx_next_alternative(&slot.alternatives, &one);)
            if (count < NAMES_MAX)
                names[count++] = arena_strndup(arena, one.text, one.length);
    const char *nearest = diag_nearest(word, strlen(word), names, count);
    return nearest && strcmp(nearest, word) != 0 ? nearest : NULL;
}

// Whether some slot of the form that is still free (`used`, a bit each) takes the qualifier.
static bool takes_qualifier(const struct form *form, struct piece spelling, unsigned *used) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    for (unsigned i = 0; ptx_next_slot(&cursor, &slot); i++)
        for (struct piece one; ptx_next_alternative(&slot.alternatives, &one);)
            if (!slot.implied && (*used >> i & 1) == 0 && one.length == spelling.length &&
                memcmp(one.text, spelling.text, one.length) == 0) {
                *used |= 1U << i;
                return true;
            }
    return false;
}

static bool form_takes(const struct form *form, const char *qualifiers) {
    static const char proxy[] = ".proxy";
    unsigned used = 0;
    if (opcode_is_proxy_fence(form->opcode)) {
        if (strncmp(qualifiers, proxy, sizeof proxy - 1) != 0)
            return false;
        qualifiers += sizeof proxy - 1;
    }
    while (*qualifiers != '\0') {
        struct piece one = {qualifiers, 1 + strcspn(qualifiers + 1, ".")};
        if (!takes_qualifier(form, one, &used))
            return false;
        qualifiers += one.length;
    }
    return true;
}

bool dialect_takes(enum dialect dialect, const char *text) {
    assert((unsigned)dialect <= DIALECT_NVLITMUS);
    size_t name = strcspn(text, ".");
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (rows[i].dialect == dialect && strlen(rows[i].form.name) == name &&
            strncmp(rows[i].form.name, text, name) == 0 && form_takes(&rows[i].form, text + name))
            return true;
    return false;
}
