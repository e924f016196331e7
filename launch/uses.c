// What threads do with the registers of their products of matrices (PTX ISA 9.7.15.7): none may be
// used while a product that has it is in flight, nor by a product since the last wgmma.fence. A
// product may use what another one of its shape has summed up.
#include "launch/product.h"

#include "litmus/source/arena.h"

// A register that some product of a thread has.
struct product_register {
    bool is_of_product;
    uint32_t product; // the last one that has it; 0: none so far
    uint32_t fences;  // how many there had been at its last use by anything else, and 1; 0: none
    uint32_t summed;  // the same of its last use as a sum,
    unsigned columns; // of a product with so many columns
};

static bool misuse(struct machine *machine, const struct lane *lane,
                   const struct instruction *instruction, const char *why) {
    return run_misuse(machine, lane, instruction, "wgmma-misuse", why);
}

// --- Of other instructions ---------------------------------------------------------------------

static bool note_register(struct machine *machine, struct lane *lane,
                          const struct instruction *instruction, int reg) {
    struct product_register *use = reg < 0 ? NULL : &lane->products.uses[reg];
    if (use == NULL || !use->is_of_product)
        return true;
    use->fences = lane->products.fences + 1;
    return use->product <= lane->products.waited ||
           misuse(machine, lane, instruction,
                  "a register of a product of matrices is used before a wait for it");
}

bool uses_note(struct machine *machine, struct lane *lane, const struct instruction *instruction) {
    bool is_fine = true;
    for (unsigned i = 0; i < instruction->operand_count && is_fine; i++) {
        const struct operand *operand = &instruction->operands[i];
        for (unsigned k = 0; k < operand_length(operand) && is_fine; k++)
            is_fine = note_register(machine, lane, instruction, operand_element(operand, k)->reg);
    }
    return is_fine;
}

static bool is_of_product(const struct lane *lane, int reg) {
    return reg >= 0 && lane->products.uses[reg].is_of_product;
}

bool uses_some(const struct lane *lane, const struct instruction *instruction) {
    bool some = false;
    for (unsigned i = 0; i < instruction->operand_count && !some; i++) {
        const struct operand *operand = &instruction->operands[i];
        for (unsigned k = 0; k < operand_length(operand); k++)
            some |= is_of_product(lane, operand_element(operand, k)->reg);
    }
    return some;
}

// --- Of products -------------------------------------------------------------------------------

static bool is_unfenced(const struct lane *lane, const struct product_register *use, bool is_sum,
                        unsigned columns) {
    uint32_t since = lane->products.fences + 1;
    return use->fences == since || (use->summed == since && (!is_sum || use->columns != columns));
}

bool uses_note_product(struct machine *machine, struct lane *lane,
                       const struct instruction *instruction) {
    struct lane_products *products = &lane->products;
    if (products->fences == 0)
        return misuse(machine, lane, instruction, "no wgmma.fence is before it");
    for (unsigned k = 0; k < 2; k++) {
        const struct operand *operand = &instruction->operands[k];
        unsigned columns = k == 0 ? instruction->matrix.columns : 0;
        for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++) {
            struct product_register *use = &products->uses[operand->elements[i].reg];
            if (is_unfenced(lane, use, k == 0, columns))
                return misuse(machine, lane, instruction,
                              "a register of it has been used since the last wgmma.fence");
            use->product = products->sequence.started;
            if (k == 0) {
                use->summed = products->fences + 1;
                use->columns = columns;
            } else {
                use->fences = products->fences + 1;
            }
        }
    }
    return true;
}

// --- Beginning ---------------------------------------------------------------------------------

static void mark(struct product_register *uses, const struct operand *operand) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        uses[operand->elements[i].reg].is_of_product = true;
}

static bool is_product(const struct instruction *instruction) {
    return opcode_family(instruction->opcode) == FAMILY_WGMMA &&
           opcode_has(instruction->opcode, TRAIT_PRODUCT);
}

static bool has_products(const struct thread *thread) {
    for (size_t i = 0; i < thread->instruction_count; i++)
        if (is_product(&thread->instructions[i]))
            return true;
    return false;
}

bool uses_start(struct machine *machine, struct lane *lane) {
    const struct thread *thread = lane->thread;
    if (!has_products(thread))
        return false;
    lane->products.uses =
        ARENA_ARRAY(machine->scratch, struct product_register, thread->register_count + 1);
    for (size_t i = 0; i < thread->instruction_count; i++)
        for (unsigned k = 0; is_product(&thread->instructions[i]) && k < 2; k++)
            mark(lane->products.uses, &thread->instructions[i].operands[k]);
    return true;
}
