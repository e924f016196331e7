// Recipes: instructions that were run once on unknown values, so that what they compute is code.
//
// Nothing is said here about any instruction: its function says what it computes, and the
// expression that it makes becomes the code. Where an operand is not known, expressions may still
// be: the code says so only where no operand is known, which is how it was made, or where the
// result is one that may be anything whatever the operands are.
#include "program/thread/recipe.h"

#include "litmus/source/arena.h"
#include "program/expr/code.h"

enum { INPUTS_MAX = 16, OUTPUTS_MAX = 16 };

// A register that is written.
struct recipe_output {
    int reg;
    const struct expr_code *code; // NULL: the instruction itself has to say
    bool is_constant;             // whatever the operands are
    bool is_open;                 // it may be anything, unless perhaps all operands are known
};

struct recipe {
    unsigned input_count, output_count;
    int inputs[INPUTS_MAX]; // registers
    struct recipe_output outputs[OUTPUTS_MAX];
    bool is_coded; // all outputs have code
    bool is_open;  // all are open
    bool is_plain; // none is a constant
    bool moves;    // all are parts of operands, put together
};

// --- Making --------------------------------------------------------------------------------------

static void add_input(struct recipe *recipe, int reg) {
    for (unsigned i = 0; i < recipe->input_count; i++)
        if (recipe->inputs[i] == reg)
            return;
    if (recipe->input_count < INPUTS_MAX)
        recipe->inputs[recipe->input_count] = reg;
    recipe->input_count++;
}

// Adds the registers of a source operand. Returns false where it is of another kind, whose value
// the thread decides.
static bool add_inputs(struct recipe *recipe, const struct operand *operand) {
    bool is_fine = operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_IMMEDIATE ||
                   operand->kind == OPERAND_VECTOR;
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        is_fine &= add_inputs(recipe, &operand->elements[i]);
    if (operand->kind == OPERAND_REGISTER)
        add_input(recipe, operand->reg);
    return is_fine;
}

static void add_outputs(struct recipe *recipe, const struct operand *operand) {
    for (size_t i = 0; operand->kind == OPERAND_VECTOR && i < operand->element_count; i++)
        add_outputs(recipe, &operand->elements[i]);
    if (operand->kind != OPERAND_REGISTER)
        return;
    if (recipe->output_count < OUTPUTS_MAX)
        recipe->outputs[recipe->output_count].reg = operand->reg;
    recipe->output_count++;
}

// Finds the registers of an instruction. Returns false where these are not all that matters.
static bool find_registers(struct recipe *recipe, const struct instruction *instruction) {
    bool is_fine = instruction_defines(instruction) &&
                   !opcode_has(instruction->opcode, TRAIT_PLACED) &&
                   !opcode_has(instruction->opcode, TRAIT_BREAKS);
    for (unsigned i = 1; is_fine && i < instruction->operand_count; i++)
        is_fine = add_inputs(recipe, &instruction->operands[i]);
    if (is_fine)
        add_outputs(recipe, &instruction->operands[0]);
    return is_fine && recipe->input_count <= INPUTS_MAX && recipe->output_count <= OUTPUTS_MAX;
}

// Runs an instruction on unknown values, of which the numbers are those of the inputs. Returns
// false after an error.
static bool run_once(const struct recipe *recipe, struct thread_builder *thread,
                     const struct instruction *instruction, struct arena *arena) {
    struct builder *builder = thread->builder;
    struct diagnostics *diagnostics = builder->diagnostics, ignored;
    diagnostics_init(&ignored, arena);
    builder->diagnostics = &ignored;
    builder->unknown_count = 0;
    for (unsigned i = 0; i < recipe->input_count; i++) {
        int reg = recipe->inputs[i];
        thread->registers[reg] =
            program_value_unknown(builder, thread->thread->registers[reg].width);
        thread->registers[reg].undef = builder->never;
    }
    execute_instruction(thread, instruction);
    builder->diagnostics = diagnostics;
    return ignored.error_count == 0 && builder->program->event_count == 0;
}

// Whether a value is made of parts of unknown ones.
static bool is_moved(const struct expr *bits) {
    switch (bits->op) {
    case EXPR_UNKNOWN: return true;
    case EXPR_EXTRACT: return is_moved(bits->args[0]);
    case EXPR_CONCAT: return is_moved(bits->args[0]) && is_moved(bits->args[1]);
    default: return false;
    }
}

static void add_code(struct recipe *recipe, const struct thread_builder *thread,
                     struct arena *arena) {
    recipe->is_coded = recipe->is_open = recipe->is_plain = recipe->moves = true;
    for (unsigned i = 0; i < recipe->output_count; i++) {
        struct recipe_output *output = &recipe->outputs[i];
        const struct expr *bits = thread->registers[output->reg].bits;
        output->code = expr_code_new(arena, bits, recipe->input_count);
        output->is_open = bits->op == EXPR_UNKNOWN && bits->index >= recipe->input_count;
        output->is_constant = expr_is_const(bits);
        recipe->is_coded &= output->code != NULL;
        recipe->is_open &= output->is_open;
        recipe->is_plain &= !output->is_constant;
        recipe->moves &= is_moved(bits) && !output->is_open;
    }
}

const struct recipe *recipe_new(struct arena *arena, struct thread_builder *thread,
                                const struct instruction *instruction) {
    struct recipe *recipe = ARENA_NEW(arena, struct recipe);
    if (!find_registers(recipe, instruction) || !run_once(recipe, thread, instruction, arena))
        return NULL;
    add_code(recipe, thread, arena);
    return recipe;
}

// --- Running -------------------------------------------------------------------------------------

static void compute(const struct recipe *recipe, struct step_value *registers,
                    enum knowledge knowledge) {
    struct bits128 inputs[INPUTS_MAX], results[OUTPUTS_MAX];
    for (unsigned i = 0; i < recipe->input_count; i++)
        inputs[i] = registers[recipe->inputs[i]].bits;
    for (unsigned i = 0; i < recipe->output_count; i++)
        results[i] = expr_code_value(recipe->outputs[i].code, inputs);
    for (unsigned i = 0; i < recipe->output_count; i++)
        registers[recipe->outputs[i].reg] = (struct step_value){results[i], knowledge};
}

bool recipe_run(const struct recipe *recipe, struct step_value *registers) {
    unsigned known = 0, answers = 0;
    enum knowledge worst = KNOWN;
    for (unsigned i = 0; i < recipe->input_count; i++) {
        enum knowledge knowledge = registers[recipe->inputs[i]].knowledge;
        known += knowledge == KNOWN;
        answers += knowledge == CANCEL_ANSWER;
        worst = knowledge > worst ? knowledge : worst;
    }
    bool are_all = known == recipe->input_count;
    if (worst == UNWRITTEN || (are_all && !recipe->is_coded))
        return false;
    if (are_all || (answers == recipe->input_count && recipe->moves && recipe->is_coded)) {
        compute(recipe, registers, worst);
        return true;
    }
    if (!recipe->is_open && !(known == 0 && recipe->is_plain))
        return false;
    for (unsigned i = 0; i < recipe->output_count; i++)
        registers[recipe->outputs[i].reg] = (struct step_value){{0, 0}, worst};
    return true;
}
