// Puts rows of the instruction table into words.
#include "litmus/ptx/grammar.h"

#include "litmus/source/arena.h"

#include <string.h>

enum { ALTERNATIVES_SHOWN = 16 };

// --- A form in the notation of the ISA ---------------------------------------------------------

static const char letters_of_operands[] = "abcefghijk"; // d is the destination
_Static_assert(sizeof letters_of_operands > FORM_OPERANDS, "a letter for each operand");

// What an operand of a role is called; NULL: by the next one of these letters.
static const char *const role_names[] = {
    [DESTINATION] = "d",
    [PREDICATE] = "predicate",
    [PREDICATE_PAIR] = "p|q",
    [LABEL] = "label",
    [POLICY] = "policy",
    [SIZE_128] = "128",
    [FRACTION] = "fraction",
    [TABLE] = "table",
    [RESULT_PAIR] = "d|p",
    [SIZE] = "size",
    [ZERO] = "0",
    [NOTHING] = "_",
    [ACCUMULATOR] = "d",
    [MATRIX] = "a-descriptor",
    [FRAGMENT] = "a-or-descriptor",
    [METADATA] = "metadata",
    [SELECTOR] = "selector",
    [SCALE] = "scale",
    [SIGN] = "sign",
    [BIT] = "bit",
    [TENSOR] = "[t]",
    [TENSOR_RESULT] = "{d}",
    [TENSOR_SOURCE] = "{a}",
    [TENSOR_A] = "a-descriptor-or-[a]",
    [TAIL] = "...",
    [TENSOR_MAP] = "[map",
    [COORDINATES] = "{c}]",
    [REPORT_PAIR] = "p|q",
    [OFFSETS] = "{offsets}",
};

static const char *operand_name(struct arena *arena, uint32_t role, unsigned *letters) {
    uint32_t kind = role & ROLE_MASK;
    const char *name = kind < sizeof role_names / sizeof role_names[0] ? role_names[kind] : NULL;
    if (name)
        return name;
    char letter = letters_of_operands[(*letters)++];
    return kind == MEMORY ? arena_format(arena, "[%c]", letter) : arena_format(arena, "%c", letter);
}

static const char *operands_text(struct arena *arena, const struct form *form) {
    const char *text = "";
    unsigned letters = 0;
    for (size_t i = 0; i < FORM_OPERANDS && form->operands[i] != ROLE_NONE; i++) {
        uint32_t role = form->operands[i];
        bool may_lack = (role & (OPTIONAL | WHEN_HINT | WHEN_BOOL)) != 0;
        text = arena_format(arena, "%s%s%s%s%s", text, may_lack ? "{" : "", i > 0 ? ", " : " ",
                            operand_name(arena, role, &letters), may_lack ? "}" : "");
    }
    return text;
}

// The alternatives of a slot, ".a, .b"; of very many, the first ones and the last.
static const char *alternatives_text(struct arena *arena, const struct slot *slot) {
    struct piece rest = slot->alternatives, one;
    const char *text = "", *last = "";
    size_t count = 0;
    for (; ptx_next_alternative(&rest, &one); count++) {
        last = arena_strndup(arena, one.text, one.length);
        if (count < ALTERNATIVES_SHOWN)
            text = arena_format(arena, "%s%s%s", text, *text ? ", " : "", last);
    }
    return count > ALTERNATIVES_SHOWN ? arena_format(arena, "%s, ... %s", text, last) : text;
}

const char *ptx_form_grammar(struct arena *arena, const struct form *form) {
    const char *text = form->name, *below = "", *cursor = form->qualifiers;
    unsigned seen[CLASS_COUNT] = {0};
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot)) {
        if (slot.implied)
            continue;
        const char *alternatives = alternatives_text(arena, &slot);
        bool has_several = strchr(alternatives, ',') != NULL;
        unsigned number = has_several ? ++seen[slot.class] : 0;
        const char *name = !has_several ? alternatives
                           : number > 1
                               ? arena_format(arena, ".%s%u", ptx_class_name(slot.class), number)
                               : arena_format(arena, ".%s", ptx_class_name(slot.class));
        text = arena_format(arena, slot.optional ? "%s{%s}" : "%s%s", text, name);
        if (has_several)
            below = arena_format(arena, "%s\n  %s = %s", below, name, alternatives);
    }
    return arena_format(arena, "%s%s;%s", text, operands_text(arena, form), below);
}

// --- What may come next ------------------------------------------------------------------------

// The length of the next part of an opcode: up to the next dot.
static size_t part_length(const char *text, size_t length) {
    size_t end = length > 0 && text[0] == '.';
    while (end < length && text[end] != '.')
        end++;
    return end;
}

static void add_parts(struct arena *arena, const char *text, struct opcode_begin *begin) {
    while (*text && begin->count < WRITTEN_MAX) {
        size_t taken = part_length(text, strlen(text));
        begin->parts[begin->count++] = arena_strndup(arena, text, taken);
        text += taken;
    }
}

struct opcode_begin ptx_opcode_begin(struct arena *arena, const char *before, const char *after) {
    struct opcode_begin begin = {.count = 0};
    add_parts(arena, before, &begin);
    begin.at = begin.count;
    add_parts(arena, after, &begin);
    return begin;
}

// Whether a form takes a qualifier, too, as the written one of this index.
static bool takes_more(const struct form *form, const struct opcode_text *text, size_t at,
                       struct piece spelling) {
    char name[64];
    struct opcode_text more = *text;
    if (spelling.length >= sizeof name || text->count == WRITTEN_MAX)
        return false;
    memcpy(name, spelling.text, spelling.length);
    name[spelling.length] = '\0';
    memmove(more.written + at + 1, more.written + at, (text->count - at) * sizeof *more.written);
    more.written[at] = (struct written){.spelling = name};
    more.count++;
    return ptx_form_takes(form, &more);
}

// Tells the qualifiers that may be written at an index; false where there are none.
static bool tell_qualifiers(const struct form *form, const struct opcode_text *text, size_t at,
                            ptx_next_part *next, void *context) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    bool told = false;
    while (ptx_next_slot(&cursor, &slot)) {
        struct piece rest = slot.alternatives, one;
        while (!slot.implied && ptx_next_alternative(&rest, &one)) {
            bool takes = takes_more(form, text, at, one);
            told = told || takes;
            if (takes)
                next(context, form, slot.class, one);
        }
    }
    return told;
}

// Goes through the parts of a form's name as far as they are written; `*taken` is how many are, and
// `*open` the part that would be at the place, empty where that is after the name. False where
// something else is written.
static bool match_name(const struct form *form, const struct opcode_begin *begin, size_t *taken,
                       struct piece *open) {
    const char *name = form->name;
    *taken = 0;
    *open = (struct piece){name, 0};
    for (size_t i = 0; *name; i++) {
        const struct piece part = {name, part_length(name, strlen(name))};
        name += part.length;
        if (i == begin->at)
            *open = part;
        else if (*taken == begin->count)
            break;
        else if (!ptx_piece_is(part, begin->parts[(*taken)++]))
            return false;
    }
    return true;
}

bool ptx_form_begins(const struct form *form, const struct opcode_begin *begin, ptx_next_part *next,
                     void *context) {
    struct opcode_text text = {.name = form->name};
    struct piece open;
    size_t taken;
    if (!match_name(form, begin, &taken, &open))
        return false;
    for (size_t i = taken; i < begin->count; i++)
        text.written[text.count++] = (struct written){.spelling = begin->parts[i]};
    bool takes = ptx_form_takes(form, &text);
    if (next && open.length == 0)
        return tell_qualifiers(form, &text, begin->at - taken, next, context) || takes;
    if (next && takes)
        next(context, form, CLASS_COUNT, open);
    return takes;
}
