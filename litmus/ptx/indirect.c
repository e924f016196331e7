// Which functions a call through an address may be of, in modules (PTX ISA 9.7.12.5, 11.5): those
// that .calltargets lists; with .callprototype, those whose address the module takes and that have
// these parameters.
#include "litmus/ptx/body.h"
#include "litmus/ptx/parameters.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"

#include <string.h>

// A label with its .calltargets or .callprototype.
struct call_list {
    const char *label;
    bool is_targets;
    const struct token *first, *end; // after the directive, up to the ';'
};

bool ptx_parse_call_list(struct body *body) {
    const struct token *directive = body->at;
    bool has_label = token_is_punct(directive - 1, ':') && directive[-2].kind == TOKEN_WORD;
    if (!has_label) {
        diag_error(body->diagnostics, directive->span, "'%s' needs a label, which calls name",
                   token_text(body->arena, directive));
        return false;
    }
    body->call_lists =
        arena_grow(body->arena, body->call_lists, body->call_list_count, sizeof *body->call_lists);
    body->call_lists[body->call_list_count++] =
        (struct call_list){.label = token_text(body->arena, &directive[-2]),
                           .is_targets = token_is(directive, ".calltargets"),
                           .first = directive + 1,
                           .end = body->end};
    body->at = body->end;
    return true;
}

static const struct call_list *find_list(const struct body *body, const char *label) {
    for (size_t i = body->call_list_count; i-- > 0;) // the last one: of the innermost function
        if (strcmp(body->call_lists[i].label, label) == 0)
            return &body->call_lists[i];
    return NULL;
}

// --- Which functions ---------------------------------------------------------------------------

static void add_callee(struct body *body, struct callees *callees, struct function *function) {
    callees->items =
        arena_grow(body->arena, callees->items, callees->count, sizeof *callees->items);
    callees->items[callees->count++] = function;
}

// targets = name ("," name)*
static bool listed(struct body *body, const struct call_list *list, struct callees *found) {
    for (const struct token *at = list->first; at < list->end; at++) {
        if (token_is_punct(at, ','))
            continue;
        struct function *function = at->kind == TOKEN_WORD
                                        ? reader_function(body->reader, token_text(body->arena, at))
                                        : NULL;
        if (!function) {
            diag_error(body->diagnostics, at->span, "there is no function '%s'",
                       token_text(body->arena, at));
            return false;
        }
        add_callee(body, found, function);
    }
    return true;
}

// The tokens between the parentheses at `*at`, which is moved past them; none without them.
static size_t skip_list(const struct token **at, const struct token *end,
                        const struct token **first) {
    *first = *at + 1;
    if (*at >= end || !token_is_punct(*at, '('))
        return 0;
    while (*at < end && !token_is_punct(*at, ')'))
        ++*at;
    size_t count = (size_t)(*at - *first);
    if (*at < end)
        ++*at;
    return count;
}

// prototype = list? "_" list? ".noreturn"?
static bool of_prototype(struct body *body, const struct call_list *list, struct callees *found) {
    const struct token *at = list->first;
    struct function prototype = {.name = list->label, .span = at->span};
    prototype.return_count = skip_list(&at, list->end, &prototype.returns);
    if (at >= list->end || !token_is(at, "_")) {
        diag_error(body->diagnostics, at->span, "expected '_', the place of a name");
        return false;
    }
    at++;
    prototype.parameter_count = skip_list(&at, list->end, &prototype.parameters);
    for (size_t i = 0; i < body->reader->test->function_count; i++) {
        struct function *function = &body->reader->test->functions[i];
        bool same = false;
        if (function->is_taken && !ptx_same_signature(body, &prototype, function, &same))
            return false;
        if (same)
            add_callee(body, found, function);
    }
    return true;
}

bool ptx_find_callees(struct body *body, const struct call *call, struct callees *found) {
    const struct call_list *list = find_list(body, call->list_name);
    if (!list) {
        diag_error(body->diagnostics, call->span,
                   "there is no '.calltargets' or '.callprototype' with the label '%s' before this",
                   call->list_name);
        return false;
    }
    if (!(list->is_targets ? listed(body, list, found) : of_prototype(body, list, found)))
        return false;
    if (found->count == 0) {
        diag_error(body->diagnostics, call->span,
                   "this call is of no function that is known: none with these parameters and "
                   "results has its address taken");
        return false;
    }
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i]->entered == 0)
            continue;
        diag_error(body->diagnostics, call->span,
                   "this call may be of '%s', in which it is: functions that call themselves are "
                   "not read",
                   found->items[i]->name);
        return false;
    }
    return true;
}
