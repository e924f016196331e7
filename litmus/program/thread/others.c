// Threads that a launch leaves out (memory-model.md section 13): what the threads of the test find
// of their stores. Where these may be, litmus/program/left_out.c finds out before.

#include "litmus/program/builder.h"

#include "litmus/source/arena.h"

#include <assert.h>

bool others_left_out(const struct test *test, int thread) {
    const struct launch *launch = test->threads[thread].launch;
    return launch != NULL && launch->modelled != NULL;
}

unsigned others_block_size(const struct test *test, int thread) {
    const unsigned *block = test->threads[thread].launch->block;
    return block[0] * block[1] * block[2];
}

bool others_give(const struct builder *builder, const struct event *wait) {
    const struct left_stores *stores = builder->left_stores;
    if (stores == NULL || !others_left_out(builder->test, wait->thread))
        return false;
    return stores->gives[wait->instruction->bool_op != BOOL_AND];
}

const struct object *others_object_at(const struct program *program, uint64_t address,
                                      uint64_t size) {
    for (size_t i = 0; i < program->virtual_range_count; i++) {
        const struct virtual_range *range = &program->virtual_ranges[i];
        const struct object *object = &program->objects[range->object];
        if (address >= range->address && address + size <= range->address + object->size)
            return object;
    }
    return NULL;
}

static bool is_local(const struct builder *builder, uint64_t address) {
    const struct object *object = others_object_at(builder->program, address, 1);
    return object != NULL && (object->space == SPACE_LOCAL || object->space == SPACE_PARAM ||
                              object->space == SPACE_CONST);
}

bool others_may_access(const struct builder *builder, const struct left_places *places,
                       uint64_t address, uint64_t size) {
    if (is_local(builder, address))
        return false;
    uint64_t window = program_window(SPACE_SHARED);
    bool shared = address >= window && address - window < PROGRAM_WINDOW_SIZE;
    if (shared ? places->anywhere_shared : places->anywhere_global)
        return true;
    for (size_t i = 0; i < places->count && places->items[i].begin < address + size; i++)
        if (places->items[i].end > address)
            return true;
    return false;
}

bool others_may_store_at(const struct builder *builder, uint64_t address, uint64_t size) {
    const struct left_stores *stores = builder->left_stores;
    return stores != NULL && (others_may_access(builder, &stores->stores, address, size) ||
                              others_may_access(builder, &stores->changes, address, size));
}

// Where a read may be to bytes that such threads may store to (one bit).
static const struct expr *may_be_there(const struct builder *builder, const struct event *read) {
    const struct left_stores *stores = builder->left_stores;
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
    if (builder->unseen != NULL && builder->unseen[read->thread][read->instruction - instructions])
        return NULL;
    const struct expr *there = may_be_there(builder, read);
    if (expr_is_false(there))
        return NULL;
    builder->read_others = true;
    left_out_rely(builder, expr_and(builder->pool, read->executes, there));
    return expr_and(builder->pool, program_value_unknown(builder, 1).bits, there);
}

// The choice is one per cell: a condition may name a location several times, and states show it.
void others_choose_final(struct builder *builder, unsigned cell, struct value *value) {
    assert(cell < builder->program->cell_count);
    if (builder->left_finals == NULL)
        builder->left_finals =
            ARENA_ARRAY(builder->arena, struct value, builder->program->cell_count);
    struct value *final = &builder->left_finals[cell];
    if (final->bits == NULL) {
        final->undef = program_value_unknown(builder, 1).bits;
        final->bits = program_value_unknown(builder, value->bits->width).bits;
    }
    builder->read_others = true;
    value->bits = expr_ite(builder->pool, final->undef, final->bits, value->bits);
    value->undef = expr_or(builder->pool, value->undef, final->undef);
}
