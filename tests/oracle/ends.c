// ptxlitmus-ends: whether a test ends under a promise of forward progress, by a search of all its
// states; and random tests for it.
//
//   ptxlitmus-ends --progress cuda|fair|hsa|hsa_obe|obe|lobe|unfair FILE...
//   ptxlitmus-ends --generate SEED COUNT FOLDER
//   ptxlitmus-ends --generate-fenced SEED COUNT FOLDER
//
// Memory is sequentially consistent, and threads take one instruction at a time. A test may go on
// for ever if some state is reached in which no thread can go on and some have not ended, or if
// some states lead to each other (a strongly connected component) in which each thread that the
// promise serves takes a step or waits at a barrier: going round all of them for ever is a run that
// keeps the promise. What is printed for each file is its path and "always" or "maybe"; or
// "unsupported", where the test has more than 32-bit loads, stores, exch, cas and add of whole
// variables, fences, some computation, bra and bar.sync of whole CTAs.
//
// Fenced tests have a fence.sc after each access and no barriers, so that under the model of PTX,
// too, their accesses take effect one after the other.
#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/source.h"
#include "litmus/test.h"
#include "tests/oracle/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, REGISTERS = 12, VARIABLES = 4, STATES = 1 << 18, TABLE = 1 << 20 };

struct thread_state {
    unsigned char pc, begun, ended, waits; // waits: 1 + the barrier
    uint32_t registers[REGISTERS];
};
struct state { // without padding: states are compared as bytes
    struct thread_state threads[THREADS];
    uint32_t memory[VARIABLES];
};

// A state in the graph, with what Tarjan's algorithm needs.
struct node {
    struct state state;
    unsigned index, low, next_thread;
    bool on_stack;
    int component;
    int parent;
    int targets[THREADS]; // by the thread that steps; -1 where it cannot
};

struct search {
    const struct test *test;
    const char *progress;
    struct node *nodes;
    int *table, *stack;
    int count, stack_count, components;
    unsigned indices;
    bool unsupported;
};

// --- Steps ---------------------------------------------------------------------------------------

static uint32_t operand_value(struct search *s, const struct thread_state *thread,
                              const struct operand *operand) {
    if (operand->kind == OPERAND_IMMEDIATE)
        return (uint32_t)operand->immediate.low;
    if (operand->kind == OPERAND_REGISTER && operand->reg < REGISTERS)
        return thread->registers[operand->reg];
    s->unsupported = true;
    return 0;
}

static uint32_t *variable_of(struct search *s, struct state *state, const struct operand *operand) {
    if (operand->kind != OPERAND_MEMORY || operand->variable < 0 || operand->offset != 0 ||
        operand->variable >= VARIABLES) {
        s->unsupported = true;
        return &state->memory[0];
    }
    return &state->memory[operand->variable];
}

static bool same_cta(const struct search *s, size_t a, size_t b) {
    return test_same_cta(&s->test->threads[a].place, &s->test->threads[b].place);
}

// Lets the threads of a CTA leave a barrier at which all that have not ended wait.
static void release(struct search *s, struct state *state, size_t thread) {
    unsigned char barrier = 0;
    for (size_t i = 0; i < s->test->thread_count; i++) {
        if (!same_cta(s, i, thread) || state->threads[i].ended)
            continue;
        if (state->threads[i].waits == 0 || (barrier != 0 && state->threads[i].waits != barrier))
            return;
        barrier = state->threads[i].waits;
    }
    for (size_t i = 0; i < s->test->thread_count; i++)
        if (same_cta(s, i, thread))
            state->threads[i].waits = 0;
}

static bool compare(struct search *s, const struct instruction *at, uint32_t a, uint32_t b) {
    bool is_unsigned = at->type == TYPE_U32;
    switch (at->compute.compare) {
    case COMPARE_EQ: return a == b;
    case COMPARE_NE: return a != b;
    case COMPARE_LT: return is_unsigned ? a < b : (int32_t)a < (int32_t)b;
    case COMPARE_GE: return is_unsigned ? a >= b : (int32_t)a >= (int32_t)b;
    default: s->unsupported = true; return false;
    }
}

static uint32_t compute(struct search *s, enum opcode opcode, uint32_t a, uint32_t b) {
    switch (opcode) {
    case OP_ADD: return a + b;
    case OP_AND: return a & b;
    case OP_XOR: return a ^ b;
    case OP_MIN: return a < b ? a : b;
    case OP_SHL: return b < 32 ? a << b : 0;
    default: s->unsupported = true; return 0;
    }
}

static void set_register(struct search *s, struct thread_state *thread,
                         const struct operand *operand, uint32_t value) {
    if (operand->kind != OPERAND_REGISTER || operand->reg >= REGISTERS)
        s->unsupported = true;
    else
        thread->registers[operand->reg] = value;
}

// d, [a], b{, c}; a red has no d.
static void modify_memory(struct search *s, struct state *state, struct thread_state *thread,
                          const struct instruction *at) {
    const struct operand *operands = &at->operands[at->opcode == OP_ATOM ? 1 : 0];
    uint32_t *place = variable_of(s, state, &operands[0]), old = *place;
    uint32_t value = operand_value(s, thread, &operands[1]);
    switch (at->atomic) {
    case ATOMIC_EXCH: *place = value; break;
    case ATOMIC_ADD: *place = old + value; break;
    case ATOMIC_CAS: *place = old == value ? operand_value(s, thread, &operands[2]) : old; break;
    default: s->unsupported = true;
    }
    if (at->opcode == OP_ATOM)
        set_register(s, thread, &at->operands[0], old);
}

static void execute(struct search *s, struct state *state, size_t index,
                    const struct instruction *at) {
    struct thread_state *thread = &state->threads[index];
    const struct thread *text = &s->test->threads[index];
    const struct operand *operands = at->operands;
    thread->pc++;
    s->unsupported = s->unsupported || at->bool_op != BOOL_NONE || at->vector > 1;
    switch (at->opcode) {
    case OP_LD: set_register(s, thread, &operands[0], *variable_of(s, state, &operands[1])); break;
    case OP_ST:
        *variable_of(s, state, &operands[0]) = operand_value(s, thread, &operands[1]);
        break;
    case OP_ATOM:
    case OP_RED: modify_memory(s, state, thread, at); break;
    case OP_SETP:
        set_register(s, thread, &operands[0],
                     compare(s, at, operand_value(s, thread, &operands[1]),
                             operand_value(s, thread, &operands[2])));
        break;
    case OP_MOV:
        set_register(s, thread, &operands[0], operand_value(s, thread, &operands[1]));
        break;
    case OP_FENCE:
    case OP_GRID_WAIT:
    case OP_GRID_LAUNCH:
    case OP_SETMAXNREG:
    case OP_HINT: break; // memory is sequentially consistent as it is
    case OP_BRA: thread->pc = (unsigned char)instruction_target(text, at); break;
    case OP_BAR:
        if (at->barrier != BARRIER_SYNC || at->operand_count != 1)
            s->unsupported = true;
        thread->waits = (unsigned char)(1 + operand_value(s, thread, &operands[0]));
        break;
    case OP_ST_BULK:
    case OP_MULTIMEM_LD:
    case OP_MULTIMEM_ST:
    case OP_MULTIMEM_RED:
    case OP_WARP: s->unsupported = true; break;
    default:
        set_register(s, thread, &operands[0],
                     compute(s, at->opcode, operand_value(s, thread, &operands[1]),
                             operand_value(s, thread, &operands[2])));
    }
}

// One instruction of a thread. False when it cannot go on.
static bool step(struct search *s, const struct state *from, size_t index, struct state *to) {
    const struct thread *text = &s->test->threads[index];
    struct thread_state *thread = &to->threads[index];
    *to = *from;
    if (thread->ended || thread->waits)
        return false;
    thread->begun = 1;
    const struct instruction *at = &text->instructions[thread->pc];
    if (at->guard >= REGISTERS)
        s->unsupported = true;
    else if (at->guard >= 0 && (thread->registers[at->guard] != 0) == at->guard_negated)
        thread->pc++;
    else
        execute(s, to, index, at);
    thread->ended = thread->pc == text->instruction_count && thread->waits == 0;
    release(s, to, index);
    for (size_t i = 0; i < s->test->thread_count; i++)
        if (to->threads[i].pc == s->test->threads[i].instruction_count && !to->threads[i].waits)
            to->threads[i].ended = 1;
    release(s, to, index);
    return true;
}

// --- The graph -----------------------------------------------------------------------------------

static int add_node(struct search *s, const struct state *state) {
    uint64_t hash = 1469598103934665603u;
    for (size_t i = 0; i < sizeof *state; i++)
        hash = (hash ^ ((const unsigned char *)state)[i]) * 1099511628211u;
    size_t slot = (size_t)(hash % TABLE);
    for (; s->table[slot] != 0; slot = (slot + 1) % TABLE)
        if (memcmp(&s->nodes[s->table[slot] - 1].state, state, sizeof *state) == 0)
            return s->table[slot] - 1;
    if (s->count == STATES) {
        s->unsupported = true;
        return 0;
    }
    s->nodes[s->count] = (struct node){.state = *state, .component = -1, .parent = -1};
    s->table[slot] = ++s->count;
    return s->count - 1;
}

static bool in_group(const struct search *s, size_t thread, size_t other) {
    return strcmp(s->progress, "cuda") == 0
               ? test_same_cluster(&s->test->threads[thread].place, &s->test->threads[other].place)
               : thread == other;
}

static bool has_begun(const struct search *s, const struct state *state, size_t thread) {
    for (size_t i = 0; i < s->test->thread_count; i++)
        if (in_group(s, thread, i) && state->threads[i].begun)
            return true;
    return false;
}

// Whether the promise serves a thread that has not ended, in a state to which the run returns.
static bool is_served(const struct search *s, const struct state *state, size_t thread) {
    const char *name = s->progress;
    bool lowest = true, higher = false;
    for (size_t i = 0; i < thread; i++)
        lowest = lowest && state->threads[i].ended;
    for (size_t i = thread; i < s->test->thread_count; i++)
        higher = higher || state->threads[i].begun;
    if (strcmp(name, "fair") == 0 || (strcmp(name, "cuda") == 0 && s->test->is_cooperative))
        return true;
    if (strcmp(name, "hsa") == 0)
        return lowest;
    if (strcmp(name, "lobe") == 0)
        return higher;
    if (strcmp(name, "hsa_obe") == 0)
        return lowest || has_begun(s, state, thread);
    return strcmp(name, "unfair") != 0 && has_begun(s, state, thread);
}

// Whether a run can stay in a component for ever: its nodes are on the stack, from `first` on.
static bool can_stay(const struct search *s, int first, int component) {
    bool steps[THREADS] = {false}, any = false;
    for (int i = first; i < s->stack_count; i++)
        for (size_t t = 0; t < s->test->thread_count; t++) {
            int target = s->nodes[s->stack[i]].targets[t];
            if (target >= 0 && s->nodes[target].component == component)
                steps[t] = any = true;
        }
    const struct state *state = &s->nodes[s->stack[first]].state;
    for (size_t t = 0; t < s->test->thread_count; t++)
        if (!steps[t] && !state->threads[t].ended && !state->threads[t].waits &&
            is_served(s, state, t))
            return false;
    return any;
}

static bool is_stuck(const struct search *s, const struct node *node) {
    bool live = false;
    for (size_t t = 0; t < s->test->thread_count; t++) {
        if (node->targets[t] >= 0)
            return false;
        live = live || !node->state.threads[t].ended;
    }
    return live;
}

static void enter(struct search *s, int at, int parent) {
    struct node *node = &s->nodes[at];
    node->index = node->low = ++s->indices;
    node->parent = parent;
    node->on_stack = true;
    s->stack[s->stack_count++] = at;
    for (size_t t = 0; t < s->test->thread_count; t++) {
        struct state next;
        int target = step(s, &s->nodes[at].state, t, &next) ? add_node(s, &next) : -1;
        s->nodes[at].targets[t] = target;
    }
}

// All states that a node leads to are known: closes its component, if it is the first of one.
// Returns whether a run can stay there.
static bool leave(struct search *s, int at) {
    struct node *node = &s->nodes[at];
    int first = s->stack_count;
    if (node->parent >= 0 && node->low < s->nodes[node->parent].low)
        s->nodes[node->parent].low = node->low;
    if (node->low != node->index)
        return false;
    do {
        first--;
        s->nodes[s->stack[first]].component = s->components;
        s->nodes[s->stack[first]].on_stack = false;
    } while (s->stack[first] != at);
    bool stays = can_stay(s, first, s->components);
    s->components++;
    s->stack_count = first;
    return stays;
}

// Tarjan's algorithm, without recursion. Returns whether some run never ends.
static bool search(struct search *s, int at) {
    enter(s, at, -1);
    while (at >= 0 && !s->unsupported) {
        struct node *node = &s->nodes[at];
        if (node->next_thread == 0 && is_stuck(s, node))
            return true;
        if (node->next_thread == s->test->thread_count) {
            int parent = node->parent;
            if (leave(s, at))
                return true;
            at = parent;
            continue;
        }
        int target = node->targets[node->next_thread++];
        if (target < 0)
            continue;
        struct node *next = &s->nodes[target];
        if (next->index == 0) {
            enter(s, target, at);
            at = target;
        } else if (next->on_stack && next->index < node->low) {
            node->low = next->index;
        }
    }
    return false;
}

static const char *decide(const struct test *test, const char *progress) {
    struct search s = {.test = test, .progress = progress};
    struct state start;
    if (test->thread_count > THREADS || test->variable_count > VARIABLES)
        return "unsupported";
    s.nodes = calloc(STATES, sizeof *s.nodes);
    s.table = calloc(TABLE, sizeof *s.table);
    s.stack = calloc(STATES, sizeof *s.stack);
    if (!s.nodes || !s.table || !s.stack)
        exit(4);
    memset(&start, 0, sizeof start);
    for (size_t i = 0; i < test->variable_count; i++)
        if (test->variables[i].element_count != 1 || test->variables[i].alias_of >= 0)
            return "unsupported";
        else if (test->variables[i].has_initial)
            start.memory[i] = (uint32_t)test->variables[i].initial[0].value.low;
    for (size_t t = 0; t < test->thread_count; t++)
        start.threads[t].ended = test->threads[t].instruction_count == 0;
    bool endless = search(&s, add_node(&s, &start));
    free(s.nodes);
    free(s.table);
    free(s.stack);
    return s.unsupported ? "unsupported" : endless ? "maybe" : "always";
}

// --- Random tests --------------------------------------------------------------------------------

struct sample {
    FILE *out;
    struct random *random;
    bool barriers;
    const char *fence; // after each access; "" for none
};

// A wait or a lock's loop, a store, an exchange, a skip or a barrier; `label` tells labels apart.
static void print_statement(const struct sample *sample, unsigned label) {
    static const char *const names[] = {"x", "y"};
    struct random *random = sample->random;
    FILE *out = sample->out;
    const char *name = names[random_below(random, 2)], *fence = sample->fence;
    unsigned value = random_below(random, 2), kind = random_below(random, sample->barriers ? 8 : 7);
    const char *test = random_chance(random, 50) ? "eq" : "ne";
    if (kind < 2)
        fprintf(out, "  st.relaxed.gpu.global.u32 [%s], %u;%s\n", name, value, fence);
    else if (kind == 2)
        fprintf(out, "  atom.relaxed.gpu.global.exch.b32 %%r0, [%s], %u;%s\n", name, value, fence);
    else if (kind == 3)
        fprintf(out,
                "L%u: ld.relaxed.gpu.global.u32 %%r0, [%s];%s\n  setp.%s.u32 %%p, %%r0, %u;\n"
                "  @%%p bra L%u;\n",
                label, name, fence, test, value, label);
    else if (kind == 4)
        fprintf(out,
                "L%u: atom.relaxed.gpu.global.exch.b32 %%r0, [%s], %u;%s\n"
                "  setp.%s.u32 %%p, %%r0, %u;\n  @%%p bra L%u;\n",
                label, name, value, fence, test, random_below(random, 2), label);
    else if (kind == 5)
        fprintf(out,
                "L%u: atom.relaxed.gpu.global.cas.b32 %%r0, [%s], 0, 1;%s\n"
                "  setp.ne.u32 %%p, %%r0, 0;\n  @%%p bra L%u;\n"
                "  st.relaxed.gpu.global.u32 [%s], 0;%s\n",
                label, name, fence, label, name, fence);
    else if (kind == 6)
        fprintf(out,
                "  ld.relaxed.gpu.global.u32 %%r0, [%s];%s\n  setp.%s.u32 %%p, %%r0, %u;\n"
                "  @%%p bra End;\n",
                name, fence, test, value);
    else
        fprintf(out, "  bar.sync %u;\n", random_chance(random, 80) ? 0u : 1u);
}

static void print_test(FILE *out, unsigned long index, uint64_t seed, bool fenced) {
    struct random random = random_stream(seed, index);
    unsigned threads = 2 + random_chance(&random, 40), together = random_below(&random, 3);
    struct sample sample = {.out = out,
                            .random = &random,
                            .barriers = together != 0 && !fenced,
                            .fence = fenced ? " fence.sc.gpu;" : ""};
    fprintf(out, "PTX ends-%lu\n.global .u32 x = 0;\n.global .u32 y = 0;\n", index);
    for (unsigned t = 0; t < threads; t++) {
        unsigned cta = together == 0 ? t : together == 1 ? 0 : t / 2;
        unsigned statements = 1 + random_below(&random, threads == 2 ? 3 : 2);
        fprintf(out, "P%u@cta %u {\n", t, cta);
        for (unsigned i = 0; i < statements; i++)
            print_statement(&sample, i);
        fputs("End:\n}\n", out);
    }
    fputs("exists (x == 1)\n", out);
}

static int generate(char **argv, bool fenced) {
    uint64_t seed = strtoull(argv[0], NULL, 10);
    unsigned long count = strtoul(argv[1], NULL, 10);
    for (unsigned long i = 0; i < count; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%05lu.litmus", argv[2], i);
        FILE *out = fopen(path, "w");
        if (!out) {
            perror(path);
            return 4;
        }
        print_test(out, i, seed, fenced);
        fclose(out);
    }
    return 0;
}

// --- The program ---------------------------------------------------------------------------------

static void judge(const char *path, const char *progress) {
    struct arena *arena = arena_new();
    struct diagnostics diagnostics;
    diagnostics_init(&diagnostics, arena);
    const struct source *source = source_read(arena, path, &diagnostics);
    const struct test *test = source ? test_read(arena, source, SYNTAX_GUESS, &diagnostics) : NULL;
    printf("%s %s\n", path, test ? decide(test, progress) : "unread");
    arena_free(arena);
}

int main(int argc, char **argv) {
    if (argc == 5 && strcmp(argv[1], "--generate") == 0)
        return generate(argv + 2, false);
    if (argc == 5 && strcmp(argv[1], "--generate-fenced") == 0)
        return generate(argv + 2, true);
    if (argc < 4 || strcmp(argv[1], "--progress") != 0) {
        fputs("usage: ptxlitmus-ends --progress NAME FILE...\n"
              "       ptxlitmus-ends --generate|--generate-fenced SEED COUNT FOLDER\n",
              stderr);
        return 2;
    }
    for (int i = 3; i < argc; i++)
        judge(argv[i], argv[2]);
    return 0;
}
