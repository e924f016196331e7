// Products of matrices by warpgroups (PTX ISA 9.7.15), in the interpreter of one thread. A thread
// computes one element of D, from the first elements of A and B.
#include "litmus/source/allocate.h"
#include "tests/oracle/thread_internal.h"

#include <stdlib.h>

// What was done with a register of a product since the last wgmma.fence, and by products.
struct register_use {
    bool is_used;      // by some product of the thread
    bool touched;      // since the last wgmma.fence, by anything but an accumulation
    unsigned columns;  // of a product that has accumulated in it since then, else 0
    uint64_t products; // the steps of issues of products that use it
};

struct product_registers {
    unsigned fences, waited; // groups below `waited` are complete
    bool own;                // the product at hand uses its registers
    struct register_use *uses;
};

static void each_register(const struct operand *operand, struct register_use *uses) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        uses[operand->elements[i].reg].is_used = true;
}

void thread_products_begin(struct machine *machine) {
    const struct thread *code = machine->code;
    for (size_t i = 0; i < code->instruction_count; i++) {
        const struct instruction *at = &code->instructions[i];
        if (at->opcode != OP_WGMMA)
            continue;
        if (!machine->products) {
            machine->products = allocate(1, sizeof *machine->products);
            machine->products->uses =
                allocate(code->register_count, sizeof *machine->products->uses);
        }
        each_register(&at->operands[0], machine->products->uses);
        each_register(&at->operands[1], machine->products->uses);
    }
}

// "Without first performing a wgmma.wait_group instruction that waits on a wgmma-group including
// that wgmma.mma_async instruction": such products are undefined.
static void use_in_flight(struct machine *machine, int reg) {
    const struct register_use *use = &machine->products->uses[reg];
    for (uint64_t rest = use->products; rest; rest &= rest - 1) {
        struct step *issue = &machine->path->steps[__builtin_ctzll(rest)];
        if ((unsigned)issue->group >= machine->products->waited)
            issue->undefined = true;
    }
}

void thread_uses_register(struct machine *machine, int reg) {
    struct product_registers *products = machine->products;
    if (!products || products->own || !products->uses[reg].is_used)
        return;
    use_in_flight(machine, reg);
    products->uses[reg].touched = true;
}

static void show(void *context, const struct term *term) {
    struct machine *machine = context;
    if (term->kind == TERM_REGISTER && term->thread == machine->thread &&
        machine->products->uses[term->reg].is_used)
        use_in_flight(machine, term->reg);
}

void thread_products_end(struct machine *machine) {
    if (!machine->products)
        return;
    test_visit_terms(machine->memory->test, show, machine);
    free(machine->products->uses);
    free(machine->products);
    machine->products = NULL;
}

void thread_products_waited(struct machine *machine, uint64_t pending) {
    struct product_registers *products = machine->products;
    if (products && pending < machine->commits[2] &&
        machine->commits[2] - pending > products->waited)
        products->waited = machine->commits[2] - (unsigned)pending;
}

// "Before the first wgmma.mma_async operation", and "between a register access [...] and any
// wgmma.mma_async instruction that accesses the same registers, [...] except when these are
// accumulator register accesses across multiple wgmma.mma_async instructions of the same shape".
static bool lacks_fence(const struct machine *machine, const struct instruction *at) {
    const struct product_registers *products = machine->products;
    if (products->fences == 0)
        return true;
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < at->operands[k].element_count; i++) {
            const struct register_use *use = &products->uses[at->operands[k].elements[i].reg];
            if (use->touched ||
                (use->columns != 0 && (k == 1 || use->columns != at->matrix.columns)))
                return true;
        }
    return false;
}

static void note_registers(struct machine *machine, const struct instruction *at, int issue) {
    for (unsigned k = 0; k < 2; k++)
        for (size_t i = 0; i < at->operands[k].element_count; i++) {
            struct register_use *use = &machine->products->uses[at->operands[k].elements[i].reg];
            use->products |= UINT64_C(1) << issue;
            if (k == 1 || (use->columns != 0 && use->columns != at->matrix.columns))
                use->touched = true;
            else
                use->columns = at->matrix.columns;
        }
}

// "Matrix start address", in units of 16 bytes, is the lowest 14 bits of a descriptor.
static struct content first_element(struct machine *machine, const struct instruction *at,
                                    unsigned operand, unsigned issue) {
    static const enum state_space shared = SPACE_SHARED;
    const struct operand *matrix = &at->operands[operand];
    unsigned bits = matrix_element_bits(at->matrix.element[operand - 1]), part;
    struct content content = {value_unknown(bits), 0};
    uint64_t descriptor;
    if (matrix->kind == OPERAND_VECTOR) {
        content = machine_source(machine, &matrix->elements[0], 32);
        content.value = value_slice(content.value, 0, bits);
        return content;
    }
    struct operand start = {.kind = OPERAND_MEMORY, .reg = -1, .variable = -1};
    if (!machine_number(machine, matrix, &descriptor))
        return content;
    start.offset = (int64_t)((descriptor & 0x3fff) * 16);
    part = thread_part_size(machine, at, 8, 8);
    for (unsigned i = 0; i < 2; i++)
        if (part < matrix_element_bits(at->matrix.element[i]) / 8)
            part = matrix_element_bits(at->matrix.element[i]) / 8;
    const struct shape shape = {TYPE_B8, 1, 1, part};
    machine->part_space = &shared;
    int step = machine_access(machine, at, ACTION_READ, &start, &shape, 0);
    machine->part_space = NULL;
    if (step < 0)
        return content;
    machine->path->steps[step].sources |= machine_source(machine, matrix, 64).sources;
    machine->path->steps[step].element = (unsigned)step - issue;
    if (!machine_ask(machine, ASK_READ, &machine->path->steps[step].value))
        return content;
    thread_give(machine, (unsigned)step, issue, STAGE_READS, PROXY_ASYNC);
    content.value = value_slice(machine->path->steps[step].value, 0, bits);
    content.sources = UINT64_C(1) << step;
    if (machine->path->steps[step].spot.offset % 16)
        machine_stop(machine, PATH_OUTSIDE);
    return content;
}

static bool is_integer(enum matrix_element element) {
    return element == ELEMENT_S8 || element == ELEMENT_U8 || element == ELEMENT_B1;
}

static int64_t number_of(struct value value, enum matrix_element element) {
    if (element == ELEMENT_B1) // "bit-wise AND and popc"
        return (int64_t)(value.bits & 1);
    return element == ELEMENT_S8 ? (int8_t)value.bits : (uint8_t)value.bits;
}

// "D = A*B+D", or "D = A*B" where scale-d is false.
static struct value add(const struct instruction *at, struct value a, struct value b,
                        struct value d) {
    if (!is_integer(at->matrix.element[0]) || at->matrix.sparse || a.unknown || b.unknown ||
        d.unknown)
        return value_unknown(32);
    int64_t sum =
        number_of(a, at->matrix.element[0]) * number_of(b, at->matrix.element[1]) + (int32_t)d.bits;
    if (at->compute.saturate)
        sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
    return value_known((uint32_t)sum, 32);
}

static void accumulate(struct machine *machine, const struct instruction *at, struct content a,
                       struct content b) {
    struct content scale = machine_source(machine, &at->operands[at->matrix.sparse ? 5 : 3], 1);
    struct content d = {value_known(0, 32), 0};
    if (!value_is_known(scale.value))
        d.value = value_unknown(32);
    else if (scale.value.bits)
        d = machine_source(machine, &at->operands[0].elements[0], 32);
    uint64_t sources = a.sources | b.sources | scale.sources | d.sources;
    if (at->matrix.sparse)
        sources |= machine_source(machine, &at->operands[3], 32).sources;
    for (size_t i = 0; i < at->operands[0].element_count; i++) {
        struct content result = {i == 0 ? add(at, a.value, b.value, d.value) : value_unknown(32),
                                 sources};
        machine_set(machine, &at->operands[0].elements[i], result, TRUE_NOW);
    }
}

static void multiply(struct machine *machine, const struct instruction *at) {
    int issue = thread_issue(machine, at, (int)machine->commits[2]);
    if (issue < 0)
        return;
    machine->path->steps[issue].undefined = lacks_fence(machine, at);
    note_registers(machine, at, issue);
    machine->products->own = true;
    struct content a = first_element(machine, at, 1, (unsigned)issue);
    struct content b = {value_unknown(8), 0};
    if (!machine->stopped)
        b = first_element(machine, at, 2, (unsigned)issue);
    int fence = machine->stopped ? -1 : machine_step(machine, at, ACTION_PROXY_FENCE);
    if (fence >= 0) {
        machine->path->steps[fence].order = ORDER_NONE;
        thread_give(machine, (unsigned)fence, (unsigned)issue, STAGE_READ_FENCE, PROXY_ASYNC);
        accumulate(machine, at, a, b);
    }
    machine->products->own = false;
}

static void fence(struct machine *machine, const struct instruction *at) {
    int step = machine_step(machine, at, ACTION_PRODUCT_FENCE);
    if (step < 0)
        return;
    machine->path->steps[step].order = ORDER_NONE;
    if (!machine->products)
        return;
    machine->products->fences++;
    for (size_t i = 0; i < machine->code->register_count; i++) {
        machine->products->uses[i].touched = false;
        machine->products->uses[i].columns = 0;
    }
}

bool thread_product(struct machine *machine, const struct instruction *at) {
    switch (at->opcode) {
    case OP_WGMMA: multiply(machine, at); return true;
    case OP_WGMMA_FENCE: fence(machine, at); return true;
    default: return false;
    }
}

bool thread_is_product(enum opcode opcode) {
    return opcode == OP_WGMMA || opcode == OP_WGMMA_FENCE;
}
