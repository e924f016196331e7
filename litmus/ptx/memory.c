// Memory operands: which variable or register, in which state space, and whether the access is
// aligned (PTX ISA 5.1, 6.4.1).
#include "litmus/ptx/body.h"
#include "litmus/ptx/operands.h"
#include "litmus/ptx/registers.h"

#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// Bytes that the instruction accesses at once.
static unsigned access_size(const struct instruction *instruction) {
    return scalar_type_bits(instruction->type) / 8 * instruction->vector;
}

// --- Vectors -----------------------------------------------------------------------------------

// A vector has at most 128 bits; 256 are for .v8 (its rows take types of 32 bits alone) and .v4
// with types of 64 bits, in global memory (PTX ISA 9.7.9.8).
bool ptx_check_vector(const struct statement *statement) {
    const struct instruction *instruction = statement->instruction;
    unsigned size = access_size(instruction);
    if (size <= 16 || instruction->vector == 8)
        return true;
    const struct token *token = ptx_filled(&statement->match, CLASS_VECTOR, 0)->token;
    bool global = instruction->space == SPACE_GLOBAL || instruction->space == SPACE_GENERIC;
    if (size == 32 && instruction->vector == 4 && global && instruction->opcode != OP_MOV)
        return true;
    diag_error(statement->body->diagnostics, token->span, "'.v%u%s' has %u bits",
               instruction->vector, statement->type_name, size * 8);
    diag_hint(
        statement->body->diagnostics,
        "a vector has at most 128 bits, or 256 as '.v8' of 32-bit or '.v4' of 64-bit elements "
        "in .global memory");
    return false;
}

// --- Spaces ------------------------------------------------------------------------------------

// Whether an instruction of this space can access a variable of that one. Generic addressing finds
// global, shared and local variables by their windows; constants and parameters it does not reach
// by name.
static bool space_reaches(enum state_space space, const struct variable *named) {
    assert((unsigned)space <= SPACE_SHARED_CLUSTER);
    enum state_space variable = named->space;
    if (named->is_parameter && space == SPACE_PARAM) // moved to .local, see take_address
        return true;
    if (space == SPACE_GENERIC)
        return variable != SPACE_CONST && variable != SPACE_PARAM && variable != SPACE_TENSOR;
    if (space == SPACE_SHARED_CLUSTER)
        return variable == SPACE_SHARED;
    return space == variable;
}

// Whether an instruction takes a variable's address in the space that it names.
static bool is_about_addresses(const struct statement *statement) {
    enum opcode opcode = statement->instruction->opcode;
    return opcode == OP_CVTA || opcode == OP_MAPA || opcode == OP_GETCTARANK;
}

static bool check_space(struct statement *statement, const struct raw_operand *raw,
                        const struct variable *variable) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    enum state_space space = statement->instruction->space;
    if (space_reaches(space, variable))
        return true;
    const char *own = state_space_name(variable->space);
    if (space == SPACE_GENERIC)
        diag_error(diagnostics, raw->span,
                   "'%s' is a %s variable, which '%s' without a state space "
                   "does not reach",
                   variable->name, own, statement->name);
    else
        diag_error(diagnostics, raw->span, "'%s' is a %s variable, and '%s%s' %s %s memory",
                   variable->name, own, statement->name, state_space_name(space),
                   statement->instruction->opcode == OP_CVTA ? "converts addresses of"
                   : is_about_addresses(statement)           ? "is about addresses of"
                                                             : "accesses",
                   state_space_name(space));
    size_t count;
    const struct form *forms = ptx_forms_named(statement->name, &count);
    const char *sentence = ptx_explanation(statement->name, own);
    for (size_t i = 0; i < count; i++) {
        const char *cursor = forms[i].qualifiers;
        struct slot slot;
        while (ptx_next_slot(&cursor, &slot)) {
            if (slot.class == CLASS_SPACE && ptx_slot_takes(&slot, own)) {
                diag_hint(diagnostics, "'%s%s' does", statement->name, own);
                return false;
            }
        }
    }
    if (sentence)
        diag_hint(diagnostics, "%s", sentence);
    return false;
}

// What is written and is for global memory alone, with generic addresses, too: vectors of 256 bits
// and those of atomics, what speaks of the L2 cache, and .mmio (PTX
// ISA 9.7.9.8, 9.7.9.11, 9.7.13.5). NULL: no reason.
static const char *global_only(const struct statement *statement) {
    static const enum qualifier_class classes[] = {CLASS_MMIO, CLASS_EVICT_L2, CLASS_HINT,
                                                   CLASS_PREFETCH};
    for (size_t i = 0; i < sizeof classes / sizeof *classes; i++) {
        const struct filled *filled = ptx_filled(&statement->match, classes[i], 0);
        if (filled)
            return filled->qualifier->spelling;
    }
    const struct instruction *instruction = statement->instruction;
    if (instruction->proxy == PROXY_READONLY && instruction->opcode == OP_LD)
        return ptx_filled(&statement->match, CLASS_NONCOHERENT, 0) ? ".nc" : ".proxy::readonly";
    bool atomic = instruction_is_atomic(instruction);
    bool asynchronous = instruction->opcode == OP_ST_ASYNC || instruction->opcode == OP_RED_ASYNC;
    if (asynchronous && instruction->order == ORDER_RELEASE)
        return ".release";
    bool global = access_size(instruction) > 16 || (atomic && instruction->vector > 1);
    return !global ? NULL
                   : arena_format(statement->body->arena, ".v%u%s", instruction->vector,
                                  statement->type_name);
}

// .relaxed and the like reach global and shared memory only, and some qualifiers global memory: the
// rows say so where the instruction names the space; here it is the variable that does.
static bool check_strength(struct statement *statement, const struct raw_operand *raw,
                           const struct variable *variable) {
    const struct instruction *instruction = statement->instruction;
    if (instruction->space != SPACE_GENERIC)
        return true;
    const char *global = global_only(statement);
    const struct filled *order = ptx_filled(&statement->match, CLASS_ORDER, 0);
    bool local = variable->space == SPACE_LOCAL, shared = variable->space == SPACE_SHARED;
    bool atomic = instruction_is_atomic(instruction);
    const char *subject = NULL, *reach = "global and shared";
    bool of_shared = strncmp(statement->name, "mbarrier.", 9) == 0 ||
                     instruction->opcode == OP_ST_BULK || instruction->opcode == OP_LDMATRIX ||
                     instruction->opcode == OP_STMATRIX;
    if (of_shared && !state_space_is_shared(variable->space)) {
        subject = statement->name;
        reach = "shared";
    } else if (global && (local || shared)) {
        subject = global;
        reach = "global";
    } else if (atomic && local) {
        subject = statement->name;
    } else if (local && instruction->order != ORDER_WEAK && instruction->order != ORDER_VOLATILE &&
               order) {
        subject = order->qualifier->spelling;
    }
    if (!subject)
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "'%s' is a %s variable, and '%s' accesses %s memory only", variable->name,
                      state_space_name(variable->space), subject, reach);
}

// --- Alignment ---------------------------------------------------------------------------------

static const char *address_text(struct statement *statement, const struct variable *variable,
                                int64_t offset) {
    if (offset == 0)
        return arena_format(statement->body->arena, "[%s]", variable->name);
    return arena_format(statement->body->arena, "[%s+%lld]", variable->name, (long long)offset);
}

static bool check_alignment(struct statement *statement, const struct raw_operand *raw,
                            const struct variable *variable, int64_t offset) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    unsigned size = access_size(statement->instruction);
    const char *type = statement->type_name;
    if (size <= 1)
        return true;
    if (statement->instruction->vector > 1)
        type = arena_format(statement->body->arena, ".v%u%s", statement->instruction->vector, type);
    if (offset % (int64_t)size != 0) {
        int64_t below = offset - ((offset % (int64_t)size) + (int64_t)size) % (int64_t)size;
        diag_error(diagnostics, raw->span,
                   "this address is misaligned: '%s' is accessed at multiples of %u bytes", type,
                   size);
        diag_hint(diagnostics, "%s or %s", address_text(statement, variable, below),
                  address_text(statement, variable, below + size));
        return false;
    }
    if (variable->alignment % size != 0) {
        diag_error(diagnostics, raw->span,
                   "'%s' is aligned to %u byte%s, and '%s' needs an alignment of %u",
                   variable->name, variable->alignment, variable->alignment == 1 ? "" : "s", type,
                   size);
        diag_hint(diagnostics, "declare it with '.align %u'", size);
        return false;
    }
    return true;
}

// --- Bases -------------------------------------------------------------------------------------

static bool error_no_memory(struct statement *statement, struct span span, const char *name) {
    assert(span.begin <= span.end);
    return diag_error(statement->body->diagnostics, span, "'%s' has no address: it is a register",
                      name);
}

static bool resolve_variable(struct statement *statement, const struct raw_operand *raw,
                             struct operand *operand) {
    struct body *body = statement->body;
    const char *name = token_text(body->arena, raw->word);
    int index = ptx_find_variable(body, name);
    if (index < 0)
        return error_no_memory(statement, raw->span, name);
    const struct variable *variable = &body->reader->test->variables[index];
    if (variable->is_opaque)
        return diag_error(
            body->diagnostics, raw->span,
            "'%s' is a texture, sampler or surface, which no memory instruction accesses",
            variable->name);
    operand->variable = index;
    operand->offset = (int64_t)raw->constant.value;
    if (raw->kind == RAW_ELEMENT) {
        int64_t size = scalar_type_bits(variable->type) / 8;
        if (__builtin_mul_overflow(operand->offset, size, &operand->offset))
            return diag_error(body->diagnostics, raw->constant.span, "this element has no address");
    }
    return true;
}

// Addresses have 64 bits; those of shared, local, constant and parameter memory fit 32.
static bool resolve_base_register(struct statement *statement, const struct raw_operand *raw,
                                  struct operand *operand) {
    struct body *body = statement->body;
    enum state_space space = statement->instruction->space;
    bool narrow = space != SPACE_GENERIC && space != SPACE_GLOBAL;
    struct register_name found = ptx_find_register(body, token_text(body->arena, raw->word));
    unsigned width = found.reg >= 0 ? body->thread->registers[found.reg].width
                     : found.range  ? scalar_type_bits(found.range->type)
                                    : 64;
    bool is_32 = narrow && width == 32;
    // An unsigned type, since an address is an integer: a floating-point register is none.
    struct register_need need = {.type = is_32 ? TYPE_U32 : TYPE_U64, .is_address = true};
    operand->reg = ptx_use_register(body, raw->word, &need);
    operand->offset = (int64_t)raw->constant.value;
    return operand->reg >= 0;
}

// '.param::entry' is for parameters of the kernel, '.param::func' for those of device functions
// (PTX ISA 5.1.6).
static bool check_parameter_owner(struct statement *statement, const struct raw_operand *raw,
                                  const struct variable *variable) {
    const struct filled *space = ptx_filled(&statement->match, CLASS_SPACE, 0);
    bool of_kernel = variable->body == 0;
    const char *wrong = of_kernel ? ".param::func" : ".param::entry";
    if (variable->space != SPACE_PARAM || !space || strcmp(space->qualifier->spelling, wrong) != 0)
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "'%s' is a parameter of %s, and '%s' is for those of %s", variable->name,
                      of_kernel ? "the kernel" : "a device function", wrong,
                      of_kernel ? "device functions" : "the kernel");
}

// Kernels and functions read their parameters, functions write what they return; and passing either
// cannot be predicated (PTX ISA 5.1.6.1, 5.1.6.4, 9.7.9.8, 9.7.9.11).
static bool check_parameter(struct statement *statement, const struct raw_operand *raw,
                            const struct variable *variable) {
    struct body *body = statement->body;
    enum variable_role role = ptx_variable_role(body, token_text(body->arena, raw->word));
    const struct instruction *instruction = statement->instruction;
    bool stores = instruction->opcode == OP_ST;
    if (variable->body == 0 && variable->space == SPACE_PARAM && stores)
        return diag_error(body->diagnostics, raw->span,
                          "'%s' is a parameter of the kernel, which is read-only", variable->name);
    if (!check_parameter_owner(statement, raw, variable))
        return false;
    if (instruction->space != SPACE_PARAM || variable->body == 0)
        return true;
    if ((role == ROLE_INPUT && stores) || (role == ROLE_RETURN && !stores))
        return diag_error(body->diagnostics, raw->span,
                          "'%s' is %s parameter, which a function only %s",
                          token_text(body->arena, raw->word), stores ? "an input" : "a return",
                          stores ? "reads" : "writes");
    if (instruction->guard < 0 || role != ROLE_VARIABLE)
        return true;
    diag_error(body->diagnostics, instruction->opcode_span,
               "'%s.param' of what a call passes cannot be predicated", statement->name);
    diag_hint(body->diagnostics, "branch around the whole call");
    return false;
}

// The bank of a constant variable has to be named, unless it is 0 (PTX ISA 5.1.3.1).
static bool check_bank(struct statement *statement, const struct raw_operand *raw,
                       const struct variable *variable) {
    bool is_const = statement->instruction->space == SPACE_CONST && variable->space == SPACE_CONST;
    if (!is_const || variable->bank == statement->bank)
        return true;
    return diag_error(
        statement->body->diagnostics, raw->span,
        "'%s' is in bank %u of constant memory, and '%s.const%s' accesses bank %u", variable->name,
        variable->bank, statement->name,
        statement->bank ? arena_format(statement->body->arena, "[%u]", statement->bank) : "",
        statement->bank);
}

// A hint names a place, not an access. prefetchu takes generic addresses alone, which those of
// .global variables are (PTX ISA 9.7.9.15).
static bool check_hint(struct statement *statement, const struct raw_operand *raw,
                       const struct variable *variable) {
    bool generic_only = strcmp(statement->name, "prefetchu") == 0;
    if (!generic_only || variable->space == SPACE_GLOBAL)
        return check_space(statement, raw, variable);
    diag_error(statement->body->diagnostics, raw->span,
               "'%s' is a %s variable, and '%s' takes generic addresses", variable->name,
               state_space_name(variable->space), statement->name);
    diag_hint(statement->body->diagnostics, "'cvta%s.u64' makes one",
              state_space_name(variable->space));
    return false;
}

// "Multimem addresses can be accessed only by multimem.* operations", and these access no others
// (PTX ISA 9.7.9.14).
static bool check_multimem(struct statement *statement, const struct raw_operand *raw,
                           const struct variable *variable) {
    struct diagnostics *diagnostics = statement->body->diagnostics;
    const struct instruction *instruction = statement->instruction; // its space is the operand's
    bool is_source =
        instruction->copy.to_copies && instruction->space == SPACE_SHARED; // of a bulk copy
    bool takes =
        instruction_is_multimem(instruction) || (instruction->copy.to_copies && !is_source);
    if (takes == variable->is_multimem)
        return true;
    if (takes) {
        diag_error(diagnostics, raw->span, "'%s' is not a multimem address, which '%s' needs",
                   variable->name, statement->name);
        diag_hint(diagnostics, "'multimem m = %s' among the declarations makes one",
                  variable->name);
        return false;
    }
    diag_error(diagnostics, raw->span,
               "'%s' is a multimem address, which only 'multimem' instructions access",
               variable->name);
    diag_hint(diagnostics, "'multimem.ld_reduce', 'multimem.st' and 'multimem.red', or '[%s]'",
              statement->body->reader->test->variables[variable->alias_of].name);
    return false;
}

// Which elements a reduction takes (PTX ISA 9.7.9.25.5.3).
static bool reduces(enum atomic_op op, enum scalar_type type) {
    unsigned bits = scalar_type_bits(type);
    bool half = type == TYPE_F16 || type == TYPE_BF16;
    switch (op) {
    case ATOMIC_ADD:
        return type == TYPE_U32 || type == TYPE_S32 || type == TYPE_U64 || type == TYPE_F32 || half;
    case ATOMIC_MIN:
    case ATOMIC_MAX:
        return type == TYPE_U32 || type == TYPE_S32 || type == TYPE_U64 || type == TYPE_S64 || half;
    case ATOMIC_INC:
    case ATOMIC_DEC: return type == TYPE_U32;
    default: return bits >= 32 && !scalar_type_is_float(type);
    }
}

// A reduction is of the type that the elements of its tensor have.
static bool set_tensor_type(struct statement *statement, const struct raw_operand *raw,
                            const struct variable *map) {
    struct instruction *instruction = statement->instruction;
    const struct test *test = statement->body->reader->test;
    if (instruction->atomic == ATOMIC_NONE)
        return true;
    instruction->type = test->variables[map->initial[0].variable].type;
    if (reduces(instruction->atomic, instruction->type))
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      "the tensor of '%s' has elements of .%s, which this reduction does not take",
                      map->name, scalar_type_name(instruction->type));
}

// What a copy by the map in a register reduces, where all maps of as many dimensions have elements
// of one type; the program says which map it is.
static bool set_common_type(struct statement *statement, const struct raw_operand *raw,
                            unsigned dimensions) {
    const struct test *test = statement->body->reader->test;
    const struct variable *first = NULL;
    if (statement->instruction->atomic == ATOMIC_NONE)
        return true;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct variable *map = &test->variables[i];
        if (map->tensor == NULL || map->tensor->rank != dimensions)
            continue;
        first = first ? first : map;
        if (test->variables[map->initial[0].variable].type ==
            test->variables[first->initial[0].variable].type)
            continue;
        return diag_error(
            statement->body->diagnostics, raw->span,
            "a reduction by a tensormap whose address is in a register is read only where "
            "all tensors of as many dimensions have elements of one type");
    }
    return first == NULL || set_tensor_type(statement, raw, first);
}

bool ptx_resolve_tensor_map(struct statement *statement, const struct raw_operand *raw,
                            struct operand *operand) {
    struct body *body = statement->body;
    unsigned dimensions =
        (unsigned)ptx_filled(&statement->match, CLASS_DIMENSION, 0)->qualifier->value;
    operand->kind = OPERAND_MEMORY;
    if (raw->word && ptx_is_register(body, raw->word) && raw->kind != RAW_ELEMENT) {
        struct register_need need = {.type = TYPE_U64, .is_address = true};
        operand->reg = ptx_use_register(body, raw->word, &need);
        if (raw->constant.value != 0)
            return diag_error(body->diagnostics, raw->span,
                              "the address of a tensormap is in a register without an offset");
        return operand->reg >= 0 && set_common_type(statement, raw, dimensions);
    }
    bool named = raw->word && raw->constant.value == 0;
    if (named && !resolve_variable(statement, raw, operand))
        return false;
    const struct variable *variable =
        named ? &body->reader->test->variables[operand->variable] : NULL;
    if (!named || !variable->tensor || state_space_is_shared(variable->space)) {
        diag_error(body->diagnostics, raw->span,
                   "a tensor copy is by a tensormap, which is in .global memory or a parameter of "
                   "the kernel");
        diag_hint(body->diagnostics,
                  "'tensormap t = g, {4}' declares one of the first 4 elements of g");
        return false;
    }
    return tensor_fits_copy(body->diagnostics, raw->span, variable, statement->instruction,
                            dimensions) &&
           set_tensor_type(statement, raw, variable);
}

bool ptx_check_coordinates(struct statement *statement, const struct raw_operand *operands,
                           size_t count, const uint32_t *roles) {
    for (size_t i = 0; i < count; i++) {
        bool wanted = (roles[i] & ROLE_MASK) == COORDINATES;
        if (operands[i].is_coordinates == wanted)
            continue;
        return diag_error(statement->body->diagnostics, operands[i].span,
                          wanted ? "the coordinates of a tile are in the brackets: [t, {0}]"
                                 : "'%s' takes no coordinates here",
                          statement->name);
    }
    return true;
}

// Only what knows tensormaps accesses them: they are opaque (PTX ISA 5.5.8).
static bool check_opaque(struct statement *statement, const struct raw_operand *raw,
                         const struct variable *variable) {
    enum opcode opcode = statement->instruction->opcode;
    bool wanted = opcode == OP_TENSORMAP_REPLACE || opcode == OP_TENSORMAP_CP;
    if (opcode == OP_TENSORMAP_REPLACE && variable->tensor != NULL && variable->tensor->im2col)
        return diag_error(
            statement->body->diagnostics, raw->span,
            "'%s' is a tensormap in im2col mode, and '%s' changes those in tiled mode",
            variable->name, statement->name);
    if (wanted == (variable->tensor != NULL))
        return true;
    return diag_error(statement->body->diagnostics, raw->span,
                      wanted ? "'%s' is not a tensormap, which '%s' is for"
                             : "'%s' is a tensormap, which '%s' does not access",
                      variable->name, statement->name);
}

bool ptx_resolve_memory(struct statement *statement, const struct raw_operand *raw,
                        struct operand *operand) {
    struct body *body = statement->body;
    operand->kind = OPERAND_MEMORY;
    if (!raw->word) {
        operand->offset = (int64_t)raw->constant.value;
        if (statement->instruction->space == SPACE_LOCAL)
            return true;
        return diag_error(body->diagnostics, raw->span,
                          "only .local memory has addresses that are constants");
    }
    if (ptx_is_register(body, raw->word)) {
        if (raw->kind == RAW_ELEMENT)
            return error_no_memory(statement, raw->span, token_text(body->arena, raw->word));
        return resolve_base_register(statement, raw, operand);
    }
    if (!resolve_variable(statement, raw, operand))
        return false;
    const struct variable *variable = &body->reader->test->variables[operand->variable];
    enum opcode opcode = statement->instruction->opcode;
    if (!check_multimem(statement, raw, variable))
        return false;
    if (opcode == OP_FENCE_PROXY)
        return true;
    if (opcode == OP_HINT || opcode == OP_CREATEPOLICY)
        return check_hint(statement, raw, variable);
    if (!check_opaque(statement, raw, variable) || !check_parameter(statement, raw, variable) ||
        !check_bank(statement, raw, variable))
        return false;
    bool own =
        strncmp(statement->name, "cp.", 3) == 0 || statement->instruction->proxy == PROXY_READONLY;
    if (own && variable->alias_proxy != PROXY_GENERIC)
        return diag_error(body->diagnostics, raw->span,
                          "'%s' goes through the %s proxy, and '%s' has its own", variable->name,
                          proxy_name(variable->alias_proxy), statement->name);
    if (statement->instruction->proxy == PROXY_GENERIC)
        statement->instruction->proxy = variable->alias_proxy;
    return check_space(statement, raw, variable) && check_strength(statement, raw, variable) &&
           check_alignment(statement, raw, variable, operand->offset);
}

bool ptx_check_unified(struct statement *statement, const struct raw_operand *raw,
                       const struct operand *operand) {
    struct body *body = statement->body;
    enum state_space space = statement->instruction->space;
    const struct variable *variable =
        operand->variable >= 0 ? &body->reader->test->variables[operand->variable] : NULL;
    if (!raw->unified) {
        if (!variable || !variable->is_unified || statement->instruction->order != ORDER_WEAK ||
            statement->instruction->proxy != PROXY_GENERIC)
            return true;
        diag_error(body->diagnostics, raw->span, "'%s' is declared .unified, which its loads say",
                   variable->name);
        diag_hint(body->diagnostics, "[%s].unified", variable->name);
        return false;
    }
    reader_need(
        body->reader,
        (struct need){.span = raw->unified->span, .words = "'.unified'", .ptx = 80, .sm = 90});
    if (variable && !variable->is_unified) {
        diag_error(body->diagnostics, raw->unified->span, "'%s' is not declared .unified",
                   variable->name);
        diag_hint(body->diagnostics, "'.attribute(.unified(1, 2))' in its declaration says so");
        return false;
    }
    if (space == SPACE_GLOBAL || space == SPACE_GENERIC)
        return true;
    return diag_error(body->diagnostics, raw->unified->span,
                      "'.unified' is for .global memory, not %s", state_space_name(space));
}

// --- Addresses as values -----------------------------------------------------------------------

// A parameter of a function whose address is taken moves to .local memory; other .param variables
// of a body have none (PTX ISA 5.1.6.4).
static bool take_address(struct statement *statement, const struct raw_operand *raw,
                         struct variable *variable) {
    struct body *body = statement->body;
    if (variable->space != SPACE_PARAM || variable->body == 0)
        return true;
    if (ptx_variable_role(body, token_text(body->arena, raw->word)) == ROLE_VARIABLE)
        return diag_error(body->diagnostics, raw->span,
                          "'%s' is a .param variable of a body, which has no address",
                          variable->name);
    variable->space = SPACE_LOCAL;
    variable->is_parameter = true;
    return true;
}

bool ptx_resolve_address(struct statement *statement, const struct raw_operand *raw,
                         enum scalar_type type, struct operand *operand) {
    assert((unsigned)type <= TYPE_F64);
    struct body *body = statement->body;
    operand->kind = OPERAND_ADDRESS;
    if (!resolve_variable(statement, raw, operand))
        return false;
    const struct variable *variable = &body->reader->test->variables[operand->variable];
    unsigned bits = scalar_type_bits(type);
    bool narrow = variable->space != SPACE_GLOBAL;
    if (!take_address(statement, raw, &body->reader->test->variables[operand->variable]))
        return false;
    if (bits != 64 && !(bits == 32 && narrow)) {
        diag_error(body->diagnostics, raw->span,
                   "the address of '%s' has 64 bits, and this operand is .%s", variable->name,
                   scalar_type_name(type));
        diag_hint(body->diagnostics, "'%s%s.u64'", statement->name,
                  statement->instruction->opcode == OP_CVTA ? state_space_name(variable->space)
                                                            : "");
        return false;
    }
    if (is_about_addresses(statement) && !space_reaches(statement->instruction->space, variable))
        return check_space(statement, raw, variable);
    return true;
}
