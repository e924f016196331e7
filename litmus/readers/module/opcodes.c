// What the opcodes of a module are, by the tables of instructions: looked up once for each
// spelling.
#include "litmus/readers/module/opcodes.h"

#include "litmus/names/table.h"
#include "litmus/ptx/match.h"
#include "litmus/ptx/ptx.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <string.h>

struct module_opcodes {
    struct arena *arena;
    struct diagnostics *diagnostics;
    bool is_newer;
    struct name_table *known;
    struct module_opcode **items; // NULL for one that had an error
    size_t count;
};

static const struct kind_row {
    const char *name;
    enum module_kind kind;
    bool has_effect, has_destination;
} kind_rows[] = {
#define KIND(name, kind, effect, destination) {name, MODULE_##kind, effect, destination},
#include "litmus/readers/module/kinds.def"
};

const char *module_kind_name(enum module_kind kind) {
    static const char *const names[MODULE_KIND_COUNT] = {
        [MODULE_OTHER] = "other",     [MODULE_ACCESS] = "access", [MODULE_FENCE] = "fence",
        [MODULE_BARRIER] = "barrier", [MODULE_CALL] = "call",     [MODULE_ASYNC] = "asynchronous",
        [MODULE_WARP] = "warp",       [MODULE_END] = "end",
    };
    return names[kind];
}

struct module_opcodes *module_opcodes_new(struct arena *arena, struct diagnostics *diagnostics,
                                          bool is_newer) {
    struct module_opcodes *opcodes = ARENA_NEW(arena, struct module_opcodes);
    *opcodes = (struct module_opcodes){.arena = arena,
                                       .diagnostics = diagnostics,
                                       .is_newer = is_newer,
                                       .known = name_table_new(arena)};
    return opcodes;
}

// --- The text ----------------------------------------------------------------------------------

// Whether the bank of `.const[2]` is at this place.
static bool at_bank(const struct token *at) {
    return token_is(at - 1, ".const") && token_is_punct(at, '[') && !at->space_before &&
           at[1].kind == TOKEN_INTEGER && token_is_punct(&at[2], ']');
}

// opcode = word (qualifier | bank)*. Returns what follows.
static const struct token *after_opcode(const struct token *at) {
    for (at++;;)
        if (at->kind == TOKEN_QUALIFIER)
            at++;
        else if (at_bank(at))
            at += 3;
        else
            return at;
}

// --- What it is --------------------------------------------------------------------------------

// The row whose name is the longest one that `text` begins with, up to a dot or its end.
static const struct kind_row *kind_of(const char *text) {
    const struct kind_row *best = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < sizeof kind_rows / sizeof kind_rows[0]; i++) {
        size_t length = strlen(kind_rows[i].name);
        bool fits = strncmp(text, kind_rows[i].name, length) == 0 &&
                    (text[length] == '.' || text[length] == '\0');
        if (fits && length > longest) {
            best = &kind_rows[i];
            longest = length;
        }
    }
    return best;
}

static void set_kind(struct module_opcode *opcode) {
    const struct kind_row *row = kind_of(opcode->text);
    opcode->kind = row ? row->kind : MODULE_OTHER;
    opcode->has_effect = row && row->has_effect;
    opcode->has_destination = !row || row->has_destination;
}

static bool is_barrier(const struct form *form, unsigned effects) {
    return (effects & EFFECT_BARRIER) != 0 || strncmp(form->name, "mbarrier.", 9) == 0;
}

static bool is_async(const struct form *form) {
    return strncmp(form->name, "cp.", 3) == 0 || strncmp(form->name, "wgmma.", 6) == 0 ||
           strncmp(form->name, "tcgen05.", 8) == 0;
}

// The same for a form of the table, read or not.
static void set_form_kind(struct module_opcode *opcode, const struct form *form) {
    unsigned effects = opcode_effects(form->opcode);
    enum opcode_family family = opcode_family(form->opcode);
    bool hint = effects == 0 || family == FAMILY_GRID;
    bool touches = (effects & (EFFECT_READS | EFFECT_WRITES)) != 0;
    if (hint && kind_of(opcode->text)) {
        set_kind(opcode);
        return;
    }
    opcode->kind = effects & EFFECT_FAILS              ? MODULE_END
                   : family == FAMILY_WARP && !touches ? MODULE_WARP
                   : is_async(form)                    ? MODULE_ASYNC
                   : is_barrier(form, effects)         ? MODULE_BARRIER
                   : effects & EFFECT_ORDERS           ? MODULE_FENCE
                   : touches                           ? MODULE_ACCESS
                                                       : MODULE_OTHER;
    opcode->has_effect =
        (opcode->kind != MODULE_OTHER && opcode->kind != MODULE_WARP) || (effects & EFFECT_JUMPS);
    opcode->has_destination = effects & EFFECT_DEFINES || strstr(opcode->text, ".red.") != NULL;
}

static bool error_unknown(struct module_opcodes *opcodes, const struct token *word,
                          const char *text) {
    if (ptx_is_opcode(text))
        return diag_error(opcodes->diagnostics, word->span,
                          "'%s' is not a PTX instruction by itself", text);
    diag_error(opcodes->diagnostics, word->span, "'%s' is not a PTX instruction", text);
    diag_suggest(opcodes->diagnostics, ptx_nearest_opcode(opcodes->arena, text));
    return false;
}

static bool is_beyond(const struct opcode_text *text) {
    for (size_t i = 0; i < text->count; i++)
        if (ptx_beyond(text->name, text->written[i].spelling))
            return true;
    return false;
}

// Looks the qualifiers up among the forms of the name.
static bool match_form(struct module_opcodes *opcodes, struct module_opcode *opcode,
                       struct opcode_text *text) {
    struct diagnostics reasons;
    struct match match;
    size_t count;
    const struct form *form = ptx_forms_named(text->name, &count);
    diagnostics_init(&reasons, opcodes->arena);
    set_form_kind(opcode, form);
    if (ptx_match(opcodes->arena, &reasons, text, &match)) {
        set_form_kind(opcode, match.form);
        return true;
    }
    const struct diagnostic *reason = &reasons.items[0];
    opcode->is_open = (ptx_fits(text) && ptx_is_open_form(text)) || ptx_is_open_conversion(text);
    opcode->is_concrete = opcode->is_open && ptx_is_concrete(opcode->text);
    opcode->missing = reason->hint ? reason->hint : "this form is not modelled";
    if (ptx_fits(text) || is_beyond(text))
        return true;
    if (opcodes->is_newer) {
        opcode->missing = "this form is newer than what is known of PTX";
        return true;
    }
    diag_error(opcodes->diagnostics, reason->span, "%s", reason->message);
    if (reason->hint)
        diag_hint(opcodes->diagnostics, "%s", reason->hint);
    return false;
}

static bool collect_qualifiers(struct module_opcodes *opcodes, const struct token *first,
                               const struct token *end, struct opcode_text *text) {
    *text = (struct opcode_text){.span = span_join(first->span, end[-1].span)};
    for (const struct token *at = first + 1; at < end; at++) {
        if (at->kind != TOKEN_QUALIFIER)
            continue;
        if (text->count == WRITTEN_MAX)
            return diag_error(opcodes->diagnostics, at->span,
                              "an instruction has no more than %d qualifiers", WRITTEN_MAX);
        text->written[text->count++] = (struct written){at, token_text(opcodes->arena, at)};
    }
    return true;
}

// "matrix instructions are not modelled".
static const char *reason_of(struct arena *arena, const struct unread *unread) {
    return arena_format(arena, "%s not modelled", unread->what);
}

static bool look_up(struct module_opcodes *opcodes, struct module_opcode *opcode,
                    const struct token *first, const struct token *end) {
    const char *word = token_text(opcodes->arena, first);
    struct opcode_text text;
    if (!collect_qualifiers(opcodes, first, end, &text))
        return false;
    set_kind(opcode);
    if (strcmp(word, "call") == 0)
        return true;
    struct longest_name found = ptx_longest_name(opcodes->arena, word, text.written, text.count);
    if (found.unread && ptx_is_wmma_access(opcode->text))
        return true; // of modules, it is read
    if (found.unread) {
        opcode->missing = reason_of(opcodes->arena, found.unread);
        opcode->stores_outside = ptx_stores_to_surface(opcode->text);
        opcode->is_together = ptx_is_warp_matrix(opcode->text);
        opcode->is_open = ptx_is_open(opcode->text) || ptx_reads_texture(opcode->text);
        opcode->is_concrete = opcode->is_open && ptx_is_concrete(opcode->text);
        return true;
    }
    if (!found.form && opcodes->is_newer) {
        opcode->missing = "this instruction is newer than what is known of PTX";
        opcode->has_effect = true;
        return true;
    }
    if (!found.form)
        return error_unknown(opcodes, first, word);
    text.name = found.form;
    text.count -= found.parts;
    memmove(text.written, text.written + found.parts, text.count * sizeof text.written[0]);
    return match_form(opcodes, opcode, &text);
}

const struct module_opcode *module_opcode_at(struct module_opcodes *opcodes,
                                             const struct token **at) {
    const struct token *first = *at, *end = after_opcode(first);
    const char *text = tokens_text(opcodes->arena, first, end, false);
    int known = name_table_find(opcodes->known, text);
    *at = end;
    if (known >= 0)
        return opcodes->items[known];
    struct module_opcode *opcode = ARENA_NEW(opcodes->arena, struct module_opcode);
    opcode->text = text;
    if (!look_up(opcodes, opcode, first, end))
        opcode = NULL;
    name_table_add(opcodes->known, text, (int)opcodes->count);
    ARENA_APPEND(opcodes->arena, opcodes->items, opcodes->count, opcode);
    return opcode;
}
