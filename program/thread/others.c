// Threads that a launch leaves out (memory-model section 13): what the threads of the test find
// of their stores. Where these may be, program/left_out.c finds out before.

#include "program/builder.h"
#include "program/left_out.h"
#include "program/thread/others.h"
#include "program/thread/values.h"

#include "litmus/source/arena.h"

#include <assert.h>

bool others_left_out(const struct test *test, int thread) {
    const struct launch *launch = test->threads[thread].launch;
    return launch != NULL && launch->modelled != NULL;
}

unsigned others_block_size(const struct test *test, int thread) {
    return launch_block_size(test->threads[thread].launch);
}

bool others_give(const struct builder *builder, const struct event *wait) {
    const struct left_stores *stores = builder->plan->left_stores;
    if (stores == NULL || !others_left_out(builder->test, wait->thread))
        return false;
    return stores->gives[wait->instruction->bool_op != BOOL_AND];
}

bool others_may_store_at(const struct builder *builder, uint64_t address, uint64_t size) {
    const struct left_stores *stores = builder->plan->left_stores;
    return stores != NULL && (left_places_contain(builder, &stores->stores, address, size) ||
                              left_places_contain(builder, &stores->changes, address, size));
}

void left_out_rely(struct builder *builder, const struct expr *condition) {
    assert(condition->width == 1);
    struct program *program = builder->program;
    program->relies = expr_or(builder->pool, program->relies, condition);
}

// Where a read may be to bytes that such threads may store to (one bit).
static const struct expr *may_be_there(const struct builder *builder, const struct event *read) {
    const struct left_stores *stores = builder->plan->left_stores;
    enum state_space space = read->instruction->space;
    if (stores == NULL || space == SPACE_LOCAL || space == SPACE_PARAM || space == SPACE_CONST)
        return builder->never;
    return expr_or(builder->pool,
                   left_places_meet(builder, &stores->stores, read->address, read->size),
                   left_places_meet(builder, &stores->changes, read->address, read->size));
}

bool others_may_give(const struct builder *builder, const struct event *read) {
    return !expr_is_false(may_be_there(builder, read));
}

const struct expr *others_choose(struct builder *builder, const struct event *read) {
    const struct instruction *instructions = builder->test->threads[read->thread].instructions;
    if (builder->plan->unseen != NULL &&
        builder->plan->unseen[read->thread][read->instruction - instructions])
        return NULL;
    const struct expr *there = may_be_there(builder, read);
    if (expr_is_false(there))
        return NULL;
    builder->others.read = true;
    left_out_rely(builder, expr_and(builder->pool, read->executes, there));
    return expr_and(builder->pool, program_value_unknown(builder, 1).bits, there);
}

// The choice is one per cell: a condition may name a location several times, and states show it.
void others_choose_final(struct builder *builder, unsigned cell, struct value *value) {
    assert(cell < builder->program->memory.cell_count);
    if (builder->others.finals == NULL)
        builder->others.finals =
            ARENA_ARRAY(builder->arena, struct value, builder->program->memory.cell_count);
    struct value *final = &builder->others.finals[cell];
    if (final->bits == NULL) {
        final->undef = program_value_unknown(builder, 1).bits;
        final->bits = program_value_unknown(builder, value->bits->width).bits;
    }
    builder->others.read = true;
    value->bits = expr_ite(builder->pool, final->undef, final->bits, value->bits);
    value->undef = expr_or(builder->pool, value->undef, final->undef);
}
