// Choosing the form that a statement means, and saying what is wrong when there is none.
//
// Every form of the opcode is tried. A form fits when each written qualifier fills a slot and each
// slot that must be filled is. When none fits, the one that disagrees least (weighted by what
// decides an instruction, see qualifiers.def) is taken as what was meant, and the messages are
// about the difference to it.
#include "litmus/ptx/match.h"

#include "litmus/ptx/cuda.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <string.h>

// One form tried: bit i of `unmatched` is written qualifier i, bit j of `missing` is slot j.
struct attempt {
    uint32_t unmatched;
    uint32_t missing;
};

struct matcher {
    struct arena *arena;
    struct diagnostics *diagnostics;
    const struct opcode_text *text;
    const struct form *forms;
    size_t form_count;
};

// Whether a slot is about what the spelling says, though it may not take it.
static bool slot_about(const struct slot *slot, const char *spelling) {
    return ptx_qualifier(slot->class, spelling) != NULL;
}

static bool form_has_slot_about(const struct form *form, const char *spelling) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot))
        if (!slot.implied && slot_about(&slot, spelling))
            return true;
    return false;
}

static unsigned spelling_weight(const char *spelling) {
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (ptx_qualifier((enum qualifier_class) class, spelling))
            return ptx_class_weight((enum qualifier_class) class);
    return 0;
}

// A written qualifier that a form does not take costs its weight; one that the form has no place
// for at all costs more, and an empty slot costs least, since something is easily forgotten.
static unsigned attempt_cost(const struct form *form, const struct opcode_text *text,
                             const struct attempt *attempt) {
    unsigned cost = form->outside != NULL;
    uint32_t excused = 0; // slots that a wrong qualifier was meant for
    for (size_t i = 0; i < text->count; i++) {
        if (!(attempt->unmatched >> i & 1))
            continue;
        const char *spelling = text->written[i].spelling;
        cost += 2 * spelling_weight(spelling) + !form_has_slot_about(form, spelling);
        const char *cursor = form->qualifiers;
        struct slot slot;
        for (unsigned j = 0; ptx_next_slot(&cursor, &slot); j++)
            if (slot_about(&slot, spelling))
                excused |= 1u << j;
    }
    for (uint32_t rest = attempt->missing & ~excused; rest; rest &= rest - 1)
        cost += 2;
    return cost;
}

// Whether qualifiers of a class are told apart by their order alone: of types, source and
// destination of cvt, and of state spaces, source and destination of a copy.
static bool is_ordered(enum qualifier_class class) {
    return class == CLASS_TYPE || class == CLASS_SPACE;
}

// The index of the written qualifier that fills a slot: the first one left that it takes, except of
// an ordered class the first one left of that class; one that does not fit is no longer left for
// other slots. text->count when there is none.
static size_t find_filler(const struct slot *slot, const struct opcode_text *text, uint32_t *left) {
    for (size_t i = 0; i < text->count; i++) {
        if (!(*left >> i & 1))
            continue;
        const char *spelling = text->written[i].spelling;
        bool fits = ptx_slot_takes(slot, spelling);
        bool is_next = !fits && is_ordered(slot->class) && slot_about(slot, spelling);
        if (fits || is_next)
            *left &= ~(1u << i);
        if (fits)
            return i;
        if (is_next)
            break;
    }
    return text->count;
}

// Fills each slot with the written qualifier that it takes. `match` may be NULL.
static struct attempt try_form(const struct form *form, const struct opcode_text *text,
                               struct match *match) {
    struct attempt attempt = {.unmatched = (uint32_t)((1ull << text->count) - 1)};
    uint32_t left = attempt.unmatched;
    const char *cursor = form->qualifiers;
    struct slot slot;
    for (unsigned j = 0; ptx_next_slot(&cursor, &slot); j++) {
        const struct token *token = NULL;
        struct piece spelling = slot.implied ? slot.alternatives : slot.fallback;
        size_t i = slot.implied ? text->count : find_filler(&slot, text, &left);
        if (i < text->count) {
            attempt.unmatched &= ~(1u << i);
            token = text->written[i].token;
            spelling = (struct piece){text->written[i].spelling, strlen(text->written[i].spelling)};
        } else if (!slot.optional && !slot.implied) {
            attempt.missing |= 1u << j;
        }
        if (match && spelling.length) {
            if (match->count == FILLED_MAX)
                bug("a row of '%s' is too long", form->name);
            match->filled[match->count++] =
                (struct filled){ptx_qualifier_of(slot.class, spelling), token};
        }
    }
    return attempt;
}

bool ptx_form_takes(const struct form *form, const struct opcode_text *text) {
    return try_form(form, text, NULL).unmatched == 0;
}

static bool fits(const struct attempt *attempt) {
    return attempt->unmatched == 0 && attempt->missing == 0;
}

// --- Lists of alternatives ---------------------------------------------------------------------

enum { LIST_MAX = 128, LIST_INLINE = 6 };

struct list {
    const char *items[LIST_MAX];
    size_t count;
};

static void list_add(struct matcher *matcher, struct list *list, struct piece piece) {
    for (size_t i = 0; i < list->count; i++)
        if (ptx_piece_is(piece, list->items[i]))
            return;
    if (list->count < LIST_MAX)
        list->items[list->count++] = arena_strndup(matcher->arena, piece.text, piece.length);
}

// Adds what a form may have in its slots of a class.
static void list_add_form(struct matcher *matcher, struct list *list, const struct form *form,
                          enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    const char *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot)) {
        if (slot.implied || slot.class != class)
            continue;
        struct piece rest = slot.alternatives, alternative;
        while (ptx_next_alternative(&rest, &alternative))
            list_add(matcher, list, alternative);
    }
}

// Whether a form has a slot that takes the spelling; `class` gets the slot's.
static bool form_takes(const struct form *form, const char *spelling, enum qualifier_class *class) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot)) {
        if (!slot.implied && ptx_slot_takes(&slot, spelling)) {
            *class = slot.class;
            return true;
        }
    }
    return false;
}

// --- A qualifier that the nearest form does not take -------------------------------------------

static const char *bare_noun(enum qualifier_class class) {
    const char *noun = ptx_class_noun(class);
    if (strncmp(noun, "a ", 2) == 0)
        return noun + 2;
    return strncmp(noun, "an ", 3) == 0 ? noun + 3 : noun;
}

// Adds the qualifiers of the opcode's forms that are not read: those of its rows, and the second
// words of names that begin with it (".bulk" of "st.bulk").
static void list_add_unread(struct matcher *matcher, struct list *list) {
    size_t count, length = strlen(matcher->text->name);
    const struct unread *rows = ptx_unread_rows(&count);
    for (size_t i = 0; i < count; i++) {
        const char *name = rows[i].names;
        if (!rows[i].qualifiers && strncmp(name, matcher->text->name, length) == 0 &&
            name[length] == '.')
            list_add(matcher, list,
                     (struct piece){name + length, 1 + strcspn(name + length + 1, ".")});
        struct piece rest = {rows[i].qualifiers, 0}, one;
        if (!rows[i].qualifiers || !ptx_is_alternative(name, matcher->text->name))
            continue;
        rest.length = strlen(rest.text);
        while (ptx_next_alternative(&rest, &one))
            list_add(matcher, list, one);
    }
}

static void unknown_qualifier(struct matcher *matcher, const struct written *written) {
    struct list known = {.count = 0};
    for (size_t i = 0; i < matcher->form_count; i++)
        for (unsigned class = 0; class < CLASS_COUNT; class ++)
            list_add_form(matcher, &known, &matcher->forms[i], (enum qualifier_class) class);
    list_add_unread(matcher, &known);
    for (size_t i = 0; i < known.count; i++)
        known.items[i]++; // the dots, which all have, would make them look similar
    diag_error(matcher->diagnostics, written->token->span, "unknown qualifier '%s'",
               written->spelling);
    const char *sentence = ptx_explanation(matcher->text->name, written->spelling);
    const char *word = written->spelling + 1;
    const char *nearest = diag_nearest(word, strlen(word), known.items, known.count);
    const struct cuda_word *cuda = cuda_word_find(written->spelling);
    if (sentence)
        diag_hint(matcher->diagnostics, "%s", sentence);
    else if (cuda)
        diag_hint(matcher->diagnostics, "%s", cuda->sentence);
    else if (nearest)
        diag_hint(matcher->diagnostics, "did you mean '.%s'?", nearest);
}

static void subject_does_not_take(struct matcher *matcher, const char *subject,
                                  const struct written *written, const struct list *list,
                                  enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    struct diagnostics *diagnostics = matcher->diagnostics;
    struct span span = written->token->span;
    const char *alternatives = arena_list(matcher->arena, list->items, list->count, " or ");
    bool whole = strcmp(subject, matcher->text->name) == 0;
    const char *key =
        whole ? subject : arena_format(matcher->arena, "%s%s", matcher->text->name, subject);
    const char *sentence = ptx_explanation(key, written->spelling);
    if (list->count == 0)
        diag_error(diagnostics, span, "'%s' takes no %s", subject, bare_noun(class));
    else if (list->count == 1)
        diag_error(diagnostics, span, "'%s' takes only %s, not %s", subject, alternatives,
                   written->spelling);
    else if (list->count <= LIST_INLINE)
        diag_error(diagnostics, span, "'%s' takes %s, but not %s", subject, alternatives,
                   written->spelling);
    else
        diag_error(diagnostics, span, "'%s' does not take %s", subject, written->spelling);
    if (sentence)
        diag_hint(diagnostics, "%s", sentence);
    else if (list->count > LIST_INLINE)
        diag_hint(diagnostics, "it takes %s", alternatives);
}

// No form of the opcode takes it.
static bool foreign_qualifier(struct matcher *matcher, const struct written *written) {
    enum qualifier_class class = CLASS_COUNT;
    for (size_t i = 0; i < matcher->form_count; i++)
        if (form_takes(&matcher->forms[i], written->spelling, &class))
            return false;
    struct list list = {.count = 0};
    for (size_t i = 0; i < matcher->form_count; i++) {
        const char *cursor = matcher->forms[i].qualifiers;
        struct slot slot;
        while (!matcher->forms[i].outside && ptx_next_slot(&cursor, &slot)) {
            if (slot.implied || !slot_about(&slot, written->spelling))
                continue;
            class = slot.class;
            list_add_form(matcher, &list, &matcher->forms[i], class);
        }
    }
    if (list.count == 0) {
        diag_error(matcher->diagnostics, written->token->span, "'%s' takes no '%s'",
                   matcher->text->name, written->spelling);
        const char *sentence = ptx_explanation(matcher->text->name, written->spelling);
        if (sentence)
            diag_hint(matcher->diagnostics, "%s", sentence);
    } else {
        subject_does_not_take(matcher, matcher->text->name, written, &list, class);
    }
    return true;
}

static void error_repeated(struct matcher *matcher, const struct written *first,
                           const struct written *second, enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    if (first->token > second->token) {
        const struct written *later = first;
        first = second;
        second = later;
    }
    if (strcmp(first->spelling, second->spelling) == 0)
        diag_error(matcher->diagnostics, second->token->span, "'%s' is given twice",
                   second->spelling);
    else
        diag_error(matcher->diagnostics, second->token->span,
                   "'%s' is one %s too many: '%s' is already there", second->spelling,
                   bare_noun(class), first->spelling);
}

// Whether a form has places for all the qualifiers of a class that were written.
static bool has_places(const struct form *form, const struct opcode_text *text,
                       enum qualifier_class class) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    size_t places = 0, written = 0;
    while (ptx_next_slot(&cursor, &slot))
        places += slot.class == class;
    for (size_t i = 0; i < text->count; i++)
        written += ptx_qualifier(class, text->written[i].spelling) != NULL;
    return written <= places;
}

// Another qualifier has the place already.
static bool repeated_qualifier(struct matcher *matcher, const struct form *form,
                               const struct attempt *attempt, size_t index) {
    const struct written *all = matcher->text->written, *written = &all[index];
    for (size_t i = 0; i < matcher->text->count; i++) {
        for (unsigned c = 0; c < CLASS_COUNT && !(attempt->unmatched >> i & 1); c++) {
            enum qualifier_class class = (enum qualifier_class)c;
            if (is_ordered(class) && has_places(form, matcher->text, class))
                continue;
            if (ptx_qualifier(class, all[i].spelling) && ptx_qualifier(class, written->spelling)) {
                error_repeated(matcher, &all[i], written, class);
                return true;
            }
        }
    }
    return false;
}

static bool read_form_takes(const struct matcher *matcher, const char *spelling) {
    enum qualifier_class class;
    for (size_t f = 0; f < matcher->form_count; f++)
        if (!matcher->forms[f].outside && form_takes(&matcher->forms[f], spelling, &class))
            return true;
    return false;
}

// Whether some form takes both qualifiers. Forms that are not read count only where one of the two
// is found in no other.
static bool go_together(const struct matcher *matcher, const char *a, const char *b) {
    bool outside = !read_form_takes(matcher, a) || !read_form_takes(matcher, b);
    enum qualifier_class class;
    for (size_t f = 0; f < matcher->form_count; f++)
        if ((outside || !matcher->forms[f].outside) && form_takes(&matcher->forms[f], a, &class) &&
            form_takes(&matcher->forms[f], b, &class))
            return true;
    return false;
}

// Some other qualifier goes with no form that takes this one.
static bool excluded_qualifier(struct matcher *matcher, size_t index) {
    const struct written *all = matcher->text->written, *written = &all[index], *rival = NULL;
    enum qualifier_class class = CLASS_COUNT, other;
    for (size_t i = 0; i < matcher->text->count; i++)
        if (i != index && ptx_is_qualifier(all[i].spelling) &&
            !go_together(matcher, written->spelling, all[i].spelling) &&
            (!rival || spelling_weight(all[i].spelling) > spelling_weight(rival->spelling)))
            rival = &all[i];
    if (!rival)
        return false;
    for (size_t f = 0; f < matcher->form_count; f++)
        if (form_takes(&matcher->forms[f], written->spelling, &class))
            break;
    bool outside = !read_form_takes(matcher, rival->spelling);
    struct list list = {.count = 0};
    for (size_t f = 0; f < matcher->form_count; f++)
        if ((matcher->forms[f].outside != NULL) == outside &&
            form_takes(&matcher->forms[f], rival->spelling, &other))
            list_add_form(matcher, &list, &matcher->forms[f], class);
    subject_does_not_take(matcher, rival->spelling, written, &list, class);
    return true;
}

static const char *usage(struct matcher *matcher, const struct form *form) {
    const char *text = form->name, *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot)) {
        if (slot.implied)
            continue;
        struct piece shown = slot.alternatives;
        bool single = memchr(shown.text, '|', shown.length) == NULL;
        const char *name = single ? arena_strndup(matcher->arena, shown.text, shown.length)
                                  : arena_format(matcher->arena, ".<%s>", bare_noun(slot.class));
        text = arena_format(matcher->arena, slot.optional ? "%s{%s}" : "%s%s", text, name);
    }
    return text;
}

static void report_unmatched(struct matcher *matcher, const struct form *form,
                             const struct attempt *attempt, size_t index) {
    const struct written *written = &matcher->text->written[index];
    if (!ptx_is_qualifier(written->spelling)) {
        unknown_qualifier(matcher, written);
        return;
    }
    if (foreign_qualifier(matcher, written) || repeated_qualifier(matcher, form, attempt, index) ||
        excluded_qualifier(matcher, index))
        return;
    diag_error(matcher->diagnostics, written->token->span,
               "'%s' cannot be combined with the other qualifiers of this '%s'", written->spelling,
               matcher->text->name);
    diag_hint(matcher->diagnostics, "the nearest form is %s", usage(matcher, form));
}

// --- Unfilled slots ----------------------------------------------------------------------------

static bool form_requires(const struct form *form, enum qualifier_class class) {
    assert((unsigned)class < CLASS_COUNT);
    const char *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot))
        if (slot.class == class && !slot.optional && !slot.implied)
            return true;
    return false;
}

// The written qualifier that makes the class necessary, or NULL when the opcode itself does.
static const struct written *needy_qualifier(struct matcher *matcher, enum qualifier_class class) {
    const struct written *subject = NULL;
    bool always = true;
    for (size_t f = 0; f < matcher->form_count; f++)
        always = always && (matcher->forms[f].outside || form_requires(&matcher->forms[f], class));
    for (size_t i = 0; i < matcher->text->count && !always; i++) {
        const struct written *written = &matcher->text->written[i];
        enum qualifier_class own;
        bool needs = true;
        for (size_t f = 0; f < matcher->form_count && needs; f++)
            needs = matcher->forms[f].outside ||
                    !form_takes(&matcher->forms[f], written->spelling, &own) ||
                    form_requires(&matcher->forms[f], class);
        if (needs &&
            (!subject || spelling_weight(written->spelling) > spelling_weight(subject->spelling)))
            subject = written;
    }
    return subject;
}

// "a type", or "a second type" for the later slot of a class that has one.
static const char *missing_noun(struct matcher *matcher, const struct form *form, unsigned index,
                                enum qualifier_class class) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    for (unsigned j = 0; ptx_next_slot(&cursor, &slot) && j < index; j++)
        if (slot.class == class)
            return arena_format(matcher->arena, "a second %s", bare_noun(class));
    return ptx_class_noun(class);
}

static struct slot slot_at(const struct form *form, unsigned index) {
    const char *cursor = form->qualifiers;
    struct slot slot = {0};
    for (unsigned j = 0; ptx_next_slot(&cursor, &slot) && j < index; j++)
        continue;
    return slot;
}

static void report_missing(struct matcher *matcher, const struct form *form, unsigned index) {
    struct slot slot = slot_at(form, index);
    const struct written *needy = needy_qualifier(matcher, slot.class);
    struct list list = {.count = 0};
    for (size_t f = 0; f < matcher->form_count; f++)
        if (!matcher->forms[f].outside &&
            try_form(&matcher->forms[f], matcher->text, NULL).unmatched == 0)
            list_add_form(matcher, &list, &matcher->forms[f], slot.class);
    if (list.count == 0)
        list_add_form(matcher, &list, form, slot.class);
    const char *subject = needy ? needy->spelling : matcher->text->name;
    struct span span = needy ? needy->token->span : matcher->text->span;
    const char *noun = missing_noun(matcher, form, index, slot.class);
    const char *alternatives = arena_list(matcher->arena, list.items, list.count, " or ");
    if (list.count == 1) {
        diag_error(matcher->diagnostics, span, "'%s' needs '%s'", subject, alternatives);
    } else if (list.count <= LIST_INLINE) {
        diag_error(matcher->diagnostics, span, "'%s' needs %s: %s", subject, noun, alternatives);
    } else {
        diag_error(matcher->diagnostics, span, "'%s' needs %s", subject, noun);
        diag_hint(matcher->diagnostics, "one of %s", alternatives);
    }
}

// --- The whole ---------------------------------------------------------------------------------

// Whether the form would take a written qualifier in another place, and the same was said of one
// before it: the two have changed places, which one message tells.
static bool is_told(const struct matcher *matcher, const struct form *form,
                    const struct attempt *attempt, size_t index) {
    const struct written *all = matcher->text->written;
    enum qualifier_class class, other;
    if (!form_takes(form, all[index].spelling, &class) || !is_ordered(class) ||
        !has_places(form, matcher->text, class))
        return false;
    for (size_t i = 0; i < index; i++)
        if (attempt->unmatched >> i & 1 && form_takes(form, all[i].spelling, &other) &&
            other == class)
            return true;
    return false;
}

static void report(struct matcher *matcher, const struct form *form,
                   const struct attempt *attempt) {
    for (size_t i = 0; i < matcher->text->count; i++)
        if (attempt->unmatched >> i & 1 && !is_told(matcher, form, attempt, i))
            report_unmatched(matcher, form, attempt, i);
    if (attempt->unmatched)
        return;
    unsigned first = 0;
    while (!(attempt->missing >> first & 1))
        first++;
    report_missing(matcher, form, first);
}

struct longest_name ptx_longest_name(struct arena *arena, const char *word,
                                     const struct written *written, size_t count) {
    enum { NAME_PARTS = 4 }; // the most that a name of the tables has: test_table.c
    struct longest_name found = {0};
    for (size_t parts = 0;; parts++) {
        size_t form_count;
        const struct unread *unread = ptx_unread(word);
        if (ptx_forms_named(word, &form_count))
            found = (struct longest_name){.form = word, .parts = parts};
        if (unread)
            found = (struct longest_name){.unread = unread, .parts = parts};
        if (parts == NAME_PARTS || parts == count)
            return found;
        word = arena_format(arena, "%s%s", word, written[parts].spelling);
    }
}

// Says so when a qualifier belongs to forms that are not read alone; whether the rest of the
// statement is one of them is not known.
static bool report_beyond(struct matcher *matcher) {
    const struct opcode_text *text = matcher->text;
    for (size_t i = 0; i < text->count; i++) {
        const struct unread *beyond = ptx_beyond(text->name, text->written[i].spelling);
        if (!beyond)
            continue;
        diag_error(matcher->diagnostics, text->written[i].token->span,
                   "'%s' is for forms of '%s' that are valid PTX (%s), but are not read",
                   text->written[i].spelling, text->name,
                   ptx_since_text(matcher->arena, beyond->ptx, beyond->sm));
        diag_hint(matcher->diagnostics, "%s not modelled", beyond->what);
        return true;
    }
    return false;
}

static void report_outside(struct matcher *matcher, const struct form *form) {
    struct span span = matcher->text->span;
    diag_error(matcher->diagnostics, span, "'%.*s' is valid PTX (%s), but is not read",
               (int)(span.end - span.begin), span.source->text + span.begin,
               ptx_since_text(matcher->arena, form->ptx, form->sm));
    diag_hint(matcher->diagnostics, "%s", form->outside);
}

// The first form that fits, or NULL.
static const struct form *fitting_form(const struct matcher *matcher, struct attempt *attempt) {
    for (size_t i = 0; i < matcher->form_count; i++) {
        *attempt = try_form(&matcher->forms[i], matcher->text, NULL);
        if (fits(attempt))
            return &matcher->forms[i];
    }
    return NULL;
}

bool ptx_fits(const struct opcode_text *text) {
    struct matcher matcher = {.text = text};
    struct attempt attempt;
    matcher.forms = ptx_forms_named(text->name, &matcher.form_count);
    return fitting_form(&matcher, &attempt) != NULL;
}

// The form that costs least. What each costs is only looked at where none fits: that takes long.
static const struct form *nearest_form(const struct matcher *matcher, struct attempt *least) {
    const struct form *best = NULL;
    unsigned least_cost = 0;
    for (size_t i = 0; i < matcher->form_count; i++) {
        struct attempt attempt = try_form(&matcher->forms[i], matcher->text, NULL);
        unsigned cost = attempt_cost(&matcher->forms[i], matcher->text, &attempt);
        if (best == NULL || cost < least_cost) {
            best = &matcher->forms[i];
            *least = attempt;
            least_cost = cost;
        }
    }
    return best;
}

bool ptx_match(struct arena *arena, struct diagnostics *diagnostics, const struct opcode_text *text,
               struct match *match) {
    struct matcher matcher = {.arena = arena, .diagnostics = diagnostics, .text = text};
    matcher.forms = ptx_forms_named(text->name, &matcher.form_count);
    struct attempt attempt = {0};
    const struct form *best = fitting_form(&matcher, &attempt);
    if (best == NULL)
        best = nearest_form(&matcher, &attempt);
    *match = (struct match){.form = best};
    if (!fits(&attempt)) {
        if (!report_beyond(&matcher))
            report(&matcher, best, &attempt);
        return false;
    }
    if (best->outside) {
        report_outside(&matcher, best);
        return false;
    }
    try_form(best, text, match);
    return true;
}

const struct filled *ptx_filled(const struct match *match, enum qualifier_class class,
                                size_t index) {
    assert((unsigned)class < CLASS_COUNT);
    for (size_t i = 0; i < match->count; i++)
        if (match->filled[i].qualifier->class == class && index-- == 0)
            return &match->filled[i];
    return NULL;
}

bool ptx_has(const struct match *match, enum qualifier_class class) {
    return ptx_filled(match, class, 0) != NULL;
}

int ptx_value(const struct match *match, enum qualifier_class class, size_t index, int missing) {
    const struct filled *filled = ptx_filled(match, class, index);
    return filled ? filled->qualifier->value : missing;
}

const struct token *ptx_token_of(const struct match *match, const char *spelling) {
    struct piece piece = {spelling, strcspn(spelling, "+")};
    for (size_t i = 0; i < match->count; i++)
        if (match->filled[i].token && ptx_piece_is(piece, match->filled[i].qualifier->spelling))
            return match->filled[i].token;
    return NULL;
}

// --- Versions and targets ----------------------------------------------------------------------

static bool wrote_all(const struct match *match, const char *spellings) {
    for (const char *at = spellings; *at != '\0';) {
        size_t length = strcspn(at, "+");
        if (!ptx_token_of(match, at))
            return false;
        at += length + (at[length] == '+');
    }
    return true;
}

// Whether a form cannot be without the qualifier: the form's version is then of the two together,
// and what the qualifier needs elsewhere does not matter ('.release' in fence.mbarrier_init).
static bool comes_with(const struct form *form, const char *spelling) {
    const char *cursor = form->qualifiers;
    struct slot slot;
    while (ptx_next_slot(&cursor, &slot))
        if (!slot.optional && ptx_piece_is(slot.alternatives, spelling))
            return true;
    return false;
}

struct ptx_since ptx_since(const struct match *match) {
    struct ptx_since since = {match->form->ptx, match->form->sm, "", ""};
    size_t count;
    const struct requirement *rows = ptx_requirements(&count);
    for (size_t i = 0; i < count; i++) {
        if (!ptx_is_alternative(rows[i].names, match->form->name) ||
            !wrote_all(match, rows[i].qualifiers))
            continue;
        if (rows[i].ptx > match->form->ptx && comes_with(match->form, rows[i].qualifiers))
            continue;
        // Of a form and a qualifier that are equally young, the qualifier says more.
        bool first_ptx = *since.ptx_because == '\0', first_sm = *since.sm_because == '\0';
        if (rows[i].ptx > since.ptx || (rows[i].ptx == since.ptx && first_ptx)) {
            since.ptx = rows[i].ptx;
            since.ptx_because = rows[i].qualifiers;
        }
        if (rows[i].sm > since.sm || (rows[i].sm == since.sm && rows[i].sm > 0 && first_sm)) {
            since.sm = rows[i].sm;
            since.sm_because = rows[i].qualifiers;
        }
    }
    return since;
}

unsigned ptx_first_target(const char *name, const char *const *qualifiers, size_t count) {
    static const struct token nowhere;
    struct opcode_text text = {.name = name};
    for (; text.count < count; text.count++)
        text.written[text.count] = (struct written){&nowhere, qualifiers[text.count]};
    size_t form_count;
    const struct form *forms = ptx_forms_named(name, &form_count);
    for (size_t i = 0; i < form_count; i++) {
        struct match match = {.form = &forms[i]};
        struct attempt attempt = try_form(&forms[i], &text, &match);
        if (fits(&attempt))
            return ptx_since(&match).sm;
    }
    bug("no form of '%s' takes these %zu qualifiers", name, count);
}
