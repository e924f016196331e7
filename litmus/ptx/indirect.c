// Where a jump may go that is not to one label or function: a branch by an index, to the labels of
// its .branchtargets (PTX ISA 9.7.12.3); and in modules a call through an address (9.7.12.5, 11.5),
// to the functions that .calltargets lists, or with .callprototype to those whose address the
// module takes and that have these parameters.
#include "litmus/ptx/apart.h"
#include "litmus/ptx/calls.h"
#include "litmus/ptx/parameters.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"

#include <string.h>

// A label with its .branchtargets, .calltargets or .callprototype.
enum list_kind { LIST_LABELS, LIST_FUNCTIONS, LIST_PROTOTYPE };
struct call_list {
    const char *label;
    enum list_kind kind;
    const struct token *first, *end; // after the directive, up to the ';'
};

bool ptx_parse_call_list(struct body *body) {
    const struct token *directive = body->at;
    bool has_label = directive - body->first >= 2 && token_is_punct(directive - 1, ':') &&
                     directive[-2].kind == TOKEN_WORD;
    enum list_kind kind = token_is(directive, ".branchtargets") ? LIST_LABELS
                          : token_is(directive, ".calltargets") ? LIST_FUNCTIONS
                                                                : LIST_PROTOTYPE;
    if (!has_label)
        return diag_error(body->diagnostics, directive->span, "'%s' needs a label, which %s name",
                          token_text(body->arena, directive),
                          kind == LIST_LABELS ? "branches" : "calls");
    ARENA_APPEND(body->arena, body->call_lists, body->call_list_count,
                 (struct call_list){.label = token_text(body->arena, &directive[-2]),
                                    .kind = kind,
                                    .first = directive + 1,
                                    .end = body->end});
    body->at = body->end;
    return true;
}

// The list of a branch, or of a call.
static const struct call_list *find_list(const struct body *body, const char *label,
                                         bool of_labels) {
    for (size_t i = body->call_list_count; i-- > 0;) // the last one: of the innermost function
        if (strcmp(body->call_lists[i].label, label) == 0 &&
            (body->call_lists[i].kind == LIST_LABELS) == of_labels)
            return &body->call_lists[i];
    return NULL;
}

// --- Branches by an index ------------------------------------------------------------------------

// A predicate that says whether the index is this number.
static int compare_index(struct body *body, const struct instruction *like, uint64_t number) {
    const char *name = arena_format(body->arena, "brx@%zu", body->thread->register_count);
    return apart_add_compare(body, apart_start(like, OP_SETP, TYPE_U32), COMPARE_EQ, name,
                             like->operands[0], apart_number(like, number));
}

// targets = label ("," label)*
static bool add_branches(struct body *body, const struct instruction *like,
                         const struct call_list *list) {
    uint64_t number = 0;
    for (const struct token *at = list->first; at < list->end; at++) {
        bool is_label = at->kind == TOKEN_WORD;
        if (!is_label || (at + 1 < list->end && !token_is_punct(++at, ',')))
            return diag_error(body->diagnostics, at->span, "expected %s, not '%s'",
                              is_label ? "','" : "a label", token_text(body->arena, at));
        const struct token *label = token_is_punct(at, ',') ? at - 1 : at;
        apart_add_branch(body, like, ptx_label(body, label), compare_index(body, like, number++),
                         false);
    }
    if (number > 0)
        return true;
    return diag_error(body->diagnostics, list->end->span, "a '.branchtargets' lists labels");
}

bool ptx_branch_by_index(struct body *body, struct instruction *instruction,
                         const struct token *name) {
    const struct call_list *list = find_list(body, token_text(body->arena, name), true);
    struct instruction like = *instruction;
    if (!list)
        return diag_error(body->diagnostics, name->span,
                          "there is no '.branchtargets' with the label '%s' before this",
                          token_text(body->arena, name));
    like.span = like.opcode_span;
    int after = ptx_new_label(body, like.span);
    if (like.guard >= 0)
        apart_add_branch(body, &like, after, like.guard, !like.guard_negated);
    if (!add_branches(body, &like, list))
        return false;
    // "The behavior is undefined if the value of index is greater than or equal to the length of
    // tlist", as a trap is in which the launch ends.
    struct instruction trap = apart_start(&like, OP_TRAP, TYPE_NONE);
    ptx_add_instruction(body, &trap);
    ptx_place_label(body, after);
    instruction->opcode = OP_HINT; // what remains of it
    instruction->guard = -1;
    instruction->operand_count = 0;
    return true;
}

// --- Which functions ---------------------------------------------------------------------------

// targets = name ("," name)*
static bool listed(struct body *body, const struct call_list *list, struct callees *found) {
    for (const struct token *at = list->first; at < list->end; at++) {
        if (token_is_punct(at, ','))
            continue;
        struct function *function = at->kind == TOKEN_WORD
                                        ? reader_function(body->reader, token_text(body->arena, at))
                                        : NULL;
        if (!function)
            return diag_error(body->diagnostics, at->span, "there is no function '%s'",
                              token_text(body->arena, at));
        ARENA_APPEND(body->arena, found->items, found->count, function);
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
    if (at >= list->end || !token_is(at, "_"))
        return diag_error(body->diagnostics, at->span, "expected '_', the place of a name");
    at++;
    prototype.parameter_count = skip_list(&at, list->end, &prototype.parameters);
    for (size_t i = 0; i < body->reader->test->function_count; i++) {
        struct function *function = &body->reader->test->functions[i];
        bool same = false;
        if (function->is_taken && !ptx_same_signature(body, &prototype, function, &same))
            return false;
        if (same)
            ARENA_APPEND(body->arena, found->items, found->count, function);
    }
    return true;
}

bool ptx_find_callees(struct body *body, const struct call *call, struct callees *found) {
    const struct call_list *list = find_list(body, call->list_name, false);
    if (!list)
        return diag_error(
            body->diagnostics, call->span,
            "there is no '.calltargets' or '.callprototype' with the label '%s' before this",
            call->list_name);
    if (!(list->kind == LIST_FUNCTIONS ? listed(body, list, found)
                                       : of_prototype(body, list, found)))
        return false;
    if (found->count == 0)
        return diag_error(
            body->diagnostics, call->span,
            "this call is of no function that is known: none with these parameters and "
            "results has its address taken");
    for (size_t i = 0; i < found->count; i++) {
        if (found->items[i]->entered == 0)
            continue;
        return diag_error(
            body->diagnostics, call->span,
            "this call may be of '%s', in which it is: functions that call themselves are "
            "not read",
            found->items[i]->name);
    }
    return true;
}
