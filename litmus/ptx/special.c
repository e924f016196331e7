// Special registers (PTX ISA 10): which names are theirs, and which of them have a value by the
// placement of a test's threads. The others may hold anything, each time they are read.
#include "litmus/ptx/body.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum special_register special;
    unsigned bits;  // of one that the placement leaves open, or any of those; else 0
    bool is_vector; // has .x .y .z .w
} specials[] = {
    {"%tid", SPECIAL_TID, 0, true},
    {"%ntid", SPECIAL_NTID, 0, true},
    {"%ctaid", SPECIAL_CTAID, 0, true},
    {"%nctaid", SPECIAL_NCTAID, 0, true},
    {"%clusterid", SPECIAL_CLUSTERID, 0, true},
    {"%nclusterid", SPECIAL_NCLUSTERID, 0, true},
    {"%cluster_ctaid", SPECIAL_CLUSTER_CTAID, 0, true},
    {"%cluster_nctaid", SPECIAL_CLUSTER_NCTAID, 0, true},
    {"%cluster_ctarank", SPECIAL_CLUSTER_CTARANK, 0, false},
    {"%cluster_nctarank", SPECIAL_CLUSTER_NCTARANK, 0, false},
    {"%is_explicit_cluster", SPECIAL_IS_EXPLICIT_CLUSTER, 0, false},
    {"%laneid", SPECIAL_LANEID, 0, false},
    {"%warpid", SPECIAL_WARPID, 0, false},
    {"%nwarpid", SPECIAL_NWARPID, 0, false},
    {"%lanemask_eq", SPECIAL_LANEMASK_EQ, 0, false},
    {"%lanemask_le", SPECIAL_LANEMASK_LE, 0, false},
    {"%lanemask_lt", SPECIAL_LANEMASK_LT, 0, false},
    {"%lanemask_ge", SPECIAL_LANEMASK_GE, 0, false},
    {"%lanemask_gt", SPECIAL_LANEMASK_GT, 0, false},
    {"%smid", SPECIAL_OPEN, 32, false},
    {"%nsmid", SPECIAL_OPEN, 32, false},
    {"%gridid", SPECIAL_OPEN, 64, false},
    {"%clock", SPECIAL_CLOCK, 32, false},
    {"%clock_hi", SPECIAL_CLOCK, 32, false},
    {"%clock64", SPECIAL_CLOCK, 64, false},
    {"%globaltimer", SPECIAL_CLOCK, 64, false},
    {"%globaltimer_lo", SPECIAL_CLOCK, 32, false},
    {"%globaltimer_hi", SPECIAL_CLOCK, 32, false},
    {"%dynamic_smem_size", SPECIAL_OPEN, 32, false},
    {"%total_smem_size", SPECIAL_OPEN, 32, false},
    {"%aggr_smem_size", SPECIAL_OPEN, 32, false},
    {"%reserved_smem_offset_begin", SPECIAL_OPEN, 32, false},
    {"%reserved_smem_offset_end", SPECIAL_OPEN, 32, false},
    {"%reserved_smem_offset_cap", SPECIAL_OPEN, 32, false},
    {"%current_graph_exec", SPECIAL_OPEN, 64, false},
};
enum { SPECIALS = sizeof specials / sizeof specials[0] };

// Those with a number after their name: %pm0.
static const struct {
    const char *prefix;
    const char *suffix;
    unsigned bits;
} numbered[] = {{"%pm", "", 32}, {"%pm", "_64", 64}, {"%reserved_smem_offset_", "", 32}};

// What memory a CTA has of its own (PTX ISA 10.34 and 10.35 of 9.4): an address of what no variable
// of a test is.
static bool is_of_cta_memory(const char *name) {
    return strcmp(name, "%perctamemoryoffset") == 0 || strcmp(name, "%perctamemorysize") == 0;
}

// The number of an %envreg; -1 for other names.
static int environment_number(const char *name) {
    static const char prefix[] = "%envreg";
    size_t length = sizeof prefix - 1;
    if (strncmp(name, prefix, length) != 0)
        return -1;
    size_t digits = strspn(name + length, "0123456789");
    if (digits < 1 || digits > 2 || name[length + digits] != '\0')
        return -1;
    int number = atoi(name + length);
    return number < ENVIRONMENT_REGISTERS ? number : -1;
}

static unsigned numbered_bits(const char *name) {
    for (size_t i = 0; i < sizeof numbered / sizeof numbered[0]; i++) {
        size_t length = strlen(numbered[i].prefix);
        if (strncmp(name, numbered[i].prefix, length) != 0)
            continue;
        size_t digits = strspn(name + length, "0123456789");
        if (digits > 0 && strcmp(name + length + digits, numbered[i].suffix) == 0)
            return numbered[i].bits;
    }
    return 0;
}

// Returns its row, SPECIALS for one that has none.
static size_t find_special(const char *name) {
    size_t i = 0;
    while (i < SPECIALS && strcmp(specials[i].name, name) != 0)
        i++;
    return i;
}

bool ptx_is_special(const char *name) {
    return name[0] == '%' && (find_special(name) < SPECIALS || numbered_bits(name) > 0 ||
                              environment_number(name) >= 0 || is_of_cta_memory(name));
}

int ptx_vector_member(const char *spelling) {
    static const char *const members[] = {".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"};
    for (int i = 0; i < 8; i++)
        if (strcmp(spelling, members[i]) == 0)
            return i % 4;
    return -1;
}

bool ptx_parse_special(struct body *body, const struct token *name, const struct token *member,
                       struct raw_operand *operand) {
    const char *text = token_text(body->arena, name);
    struct span span = member ? span_join(name->span, member->span) : name->span;
    if (is_of_cta_memory(text)) {
        diag_error(body->diagnostics, span,
                   "'%s' is valid PTX (since PTX ISA 9.4), but is not read", text);
        diag_hint(body->diagnostics, "global memory that each CTA has of its own is not modelled");
        return false;
    }
    size_t i = find_special(text);
    bool is_vector = i < SPECIALS && specials[i].is_vector;
    operand->kind = RAW_SPECIAL;
    operand->special = i < SPECIALS ? specials[i].special : SPECIAL_OPEN;
    operand->special_bits = i < SPECIALS ? specials[i].bits : numbered_bits(text);
    operand->member = member ? ptx_vector_member(token_text(body->arena, member)) : -1;
    if (!member && environment_number(text) >= 0) {
        operand->special = SPECIAL_ENVREG;
        operand->member = environment_number(text);
    }
    if (!member || (is_vector && operand->member >= 0))
        return true;
    if (is_vector)
        diag_error(body->diagnostics, span, "'%s' has .x, .y, .z and .w", text);
    else
        diag_error(body->diagnostics, span, "'%s' is one number: it has no '%s'", text,
                   token_text(body->arena, member));
    return false;
}

bool ptx_special_is_vector(enum special_register special) {
    for (size_t i = 0; i < SPECIALS; i++)
        if (specials[i].special == special)
            return specials[i].is_vector;
    return false;
}

// mov and cvt alone read them.
bool ptx_resolve_special(struct statement *statement, const struct raw_operand *raw,
                         const struct register_need *need, struct operand *operand) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    enum opcode opcode = statement->instruction->opcode;
    const char *text = span_text(statement->body->arena, raw->span);
    unsigned bits = raw->special == SPECIAL_IS_EXPLICIT_CLUSTER ? 1
                    : raw->special_bits != 0                    ? raw->special_bits
                                                                : 32;
    unsigned wanted = scalar_type_bits(need->type);
    if (opcode != OP_MOV && opcode != OP_CVT) {
        diag_error(diagnostics, raw->span, "'%s' takes no special register", statement->name);
        diag_hint(diagnostics, "'mov.u32' copies '%s' into a register first", text);
        return false;
    }
    if (raw->member < 0 && ptx_special_is_vector(raw->special)) {
        diag_error(diagnostics, raw->span, "'%s' is a vector: this operand is one number", text);
        diag_hint(diagnostics, "'%s.x'", text);
        return false;
    }
    // These had 16 bits before PTX 2.0.
    bool legacy =
        raw->special <= SPECIAL_NCTAID && wanted == 16 && statement->instruction->vector == 1;
    bool fits = wanted == bits || legacy || (bits == 32 && need->wider && wanted < 32);
    if (!fits || scalar_type_is_float(need->type))
        return diag_error(diagnostics, raw->span, "'%s' %s, and this operand is .%s", text,
                          bits == 1    ? "is a predicate"
                          : bits == 64 ? "has 64 bits"
                                       : "has 32 bits",
                          scalar_type_name(need->type));
    bool of_cluster =
        raw->special >= SPECIAL_CLUSTERID && raw->special <= SPECIAL_IS_EXPLICIT_CLUSTER;
    if (of_cluster)
        reader_need(statement->body->reader,
                    (struct need){.span = raw->span,
                                  .words = arena_format(statement->body->arena, "'%s'", text),
                                  .ptx = 78,
                                  .sm = 90});
    operand->kind = OPERAND_SPECIAL;
    operand->special = raw->special;
    operand->member = raw->member < 0 ? 0 : (unsigned)raw->member;
    return true;
}
