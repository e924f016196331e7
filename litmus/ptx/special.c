// Special registers (PTX ISA 10): which names are theirs, and which of them the placement of a
// test's threads gives a value.
#include "litmus/ptx/body.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    bool is_known; // by the placement
    enum special_register special;
    bool is_vector; // has .x .y .z .w
} specials[] = {
#define KNOWN(name, special) {name, true, SPECIAL_##special, false},
#define KNOWN_VECTOR(name, special) {name, true, SPECIAL_##special, true},
#define UNKNOWN(name) {name, false, SPECIAL_TID, false},
    KNOWN_VECTOR("%tid", TID) KNOWN_VECTOR("%ntid", NTID) KNOWN_VECTOR("%ctaid", CTAID)
        KNOWN_VECTOR("%nctaid", NCTAID) KNOWN_VECTOR("%clusterid", CLUSTERID) KNOWN_VECTOR(
            "%nclusterid", NCLUSTERID) KNOWN_VECTOR("%cluster_ctaid", CLUSTER_CTAID)
            KNOWN_VECTOR("%cluster_nctaid", CLUSTER_NCTAID) KNOWN(
                "%cluster_ctarank", CLUSTER_CTARANK) KNOWN("%cluster_nctarank", CLUSTER_NCTARANK)
                KNOWN("%is_explicit_cluster", IS_EXPLICIT_CLUSTER) KNOWN("%laneid", LANEID) KNOWN(
                    "%warpid", WARPID) KNOWN("%nwarpid", NWARPID) KNOWN("%lanemask_eq", LANEMASK_EQ)
                    KNOWN("%lanemask_le", LANEMASK_LE) KNOWN("%lanemask_lt", LANEMASK_LT)
                        KNOWN("%lanemask_ge", LANEMASK_GE) KNOWN("%lanemask_gt", LANEMASK_GT)
                            UNKNOWN("%smid") UNKNOWN("%nsmid") UNKNOWN("%gridid") UNKNOWN("%clock")
                                UNKNOWN("%clock64") UNKNOWN("%clock_hi") UNKNOWN("%globaltimer")
                                    UNKNOWN("%globaltimer_lo") UNKNOWN("%globaltimer_hi")
                                        UNKNOWN("%dynamic_smem_size") UNKNOWN("%total_smem_size")
                                            UNKNOWN("%aggr_smem_size")
                                                UNKNOWN("%reserved_smem_offset_begin")
                                                    UNKNOWN("%reserved_smem_offset_end")
                                                        UNKNOWN("%reserved_smem_offset_cap")
                                                            UNKNOWN("%current_graph_exec")};

bool ptx_is_special(const char *name) {
    if (name[0] != '%')
        return false;
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
        if (strcmp(name, specials[i].name) == 0)
            return true;
    static const char *const numbered[] = {"%envreg", "%pm", "%reserved_smem_offset_"};
    for (size_t i = 0; i < sizeof(numbered) / sizeof(numbered[0]); i++) {
        size_t length = strlen(numbered[i]);
        if (strncmp(name, numbered[i], length) == 0 && name[length] >= '0' && name[length] <= '9')
            return true;
    }
    return false;
}

bool ptx_special_has_value(const char *name) {
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
        if (strcmp(name, specials[i].name) == 0)
            return specials[i].is_known;
    return false;
}

int ptx_vector_member(const char *spelling) {
    static const char *const members[] = {".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"};
    for (int i = 0; i < 8; i++)
        if (strcmp(spelling, members[i]) == 0)
            return i % 4;
    return -1;
}

static bool error_unknown(struct body *body, struct span span) {
    assert(span.begin <= span.end);
    const char *name =
        arena_strndup(body->arena, span.source->text + span.begin, span.end - span.begin);
    diag_error(body->diagnostics, span, "the special register '%s' is not read", name);
    diag_hint(body->diagnostics, "its value can be written out, or be the initial value of an "
                                 "ordinary register: 'P0:%%r0 = 0;'");
    return false;
}

bool ptx_parse_special(struct body *body, const struct token *name, const struct token *member,
                       struct raw_operand *operand) {
    const char *text = token_text(body->arena, name);
    struct span span = member ? span_join(name->span, member->span) : name->span;
    size_t i = 0;
    while (i < sizeof(specials) / sizeof(specials[0]) && strcmp(specials[i].name, text) != 0)
        i++;
    if (i == sizeof(specials) / sizeof(specials[0]) || !specials[i].is_known)
        return error_unknown(body, span);
    operand->kind = RAW_SPECIAL;
    operand->special = specials[i].special;
    operand->member = member ? ptx_vector_member(token_text(body->arena, member)) : -1;
    if (!member || (specials[i].is_vector && operand->member >= 0))
        return true;
    if (specials[i].is_vector)
        diag_error(body->diagnostics, span, "'%s' has .x, .y, .z and .w", text);
    else
        diag_error(body->diagnostics, span, "'%s' is one number: it has no '%s'", text,
                   token_text(body->arena, member));
    return false;
}

bool ptx_special_is_vector(enum special_register special) {
    for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
        if (specials[i].is_known && specials[i].special == special)
            return specials[i].is_vector;
    return false;
}

// mov and cvt alone read them.
bool ptx_resolve_special(struct statement *statement, const struct raw_operand *raw,
                         const struct register_need *need, struct operand *operand) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    enum opcode opcode = statement->instruction->opcode;
    const char *text =
        arena_strndup(statement->body->arena, raw->span.source->text + raw->span.begin,
                      raw->span.end - raw->span.begin);
    unsigned bits = raw->special == SPECIAL_IS_EXPLICIT_CLUSTER ? 1 : 32;
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
    if (!fits || scalar_type_is_float(need->type)) {
        diag_error(diagnostics, raw->span, "'%s' %s, and this operand is .%s", text,
                   bits == 1 ? "is a predicate" : "has 32 bits", scalar_type_name(need->type));
        return false;
    }
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
