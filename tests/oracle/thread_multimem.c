// Accesses to multimem addresses (PTX ISA 8.2.3, 9.7.9.14), in the interpreter of one thread: one
// for each number and each variable to which the address points, through an address of its own.
#include "tests/oracle/thread_internal.h"

enum { NUMBERS_MAX = 16 };

// The instruction at hand.
struct spread {
    struct machine *machine;
    const struct instruction *at;
    struct operand address; // of the first variable, by its name
    uint64_t sources;       // of the address
    unsigned copies;
    struct shape shape;
};

static const struct operand *element_of(const struct operand *operand, unsigned element) {
    return operand->kind == OPERAND_VECTOR ? &operand->elements[element] : operand;
}

// An address in a register is one of the test's multimem addresses.
static bool name_address(struct spread *spread) {
    const struct memory *memory = spread->machine->memory;
    const struct content *base = &spread->machine->registers[spread->address.reg];
    uint64_t address = (uint64_t)base->value.bits + (uint64_t)spread->address.offset;
    spread->sources = base->sources;
    if (!value_is_known(base->value)) {
        machine_stop(spread->machine, PATH_UNKNOWN);
        return false;
    }
    for (size_t v = 0; v < memory->test->variable_count; v++) {
        const struct variable *variable = &memory->test->variables[v];
        uint64_t begin = memory->offsets[v];
        uint64_t size = scalar_type_bits(variable->type) / 8 * variable->element_count;
        if (variable->copies == 0 || address < begin || address - begin >= size)
            continue;
        spread->address.reg = -1;
        spread->address.variable = (int)v;
        spread->address.offset = (int64_t)(address - begin);
        return true;
    }
    machine_stop(spread->machine, PATH_OUTSIDE);
    return false;
}

static bool start(struct spread *spread, struct machine *machine, const struct instruction *at) {
    bool packed = at->type == TYPE_F16X2 || at->type == TYPE_BF16X2;
    unsigned numbers = packed ? 2 : 1;
    *spread = (struct spread){.machine = machine,
                              .at = at,
                              .address = at->operands[at->opcode == OP_MULTIMEM_LD ? 1 : 0]};
    spread->shape =
        (struct shape){TYPE_B8, at->vector, numbers, scalar_type_bits(at->type) / 8 / numbers};
    if (spread->address.variable < 0 && !name_address(spread))
        return false;
    spread->copies = machine->memory->test->variables[spread->address.variable].copies;
    return true;
}

// Adds an access to one number of one copy. Returns its step, or -1.
static int access_copy(struct spread *spread, enum action action, unsigned number, unsigned copy) {
    struct operand address = spread->address;
    address.variable += (int)copy;
    int step =
        machine_access(spread->machine, spread->at, action, &address, &spread->shape, number);
    if (step < 0)
        return -1;
    struct step *added = &spread->machine->path->steps[step];
    added->element = number * spread->copies + copy;
    added->sources |= spread->sources;
    if (action == ACTION_READ && !machine_ask(spread->machine, ASK_READ, &added->value))
        return -1;
    return step;
}

// A number of a source operand.
static struct content number_of(const struct spread *spread, const struct operand *operand,
                                unsigned number) {
    unsigned bits = 8 * spread->shape.size, numbers = spread->shape.numbers;
    struct content content =
        machine_source(spread->machine, element_of(operand, number / numbers), bits * numbers);
    content.value = value_slice(content.value, number % numbers * bits, bits);
    return content;
}

// What is made of two numbers: which float comes of several is not said.
static struct value combine(const struct spread *spread, struct value a, struct value b) {
    enum truth writes;
    if (scalar_type_is_float(spread->at->type))
        return value_unknown(8 * spread->shape.size);
    return compute_atomic(spread->at, spread->at->type, false, a, b, b, &writes);
}

static bool load_number(struct spread *spread, unsigned number, struct content *result) {
    for (unsigned copy = 0; copy < spread->copies; copy++) {
        int step = access_copy(spread, ACTION_READ, number, copy);
        if (step < 0)
            return false;
        struct value read = spread->machine->path->steps[step].value;
        bool whole = copy == 0 && !scalar_type_is_float(spread->at->type);
        result->value = whole ? read : combine(spread, result->value, read);
        result->sources |= bit((unsigned)step);
    }
    return true;
}

static void load(struct spread *spread) {
    const struct operand *target = &spread->at->operands[0];
    unsigned numbers = spread->shape.numbers, bits = 8 * spread->shape.size;
    struct content results[NUMBERS_MAX] = {{{0, 0}, 0}};
    for (unsigned i = 0; i < spread->shape.elements * numbers; i++) {
        struct content number = {{0, 0}, 0}, *result = &results[i / numbers];
        if (element_of(target, i / numbers)->kind == OPERAND_SINK)
            continue;
        if (!load_number(spread, i, &number))
            return;
        result->value = value_join(result->value, i % numbers * bits, number.value);
        result->sources |= number.sources;
    }
    for (unsigned i = 0; i < spread->shape.elements; i++)
        machine_set(spread->machine, element_of(target, i), results[i], TRUE_NOW);
}

static void store(struct spread *spread) {
    for (unsigned i = 0; i < spread->shape.elements * spread->shape.numbers; i++) {
        struct content number = number_of(spread, &spread->at->operands[1], i);
        for (unsigned copy = 0; copy < spread->copies; copy++) {
            int step = access_copy(spread, ACTION_WRITE, i, copy);
            if (step < 0)
                return;
            spread->machine->path->steps[step].value = number.value;
            spread->machine->path->steps[step].sources |= number.sources;
        }
    }
}

static void reduce(struct spread *spread) {
    struct step *steps = spread->machine->path->steps;
    for (unsigned i = 0; i < spread->shape.elements * spread->shape.numbers; i++) {
        struct content number = number_of(spread, &spread->at->operands[1], i);
        for (unsigned copy = 0; copy < spread->copies; copy++) {
            int read = access_copy(spread, ACTION_READ, i, copy);
            int write = read < 0 ? -1 : access_copy(spread, ACTION_WRITE, i, copy);
            if (write < 0)
                return;
            steps[read].rmw = write;
            steps[write].value = combine(spread, steps[read].value, number.value);
            steps[write].sources |= number.sources | bit((unsigned)read);
        }
    }
}

unsigned thread_multimem_copies(struct machine *machine, const struct instruction *at,
                                struct operand *address) {
    struct spread spread = {.machine = machine, .at = at, .address = at->operands[0]};
    *address = at->operands[0];
    if (!at->copy.to_copies)
        return 1;
    if (spread.address.variable < 0 && !name_address(&spread))
        return 0;
    *address = spread.address;
    return machine->memory->test->variables[address->variable].copies;
}

bool thread_multimem(struct machine *machine, const struct instruction *at) {
    struct spread spread;
    if (!instruction_is_multimem(at))
        return false;
    if (!start(&spread, machine, at))
        return true;
    if (at->opcode == OP_MULTIMEM_LD)
        load(&spread);
    else if (at->opcode == OP_MULTIMEM_ST)
        store(&spread);
    else
        reduce(&spread);
    return true;
}
