// Steps with concrete values: a builder that has memory and no events runs the functions of
// program/thread on constants. Expressions are thrown away now and then.
#include "program/step.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "program/builder.h"
#include "program/memory/memory.h"
#include "program/thread/access.h"
#include "program/thread/async.h"
#include "program/thread/compute.h"
#include "program/thread/warp.h"
#include "program/thread/recipe.h"
#include "program/thread/threads.h"
#include "program/thread/values.h"

#include <assert.h>
#include <string.h>

// So many expressions are kept until they are thrown away.
enum { EXPRESSIONS_MAX = 1 << 15 };

// The recipe of an instruction, once it has been asked for.
struct known_recipe {
    bool is_known;
    const struct recipe *recipe; // or NULL
};

// Instructions that some threads share.
struct shared_body {
    const struct instruction *instructions;
    struct known_recipe *recipes; // by instruction
};

struct stepper {
    struct build_plan plan;
    struct builder builder;
    struct thread_builder thread;
    struct value *registers; // of the instruction at hand
    struct arena *scratch;   // of expressions
    struct arena *arena;
    const struct shared_body **bodies; // by thread
};

// --- Beginning ---------------------------------------------------------------------------------

// Begins with no expressions.
static void renew(struct stepper *stepper) {
    struct builder *builder = &stepper->builder;
    if (stepper->scratch != NULL)
        arena_free(stepper->scratch);
    builder->arena = stepper->scratch = arena_new();
    builder->program->pool = builder->pool = expr_pool_new(stepper->scratch);
    builder->never = stepper->thread.guard_undef = expr_bool(builder->pool, false);
    builder->always = expr_bool(builder->pool, true);
    stepper->thread.path = stepper->thread.guard = stepper->thread.active =
        stepper->thread.unblocked = stepper->thread.left_spins = builder->always;
    builder->elections = NULL;
    builder->cancels.answers = NULL;
    builder->cancels.key = NULL;
}

static size_t most_registers(const struct test *test) {
    size_t most = 0;
    for (size_t t = 0; t < test->thread_count; t++)
        if (test->threads[t].register_count > most)
            most = test->threads[t].register_count;
    return most;
}

// Finds the bodies of threads. Those that share one come after each other.
static const struct shared_body **bodies_of(struct arena *arena, const struct test *test) {
    const struct shared_body **bodies =
        ARENA_ARRAY(arena, const struct shared_body *, test->thread_count + 1);
    for (size_t i = 0; i < test->thread_count; i++) {
        const struct thread *thread = &test->threads[i];
        if (i > 0 && bodies[i - 1]->instructions == thread->instructions) {
            bodies[i] = bodies[i - 1];
            continue;
        }
        struct shared_body *body = ARENA_NEW(arena, struct shared_body);
        body->instructions = thread->instructions;
        body->recipes = ARENA_ARRAY(arena, struct known_recipe, thread->instruction_count + 1);
        bodies[i] = body;
    }
    return bodies;
}

struct stepper *stepper_new(struct arena *arena, const struct test *test,
                            const struct program_options *options,
                            struct diagnostics *diagnostics) {
    struct stepper *stepper = ARENA_NEW(arena, struct stepper);
    struct builder *builder = &stepper->builder;
    size_t errors = diagnostics->error_count;
    *stepper =
        (struct stepper){.plan = {.test = test, .options = options},
                         .arena = arena,
                         .bodies = bodies_of(arena, test),
                         .registers = ARENA_ARRAY(arena, struct value, most_registers(test) + 1)};
    *builder = builder_begin(&stepper->plan, arena, diagnostics);
    stepper->thread.builder = builder;
    program_start(builder);
    memory_build(builder);
    if (diagnostics->error_count != errors)
        return NULL;
    renew(stepper);
    return stepper;
}

void stepper_free(struct stepper *stepper) {
    arena_free(stepper->scratch);
}

const struct program_memory *stepper_memory(const struct stepper *stepper) {
    return &stepper->builder.program->memory;
}

int stepper_cta(const struct stepper *stepper, int thread, unsigned *number) {
    *number = stepper->builder.cta_number[thread];
    return stepper->builder.cta_leader[thread];
}

uint64_t stepper_described_base(const struct stepper *stepper, int thread) {
    return memory_described_base(&stepper->builder, thread);
}

struct step_value stepper_initial(const struct stepper *stepper, unsigned object, uint64_t offset,
                                  unsigned size) {
    struct step_value word = {{0, 0}, KNOWN};
    if (!cells_initial_bits(&stepper->builder, object, offset, size, &word.bits))
        word.knowledge = UNKNOWN_CONTENTS;
    if (word.knowledge != KNOWN &&
        stepper->builder.program->memory.objects[object].space == SPACE_SHARED)
        word.knowledge = UNINITIALISED;
    return word;
}

// --- Values ------------------------------------------------------------------------------------

static struct value value_of(struct builder *builder, struct step_value word, unsigned width) {
    return word.knowledge == KNOWN ? program_value_const(builder, width, word.bits)
                                   : program_value_unknown(builder, width);
}

// What a value is that was computed from others, of which the least known is `from`.
static struct step_value word_of(struct value value, enum knowledge from) {
    if (expr_is_const(value.bits))
        return (struct step_value){value.bits->value, KNOWN};
    return (struct step_value){{0, 0}, from == KNOWN ? UNKNOWN_CONTENTS : from};
}

static void worsen(enum knowledge *knowledge, enum knowledge other) {
    if (other > *knowledge)
        *knowledge = other;
}

// Sets the value of a register in the builder's own form.
static void load(struct stepper *stepper, const struct step_value *registers, int reg,
                 enum knowledge *knowledge) {
    unsigned width = stepper->thread.thread->registers[reg].width;
    worsen(knowledge, registers[reg].knowledge);
    stepper->registers[reg] = value_of(&stepper->builder, registers[reg], width);
}

// The same of the registers of an operand.
static void load_operand(struct stepper *stepper, const struct step_value *registers,
                         const struct operand *operand, enum knowledge *knowledge) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        load_operand(stepper, registers, &operand->elements[i], knowledge);
    if (operand->kind != OPERAND_VECTOR && operand->reg >= 0)
        load(stepper, registers, operand->reg, knowledge);
}

static void aim(struct stepper *stepper, int thread) {
    if (expr_pool_count(stepper->builder.pool) > EXPRESSIONS_MAX)
        renew(stepper);
    stepper->thread.thread = &stepper->builder.test->threads[thread];
    stepper->thread.index = thread;
    stepper->thread.registers = stepper->registers;
    stepper->builder.unknown_count = 0;
}

void stepper_start(const struct stepper *stepper, int thread, struct step_value *registers) {
    const struct thread *t = &stepper->builder.test->threads[thread];
    for (size_t i = 0; i < t->register_count; i++) {
        const struct test_register *reg = &t->registers[i];
        registers[i] = (struct step_value){{0, 0}, UNWRITTEN};
        if (!reg->has_initial)
            continue;
        registers[i] = (struct step_value){reg->initial, KNOWN};
        if (reg->initial_variable >= 0) {
            struct thread_builder at = stepper->thread;
            at.thread = t;
            at.index = thread;
            registers[i].bits =
                (struct bits128){.low = thread_address(&at, reg->initial_variable, reg->span)};
        }
    }
}

// The value of a register as an operand, in its own width: what thread_register gives.
static struct step_value register_value(const struct stepper *stepper, int thread,
                                        const struct step_value *registers,
                                        const struct operand *operand, unsigned *width) {
    struct step_value word = registers[operand->reg];
    *width = stepper->builder.test->threads[thread].registers[operand->reg].width;
    if (word.knowledge > CANCEL_ANSWER || (word.knowledge != KNOWN && operand->negated))
        return (struct step_value){{0, 0}, word.knowledge};
    if (operand->negated)
        word.bits = bits_from_wide(~bits_to_wide(word.bits) & bits_mask(*width));
    return word;
}

struct step_value stepper_value(struct stepper *stepper, int thread,
                                const struct step_value *registers, const struct operand *operand,
                                unsigned width, bool is_signed) {
    enum knowledge knowledge = KNOWN;
    unsigned from;
    if (operand->kind == OPERAND_IMMEDIATE) // as thread_operand does, without expressions
        return (struct step_value){
            bits_from_wide(bits_to_wide(operand->immediate) & bits_mask(width)), KNOWN};
    if (operand->kind == OPERAND_REGISTER) {
        struct step_value word = register_value(stepper, thread, registers, operand, &from);
        uint128 bits = bits_to_wide(word.bits);
        bits = is_signed && width > from ? bits_sign_extend(bits, from) : bits;
        return (struct step_value){bits_from_wide(bits & bits_mask(width)), word.knowledge};
    }
    aim(stepper, thread);
    load_operand(stepper, registers, operand, &knowledge);
    return word_of(thread_operand(&stepper->thread, operand, width, is_signed), knowledge);
}

struct step_value stepper_address(struct stepper *stepper, int thread,
                                  const struct step_value *registers, const struct operand *operand,
                                  enum state_space space) {
    enum knowledge knowledge = KNOWN;
    unsigned from;
    if (operand->variable < 0 && operand->reg >= 0 && !operand->negated) { // as access_address does
        struct step_value word = register_value(stepper, thread, registers, operand, &from);
        if (word.knowledge != KNOWN)
            return word;
        word.bits.low += program_window(space) + (uint64_t)operand->offset;
        return (struct step_value){{.low = word.bits.low}, KNOWN};
    }
    aim(stepper, thread);
    load_operand(stepper, registers, operand, &knowledge);
    return word_of(access_address(&stepper->thread, operand, space), knowledge);
}

// --- Instructions ------------------------------------------------------------------------------

static void store_operand(struct stepper *stepper, struct step_value *registers,
                          const struct operand *operand, enum knowledge knowledge) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        store_operand(stepper, registers, &operand->elements[i], knowledge);
    if (operand->kind == OPERAND_REGISTER)
        registers[operand->reg] = word_of(stepper->registers[operand->reg], knowledge);
}

// Runs an instruction by its recipe, where that says what it computes.
static bool compute_by_recipe(struct stepper *stepper, int thread, struct step_value *registers,
                              const struct instruction *instruction) {
    const struct shared_body *body = stepper->bodies[thread];
    struct known_recipe *known = &body->recipes[instruction - body->instructions];
    if (!known->is_known) {
        aim(stepper, thread);
        *known =
            (struct known_recipe){true, recipe_new(stepper->arena, &stepper->thread, instruction)};
    }
    return known->recipe != NULL && recipe_run(known->recipe, registers);
}

bool stepper_compute(struct stepper *stepper, int thread, struct step_value *registers,
                     const struct instruction *instruction) {
    if (compute_by_recipe(stepper, thread, registers, instruction))
        return true;
    struct builder *builder = &stepper->builder;
    size_t errors = builder->diagnostics->error_count;
    enum knowledge knowledge = KNOWN, ignored = KNOWN;
    assert(opcode_family(instruction->opcode) == FAMILY_COMPUTE);
    aim(stepper, thread);
    bool defines = instruction_defines(instruction);
    for (unsigned i = 0; i < instruction->operand_count; i++)
        load_operand(stepper, registers, &instruction->operands[i],
                     i == 0 && defines ? &ignored : &knowledge);
    if (knowledge == UNWRITTEN)
        return false;
    execute_instruction(&stepper->thread, instruction);
    if (builder->diagnostics->error_count != errors || builder->program->event_count > 0)
        return false;
    if (defines)
        store_operand(stepper, registers, &instruction->operands[0], knowledge);
    return true;
}

struct step_value stepper_atomic(struct stepper *stepper, const struct instruction *instruction,
                                 unsigned bits, struct step_value old, struct step_value b,
                                 struct step_value c) {
    enum knowledge knowledge = old.knowledge;
    worsen(&knowledge, b.knowledge);
    worsen(&knowledge, c.knowledge);
    if (instruction->atomic == ATOMIC_EXCH)
        return b;
    if (knowledge != KNOWN || float_computes(instruction))
        return (struct step_value){{0, 0}, knowledge == KNOWN ? UNKNOWN_SCHEDULE : knowledge};
    struct builder *builder = &stepper->builder;
    aim(stepper, 0);
    const struct expr *result = atomic_result(
        builder->pool, instruction->atomic, scalar_type_is_signed(instruction->type),
        expr_const(builder->pool, bits, old.bits), expr_const(builder->pool, bits, b.bits),
        expr_const(builder->pool, bits, c.bits));
    return (struct step_value){result->value, KNOWN};
}

unsigned stepper_matrix_width(const struct instruction *instruction) {
    return lanes_is_matrix(instruction) ? lanes_width(instruction) : 0;
}

struct step_value stepper_matrix(struct stepper *stepper, const struct instruction *instruction,
                                 const struct step_value *given, unsigned lane) {
    enum { WARP_SIZE = 32, WHOLE = 128 };
    struct expr_pool *pool = stepper->builder.pool;
    enum knowledge knowledge = KNOWN;
    aim(stepper, 0);
    const struct expr *got = expr_const_u64(pool, lanes_width(instruction), 0);
    for (unsigned from = 0; from < WARP_SIZE; from++) {
        if (!lanes_gives(instruction, from, lane))
            continue;
        worsen(&knowledge, given[from].knowledge);
        got = lanes_combine(pool, instruction, got, expr_bool(pool, true),
                            expr_const(pool, WHOLE, given[from].bits), from, lane);
    }
    return knowledge == KNOWN ? (struct step_value){got->value, KNOWN}
                              : (struct step_value){{0, 0}, knowledge};
}

// --- Tiles -------------------------------------------------------------------------------------

// Reads the coordinates of a tile. Returns false where one is not known.
static bool read_coordinates(struct stepper *stepper, const struct step_value *registers,
                             const struct operand *operand, struct tile *tile) {
    enum { COORDINATE_BITS = 32 };
    for (size_t i = 0; i < operand->element_count; i++) {
        enum knowledge knowledge = KNOWN;
        load_operand(stepper, registers, &operand->elements[i], &knowledge);
        struct step_value word =
            word_of(thread_operand(&stepper->thread, &operand->elements[i], COORDINATE_BITS, true),
                    knowledge);
        if (word.knowledge != KNOWN)
            return false;
        tile->begin[i] = (int32_t)word.bits.low;
    }
    return true;
}

// Whether a tile begins before its tensor, at which no store does (9.7.9.26.5.1 of PTX ISA 9.3).
static bool begins_before(const struct tile *tile, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (tile->begin[i] < 0)
            return true;
    return false;
}

// Adds an element of a tile to the row before it, or begins another one.
static void add_element(struct arena *arena, struct step_tile *found,
                        const struct step_row *element) {
    struct step_row *last = found->row_count > 0 ? &found->rows[found->row_count - 1] : NULL;
    if (last != NULL && last->is_outside == element->is_outside &&
        (element->is_outside || last->offset + last->size == element->offset)) {
        last->size += element->size;
        return;
    }
    found->rows = arena_grow(arena, found->rows, found->row_count, sizeof *found->rows);
    found->rows[found->row_count++] = *element;
}

// Adds the rows of a tile of a tensor that begins at an offset in its object.
static void add_rows(struct arena *arena, const struct tile *tile, uint64_t base,
                     struct step_tile *found) {
    struct step_row element = {.size = tile->tensor->element_size};
    for (; element.at < found->bytes; element.at += element.size) {
        element.is_outside = !tile_offset(tile, element.at, &element.offset);
        element.offset += base;
        add_element(arena, found, &element);
    }
}

bool stepper_tile(struct stepper *stepper, struct arena *arena, int thread,
                  const struct step_value *registers, const struct instruction *instruction,
                  struct step_tile *found) {
    const struct operand *map = &instruction->operands[async_is_load(instruction) ? 1 : 0];
    enum knowledge knowledge = KNOWN;
    struct map_place place;
    struct tile tile = {0};
    aim(stepper, thread);
    load_operand(stepper, registers, map, &knowledge);
    if (knowledge != KNOWN || !tensormap_find(&stepper->thread, map, SPACE_GENERIC, &place))
        return false;
    tile.tensor = place.variable->tensor;
    if (tile.tensor->im2col || tile.tensor->rank != map[1].element_count ||
        !read_coordinates(stepper, registers, map + 1, &tile))
        return false;
    if (!async_is_load(instruction) && begins_before(&tile, map[1].element_count))
        return false;
    const struct builder *builder = &stepper->builder;
    unsigned range = memory_range(&stepper->builder, thread, place.variable->initial->variable);
    *found = (struct step_tile){
        .map = place.object,
        .object = builder->program->memory.virtual_ranges[range].object,
        .bytes = tile_bytes(&tile),
    };
    add_rows(arena, &tile, 0, found);
    return true;
}

void stepper_tile_of(struct arena *arena, const struct tensor *tensor, const int64_t *begin,
                     uint64_t base, struct step_tile *found) {
    struct tile tile = {.tensor = tensor};
    memcpy(tile.begin, begin, tensor->rank * sizeof *begin);
    found->bytes = tile_bytes(&tile);
    add_rows(arena, &tile, base, found);
}

void stepper_write(const struct thread *thread, struct step_value *registers,
                   const struct operand *operand, struct step_value value, unsigned width,
                   bool is_signed) {
    assert(width > 0);
    if (operand->kind != OPERAND_REGISTER)
        return;
    uint128 bits = bits_to_wide(value.bits);
    if (is_signed)
        bits = bits_sign_extend(bits, width);
    bits &= bits_mask(thread->registers[operand->reg].width);
    registers[operand->reg] = (struct step_value){bits_from_wide(bits), value.knowledge};
}
