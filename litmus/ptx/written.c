// The operands that are written: how many the form takes, and each by its role.
#include "litmus/ptx/body.h"
#include "litmus/ptx/operands.h"

#include "litmus/source/arena.h"

// Takes the roles that are there: conditional ones by their qualifiers, optional ones when there
// are operands enough. A report is a register, so that one is not there where an address comes.
static size_t present_roles(const struct statement *statement, const struct raw_operand *operands,
                            size_t count, uint32_t *roles) {
    const struct form *form = statement->match.form;
    bool has_hint = ptx_has(&statement->match, CLASS_HINT);
    bool has_bool = ptx_has(&statement->match, CLASS_BOOL);
    unsigned least, most;
    ptx_operand_counts(form, has_hint, has_bool, &least, &most);
    size_t present = 0, spare = count > least ? count - least : 0;
    for (size_t i = 0; i < FORM_OPERANDS && form->operands[i] != ROLE_NONE; i++) {
        uint32_t role = form->operands[i];
        if (((role & WHEN_HINT) && !has_hint) || ((role & WHEN_BOOL) && !has_bool))
            continue;
        bool is_report = (role & ROLE_MASK) == DESTINATION && (role & OF_B8);
        if ((role & OPTIONAL) &&
            (spare == 0 || (is_report && operands[present].kind == RAW_MEMORY)))
            continue;
        spare -= (role & OPTIONAL) != 0;
        roles[present++] = role;
    }
    return present;
}

// "d, [a], b"
static const char *signature(struct statement *statement, const uint32_t *roles, size_t count) {
    static const char *const names[] = {[ACCUMULATOR] = "d",    [TENSOR_RESULT] = "d",
                                        [DESTINATION] = "d",    [REPORT_PAIR] = "p",
                                        [PREDICATE_PAIR] = "p", [RESULT_PAIR] = "d|p",
                                        [NOTHING] = "_",        [TABLE] = "table",
                                        [LABEL] = "label",      [POLICY] = "cache-policy",
                                        [SIZE_128] = "128",     [SIZE] = "size",
                                        [ZERO] = "0",           [TENSOR_MAP] = "[t",
                                        [COORDINATES] = "{c}]", [OFFSETS] = "{o}"};
    const char *text = "";
    char letter = 'a';
    for (size_t i = 0; i < count; i++) {
        uint32_t role = roles[i] & ROLE_MASK;
        const char *name = role < sizeof names / sizeof names[0] ? names[role] : NULL;
        bool is_memory = role == MEMORY || role == TENSOR;
        if (!name)
            name = arena_format(statement->body->arena, is_memory ? "[%c]" : "%c", letter++);
        text = arena_format(statement->body->arena, "%s%s%s", text, i ? ", " : "", name);
    }
    return text;
}

// Whether some form of this name ends in a cache policy.
static bool takes_policy(const struct statement *statement) {
    size_t count;
    const struct form *forms = ptx_forms_named(statement->name, &count);
    for (size_t f = 0; f < count; f++)
        for (size_t i = 0; i < FORM_OPERANDS; i++)
            if ((forms[f].operands[i] & ROLE_MASK) == POLICY)
                return true;
    return false;
}

static bool error_count(struct statement *statement, const struct raw_operand *operands,
                        size_t count, const uint32_t *roles, size_t wanted) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    struct span span = statement->instruction->opcode_span;
    if (count > wanted)
        span = span_join(operands[wanted].span, operands[count - 1].span);
    const char *text = signature(statement, roles, wanted);
    size_t inside_wanted = 0, inside = 0; // coordinates are in the brackets of their tensormap
    for (size_t i = 0; i < wanted; i++)
        inside_wanted += (roles[i] & ROLE_MASK) == COORDINATES;
    for (size_t i = 0; i < count; i++)
        inside += operands[i].is_coordinates;
    if (wanted == 0)
        diag_error(diagnostics, span, "'%s' takes no operands", statement->name);
    else
        diag_error(diagnostics, span, "'%s' takes %zu operand%s, %s; got %zu", statement->name,
                   wanted - inside_wanted, wanted - inside_wanted == 1 ? "" : "s", text,
                   count - inside);
    bool compares = ptx_has(&statement->match, CLASS_COMPARE);
    if (compares && count == 4 && wanted == 3)
        diag_hint(diagnostics, "the fourth, a predicate, is combined with .and, .or or .xor");
    else if (compares && count == 3 && wanted == 4)
        diag_hint(diagnostics, "the fourth is the predicate that '%s' combines the result with",
                  ptx_filled(&statement->match, CLASS_BOOL, 0)->qualifier->spelling);
    else if (count == wanted + 1 && takes_policy(statement) &&
             !ptx_has(&statement->match, CLASS_HINT))
        diag_hint(diagnostics, "a cache policy needs '.L2::cache_hint'");
    return false;
}

// Whether an operand says something that its instruction does not say by itself.
static bool is_kept(uint32_t role) {
    uint32_t kind = role & ROLE_MASK;
    return kind != POLICY && kind != SIZE_128 && kind != ZERO;
}

// Finds which operands of the instruction those are that are written: others, such as a policy
// before a mask, have none. Returns how many it has.
static unsigned find_places(const uint32_t *roles, size_t count, unsigned *places) {
    unsigned kept = 0;
    for (size_t i = 0; i < count; i++) {
        places[i] = kept;
        kept += is_kept(roles[i]);
    }
    return kept;
}

bool ptx_resolve_operands(struct statement *statement, const struct raw_operand *operands,
                          size_t count) {
    uint32_t roles[FORM_OPERANDS];
    unsigned places[FORM_OPERANDS];
    size_t wanted = present_roles(statement, operands, count, roles);
    if (count != wanted)
        return error_count(statement, operands, count, roles, wanted);
    if (!ptx_check_coordinates(statement, operands, count, roles))
        return false;
    struct instruction *instruction = statement->instruction;
    bool fine = true;
    unsigned kept = find_places(roles, count, places);
    // Sources before destinations, so that a first use in `add.u64 %rd1, %rd1, 4` is a read.
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < count; i++) {
            uint32_t kind = roles[i] & ROLE_MASK;
            bool destination = kind == DESTINATION || kind == PREDICATE_PAIR ||
                               kind == REPORT_PAIR || kind == RESULT_PAIR || kind == ACCUMULATOR ||
                               kind == TENSOR_RESULT;
            if (destination != (pass == 1))
                continue;
            struct operand operand;
            fine = ptx_resolve_operand(statement, &operands[i], roles[i], &operand) && fine;
            if (is_kept(roles[i]))
                instruction->operands[places[i]] = operand;
        }
    }
    instruction->operand_count = kept;
    return fine;
}
