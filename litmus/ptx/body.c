// A thread's body: cut into statements, each of which is read on its own, so that an error in one
// leaves the others alone.
#include "litmus/ptx/body.h"
#include "litmus/ptx/apart.h"
#include "litmus/ptx/calls.h"
#include "litmus/ptx/matrix.h"
#include "litmus/ptx/open.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/ptx/cuda.h"
#include "litmus/source/arena.h"
#include "litmus/source/hash.h"

#include <assert.h>
#include <string.h>

// --- The opcode --------------------------------------------------------------------------------

// The words that may follow the first one of a name, ".lo", ".hi" and ".wide" for "mul". Returns
// how many.
static size_t name_continuations(struct body *body, const char *word, const char **items) {
    size_t count, item_count = 0, length = strlen(word);
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++) {
        const char *name = forms[i].name;
        if (strncmp(name, word, length) != 0 || name[length] != '.')
            continue;
        size_t next = 1 + strcspn(name + length + 1, ".");
        const char *item = arena_strndup(body->arena, name + length, next);
        bool known = false;
        for (size_t k = 0; k < item_count; k++)
            known |= strcmp(items[k], item) == 0;
        if (!known && item_count < WRITTEN_MAX)
            items[item_count++] = item;
    }
    return item_count;
}

// Whether some name of the table continues this text.
static bool is_name_prefix(const char *text) {
    size_t count, length = strlen(text);
    const struct form *forms = ptx_forms(&count);
    for (size_t i = 0; i < count; i++)
        if (strncmp(forms[i].name, text, length) == 0 && forms[i].name[length] == '.')
            return true;
    return false;
}

// Says which of some qualifiers, with their dots, may have been meant by one.
static void hint_nearest(struct body *body, const char *spelling, const char **items,
                         size_t count) {
    const char **bare = ARENA_ARRAY(body->arena, const char *, count + 1);
    for (size_t i = 0; i < count; i++)
        bare[i] = items[i] + 1; // the dots, which all have, would make them look similar
    const char *nearest = diag_nearest(spelling + 1, strlen(spelling + 1), bare, count);
    if (nearest)
        diag_hint(body->diagnostics, "did you mean '.%s'?", nearest);
}

// The words so far are part of a name, but no name: "barrier.cluster" lacks its '.arrive'.
static bool error_unfinished_name(struct body *body, const struct token *word, const char *name,
                                  const struct opcode_text *text) {
    const char *items[WRITTEN_MAX];
    struct span span = word->span;
    size_t used = 0;
    for (; used < text->count; used++) {
        const char *longer = arena_format(body->arena, "%s%s", name, text->written[used].spelling);
        if (!is_name_prefix(longer))
            break;
        name = longer;
        span = span_join(span, text->written[used].token->span);
    }
    size_t count = name_continuations(body, name, items);
    diag_error(body->diagnostics, span, "'%s' needs %s right after it", name,
               arena_list(body->arena, items, count, " or "));
    for (size_t i = used; i < text->count; i++) {
        for (size_t j = 0; j < count; j++) {
            if (strcmp(text->written[i].spelling, items[j]) == 0) {
                diag_hint(body->diagnostics, "'%s%s' and then the other qualifiers", name,
                          items[j]);
                return false;
            }
        }
    }
    if (used < text->count)
        hint_nearest(body, text->written[used].spelling, items, count);
    return false;
}

// The first qualifier that PTX does not have in any form of an instruction, of which all are
// listed; or NULL.
static const struct written *qualifier_of_none(const struct opcode_text *text,
                                               const struct unread *unread) {
    for (size_t i = 0; unread->all && i < text->count; i++)
        if (!ptx_is_alternative(unread->all, text->written[i].spelling))
            return &text->written[i];
    return NULL;
}

// An instruction that is not read has a qualifier which it does not have in PTX, or which names
// that are read begin with: "shfl.sync" without its '.up'.
static bool error_qualifier(struct body *body, const struct token *word,
                            const struct opcode_text *text, const struct unread *unread,
                            const struct written *written) {
    const char *name = unread->names;
    const char **items = ARENA_ARRAY(body->arena, const char *, WRITTEN_MAX + strlen(unread->all));
    if (is_name_prefix(arena_format(body->arena, "%s%s", name, written->spelling)))
        return error_unfinished_name(body, word, name, text);
    diag_error(body->diagnostics, written->token->span, "unknown qualifier '%s'",
               written->spelling);
    size_t count = name_continuations(body, name, items);
    struct piece rest = {unread->all, strlen(unread->all)}, one;
    while (ptx_next_alternative(&rest, &one))
        items[count++] = arena_strndup(body->arena, one.text, one.length);
    hint_nearest(body, written->spelling, items, count);
    return false;
}

static bool error_unread(struct body *body, const struct token *word,
                         const struct opcode_text *text, const struct unread *unread) {
    const struct written *slip = qualifier_of_none(text, unread);
    if (slip)
        return error_qualifier(body, word, text, unread, slip);
    struct span span = text->span;
    span.end = span.begin + (uint32_t)strlen(unread->names);
    diag_error(body->diagnostics, span, "'%s' is valid PTX (%s), but is not read", unread->names,
               ptx_since_text(body->arena, unread->ptx, unread->sm));
    diag_hint(body->diagnostics, "%s not modelled", unread->what);
    return false;
}

// The opcode is not a name in itself: it is unknown, or lacks its second part.
static bool error_opcode(struct body *body, const struct token *word,
                         const struct opcode_text *text) {
    const char *name = token_text(body->arena, word);
    if (is_name_prefix(name))
        return error_unfinished_name(body, word, name, text);
    const struct cuda_word *cuda = cuda_word_find(name);
    diag_error(body->diagnostics, word->span, "'%s' is not a PTX instruction", name);
    if (cuda)
        diag_hint(body->diagnostics, "%s", cuda->sentence);
    else
        diag_suggest(body->diagnostics, ptx_nearest_opcode(body->arena, name));
    return false;
}

// bank = "[" integer "]", after .const (PTX ISA 5.1.3.1). The current token becomes its last one.
static bool parse_bank(struct body *body, struct opcode_text *text) {
    const struct token *opener = body->at + 1;
    if (!token_is_punct(opener, '[') || opener->space_before)
        return true;
    if (opener[1].kind != TOKEN_INTEGER || !token_is_punct(&opener[2], ']') ||
        opener[1].value.low > 10)
        return diag_error(body->diagnostics, span_join(opener->span, opener[1].span),
                          "the banks of constant memory are 0 to 10");
    text->bank = (unsigned)opener[1].value.low;
    body->at = &opener[2];
    return true;
}

// Whether the name has forms that are not read, besides names that continue it: "mul", which is for
// floating-point numbers where no '.lo' follows.
static bool is_outside_alone(const char *name) {
    size_t count;
    const struct form *forms = ptx_forms_named(name, &count);
    for (size_t i = 0; i < count; i++)
        if (!forms[i].outside)
            return false;
    return is_name_prefix(name);
}

// The text of an opcode, without what may be between its parts.
static const char *opcode_name(struct body *body, const struct opcode_text *text) {
    const char *name = arena_strndup(body->arena, text->span.source->text + text->span.begin,
                                     strcspn(text->span.source->text + text->span.begin, ". \t\n"));
    for (size_t i = 0; i < text->count; i++)
        name = arena_format(body->arena, "%s%s", name, text->written[i].spelling);
    return name;
}

// Whether the form is one that is not read.
static bool is_outside(struct body *body, const struct opcode_text *text) {
    struct diagnostics unused;
    struct match match;
    diagnostics_init(&unused, body->arena);
    return !ptx_match(body->arena, &unused, text, &match) && ptx_fits(text);
}

// opcode = word qualifier*; the longest name of the tables wins.
static bool parse_opcode(struct body *body, struct opcode_text *text) {
    const struct token *word = body->at++;
    const char *name = token_text(body->arena, word);
    *text = (struct opcode_text){.span = word->span};
    for (; body->at->kind == TOKEN_QUALIFIER; body->at++) {
        if (text->count == WRITTEN_MAX)
            return diag_error(body->diagnostics, body->at->span,
                              "an instruction has no more than %d "
                              "qualifiers",
                              WRITTEN_MAX);
        const char *spelling = token_text(body->arena, body->at);
        text->written[text->count++] = (struct written){body->at, spelling};
        if (strcmp(spelling, ".const") == 0 && !parse_bank(body, text))
            return false;
        text->span = span_join(word->span, body->at->span);
    }
    struct longest_name found = ptx_longest_name(body->arena, name, text->written, text->count);
    text->name = found.form;
    const char *all = opcode_name(body, text);
    text->is_texture = ptx_reads_texture(all) || ptx_stores_to_surface(all);
    text->is_wmma = ptx_is_wmma_access(all);
    text->all = all;
    text->is_open = found.unread && body->reader->opens &&
                    (text->is_texture || text->is_wmma || ptx_is_open(all));
    if (text->is_open)
        return true;
    if (found.unread)
        return error_unread(body, word, text, found.unread);
    if (!text->name || (found.parts == 0 && is_outside_alone(name) && !ptx_fits(text)))
        return error_opcode(body, word, text);
    text->count -= found.parts;
    memmove(text->written, text->written + found.parts, text->count * sizeof(text->written[0]));
    bool is_form = is_outside(body, text) && ptx_is_open_form(text);
    text->is_open = body->reader->opens && (is_form || ptx_is_open_conversion(text));
    return true;
}

// --- What the form says ------------------------------------------------------------------------

// The order and space of a proxy fence are about the proxy, not about the thread's own accesses.
static void set_proxy_fence(struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    const struct match *match = &statement->match;
    const char *kind = ptx_filled(match, CLASS_PROXY, 0)->qualifier->spelling;
    instruction->fence.from_fabric = strstr(kind, "::fabric") != NULL;
    instruction->fence.to_fabric = strncmp(kind, ".fabric::", 9) == 0;
    instruction->fence.order = instruction->order;
    instruction->order = ORDER_NONE;
    instruction->fence.space =
        (enum state_space)ptx_value(match, CLASS_RESTRICT, 0, (int)instruction->space);
    instruction->space = SPACE_GENERIC;
}

// .mbarrier_init has no space: such a fence orders mbarrier.init operations alone (PTX ISA
// 9.7.13.4).
static void set_restricted_fence(struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    instruction->fence.space =
        (enum state_space)ptx_value(&statement->match, CLASS_RESTRICT, 0, SPACE_GENERIC);
    instruction->fence.is_init = instruction->fence.space == SPACE_GENERIC;
}

// What an instruction with .cc does.
static enum opcode carrying(enum opcode opcode) {
    switch (opcode) {
    case OP_ADD: return OP_ADDC;
    case OP_SUB: return OP_SUBC;
    case OP_MAD: return OP_MADC;
    default: return opcode;
    }
}

// Whether all threads of a warp or more have to execute an instruction: "bar{.cta}.sync is
// equivalent to barrier{.cta}.sync.aligned" (PTX ISA 9.7.13.1).
static bool is_aligned(const struct statement *statement) {
    return ptx_has(&statement->match, CLASS_ALIGNED) || strncmp(statement->name, "bar.", 4) == 0;
}

static void set_fields(struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    const struct match *match = &statement->match;
    const struct filled *type = ptx_filled(match, CLASS_TYPE, 0);
    instruction->opcode =
        ptx_has(match, CLASS_CARRY) ? carrying(match->form->opcode) : match->form->opcode;
    instruction->order = (enum access_order)ptx_value(match, CLASS_ORDER, 0, ORDER_NONE);
    instruction->is_mmio = ptx_has(match, CLASS_MMIO);
    instruction->of_global =
        ptx_has(match, CLASS_VALID) || strncmp(statement->name, "applypriority", 13) == 0;
    if (instruction->is_mmio && instruction->order == ORDER_RELAXED)
        instruction->order = ORDER_MMIO;
    instruction->scope = (enum scope)ptx_value(match, CLASS_SCOPE, 0, SCOPE_NONE);
    instruction->space = (enum state_space)ptx_value(match, CLASS_SPACE, 0, SPACE_GENERIC);
    instruction->copy.source_space =
        (enum state_space)ptx_value(match, CLASS_SPACE, 1, (int)SPACE_GENERIC);
    instruction->proxy = (enum proxy)ptx_value(
        match, CLASS_PROXY, 0, ptx_value(match, CLASS_NONCOHERENT, 0, (int)PROXY_GENERIC));
    instruction->atomic = (enum atomic_op)ptx_value(match, CLASS_ATOMIC, 0, ATOMIC_NONE);
    instruction->compute.compare =
        (enum compare_op)ptx_value(match, CLASS_COMPARE, 0, COMPARE_NONE);
    instruction->bool_op = (enum bool_op)ptx_value(match, CLASS_BOOL, 0, BOOL_NONE);
    instruction->compute.mul_part = (enum mul_part)ptx_value(match, CLASS_PART, 0, MUL_LO);
    instruction->compute.permute =
        (enum permute_mode)ptx_value(match, CLASS_PERMUTE, 0, PERMUTE_SELECT);
    instruction->compute.saturate = ptx_value(match, CLASS_SATURATE, 0, 0) != 0;
    instruction->compute.wraps = ptx_value(match, CLASS_WRAP, 0, 0) != 0;
    instruction->compute.shift_amount = ptx_value(match, CLASS_SHIFT_AMOUNT, 0, 0) != 0;
    instruction->compute.flushes = ptx_value(match, CLASS_FLUSH, 0, 0) != 0;
    instruction->map_field = (enum map_field)ptx_value(match, CLASS_TENSOR_FIELD, 0, MAP_ADDRESS);
    instruction->is_layout_v1 = ptx_value(match, CLASS_LAYOUT, 0, 0) != 0;
    instruction->copy.ignores = ptx_value(match, CLASS_IGNORE, 0, 0) != 0;
    instruction->copy.masked = ptx_value(match, CLASS_BYTE_MASK, 0, 0) != 0;
    bool stores = opcode_family(instruction->opcode) == FAMILY_COPY &&
                  opcode_has(instruction->opcode, TRAIT_VALUE);
    instruction->copy.to_copies = strncmp(statement->name, "multimem.cp.", 12) == 0 ||
                                  (stores && strncmp(statement->name, "multimem.", 9) == 0);
    instruction->copy.to_all = ptx_value(match, CLASS_MULTICAST, 0, 0) != 0;
    instruction->copy.four_rows = ptx_value(match, CLASS_TENSOR_MODE, 0, 0) == 1;
    instruction->copy.im2col = ptx_value(match, CLASS_TENSOR_MODE, 0, 0) == 2;
    instruction->of_pair = ptx_value(match, CLASS_CTA_GROUP, 0, 1) == 2;
    instruction->barrier = (enum barrier_kind)ptx_value(match, CLASS_BARRIER, 0, BARRIER_NONE);
    instruction->is_aligned = is_aligned(statement);
    instruction->warp = (enum warp_op)ptx_value(match, CLASS_WARP, 0, WARP_NONE);
    instruction->vector = (unsigned)ptx_value(match, CLASS_VECTOR, 0, 1);
    instruction->type = (enum scalar_type)ptx_value(match, CLASS_TYPE, 0, TYPE_NONE);
    instruction->source_type = (enum scalar_type)ptx_value(match, CLASS_TYPE, 1, TYPE_NONE);
    statement->type_name = type ? type->qualifier->spelling : "";
    ptx_set_matrices(statement);
    const char *dimension = strstr(match->form->name, "get_first_ctaid::");
    if (dimension)
        instruction->compute.dimension = (unsigned)(strchr(dimension, '\0')[-1] - 'x');
    if (opcode_family(instruction->opcode) == FAMILY_TENSORMAP)
        instruction->proxy = PROXY_GENERIC; // of its copy
    if (opcode_is_proxy_fence(instruction->opcode))
        set_proxy_fence(statement);
    else if (ptx_has(match, CLASS_RESTRICT))
        set_restricted_fence(statement);
}

// "imm-reg-count [...] must be in the range 24 to 256 (both inclusive) and a multiple of 8" (PTX
// ISA 9.7.19.5).
static bool check_register_count(const struct statement *statement) {
    const struct operand *count = &statement->instruction->operands[0];
    uint64_t number = count->immediate.low;
    if (statement->instruction->opcode != OP_SETMAXNREG ||
        (number >= 24 && number <= 256 && number % 8 == 0))
        return true;
    return diag_error(statement->body->diagnostics, count->span,
                      "a warp has from 24 to 256 registers of each thread, a multiple of 8");
}

// Whether a type holds all values of another.
static bool type_includes(enum scalar_type type, enum scalar_type other) {
    assert((unsigned)type <= TYPE_F64);
    assert((unsigned)other <= TYPE_F64);
    unsigned bits = scalar_type_bits(type), other_bits = scalar_type_bits(other);
    if (scalar_type_is_signed(type) == scalar_type_is_signed(other))
        return bits >= other_bits;
    return scalar_type_is_signed(type) && bits > other_bits;
}

// .sat is for conversions that may lose something (PTX ISA 9.7.9.21).
static bool check_saturation(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    if (instruction->opcode != OP_CVT || !instruction->compute.saturate ||
        !type_includes(instruction->type, instruction->source_type))
        return true;
    return diag_error(
        statement->body->diagnostics, ptx_filled(&statement->match, CLASS_SATURATE, 0)->token->span,
        "'.sat' has no effect here: .%s holds every .%s", scalar_type_name(instruction->type),
        scalar_type_name(instruction->source_type));
}

// --- Versions and targets ----------------------------------------------------------------------

// What asks for a version or target: `because` of struct ptx_since.
static struct need need_for(const struct statement *statement, const struct opcode_text *text,
                            const char *because) {
    struct arena *arena = statement->body->arena;
    const struct token *token = ptx_token_of(&statement->match, because);
    const char *plus = strchr(because, '+');
    if (!token) { // the form itself
        struct span span = text->span;
        return (struct need){.span = span,
                             .words = arena_format(arena, "'%s'", span_text(arena, span))};
    }
    return (struct need){.span = token->span,
                         .words = plus ? arena_format(arena, "'%.*s' with '%s'",
                                                      (int)(plus - because), because, plus + 1)
                                       : arena_format(arena, "'%s'", because)};
}

// Keeps the version and target that the instruction needs.
static void note_needs(const struct statement *statement, const struct opcode_text *text) {
    struct ptx_since since = ptx_since(&statement->match);
    struct need ptx = need_for(statement, text, since.ptx_because);
    struct need sm = need_for(statement, text, since.sm_because);
    ptx.ptx = since.ptx;
    sm.sm = since.sm;
    if (strcmp(since.ptx_because, since.sm_because) == 0)
        ptx.sm = since.sm;
    else
        reader_need(statement->body->reader, sm);
    reader_need(statement->body->reader, ptx);
}

// tensormap.replace and the answers of try_cancel in all CTAs of a cluster are on targets with
// features of their own alone (PTX ISA 9.7.9.28, 9.7.13.17), and so are setmaxnreg (9.7.19.5), and
// copies that say that they are .weak or .relaxed (9.7.9.26.4.1 of PTX ISA 9.3).
static void note_specific(const struct statement *statement, const struct opcode_text *text) {
    const struct instruction *instruction = statement->instruction;
    const char *order = ptx_token_of(&statement->match, ".relaxed") ? ".relaxed" : ".weak";
    bool ordered = instruction->opcode == OP_CP_BULK && ptx_token_of(&statement->match, order);
    bool sets_registers = instruction->opcode == OP_SETMAXNREG;
    if (instruction->opcode != OP_TENSORMAP_REPLACE && !instruction->copy.to_all && !ordered &&
        !sets_registers)
        return;
    const char *words = instruction->copy.to_all ? ".multicast::cluster::all" : "";
    struct need need = need_for(statement, text, ordered ? order : words);
    struct ptx_since since = ptx_since(&statement->match);
    need.ptx = ordered ? 93 : since.ptx;
    need.sm = ordered ? 90 : since.sm;
    need.specific = true;
    reader_need(statement->body->reader, need);
}

// "When .sem.scope is not specified, it defaults to .relaxed.sys": PTX ISA 9.3, for 9.7.9.26.4.2.
static void set_reduction_scope(const struct statement *statement) {
    const struct test *test = statement->body->reader->test;
    const struct instruction *instruction = statement->instruction;
    bool of_tile = instruction->opcode == OP_CP_TENSOR && instruction->atomic != ATOMIC_NONE;
    if ((instruction->opcode == OP_CP_REDUCE || of_tile) && test->directives.version >= 93 &&
        !ptx_token_of(&statement->match, ".relaxed"))
        statement->instruction->scope = SCOPE_SYS;
}

// Keeps what the operand with an index needs, if the instruction has it.
static void note_operand(const struct statement *statement, unsigned index, struct need need) {
    need.span = statement->instruction->operands[index].span;
    if (statement->instruction->operand_count > index)
        reader_need(statement->body->reader, need);
}

// An optional count of arrivals, the sink of an arrival and a third number are younger than the
// forms (PTX ISA 9.7.13.15.13, 9.7.3.11, 9.7.3.12).
static void note_needs_of_operands(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    bool arrives = instruction->opcode == OP_MBARRIER_ARRIVE,
         drops = instruction->opcode == OP_MBARRIER_DROP;
    if (arrives || drops)
        note_operand(statement, 2,
                     (struct need){.words = "a count of arrivals", .ptx = 78, .sm = 90});
    if (instruction->opcode == OP_MIN || instruction->opcode == OP_MAX)
        note_operand(statement, 3, (struct need){.words = "a third number", .ptx = 88, .sm = 100});
    const struct operand *bytes = &instruction->operands[3];
    if (instruction->opcode == OP_CP_ASYNC && instruction->operand_count > 3 &&
        bytes->kind == OPERAND_REGISTER &&
        statement->body->thread->registers[bytes->reg].width == 1)
        note_operand(statement, 3, (struct need){.words = "a predicate here", .ptx = 75, .sm = 80});
    if (arrives && instruction->operands[0].kind == OPERAND_SINK)
        note_operand(statement, 0, (struct need){.words = "'_'", .ptx = 71});
}

// A multicast of arrivals has its mask last; without a count, which is 1 then, it follows the
// address.
static void add_count(const struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    bool counts =
        instruction->opcode == OP_MBARRIER_ARRIVE || instruction->opcode == OP_MBARRIER_DROP;
    if (!counts || instruction->operand_count != 3 ||
        !ptx_token_of(&statement->match, ".multicast::cluster::32b"))
        return;
    struct operand *mask = &instruction->operands[2];
    instruction_add(instruction, *mask);
    *mask = operand_number(1, mask->span);
}

// The mbarrier of a copy is its fourth operand, whether or not it ignores some bytes.
static void move_mbarrier(const struct statement *statement) {
    struct operand *operands = statement->instruction->operands;
    struct operand mbarrier = operands[5];
    if (!statement->instruction->copy.ignores)
        return;
    memmove(&operands[IGNORED_LEFT], &operands[3], 2 * sizeof(*operands));
    operands[3] = mbarrier;
}

// waitComplete|reportPredicate, reportValue: one operand, in the place of the first.
static bool add_report(const struct statement *statement) {
    struct instruction *instruction = statement->instruction;
    struct operand *results = &instruction->operands[0], *value = &instruction->operands[1];
    bool waits = opcode_family(instruction->opcode) == FAMILY_MBARRIER &&
                 opcode_has(instruction->opcode, TRAIT_WAITS);
    if (!waits || value->kind != OPERAND_REGISTER)
        return true;
    if (results->kind != OPERAND_VECTOR)
        return diag_error(statement->body->diagnostics, value->span,
                          "a report comes after its predicate, as in %%p0|%%p1, %%b0");
    struct operand *elements = ARENA_ARRAY(statement->body->arena, struct operand, 3);
    memcpy(elements, results->elements, 2 * sizeof(*elements));
    elements[2] = *value;
    results->elements = elements;
    results->element_count = 3;
    instruction->operand_count--;
    memmove(value, value + 1, (instruction->operand_count - 1) * sizeof(*value));
    return true;
}

// The carry of sums is in a register that has no name (PTX ISA 9.7.2): what an instruction with .cc
// writes besides its result, and what comes after the operands of addc and its like.
static void add_carry(const struct statement *statement, struct span span) {
    struct instruction *instruction = statement->instruction;
    struct body *body = statement->body;
    bool takes = statement->name[strcspn(statement->name, ".") - 1] == 'c';
    struct operand carry = operand_register(
        reader_named_register(body->reader, body->thread, PTX_CARRY, span, 1), span);
    instruction_add(instruction, takes ? carry : operand_number(0, span));
    if (!ptx_has(&statement->match, CLASS_CARRY))
        return;
    struct operand *pair = ARENA_ARRAY(body->arena, struct operand, 2);
    pair[0] = instruction->operands[0];
    pair[1] = carry;
    instruction->operands[0] = operand_new(OPERAND_VECTOR, pair[0].span);
    instruction->operands[0].elements = pair;
    instruction->operands[0].element_count = 2;
}

// --- Statements --------------------------------------------------------------------------------

static bool error_expected(struct body *body, const char *what) {
    if (body->at >= body->end)
        diag_error(body->diagnostics, body->at->span, "%s is missing here", what);
    else
        diag_error(body->diagnostics, body->at->span, "expected %s, not '%s'", what,
                   token_text(body->arena, body->at));
    return false;
}

// guard = "@" "!"? predicate
static bool parse_guard(struct body *body, struct instruction *instruction) {
    static const struct register_need need = {.type = TYPE_PRED};
    body->at++;
    if (token_is_punct(body->at, '!')) {
        instruction->guard_negated = true;
        body->at++;
    }
    // `@ st.u32` lacks its predicate. (A word is never the last token.)
    if (body->at->kind != TOKEN_WORD || body->at[1].kind == TOKEN_QUALIFIER)
        return error_expected(body, "the predicate of the guard");
    if (!ptx_is_register(body, body->at))
        return diag_error(body->diagnostics, body->at->span,
                          "'%s' is a variable, and a guard is a predicate",
                          token_text(body->arena, body->at));
    instruction->guard = ptx_use_register(body, body->at, &need);
    if (instruction->guard < 0)
        return false;
    body->at++;
    if (body->at->kind != TOKEN_WORD)
        return error_expected(body, "an instruction");
    return true;
}

void ptx_add_instruction(struct body *body, const struct instruction *instruction) {
    struct thread *thread = body->thread;
    ARENA_APPEND(body->arena, thread->instructions, thread->instruction_count, *instruction);
}

static bool parse_open(struct body *body, struct instruction *instruction,
                       const struct opcode_text *text) {
    struct open_results results;
    if (text->is_wmma)
        return ptx_parse_wmma(body, instruction, text->all);
    bool fine = text->is_texture ? ptx_parse_texture(body, instruction, text->all, &results)
                                 : ptx_parse_open(body, instruction, &results);
    if (!fine)
        return false;
    for (size_t i = 0; i < results.count; i++)
        ptx_add_instruction(body, &results.items[i]);
    return true;
}

// What remains of an open instruction besides its results.
static void set_rest(struct instruction *instruction, const char *opcode) {
    instruction->opcode = OP_HINT;
    if (!ptx_is_warp_matrix(opcode))
        return;
    instruction->opcode = OP_WARP_MATRIX;
    instruction->is_aligned = true;
    instruction->operands[0] =
        apart_number(instruction, hash_bytes(HASH_START, opcode, strlen(opcode)));
    instruction->operand_count = 1;
}

// instruction = guard? opcode operands ";"
static bool parse_instruction(struct body *body, struct instruction *instruction) {
    struct statement statement = {.body = body, .instruction = instruction};
    struct opcode_text text;
    struct raw_operand *operands;
    size_t count;
    if (token_is_punct(body->at, '@') && !parse_guard(body, instruction))
        return false;
    if (!parse_opcode(body, &text))
        return false;
    instruction->opcode_span = text.span;
    if (text.is_open) {
        set_rest(instruction, text.all);
        return parse_open(body, instruction, &text);
    }
    bool matched = ptx_match(body->arena, body->diagnostics, &text, &statement.match);
    if (!ptx_parse_operands(body, &operands, &count) || !matched)
        return false;
    statement.name = statement.match.form->name;
    statement.bank = text.bank;
    set_fields(&statement);
    if (strcmp(statement.name, "ret") == 0 && ptx_return_from_call(body, instruction))
        return count == 0 || ptx_resolve_operands(&statement, operands, count);
    note_needs(&statement, &text);
    note_specific(&statement, &text);
    set_reduction_scope(&statement);
    if ((instruction->vector > 1 && !ptx_check_vector(&statement)) ||
        !check_saturation(&statement) || !ptx_resolve_operands(&statement, operands, count))
        return false;
    if (strcmp(statement.name, "brx.idx") == 0)
        return ptx_branch_by_index(body, instruction, operands[1].word);
    if (instruction->opcode == OP_LDMATRIX || instruction->opcode == OP_STMATRIX ||
        instruction->opcode == OP_MOVMATRIX) {
        ptx_take_matrix_apart(body, instruction);
        return true;
    }
    note_needs_of_operands(&statement);
    add_count(&statement);
    bool carries = instruction->opcode == OP_ADDC || instruction->opcode == OP_SUBC ||
                   instruction->opcode == OP_MADC;
    if (carries)
        add_carry(&statement, text.span);
    move_mbarrier(&statement);
    return add_report(&statement) && check_register_count(&statement) &&
           ptx_check_constants(&statement) && ptx_check_matrices(&statement);
}

// Whether a statement seems to start at a token that starts a line: the ';' before it is missing.
static bool starts_statement(const struct body *body, const struct token *token) {
    if (!token->line_start || token_is_punct(token - 1, ','))
        return false;
    if (token_is_punct(token, '@'))
        return true;
    if (token->kind == TOKEN_QUALIFIER)
        return ptx_is_directive(token);
    return token->kind == TOKEN_WORD &&
           (token_is_punct(token + 1, ':') || ptx_is_opcode(token_text(body->arena, token)));
}

// The ';' of the statement, or what seems to end it without one: the next statement, or the '}' of
// the block around it.
static const struct token *statement_end(const struct body *body) {
    unsigned braces = 0; // of vectors
    for (const struct token *token = body->at;; token++) {
        bool closes = token_is_punct(token, '}');
        if (token->kind == TOKEN_END || token_is_punct(token, ';') || (closes && braces == 0))
            return token;
        if (token > body->at && starts_statement(body, token))
            return token;
        if (token_is_punct(token, '{'))
            braces++;
        else if (closes)
            braces--;
    }
}

static bool parse_guarded_call(struct body *body) {
    struct instruction guarded = {.guard = -1};
    if (token_is_punct(body->at, '@') && !parse_guard(body, &guarded))
        return false;
    return ptx_parse_call(body, guarded.guard, guarded.guard_negated);
}

// statement = instruction | call | directive ";"
static void parse_statement(struct body *body) {
    const struct token *first = body->at;
    struct instruction instruction = {.span = first->span, .guard = -1, .vector = 1};
    bool fine;
    body->end = statement_end(body);
    body->misfit = -1;
    if (first->kind == TOKEN_QUALIFIER) {
        fine = ptx_parse_directive(body);
    } else if (ptx_at_call(body)) {
        fine = parse_guarded_call(body);
    } else if (first->kind == TOKEN_WORD || token_is_punct(first, '@')) {
        fine = parse_instruction(body, &instruction);
        instruction.span = span_join(first->span, body->end[-1].span);
        if (fine)
            ptx_add_instruction(body, &instruction);
    } else {
        fine = error_expected(body, "an instruction");
    }
    if (fine && !token_is_punct(body->end, ';'))
        diag_error(body->diagnostics, span_after(body->end[-1].span),
                   "a ';' is missing at the end of this statement");
    body->at = body->end;
}

static void parse_until(struct body *body, const struct token *end) {
    while (body->at < end && body->at->kind != TOKEN_END) {
        bool is_label = body->at->kind == TOKEN_WORD && token_is_punct(body->at + 1, ':');
        if (is_label) {
            ptx_define_label(body, body->at);
            body->at += 2;
        } else if (token_is_punct(body->at, ';')) {
            body->at++;
        } else if (token_is_punct(body->at, '{')) {
            ptx_open_block(body);
        } else if (token_is_punct(body->at, '}')) {
            ptx_close_block(body);
        } else if (ptx_is_line_directive(body->at)) {
            body->at = token_of_next_line(body->at);
        } else {
            parse_statement(body);
        }
    }
}

void ptx_parse_statements(struct body *body, const struct token *tokens, size_t count) {
    const struct token *first = body->first, *at = body->at, *end = body->end;
    body->first = body->at = tokens;
    parse_until(body, tokens + count);
    body->first = first;
    body->at = at;
    body->end = end;
}

void ptx_parse_body(struct reader *reader, struct thread *thread, const struct token *tokens,
                    size_t count) {
    struct body body = {.reader = reader,
                        .arena = reader->arena,
                        .diagnostics = reader->diagnostics,
                        .thread = thread,
                        .first = tokens,
                        .at = tokens,
                        .end = tokens};
    size_t errors = reader->diagnostics->error_count;
    parse_until(&body, tokens + count);
    ptx_finish_blocks(&body);
    ptx_finish_labels(&body);
    if (reader->diagnostics->error_count == errors)
        ptx_check_registers(&body);
}
