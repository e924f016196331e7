// Forms of a place: orders and scopes are put into the opcode's text, and the instruction table
// says which of the results are PTX, and since when.
#include "repair/forms.h"

#include "litmus/ptx/dialect.h"
#include "litmus/ptx/match.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/lexer.h"
#include "repair/strength.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static const char *order_spelling(enum access_order order) {
    return ptx_spelling(order == ORDER_MMIO ? CLASS_MMIO : CLASS_ORDER, (int)order);
}

static const char *scope_spelling(enum scope scope) {
    return ptx_spelling(CLASS_SCOPE, (int)scope);
}

// --- Legality ----------------------------------------------------------------------------------

// An opcode's text as the instruction table sees it; false when there is none.
static bool parse_text(struct arena *arena, const char *text, struct opcode_text *opcode) {
    struct diagnostics ignored;
    diagnostics_init(&ignored, arena);
    const struct source *source = source_from_text(arena, "", text, strlen(text));
    size_t count, forms, used = 0;
    const struct token *tokens = lexer_tokens(arena, source, 0, source->size, &ignored, &count);
    const char *longer = token_text(arena, &tokens[0]);
    *opcode = (struct opcode_text){.span = tokens[0].span};
    if (ptx_forms_named(longer, &forms) != NULL)
        opcode->name = longer;
    for (size_t i = 1; i < count && tokens[i].kind == TOKEN_QUALIFIER; i++) {
        const char *spelling = token_text(arena, &tokens[i]);
        if (opcode->count == WRITTEN_MAX)
            return false;
        opcode->written[opcode->count++] = (struct written){&tokens[i], spelling};
        longer = arena_format(arena, "%s%s", longer, spelling);
        if (ptx_forms_named(longer, &forms) != NULL) {
            opcode->name = longer;
            used = opcode->count;
        }
    }
    opcode->count -= used;
    memmove(opcode->written, opcode->written + used, opcode->count * sizeof *opcode->written);
    return opcode->name != NULL;
}

// Whether an opcode with these qualifiers is PTX within the limits.
static bool is_ptx(const char *text, const struct change_options *options) {
    struct arena *arena = arena_new();
    struct diagnostics ignored;
    struct opcode_text opcode;
    struct match match;
    diagnostics_init(&ignored, arena);
    bool legal = parse_text(arena, text, &opcode) && ptx_fits(&opcode) &&
                 ptx_match(arena, &ignored, &opcode, &match);
    for (size_t i = 0; legal && i < options->limit_count; i++) {
        const struct change_limit *limit = &options->limits[i];
        struct ptx_since since = ptx_since(&match);
        legal = since.ptx <= limit->version &&
                (limit->target == NULL || ptx_offers(limit->target, since.sm));
    }
    arena_free(arena);
    return legal;
}

// What a target has is told by PTX: fences are written as there, and accesses of these orders and
// scopes are in every version with the memory model.
bool forms_are_legal(const char *text, const struct change_options *options) {
    bool fence = strncmp(text, "fence", strlen("fence")) == 0;
    return options->dialect == DIALECT_PTX
               ? is_ptx(text, options)
               : dialect_takes(options->dialect, text) && (!fence || is_ptx(text, options));
}

// --- Texts -------------------------------------------------------------------------------------

// Whether a qualifier gives way when the order or scope changes: cache operators are for weak
// accesses alone.
static bool gives_way(const char *spelling, bool strong) {
    return ptx_qualifier(CLASS_ORDER, spelling) != NULL ||
           ptx_qualifier(CLASS_SCOPE, spelling) != NULL ||
           (strong && ptx_qualifier(CLASS_CACHE, spelling) != NULL);
}

// How long the name of an opcode is that orders follow: up to its first dot, or, where the name has
// dots itself ("mbarrier.arrive"), as the instruction table has it.
static size_t name_length(struct arena *arena, const char *text) {
    struct opcode_text opcode;
    size_t first = strcspn(text, ".");
    bool dotted = strncmp(text, "mbarrier.", strlen("mbarrier.")) == 0;
    return dotted && parse_text(arena, text, &opcode) ? strlen(opcode.name) : first;
}

// The text of an opcode with another order and scope, in the place of those that it has, or after
// its name.
static const char *with_order(struct arena *arena, const char *text, const char *order,
                              const char *scope, bool strong) {
    size_t name = name_length(arena, text), at = name;
    const char *result = arena_strndup(arena, text, name);
    bool done = false, any = false;
    for (size_t i = name; text[i] != '\0' && !any;) { // is there one to replace?
        size_t length = 1 + strcspn(text + i + 1, ".");
        any = gives_way(arena_strndup(arena, text + i, length), false);
        i += length;
    }
    while (text[at] != '\0') {
        size_t length = 1 + strcspn(text + at + 1, ".");
        const char *spelling = arena_strndup(arena, text + at, length);
        bool gone = gives_way(spelling, strong);
        if (!done && (gone || !any)) {
            result = arena_format(arena, "%s%s%s", result, order, scope);
            done = true;
        }
        if (!gone)
            result = arena_format(arena, "%s%s", result, spelling);
        at += length;
    }
    return done ? result : arena_format(arena, "%s%s%s", result, order, scope);
}

// The opcode of an instruction as it is written, without spaces.
static const char *written_text(struct arena *arena, struct span span) {
    assert(span.begin < span.end);
    char *text = span_text(arena, span);
    size_t length = 0;
    for (size_t i = 0; text[i] != '\0'; i++)
        if (strchr(" \t\r\n", text[i]) == NULL)
            text[length++] = text[i];
    text[length] = '\0';
    return text;
}

// --- Lists of forms ----------------------------------------------------------------------------

static int compare_forms(const void *left, const void *right) {
    const struct change_form *a = left, *b = right;
    unsigned x = change_rank(a), y = change_rank(b);
    return x != y ? (x > y) - (x < y) : strcmp(a->text, b->text);
}

// Sorts the forms and finds the written one.
static void finish(struct change_place *place, const char *written) {
    qsort(place->forms, place->form_count, sizeof *place->forms, compare_forms);
    for (size_t i = 0; i < place->form_count; i++)
        if (strcmp(place->forms[i].text, written) == 0)
            place->written = i;
}

// Adds a form when it lies in the direction of the options, seen from the one that is written.
static void offer(const struct place_search *search, struct change_place *place,
                  const struct change_form *written, struct change_form form) {
    const struct change_options *options = search->options;
    const struct change_form *more = options->direction == CHANGES_UP ? &form : written;
    const struct change_form *less = options->direction == CHANGES_UP ? written : &form;
    bool same = change_covers(more, less) && change_covers(less, more);
    if (!same && change_covers(more, less) &&
        (!form.is_present || forms_are_legal(form.text, options)))
        place_add_form(search, place, form);
}

// Whether a form may have a scope: one that differs in the test, or that is written.
static bool may_have(const struct place_search *search, enum scope scope,
                     const struct change_form *written) {
    return search->scopes[scope] || scope == written->scope;
}

static enum scope scope_of(const struct instruction *instruction) {
    if (instruction->order == ORDER_VOLATILE)
        return SCOPE_SYS;
    return instruction->order == ORDER_WEAK ? SCOPE_NONE : instruction->scope;
}

void forms_of_access(const struct place_search *search, struct change_place *place,
                     const struct instruction *instruction) {
    static const enum access_order orders[] = {ORDER_RELAXED, ORDER_ACQUIRE, ORDER_RELEASE,
                                               ORDER_ACQ_REL};
    struct arena *arena = search->arena;
    const struct costs *costs = search->options->costs;
    const char *text = written_text(arena, place->span);
    struct change_form written = {.is_present = true,
                                  .order = instruction->order,
                                  .scope = scope_of(instruction),
                                  .text = text};
    written.cost = cost_of_access(costs, written.order, written.scope);
    place_add_form(search, place, written);
    if (written.order != ORDER_WEAK)
        offer(search, place, &written,
              (struct change_form){.is_present = true,
                                   .order = ORDER_WEAK,
                                   .text = with_order(arena, text, ".weak", "", false)});
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++)
        for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
            if (may_have(search, scope, &written))
                offer(
                    search, place, &written,
                    (struct change_form){.is_present = true,
                                         .order = orders[i],
                                         .scope = scope,
                                         .text = with_order(arena, text, order_spelling(orders[i]),
                                                            scope_spelling(scope), true),
                                         .cost = cost_of_access(costs, orders[i], scope)});
    finish(place, text);
}

// --- Fences ------------------------------------------------------------------------------------

static struct change_form fence_form(const struct place_search *search, enum access_order order,
                                     enum scope scope) {
    return (struct change_form){.is_present = true,
                                .order = order,
                                .scope = scope,
                                .text = arena_format(search->arena, "fence%s%s",
                                                     order_spelling(order), scope_spelling(scope)),
                                .cost = cost_of_fence(search->options->costs, order, scope)};
}

static const enum access_order fence_orders[] = {ORDER_ACQUIRE, ORDER_RELEASE, ORDER_ACQ_REL,
                                                 ORDER_SC};
enum { FENCE_ORDERS = sizeof fence_orders / sizeof *fence_orders };

void forms_of_fence(const struct place_search *search, struct change_place *place,
                    const struct instruction *instruction) {
    struct change_form written = fence_form(search, instruction->order, instruction->scope);
    written.text = written_text(search->arena, place->span);
    place_add_form(search, place, written);
    if (search->options->direction == CHANGES_DOWN)
        place_add_form(search, place, (struct change_form){.text = ""});
    for (size_t i = 0; i < FENCE_ORDERS; i++)
        for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
            if (may_have(search, scope, &written))
                offer(search, place, &written, fence_form(search, fence_orders[i], scope));
    finish(place, written.text);
}

void forms_of_new_fence(const struct place_search *search, struct change_place *place,
                        bool acquires, bool releases) {
    const struct change_form none = {.text = ""};
    bool one_way = forms_are_legal("fence.acquire.gpu", search->options);
    place_add_form(search, place, none);
    for (size_t i = 0; i < FENCE_ORDERS; i++) {
        enum access_order order = fence_orders[i];
        if ((order == ORDER_ACQUIRE && !acquires) || (order == ORDER_RELEASE && !releases) ||
            (order == ORDER_ACQ_REL && one_way && !(acquires && releases)))
            continue;
        for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
            if (search->scopes[scope])
                offer(search, place, &none, fence_form(search, order, scope));
    }
    finish(place, "");
}

void forms_of_arrival(const struct place_search *search, struct change_place *place,
                      const struct instruction *instruction) {
    const char *text = written_text(search->arena, place->span);
    struct change_form written = {
        .is_present = true, .order = instruction->order, .scope = instruction->scope, .text = text};
    struct change_form other = written;
    bool relaxed = written.order == ORDER_RELAXED;
    other.order = relaxed ? ORDER_RELEASE : ORDER_RELAXED;
    // Order qualifiers follow the name, which has dots itself.
    const char *name = "barrier.cluster.arrive", *rest = text + strlen(name);
    other.text = arena_format(search->arena, "%s%s%s", name, order_spelling(other.order),
                              strstr(rest, ".aligned") != NULL ? ".aligned" : "");
    struct change_form *strong = relaxed ? &other : &written;
    strong->cost = cost_of_access(search->options->costs, ORDER_RELEASE, SCOPE_CLUSTER);
    place_add_form(search, place, written);
    offer(search, place, &written, other);
    finish(place, text);
}

// --- Proxy fences ------------------------------------------------------------------------------

static const char *space_spelling(enum state_space space) {
    return space == SPACE_SHARED ? ".shared::cta" : ptx_spelling(CLASS_SPACE, (int)space);
}

// `kind` is how the proxies are written that it is between.
static struct change_form proxy_form(const struct place_search *search, const char *kind,
                                     enum access_order order, enum scope scope,
                                     enum state_space space, const char *operands) {
    return (struct change_form){.is_present = true,
                                .order = order,
                                .scope = scope,
                                .space = space,
                                .text = arena_format(search->arena, "fence.proxy%s%s%s%s%s", kind,
                                                     order_spelling(order), scope_spelling(scope),
                                                     space_spelling(space), operands),
                                .cost = search->options->costs->weights[COST_PROXY_FENCE]};
}

static const enum state_space async_spaces[] = {SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED,
                                                SPACE_SHARED_CLUSTER};

// Offers the forms of a proxy: of .async by space, of .tensormap by scope.
static void offer_proxy_forms(const struct place_search *search, struct change_place *place,
                              const struct change_form *written, enum access_order order,
                              const char *operands) {
    bool by_space = place->proxy == PROXY_ASYNC, by_scope = order != ORDER_NONE;
    for (size_t i = 0; i < (by_space ? 4 : 1); i++)
        for (enum scope scope = by_scope ? SCOPE_CTA : SCOPE_NONE;
             scope <= (by_scope ? SCOPE_SYS : SCOPE_NONE); scope++)
            if (scope == SCOPE_NONE || may_have(search, scope, written))
                offer(search, place, written,
                      proxy_form(search, ptx_spelling(CLASS_PROXY, (int)place->proxy), order, scope,
                                 by_space ? async_spaces[i] : SPACE_GENERIC, operands));
}

void forms_of_proxy_fence(const struct place_search *search, struct change_place *place,
                          const struct instruction *instruction) {
    struct change_form written = {
        .is_present = true,
        .order = instruction->fence.order,
        .scope = instruction->fence.order == ORDER_NONE ? SCOPE_NONE : instruction->scope,
        .space = instruction->fence.space,
        .text = written_text(search->arena, place->span),
        .cost = search->options->costs->weights[COST_PROXY_FENCE]};
    place->proxy = instruction->proxy;
    place_add_form(search, place, written);
    if (search->options->direction == CHANGES_DOWN)
        place_add_form(search, place, (struct change_form){.text = ""});
    if (strstr(written.text, "restrict") == NULL && instruction->proxy != PROXY_FABRIC)
        offer_proxy_forms(search, place, &written, written.order, "");
    finish(place, written.text);
}

void forms_of_new_proxy_fence(const struct place_search *search, struct change_place *place,
                              enum access_order order, const char *variable) {
    const struct change_form none = {.text = ""};
    place_add_form(search, place, none);
    if (place->proxy == PROXY_FABRIC)
        offer(search, place, &none,
              proxy_form(search, variable, order, SCOPE_SYS, SPACE_GENERIC, ""));
    else
        offer_proxy_forms(search, place, &none, order,
                          variable == NULL ? ""
                                           : arena_format(search->arena, " [%s], 128", variable));
    finish(place, "");
}
