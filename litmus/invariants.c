// What test.h and its parts say of every test, as assertions.
#include "litmus/invariants.h"

#include "litmus/test.h"

#include <assert.h>

#ifdef NDEBUG
void test_assert(const struct test *test) {
    (void)test;
}
#else

// -1: none.
static bool is_variable(const struct test *test, int variable) {
    return variable >= -1 && variable < (int)test->variable_count;
}

static bool is_register(const struct thread *thread, int reg) {
    return reg >= -1 && reg < (int)thread->register_count;
}

// --- Variables -----------------------------------------------------------------------------------

static void assert_variable(const struct test *test, const struct variable *variable) {
    int index = (int)(variable - test->variables);
    assert(variable->element_count >= 1);
    assert(variable->is_array || variable->element_count == 1);
    assert(variable->alignment > 0 && (variable->alignment & (variable->alignment - 1)) == 0);
    assert(scalar_type_bits(variable->type) >= 8);
    assert(variable->space != SPACE_GENERIC && variable->space != SPACE_SHARED_CLUSTER);
    assert(variable->alias_of >= -1 && variable->alias_of < index);
    assert(variable->alias_of < 0 || variable->alias_proxy == PROXY_GENERIC ||
           proxy_has(variable->alias_proxy, PROXY_ALIASES));
    assert(variable->body <= test->thread_count);
    for (size_t i = 0; variable->has_initial && i < variable->element_count; i++)
        assert(is_variable(test, variable->initial[i].variable));
}

// --- Threads -------------------------------------------------------------------------------------

static void assert_operand(const struct test *test, const struct thread *thread,
                           const struct operand *operand) {
    assert(is_variable(test, operand->variable));
    assert(is_register(thread, operand->reg));
    switch (operand->kind) {
    case OPERAND_REGISTER: assert(operand->reg >= 0); break;
    case OPERAND_ADDRESS: assert(operand->variable >= 0); break;
    case OPERAND_MEMORY: assert(operand->reg < 0 || operand->variable < 0); break;
    case OPERAND_LABEL:
        assert(operand->label >= 0 && operand->label < (int)thread->label_count);
        break;
    case OPERAND_SPECIAL: assert(operand->member < 4); break;
    case OPERAND_VECTOR:
        for (size_t i = 0; i < operand->element_count; i++) {
            assert(operand->elements[i].kind != OPERAND_VECTOR);
            assert_operand(test, thread, &operand->elements[i]);
        }
        break;
    case OPERAND_IMMEDIATE:
    case OPERAND_SINK: break;
    }
}

static void assert_instruction(const struct test *test, const struct thread *thread,
                               const struct instruction *instruction) {
    unsigned effects = opcode_effects(instruction->opcode);
    assert((unsigned)instruction->opcode < OPCODE_COUNT);
    assert(is_register(thread, instruction->guard));
    assert(instruction->operand_count <= INSTRUCTION_OPERANDS);
    assert(instruction->vector == 1 || instruction->vector == 2 || instruction->vector == 4 ||
           instruction->vector == 8);
    assert(((effects & EFFECT_BARRIER) != 0) == (instruction->barrier != BARRIER_NONE));
    assert(instruction->order != ORDER_WEAK || instruction->scope == SCOPE_NONE);
    assert(!instruction_defines(instruction) || instruction->operand_count > 0);
    for (unsigned i = 0; i < instruction->operand_count; i++)
        assert_operand(test, thread, &instruction->operands[i]);
    if (effects & EFFECT_JUMPS)
        assert(instruction_target(thread, instruction) <= thread->instruction_count);
}

static void assert_thread(const struct test *test, const struct thread *thread) {
    for (size_t i = 0; i < thread->register_count; i++) {
        assert(is_variable(test, thread->registers[i].initial_variable));
        assert(thread->registers[i].width >= 1 && thread->registers[i].width <= 128);
    }
    for (size_t i = 0; i < thread->label_count; i++)
        assert(thread->labels[i].target <= thread->instruction_count);
    for (size_t i = 0; i < thread->instruction_count; i++)
        assert_instruction(test, thread, &thread->instructions[i]);
    assert(!thread->place.host || !thread->place.has_cluster);
}

// --- Conditions ----------------------------------------------------------------------------------

static void assert_term(const struct test *test, const struct term *term) {
    if (term->kind == TERM_CONSTANT)
        return;
    if (term->kind == TERM_REGISTER) {
        assert(term->thread >= 0 && (size_t)term->thread < test->thread_count);
        assert(term->reg >= 0);
        assert((size_t)term->reg < test->threads[term->thread].register_count);
        return;
    }
    assert(term->variable >= 0 && (size_t)term->variable < test->variable_count);
    assert(term->element < test->variables[term->variable].element_count);
    assert(!term->has_instance || test->variables[term->variable].space == SPACE_SHARED ||
           test->variables[term->variable].space == SPACE_TENSOR);
}

static void assert_condition(const struct test *test, const struct condition *condition) {
    switch (condition->kind) {
    case CONDITION_TRUE:
    case CONDITION_FALSE: break;
    case CONDITION_AND:
    case CONDITION_OR: assert_condition(test, condition->right); // fall through
    case CONDITION_NOT: assert_condition(test, condition->left); break;
    case CONDITION_COMPARE:
        assert(condition->compare >= COMPARE_EQ && condition->compare <= COMPARE_GE);
        assert_term(test, &condition->lhs);
        assert_term(test, &condition->rhs);
        break;
    }
}

static void assert_expected(const struct test *test) {
    for (size_t i = 0; i < test->expected_count; i++) {
        assert((unsigned)test->expected[i].what < EXPECTATION_COUNT);
        for (size_t k = 0; k < i; k++) // at most EXPECTATION_COUNT
            assert(test->expected[k].what != test->expected[i].what);
    }
}

// --- All of it -----------------------------------------------------------------------------------

void test_assert(const struct test *test) {
    assert(test->source != NULL && test->name != NULL && test->description != NULL);
    assert(test->thread_count > 0);
    assert(test->condition != NULL);
    for (size_t i = 0; i < test->variable_count; i++)
        assert_variable(test, &test->variables[i]);
    for (size_t i = 0; i < test->thread_count; i++)
        assert_thread(test, &test->threads[i]);
    for (size_t i = 0; i < test->location_count; i++) {
        assert(test->locations[i].kind == TERM_REGISTER ||
               test->locations[i].kind == TERM_LOCATION);
        assert_term(test, &test->locations[i]);
    }
    assert_condition(test, test->condition);
    if (test->filter != NULL)
        assert_condition(test, test->filter);
    assert_expected(test);
    for (size_t i = 0; i < test->need_count; i++) {
        assert(test->needs[i].ptx > 0 || test->needs[i].sm > 0);
        assert(test->needs[i].words != NULL);
    }
}
#endif
