// The interpreter. Registers hold values and, with them, the steps that they come from, which gives
// the syntactic dependencies (memory-model). What is written in the registers of a thread is known
// whole or bit by bit not at all (value.h).
#include "tests/oracle/thread_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INSTRUCTIONS_MAX = 20000, ELEMENTS_MAX = 16 };

static void *allocate(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) {
        fputs("out of memory\n", stderr);
        exit(4);
    }
    return memory;
}

void machine_stop(struct machine *machine, enum path_end end) {
    if (!machine->stopped)
        machine->path->end = end;
    machine->stopped = true;
}

// --- Steps ---------------------------------------------------------------------------------------

int machine_step(struct machine *machine, const struct instruction *at, enum action action) {
    struct path *path = machine->path;
    if (path->count == STEPS_MAX) {
        machine_stop(machine, PATH_TOO_LONG);
        return -1;
    }
    unsigned index = (unsigned)(at - machine->code->instructions);
    bool system = at->order == ORDER_VOLATILE || at->order == ORDER_MMIO;
    struct step step = {.action = action,
                        .at = at,
                        .instruction = index,
                        .turn = machine->loops[index].turns - 1,
                        .position = 2 * machine->time, // an issue may be after other steps
                        .order = at->order,
                        .scope = system ? SCOPE_SYS : at->scope,
                        .proxy = at->proxy,
                        .red = at->opcode == OP_RED || at->opcode == OP_RED_ASYNC ||
                               at->opcode == OP_MULTIMEM_RED ||
                               (at->opcode == OP_ATOM && at->operands[0].kind == OPERAND_SINK),
                        .rmw = -1,
                        .arrival = -1,
                        .group = -1,
                        .sources = machine->control};
    path->steps[path->count] = step;
    return (int)path->count++;
}

// Asks a question about the last step.
bool machine_ask(struct machine *machine, enum question question, struct value *value) {
    if (machine->supplier->answer(machine->supplier->context, machine->path, question, value))
        return true;
    machine->path->question = question;
    machine_stop(machine, PATH_WANTS);
    return false;
}

// --- Operands ------------------------------------------------------------------------------------

static struct content constant(struct value value) {
    struct content content = {value, 0};
    return content;
}

static struct content special(struct machine *machine, const struct operand *operand) {
    uint32_t value = 0;
    if (operand->special == SPECIAL_CLOCK && machine->memory->test->no_timeouts)
        return constant(value_known(0, 64)); // no time passes
    if (operand->special == SPECIAL_OPEN || operand->special == SPECIAL_CLOCK ||
        operand->special == SPECIAL_ENVREG)
        return constant(value_unknown(128)); // anything, in each read
    if (!memory_special(machine->memory->test, machine->thread, operand->special, operand->member,
                        &value))
        return constant(value_unknown(32));
    return constant(value_known(value, 32));
}

static struct content packed(struct machine *machine, const struct operand *operand,
                             unsigned width);

// The value of a source operand, `width` bits of it.
struct content machine_source(struct machine *machine, const struct operand *operand,
                              unsigned width) {
    struct content content = {{0, 0}, 0};
    switch (operand->kind) {
    case OPERAND_REGISTER:
        thread_uses_register(machine, operand->reg);
        content = machine->registers[operand->reg];
        if (operand->negated)
            content.value.bits = ~content.value.bits & ~content.value.unknown;
        break;
    case OPERAND_IMMEDIATE:
        content = constant(value_of_constant(operand->immediate, width));
        if (operand->negated) // !%p of a constant
            content.value.bits = ~content.value.bits;
        break;
    case OPERAND_ADDRESS:
        content = constant(value_known(
            memory_address(machine->memory, machine->thread, operand->variable) /
                    (machine->memory->test->variables[operand->variable].space == SPACE_TENSOR
                         ? 4
                         : 1) +
                (uint64_t)operand->offset,
            64));
        break;
    case OPERAND_SPECIAL: content = special(machine, operand); break;
    case OPERAND_VECTOR: content = packed(machine, operand, width); break;
    default: break; // a sink
    }
    content.value = value_slice(content.value, 0, width);
    return content;
}

// {a, b}: the first element is the lowest.
static struct content packed(struct machine *machine, const struct operand *operand,
                             unsigned width) {
    struct content all = {{0, 0}, 0};
    unsigned part = width / (unsigned)operand->element_count;
    for (unsigned i = 0; i < operand->element_count; i++) {
        struct content element = machine_source(machine, &operand->elements[i], part);
        all.value = value_join(all.value, i * part, element.value);
        all.sources |= element.sources;
    }
    return all;
}

// Bits on which two values agree; the others are unknown.
static struct value common(struct value a, struct value b) {
    u128 unknown = a.unknown | b.unknown | (a.bits ^ b.bits);
    struct value value = {a.bits & ~unknown, unknown};
    return value;
}

// Whether the instruction at hand is executed for sure; a result that may not be written is what
// it has in common with the content before.
void machine_set(struct machine *machine, const struct operand *operand, struct content content,
                 enum truth executes) {
    if (operand->kind != OPERAND_REGISTER)
        return; // a sink
    thread_uses_register(machine, operand->reg);
    struct content *target = &machine->registers[operand->reg];
    unsigned width = machine->code->registers[operand->reg].width;
    content.value = value_slice(content.value, 0, width);
    if (executes == NOT_KNOWN) {
        content.value = common(content.value, target->value);
        content.sources |= target->sources;
    }
    *target = content;
}

// Writes a result of a type: a wider register gets it extended by its sign (PTX ISA 9.4.1).
static void set_result(struct machine *machine, const struct operand *operand,
                       struct content content, enum scalar_type type, unsigned width,
                       enum truth executes) {
    if (operand->kind != OPERAND_REGISTER)
        return;
    unsigned wide = machine->code->registers[operand->reg].width;
    if (wide > width)
        content.value = value_extend(content.value, width, wide, scalar_type_is_signed(type));
    machine_set(machine, operand, content, executes);
}

// --- Addresses -----------------------------------------------------------------------------------

// The rank of the CTA in which a multicast does something at a place. With .cta_group::2 "the
// mbarrier signal is sent either to the destination CTA or its peer-CTA based on the
// %cluster_ctarank parity of the shared memory where the mbarrier object mbar resides".
static unsigned target_rank(const struct machine *machine, const struct instruction *at,
                            const struct spot *spot) {
    unsigned rank = machine->target - 1;
    if (!at->of_pair || at->opcode != OP_CP_TENSOR || machine->first_element == 0)
        return rank;
    return rank - rank % 2 + memory_rank_of_object(machine->memory, spot->object) % 2;
}

// Finds what [base + offset] is. Returns false, with the path stopped, when that is unknown or not
// a variable.
static bool find_spot(struct machine *machine, const struct instruction *at,
                      const struct operand *operand, unsigned first, unsigned size,
                      struct spot *spot, uint64_t *sources) {
    int64_t offset = operand->offset + (int64_t)first;
    *sources = 0;
    bool found;
    if (operand->variable >= 0) {
        found = memory_find_variable(machine->memory, machine->thread, operand->variable, offset,
                                     size, spot);
    } else {
        struct content base = constant(value_known(0, 64));
        if (operand->reg >= 0) {
            thread_uses_register(machine, operand->reg);
            base = machine->registers[operand->reg];
        }
        *sources = base.sources;
        if (!value_is_known(base.value) && !machine->options->lenient) {
            machine_stop(machine, PATH_UNKNOWN);
            return false;
        }
        enum state_space space = machine->part_space ? *machine->part_space : at->space;
        found = memory_find(machine->memory, machine->thread, space,
                            (uint64_t)base.value.bits + (uint64_t)offset, size, spot);
    }
    if (found && machine->target > 0)
        found = (spot->object = memory_object_in_rank(machine->memory, spot->object,
                                                      target_rank(machine, at, spot))) >= 0;
    if (found && machine->peer > 0)
        found = (spot->object =
                     memory_object_in_rank(machine->memory, spot->object, machine->peer - 1)) >= 0;
    if (found && spot->offset % size == 0)
        return true;
    if (!machine->options->lenient)
        machine_stop(machine, PATH_OUTSIDE);
    *spot = (struct spot){.object = -1};
    return machine->options->lenient;
}

// --- Memory --------------------------------------------------------------------------------------

// A packed type is two numbers of half its size.
static enum scalar_type number_type(enum scalar_type type) {
    if (type == TYPE_F16X2)
        return TYPE_F16;
    return type == TYPE_BF16X2 ? TYPE_BF16 : type;
}

static struct shape shape_of(const struct instruction *at) {
    struct shape shape = {.number = number_type(at->type), .elements = at->vector};
    shape.size = scalar_type_bits(shape.number) / 8;
    shape.numbers = scalar_type_bits(at->type) / 8 / shape.size;
    bool atomic = at->opcode == OP_ATOM || at->opcode == OP_RED;
    if (!atomic) { // a load or store of a packed register is one access
        shape.size *= shape.numbers;
        shape.numbers = 1;
    }
    return shape;
}

static const struct operand *element_of(const struct operand *operand, unsigned element) {
    return operand->kind == OPERAND_VECTOR ? &operand->elements[element] : operand;
}

// A source operand's part for one access.
static struct content part_of(struct machine *machine, const struct instruction *at,
                              const struct operand *operand, const struct shape *shape,
                              unsigned index) {
    unsigned width = scalar_type_bits(at->type), bits = 8 * shape->size;
    const struct operand *element = element_of(operand, index / shape->numbers);
    struct content content = machine_source(machine, element, width);
    content.value = value_slice(content.value, index % shape->numbers * bits, bits);
    return content;
}

int machine_access(struct machine *machine, const struct instruction *at, enum action action,
                   const struct operand *address, const struct shape *shape, unsigned index) {
    struct spot spot;
    uint64_t sources;
    if (!find_spot(machine, at, address, index * shape->size, shape->size, &spot, &sources))
        return -1;
    int step = machine_step(machine, at, action);
    if (step < 0)
        return -1;
    struct step *added = &machine->path->steps[step];
    added->element = index;
    added->spot = spot;
    added->has_spot = true;
    added->size = shape->size;
    added->sources |= sources;
    if (added->proxy == PROXY_GENERIC)
        added->proxy = spot.proxy;
    return step;
}

// Reads one number. Returns its step, or -1 when the path has stopped.
static int read_number(struct machine *machine, const struct instruction *at,
                       const struct operand *address, const struct shape *shape, unsigned index) {
    int step = machine_access(machine, at, ACTION_READ, address, shape, index);
    if (step < 0 || !machine_ask(machine, ASK_READ, &machine->path->steps[step].value))
        return -1;
    return step;
}

static void load(struct machine *machine, const struct instruction *at) {
    struct shape shape = shape_of(at);
    struct content results[ELEMENTS_MAX];
    for (unsigned i = 0; i < shape.elements; i++) {
        if (shape.elements > 1 && element_of(&at->operands[0], i)->kind == OPERAND_SINK)
            continue; // nothing is read
        int step = read_number(machine, at, &at->operands[1], &shape, i);
        if (step < 0)
            return;
        results[i].value = machine->path->steps[step].value;
        results[i].sources = bit((unsigned)step);
    }
    for (unsigned i = 0; i < shape.elements; i++)
        if (element_of(&at->operands[0], i)->kind == OPERAND_REGISTER)
            set_result(machine, element_of(&at->operands[0], i), results[i], at->type,
                       8 * shape.size, TRUE_NOW);
}

static void store(struct machine *machine, const struct instruction *at) {
    struct shape shape = shape_of(at);
    for (unsigned i = 0; i < shape.elements; i++) {
        if (element_of(&at->operands[1], i)->kind == OPERAND_SINK)
            continue;
        struct content value = part_of(machine, at, &at->operands[1], &shape, i);
        int step = machine_access(machine, at, ACTION_WRITE, &at->operands[0], &shape, i);
        if (step < 0)
            return;
        machine->path->steps[step].value = value.value;
        machine->path->steps[step].sources |= value.sources;
    }
}

// Whether an object is in the shared memory of the thread's CTA.
static bool is_shared_here(const struct machine *machine, int index) {
    const struct test *test = machine->memory->test;
    if (index < 0)
        return false;
    const struct object *object = &machine->memory->objects[index];
    return test->variables[object->variable].space == SPACE_SHARED &&
           test_same_cta(&test->threads[object->thread].place,
                         &test->threads[machine->thread].place);
}

// st.bulk: zeros, in accesses as those of a copy, of the shared memory of the CTA.
static void fill(struct machine *machine, const struct instruction *at) {
    const struct operand *operand = &at->operands[1];
    unsigned width =
        operand->kind == OPERAND_REGISTER ? machine->code->registers[operand->reg].width : 64;
    struct value size = machine_source(machine, operand, width).value;
    if (!value_is_known(size) || size.bits % 8 || size.bits > 8 * STEPS_MAX) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    unsigned part = thread_part_size(machine, at, (uint64_t)size.bits, 0);
    const struct shape shape = {TYPE_B8, 1, 1, part};
    for (unsigned i = 0; i * part < size.bits && !machine->stopped; i++) {
        int step = machine_access(machine, at, ACTION_WRITE, &at->operands[0], &shape, i);
        if (step < 0)
            return;
        struct step *added = &machine->path->steps[step];
        added->value = value_known(0, 8 * part);
        if (!is_shared_here(machine, added->spot.object))
            machine_stop(machine, PATH_OUTSIDE);
    }
}

// Sums of .f32 in global memory take subnormal numbers for zeros; no others do (PTX ISA 9.7.13.5).
bool thread_flushes(const struct machine *machine, enum scalar_type type, const struct step *read) {
    if (read->spot.object < 0)
        return false;
    int owner = machine->memory->objects[read->spot.object].variable;
    return type == TYPE_F32 && machine->memory->test->variables[owner].space == SPACE_GLOBAL;
}

void machine_modify(struct machine *machine, const struct instruction *at,
                    const struct operand *const operands[2], const struct shape *shape,
                    const struct operand *address, int read, unsigned index) {
    struct content b = part_of(machine, at, operands[0], shape, index), c = {{0, 0}, 0};
    if (operands[1])
        c = part_of(machine, at, operands[1], shape, index);
    const struct step *from = &machine->path->steps[read];
    enum truth writes;
    struct value value =
        compute_atomic(at, shape->number, thread_flushes(machine, shape->number, from), from->value,
                       b.value, c.value, &writes);
    if (writes == NOT_KNOWN)
        machine_stop(machine, PATH_UNKNOWN);
    if (writes != TRUE_NOW)
        return;
    int write = machine_access(machine, at, ACTION_WRITE, address, shape, index);
    if (write < 0)
        return;
    machine->path->steps[read].rmw = write;
    struct step *added = &machine->path->steps[write];
    added->value = value;
    added->sources |= b.sources | c.sources;
    if (at->atomic != ATOMIC_EXCH)
        added->sources |= bit((unsigned)read);
}

// atom: d, [a], b{, c}. red: [a], b.
static void modify_all(struct machine *machine, const struct instruction *at) {
    struct shape shape = shape_of(at);
    unsigned first = at->opcode == OP_ATOM ? 1 : 0;
    const struct operand *operands[2] = {
        &at->operands[first + 1], at->atomic == ATOMIC_CAS ? &at->operands[first + 2] : NULL};
    struct content results[ELEMENTS_MAX] = {{{0, 0}, 0}};
    for (unsigned i = 0; i < shape.elements * shape.numbers; i++) {
        int read = read_number(machine, at, &at->operands[first], &shape, i);
        if (read < 0)
            return;
        struct content *result = &results[i / shape.numbers];
        result->value = value_join(result->value, i % shape.numbers * 8 * shape.size,
                                   machine->path->steps[read].value);
        result->sources |= bit((unsigned)read);
        machine_modify(machine, at, operands, &shape, &at->operands[first], read, i);
        if (machine->stopped)
            return;
    }
    for (unsigned i = 0; i < shape.elements && at->opcode == OP_ATOM; i++)
        set_result(machine, element_of(&at->operands[0], i), results[i], at->type,
                   scalar_type_bits(at->type), TRUE_NOW);
}

// "With an address operand, .acquire counts only for the 128 bytes that it names."
static void fence_proxy(struct machine *machine, const struct instruction *at) {
    struct spot spot = {.object = -1};
    uint64_t sources = 0;
    bool names = at->operand_count > 0 && at->operands[0].kind == OPERAND_MEMORY;
    if (names && !find_spot(machine, at, &at->operands[0], 0, 1, &spot, &sources))
        return;
    int step = machine_step(machine, at, ACTION_PROXY_FENCE);
    if (step < 0)
        return;
    machine->path->steps[step].order = at->fence.order;
    machine->path->steps[step].has_spot = names;
    machine->path->steps[step].spot = spot;
    machine->path->steps[step].size = names ? 128 : 0;
    machine->path->steps[step].sources |= sources;
}

bool machine_number(struct machine *machine, const struct operand *operand, uint64_t *number) {
    struct content content = machine_source(machine, operand, 32);
    if (!value_is_known(content.value))
        machine_stop(machine, PATH_UNKNOWN);
    *number = (uint64_t)content.value.bits;
    return !machine->stopped;
}

// --- Registers -----------------------------------------------------------------------------------

// mov: one value, or those of a vector register; {a, b} packs and unpacks.
static void move(struct machine *machine, const struct instruction *at, enum truth executes) {
    const struct operand *to = &at->operands[0], *from = &at->operands[1];
    unsigned width = scalar_type_bits(at->type);
    if (at->vector > 1) {
        struct content all[ELEMENTS_MAX];
        for (unsigned i = 0; i < at->vector; i++)
            all[i] = machine_source(machine, element_of(from, i), width);
        for (unsigned i = 0; i < at->vector; i++)
            machine_set(machine, element_of(to, i), all[i], executes);
        return;
    }
    struct content value = machine_source(machine, from, width);
    if (to->kind != OPERAND_VECTOR) {
        machine_set(machine, to, value, executes);
        return;
    }
    unsigned part = width / (unsigned)to->element_count;
    for (unsigned i = 0; i < to->element_count; i++) {
        struct content element = value;
        element.value = value_slice(value.value, i * part, part);
        machine_set(machine, &to->elements[i], element, executes);
    }
}

// setp p|q, a, b{, c}: q is the other way round, combined with c in the same way.
static void set_predicate(struct machine *machine, const struct instruction *at,
                          enum truth executes) {
    unsigned width = scalar_type_bits(at->type);
    struct content a = machine_source(machine, &at->operands[1], width);
    struct content b = machine_source(machine, &at->operands[2], width), c = {{0, 0}, 0};
    if (at->bool_op != BOOL_NONE)
        c = machine_source(machine, &at->operands[3], 1);
    enum truth holds =
        compute_compare(at->compute.compare, at->type, at->compute.flushes, a.value, b.value);
    enum truth fails = holds == NOT_KNOWN ? NOT_KNOWN : holds == TRUE_NOW ? FALSE_NOW : TRUE_NOW;
    enum truth other = at->bool_op == BOOL_NONE ? TRUE_NOW : compute_truth(c.value);
    struct content p = {compute_from_truth(compute_combine(at->bool_op, holds, other)),
                        a.sources | b.sources | c.sources};
    struct content q = {compute_from_truth(compute_combine(at->bool_op, fails, other)), p.sources};
    machine_set(machine, element_of(&at->operands[0], 0), p, executes);
    if (at->operands[0].kind == OPERAND_VECTOR)
        machine_set(machine, element_of(&at->operands[0], 1), q, executes);
}

// cvta, cvta.to, isspacep, mapa and getctarank.
static void convert_address(struct machine *machine, const struct instruction *at,
                            enum truth executes) {
    const struct memory *memory = machine->memory;
    int thread = machine->thread;
    struct content from = machine_source(machine, &at->operands[1], 64), rank = {{0, 0}, 0};
    uint64_t address = (uint64_t)from.value.bits, result = 0;
    unsigned number = 0;
    bool good = false;
    if (at->opcode == OP_MAPA)
        rank = machine_source(machine, &at->operands[2], 32);
    switch (at->opcode) {
    case OP_CVTA: good = memory_to_generic(memory, thread, at->space, address, &result); break;
    case OP_CVTA_TO: good = memory_from_generic(memory, thread, at->space, address, &result); break;
    case OP_ISSPACEP:
        result = memory_is_in_space(memory, thread, at->space, address);
        good = true;
        break;
    case OP_MAPA:
        good = memory_map_to_rank(memory, thread, at->space, address, (unsigned)rank.value.bits,
                                  &result);
        break;
    default: // OP_GETCTARANK
        good = memory_rank_of(memory, thread, at->space, address, &number);
        result = number;
        break;
    }
    bool known = good && value_is_known(from.value) && value_is_known(rank.value);
    struct content content = {known ? value_known(result, 64) : value_unknown(64),
                              from.sources | rank.sources};
    machine_set(machine, &at->operands[0], content, executes);
}

static struct value merge_when_open(const struct instruction *at, const struct value *values) {
    bool selects = at->opcode == OP_SELP && !value_is_known(values[2]);
    return selects ? common(values[0], values[1]) : compute(at, values);
}

// d|p = lop3: p says whether d is not zero, combined with q.
static void look_up_pair(struct machine *machine, const struct instruction *at,
                         struct content result, enum truth executes) {
    struct content other = machine_source(machine, &at->operands[5], 1);
    enum truth any = result.value.bits ? TRUE_NOW : result.value.unknown ? NOT_KNOWN : FALSE_NOW;
    struct content p = {
        compute_from_truth(compute_combine(at->bool_op, any, compute_truth(other.value))),
        result.sources | other.sources};
    machine_set(machine, element_of(&at->operands[0], 0), result, executes);
    machine_set(machine, element_of(&at->operands[0], 1), p, executes);
}

static void calculate(struct machine *machine, const struct instruction *at, enum truth executes) {
    struct value values[INSTRUCTION_OPERANDS] = {{0, 0}};
    struct content result = {{0, 0}, 0};
    for (unsigned i = 1; i < at->operand_count; i++) {
        struct content content =
            machine_source(machine, &at->operands[i], compute_source_width(at, i - 1));
        values[i - 1] = content.value;
        result.sources |= content.sources;
    }
    if (at->opcode == OP_ADDC || at->opcode == OP_SUBC || at->opcode == OP_MADC) {
        struct content carry = {{0, 0}, result.sources};
        result.value = compute_with_carry(at, values, &carry.value);
        machine_set(machine, element_of(&at->operands[0], 0), result, executes);
        if (at->operands[0].kind == OPERAND_VECTOR)
            machine_set(machine, &at->operands[0].elements[1], carry, executes);
        return;
    }
    result.value = merge_when_open(at, values);
    if (at->opcode == OP_LOP3 && at->bool_op != BOOL_NONE)
        look_up_pair(machine, at, result, executes);
    else
        set_result(machine, &at->operands[0], result, at->type, compute_width(at), executes);
}

// --- Control -------------------------------------------------------------------------------------

// A jump back ends a round of its loop. Rounds count when a read had a say in one of the branches
// since the loop began again.
static void branch(struct machine *machine, const struct instruction *at) {
    size_t here = (size_t)(at - machine->code->instructions);
    size_t target = machine->code->labels[at->operands[0].label].target;
    if (target <= here && machine->last_decided >= machine->loops[target].last &&
        machine->last_decided > 0 && ++machine->loops[here].rounds > machine->options->rounds)
        machine_stop(machine, PATH_BEYOND);
    machine->next = target;
}

// Whether the guard lets the instruction execute.
static enum truth guard_of(struct machine *machine, const struct instruction *at) {
    if (at->guard < 0)
        return TRUE_NOW;
    const struct content *guard = &machine->registers[at->guard];
    enum truth holds = compute_truth(guard->value);
    machine->control |= guard->sources;
    if (guard->sources && at->opcode == OP_BRA)
        machine->last_decided = machine->time;
    if (holds == NOT_KNOWN || !at->guard_negated)
        return holds;
    return holds == TRUE_NOW ? FALSE_NOW : TRUE_NOW;
}

// "Decodes opaque response written by instruction clusterlaunchcontrol.try_cancel"; what was tried
// for a read, to see what depends on it, may be one as well. Nothing is known of other bits, nor of
// the CTA of a request that has failed.
static void query_cancel(struct machine *machine, const struct instruction *at,
                         enum truth executes) {
    const struct operand *to = &at->operands[0];
    struct content answer = machine_source(machine, &at->operands[1], 128), part = answer;
    bool says = value_is_answer(answer.value) ||
                (machine->options->lenient && value_is_known(answer.value));
    bool names = says && (answer.value.bits & 1);
    bool asks = to->kind != OPERAND_VECTOR && machine->code->registers[to->reg].width == 1;
    // "If the request fails the behavior [...] is undefined."
    if (!asks && !names && executes == TRUE_NOW)
        machine->path->broken |= BROKEN_ANSWER;
    for (unsigned i = 0; i < to->element_count && to->kind == OPERAND_VECTOR; i++) {
        part.value = value_unknown(32);
        if (names && i < 3)
            part.value = value_known(answer.value.bits >> (32 * (i + 1)), 32);
        machine_set(machine, &to->elements[i], part, executes);
    }
    if (to->kind == OPERAND_VECTOR)
        return;
    part.value = value_unknown(asks ? 1 : 32);
    if (asks && says)
        part.value = value_known(answer.value.bits & 1, 1);
    else if (!asks && names)
        part.value = value_known(answer.value.bits >> (32 * (at->compute.dimension + 1)), 32);
    machine_set(machine, to, part, executes);
}

// Instructions that only write registers; their guard may be unknown.
static bool calculates(struct machine *machine, const struct instruction *at, enum truth executes) {
    if (thread_is_mbarrier(at->opcode) || thread_is_async(at->opcode) ||
        instruction_is_multimem(at))
        return false;
    switch (at->opcode) {
    case OP_MOV: move(machine, at, executes); return true;
    case OP_SETP: set_predicate(machine, at, executes); return true;
    case OP_CVTA:
    case OP_CVTA_TO:
    case OP_ISSPACEP:
    case OP_MAPA:
    case OP_GETCTARANK: convert_address(machine, at, executes); return true;
    case OP_SETMAXNREG:
    case OP_HINT: return true;
    case OP_CREATEPOLICY:
        machine_set(machine, &at->operands[0], constant(value_unknown(64)), executes);
        return true;
    case OP_CANCEL_QUERY: query_cancel(machine, at, executes); return true;
    case OP_FLOAT: // of modules; it has no floating-point numbers but in sums
        machine_set(machine, &at->operands[0], constant(value_unknown(scalar_type_bits(at->type))),
                    executes);
        return true;
    case OP_OPEN: { // of modules: any value, which depends on all operands as it is written
        struct content any = constant(value_unknown(scalar_type_bits(at->type)));
        for (unsigned i = 0; i < at->operands[1].element_count; i++)
            any.sources |= machine_source(machine, &at->operands[1].elements[i], 128).sources;
        machine_set(machine, &at->operands[0], any, executes);
        return true;
    }
    case OP_LD:
    case OP_ST:
    case OP_ST_BULK:
    case OP_ATOM:
    case OP_RED:
    case OP_FENCE:
    case OP_FENCE_PROXY:
    case OP_BRA:
    case OP_EXIT:
    case OP_TRAP:
    case OP_WARP:
    case OP_BAR: return false;
    default: calculate(machine, at, executes); return true;
    }
}

static void execute(struct machine *machine, const struct instruction *at) {
    enum truth executes = guard_of(machine, at);
    if (executes == FALSE_NOW || calculates(machine, at, executes))
        return;
    if (executes == NOT_KNOWN) {
        machine_stop(machine, PATH_UNKNOWN);
        return;
    }
    if (thread_mbarrier(machine, at) || thread_async(machine, at) || thread_multimem(machine, at))
        return;
    switch (at->opcode) {
    case OP_LD: load(machine, at); break;
    case OP_ST: store(machine, at); break;
    case OP_ST_BULK: fill(machine, at); break;
    case OP_ATOM:
    case OP_RED: modify_all(machine, at); break;
    case OP_FENCE: machine_step(machine, at, ACTION_FENCE); break;
    case OP_FENCE_PROXY: fence_proxy(machine, at); break;
    case OP_TENSORMAP_REPLACE: thread_map_replace(machine, at); break;
    case OP_TENSORMAP_CP: thread_map_copy(machine, at); break;
    case OP_BRA: branch(machine, at); break;
    case OP_BAR: thread_barrier(machine, at); break;
    case OP_WARP: thread_warp(machine, at); break;
    case OP_TRAP: machine_stop(machine, PATH_TRAPPED); break;
    default: // OP_EXIT
        machine->path->exits = at->guard < 0;
        machine_stop(machine, PATH_DONE);
        break;
    }
}

// --- The whole -----------------------------------------------------------------------------------

static void set_initial(struct machine *machine) {
    bool zero = machine->memory->test->dialect == DIALECT_DAT3M;
    for (size_t i = 0; i < machine->code->register_count; i++) {
        const struct test_register *reg = &machine->code->registers[i];
        struct value value = zero ? value_known(0, reg->width) : value_unknown(reg->width);
        if (reg->has_initial && reg->initial_variable >= 0)
            value =
                value_known(memory_address(machine->memory, machine->thread, reg->initial_variable),
                            reg->width);
        else if (reg->has_initial)
            value = value_of_constant(reg->initial, reg->width);
        machine->registers[i] = constant(value);
    }
}

void thread_run(const struct memory *memory, int thread, const struct thread_options *options,
                const struct supplier *supplier, struct path *path) {
    const struct thread *code = &memory->test->threads[thread];
    struct machine machine = {.memory = memory,
                              .thread = thread,
                              .code = code,
                              .options = options,
                              .supplier = supplier,
                              .path = path};
    machine.registers = allocate(code->register_count, sizeof *machine.registers);
    machine.loops = allocate(code->instruction_count + 1, sizeof *machine.loops);
    set_initial(&machine);
    path->count = 0;
    path->end = PATH_DONE;
    path->exits = false;
    path->broken = 0;
    thread_products_begin(&machine);
    while (!machine.stopped && machine.next < code->instruction_count) {
        const struct instruction *at = &code->instructions[machine.next];
        if (++machine.time > INSTRUCTIONS_MAX)
            machine_stop(&machine, PATH_BEYOND);
        machine.loops[machine.next].turns++;
        machine.loops[machine.next].last = machine.time;
        machine.next++;
        execute(&machine, at);
    }
    thread_products_end(&machine);
    for (size_t i = 0; i < code->register_count; i++)
        path->registers[i] = machine.registers[i].value;
    path->control = machine.control;
    free(machine.registers);
    free(machine.loops);
}
