// Names and the blocks that they belong to: which register or label a word means at its place.
//
// `{ ... }` inside a body is a scope (PTX ISA 4.2): registers declared and labels defined in it are
// its own, and hide those of the blocks around it. They have no name in the test's tables, so that
// a condition means the registers of the body itself.
#include "litmus/ptx/body.h"
#include "litmus/ptx/registers.h"

#include "litmus/names/table.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

enum { BLOCKS_MAX = 10000, LOCALS_MAX = 1000, NO_BLOCK = -1 };

// --- Variables ---------------------------------------------------------------------------------

static const struct variable_binding *find_binding(const struct body *body, const char *name) {
    for (size_t i = body->binding_count; i > 0; i--) {
        const struct variable_binding *binding = &body->bindings[i - 1];
        if (binding->depth >= body->call_depth && strcmp(binding->name, name) == 0)
            return binding;
    }
    return NULL;
}

int ptx_find_variable(const struct body *body, const char *name) {
    const struct test *test = body->reader->test;
    const struct variable_binding *binding = find_binding(body, name);
    if (binding)
        return binding->variable;
    int found = reader_variable(body->reader, name);
    unsigned own = (unsigned)(body->thread - test->threads) + 1;
    if (found < 0 || test->variables[found].body == 0)
        return found;
    return test->variables[found].body == own && body->call_depth == 0 ? found : -1;
}

void ptx_bind_variable(struct body *body, const char *name, int variable, enum variable_role role) {
    ARENA_APPEND(body->arena, body->bindings, body->binding_count,
                 (struct variable_binding){
                     .name = name, .variable = variable, .role = role, .depth = body->depth});
}

enum variable_role ptx_variable_role(const struct body *body, const char *name) {
    const struct variable_binding *binding = find_binding(body, name);
    return binding ? binding->role : ROLE_VARIABLE;
}

// --- Registers ---------------------------------------------------------------------------------

struct register_facts *ptx_register_facts(struct body *body, int reg) {
    while (body->register_fact_count <= (size_t)reg)
        ARENA_APPEND(body->arena, body->register_facts, body->register_fact_count,
                     (struct register_facts){0});
    return &body->register_facts[reg];
}

// The number after a prefix, without leading zeros: 12 for "%r12" and "%r". Returns false for
// anything else.
static bool range_number(const char *name, const char *prefix, uint64_t *number) {
    name = test_register_key(name);
    prefix = test_register_key(prefix);
    size_t length = strlen(prefix);
    if (strncmp(name, prefix, length) != 0)
        return false;
    const char *digits = name + length;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > 18 || digits[count] != '\0' || (digits[0] == '0' && count > 1))
        return false;
    *number = 0;
    for (size_t i = 0; i < count; i++)
        *number = *number * 10 + (uint64_t)(digits[i] - '0');
    return true;
}

const struct register_range *ptx_register_range(const struct body *body, const char *name) {
    uint64_t number;
    for (size_t i = body->range_count; i > 0; i--) {
        const struct register_range *range = &body->ranges[i - 1];
        if (range_number(name, range->prefix, &number) && number < range->count)
            return range;
    }
    return NULL;
}

struct register_name ptx_find_register(const struct body *body, const char *name) {
    struct register_name found = {.reg = -1};
    const char *key = test_register_key(name);
    unsigned depth = 0;
    for (size_t i = 0; i < body->local_count; i++) {
        const struct local_register *local = &body->locals[i];
        if (local->depth >= depth && local->depth >= body->call_depth &&
            strcmp(local->key, key) == 0) {
            found.reg = local->reg;
            depth = local->depth;
        }
    }
    const struct register_range *range = ptx_register_range(body, name);
    if (range && range->depth < body->call_depth)
        range = NULL;
    if (range && range->depth > 0 && (found.reg < 0 || range->depth > depth))
        return (struct register_name){.reg = -1, .range = range};
    if (found.reg >= 0)
        return found;
    if (body->call_depth == 0)
        found.reg = reader_find_register(body->thread, name);
    if (found.reg < 0)
        found.range = range;
    return found;
}

// The function's list is for those who write it: a register of each name, declared or not.
static void note_register(struct body *body, const char *name, unsigned width, bool is_declared) {
    struct function *function = body->function;
    const char *key = test_register_key(name);
    for (size_t i = 0; i < function->register_count; i++)
        if (function->registers[i].is_declared == is_declared &&
            strcmp(function->registers[i].name, key) == 0)
            return;
    ARENA_APPEND(
        body->arena, function->registers, function->register_count,
        (struct function_register){.name = key, .width = width, .is_declared = is_declared});
}

// Makes a register known in the block of this depth alone. Returns its index, or -1 after an error.
static int add_local_register(struct body *body, const char *name, struct span span, unsigned width,
                              unsigned depth) {
    assert(span.begin <= span.end);
    // No word has a '@', so this is new.
    const char *key = arena_format(body->arena, "%s@%zu", name, body->thread->register_count);
    int index = reader_named_register(body->reader, body->thread, key, span, width);
    body->thread->registers[index].name = name;
    if (body->local_count == LOCALS_MAX) {
        diag_error(body->diagnostics, span, "more than %d registers are declared in open blocks",
                   LOCALS_MAX);
        return -1;
    }
    ARENA_APPEND(
        body->arena, body->locals, body->local_count,
        (struct local_register){.key = test_register_key(name), .reg = index, .depth = depth});
    return index;
}

int ptx_add_function_register(struct body *body, const char *name, struct span span,
                              unsigned width) {
    assert(span.begin <= span.end);
    note_register(body, name, width, false);
    return add_local_register(body, name, span, width, body->call_depth);
}

int ptx_declare_register(struct body *body, const char *name, struct span span,
                         enum scalar_type type, unsigned depth) {
    assert(span.begin <= span.end);
    assert((unsigned)type <= TYPE_F64);
    unsigned width = scalar_type_bits(type);
    if (body->function)
        note_register(body, name, width, true);
    int index = depth > 0 ? add_local_register(body, name, span, width, depth)
                          : reader_named_register(body->reader, body->thread, name, span, width);
    if (index < 0)
        return -1;
    body->thread->registers[index].type = type;
    ptx_register_facts(body, index)->declared = true;
    return index;
}

const char *ptx_vector_element(const struct body *body, const char *name, unsigned member) {
    return arena_format(body->arena, "%s.%c", name, "xyzw"[member]);
}

int ptx_vector_size(const struct body *body, const char *name) {
    static const int sizes[] = {4, 2};
    for (size_t i = 0; i < 2; i++) {
        const char *last = ptx_vector_element(body, name, (unsigned)sizes[i] - 1);
        if (ptx_find_register(body, last).reg >= 0)
            return sizes[i];
    }
    return 0;
}

// What the innermost block declared is out of reach from now on.
static void close_registers(struct body *body) {
    size_t kept = 0;
    for (size_t i = 0; i < body->local_count; i++)
        if (body->locals[i].depth < body->depth)
            body->locals[kept++] = body->locals[i];
    body->local_count = kept;
    while (body->binding_count > 0 && body->bindings[body->binding_count - 1].depth == body->depth)
        body->binding_count--;
    while (body->range_count > 0 && body->ranges[body->range_count - 1].depth == body->depth)
        body->range_count--;
}

// --- Labels ------------------------------------------------------------------------------------

static int current_block(const struct body *body) {
    return body->depth ? body->blocks[body->depth - 1].number : 0;
}

static const char *label_key(struct body *body, const char *name, int block) {
    return arena_format(body->arena, "%d:%s", block, name);
}

static int label_in(struct body *body, const char *name, int block) {
    return body->label_names ? name_table_find(body->label_names, label_key(body, name, block))
                             : -1;
}

int ptx_label(struct body *body, const struct token *token) {
    struct thread *thread = body->thread;
    const char *name = token_text(body->arena, token);
    int block = current_block(body), known = label_in(body, name, block);
    if (known >= 0)
        return known;
    if (!body->label_names)
        body->label_names = name_table_new(body->arena);
    name_table_add(body->label_names, label_key(body, name, block), (int)thread->label_count);
    body->label_facts =
        arena_grow(body->arena, body->label_facts, thread->label_count, sizeof(struct label_facts));
    body->label_facts[thread->label_count] =
        (struct label_facts){.first_use = token->span, .block = block, .outer = -1};
    ARENA_APPEND(body->arena, thread->labels, thread->label_count,
                 (struct label){.name = name, .span = token->span});
    return (int)thread->label_count - 1;
}

int ptx_new_label(struct body *body, struct span span) {
    assert(span.begin <= span.end);
    struct thread *thread = body->thread;
    body->label_facts =
        arena_grow(body->arena, body->label_facts, thread->label_count, sizeof(struct label_facts));
    body->label_facts[thread->label_count] =
        (struct label_facts){.defined = true, .first_use = span, .block = NO_BLOCK, .outer = -1};
    const char *name = arena_format(body->arena, "$call%zu", thread->label_count);
    ARENA_APPEND(body->arena, thread->labels, thread->label_count,
                 (struct label){.name = name, .span = span});
    return (int)thread->label_count - 1;
}

void ptx_place_label(struct body *body, int label) {
    body->thread->labels[label].target = body->thread->instruction_count;
}

void ptx_define_label(struct body *body, const struct token *token) {
    int index = ptx_label(body, token);
    struct label *label = &body->thread->labels[index];
    if (body->label_facts[index].defined) {
        struct position place = source_position(label->span.source, label->span.begin);
        diag_error(body->diagnostics, token->span, "label '%s' is defined twice", label->name);
        diag_hint(body->diagnostics, "the first definition is on line %u, column %u", place.line,
                  place.column);
        return;
    }
    body->label_facts[index].defined = true;
    label->span = token->span;
    label->target = body->thread->instruction_count;
}

static void error_no_label(struct body *body, size_t index) {
    const struct thread *thread = body->thread;
    const char *name = thread->labels[index].name;
    diag_error(body->diagnostics, body->label_facts[index].first_use, "there is no label '%s'",
               name);
    if (!diag_kept(body->diagnostics)) // the hint would not be seen
        return;
    const char *names[100];
    size_t count = 0;
    for (size_t i = 0; i < thread->label_count && count < 100; i++)
        if (body->label_facts[i].defined)
            names[count++] = thread->labels[i].name;
    const char *nearest = diag_nearest(name, strlen(name), names, count);
    if (nearest && strcmp(nearest, name) == 0)
        diag_hint(body->diagnostics, "the label of that name belongs to another block");
    else
        diag_suggest(body->diagnostics, nearest);
}

// A label that the innermost block uses and does not define is one of the block around it.
static void close_labels(struct body *body, int block) {
    int around = body->depth > 1 ? body->blocks[body->depth - 2].number : 0;
    for (size_t i = body->blocks[body->depth - 1].first_label; i < body->thread->label_count; i++) {
        struct label_facts *facts = &body->label_facts[i];
        if (facts->block != block)
            continue;
        facts->block = NO_BLOCK;
        if (facts->defined)
            continue;
        const char *name = body->thread->labels[i].name;
        if (body->blocks[body->depth - 1].is_call) {
            error_no_label(body, i);
            facts->defined = true;
            continue;
        }
        facts->outer = label_in(body, name, around);
        if (facts->outer >= 0)
            continue;
        facts->block = around;
        name_table_add(body->label_names, label_key(body, name, around), (int)i);
    }
}

void ptx_finish_labels(struct body *body) {
    for (size_t i = 0; i < body->thread->label_count; i++) {
        size_t meant = i;
        while (body->label_facts[meant].outer >= 0)
            meant = (size_t)body->label_facts[meant].outer;
        body->thread->labels[i].target = body->thread->labels[meant].target;
        if (meant == i && !body->label_facts[i].defined)
            error_no_label(body, i);
    }
}

// --- Blocks ------------------------------------------------------------------------------------

void ptx_enter_block(struct body *body, struct span span, bool is_call) {
    assert(span.begin <= span.end);
    if (body->block_number == BLOCKS_MAX)
        diag_error(body->diagnostics, span, "a body has at most %d blocks", BLOCKS_MAX);
    ARENA_APPEND(
        body->arena, body->blocks, body->depth,
        (struct body_block){.number = body->block_number < BLOCKS_MAX ? ++body->block_number : 0,
                            .opener = span,
                            .first_label = body->thread->label_count,
                            .is_call = is_call});
}

void ptx_open_block(struct body *body) {
    ptx_enter_block(body, body->at->span, false);
    body->at++;
}

void ptx_leave_block(struct body *body) {
    close_registers(body);
    if (current_block(body) != 0)
        close_labels(body, current_block(body));
    body->depth--;
}

// A function's body has a block of its own, which only its end closes: where an error swallowed a
// '{', there is a '}' too many.
void ptx_close_block(struct body *body) {
    if (body->depth == 0 || body->blocks[body->depth - 1].is_call)
        diag_error(body->diagnostics, body->at->span, "this '}' has no '{' before it");
    else
        ptx_leave_block(body);
    body->at++;
}

void ptx_finish_blocks(struct body *body) {
    if (body->depth > 0)
        diag_error(body->diagnostics, body->blocks[body->depth - 1].opener,
                   "this '{' is never closed");
}
