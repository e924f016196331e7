// The values that reads can return at all, for reads whose value may come to depend on itself.
//
// Where an axiom of the model forbids cycles of rf and data flow (memory-model section 4, no
// thin air), a value passes through each read at most once on its way. So as many rounds of "what
// could each write leave, given what its reads could return" as there are reads find every value.
// Choices of rf and addresses are ignored, so the result may hold values that never occur.

#include "solver/encode/memory.h"
#include "solver/encode/values.h"

#include "litmus/source/allocate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct domains {
    bool known;           // the model forbids cycles
    struct domain *reads; // by event
    struct domain *next;  // the same, a round later
    struct domain *exprs; // by expression, where `seen` says so in the current round
    bool *seen;
    size_t expr_count;
    struct arena *round; // what the current round alone needs
};

// --- Does the model forbid cycles? -------------------------------------------------------------

// The pairs that the members of a union hold for certain; whether rf is one of them.
static bool collect_union(const struct encoder *encoder, unsigned node, struct relation *certain) {
    const struct model_node *n = &encoder->model->nodes[node];
    if (n->op == NODE_UNION) {
        bool left = collect_union(encoder, n->left, certain);
        bool right = collect_union(encoder, n->right, certain);
        return left || right;
    }
    relation_union(certain, certain, &encoder->bounds->nodes[node].must);
    return n->op == NODE_BASE_RELATION && n->base == BASE_REL_RF;
}

// Looks for a read that a written value depends on without being in the relation.
struct flow_search {
    const struct relation *allowed;
    unsigned write;
    bool found;
};

static void check_flow(void *context, const struct expr *expr) {
    struct flow_search *search = context;
    if (expr->op == EXPR_READ && !relation_has(search->allowed, expr->index, search->write))
        search->found = true;
}

static bool all_flows_are_in(const struct encoder *encoder, const struct relation *allowed) {
    struct flow_search search = {.allowed = allowed};
    for (unsigned w = 0; !search.found && w < encoder->n; w++) {
        const struct event *event = &encoder->program->events[w];
        if (event->kind != EVENT_WRITE || expr_is_const(event->access->value))
            continue;
        bool *seen = allocate(expr_pool_count(encoder->program->pool), sizeof *seen);
        search.write = w;
        walk_expr(event->access->value, seen, check_flow, &search);
        free(seen);
    }
    return !search.found;
}

static bool cycles_are_forbidden(const struct encoder *encoder) {
    for (size_t i = 0; i < encoder->model->axiom_count; i++) {
        const struct model_axiom *axiom = &encoder->model->axioms[i];
        if (axiom->use != AXIOM_REQUIRED || axiom->kind != AXIOM_ACYCLIC)
            continue;
        struct relation certain = relation_new(encoder->arena, encoder->n);
        if (collect_union(encoder, axiom->node, &certain) && all_flows_are_in(encoder, &certain))
            return true;
    }
    return false;
}

// --- Domains of expressions --------------------------------------------------------------------

static void add(struct arena *arena, struct domain *domain, struct bits128 value) {
    for (unsigned i = 0; i < domain->count; i++)
        if (bits_equal(domain->values[i], value))
            return;
    if (domain->count == VALUE_CASES_MAX) {
        domain->any = true;
        return;
    }
    struct bits128 *values =
        arena_grow(arena, (void *)domain->values, domain->count, sizeof *values);
    values[domain->count++] = value;
    domain->values = values;
}

static void add_all(struct arena *arena, struct domain *domain, const struct domain *more) {
    domain->any = domain->any || more->any;
    for (unsigned i = 0; i < more->count; i++)
        add(arena, domain, more->values[i]);
}

static void apply(struct encoder *encoder, const struct expr *expr,
                  const struct domain *const *args, unsigned count, struct domain *out) {
    size_t total = 1;
    for (unsigned i = 0; i < count; i++) {
        out->any = out->any || args[i]->any;
        total *= args[i]->count;
    }
    out->any = out->any || total > VALUE_PRODUCT_MAX;
    for (size_t combination = 0; !out->any && combination < total; combination++) {
        struct bits128 operands[3];
        size_t rest = combination;
        for (unsigned i = 0; i < count; i++) {
            operands[i] = args[i]->values[rest % args[i]->count];
            rest /= args[i]->count;
        }
        add(encoder->domains->round, out, fold_operation(encoder->folder, expr, operands));
    }
}

static const struct bits128 bit_values[2] = {{0, 0}, {1, 0}};
static const struct domain domain_of_bit = {.count = 2, .values = bit_values};

static struct domain domain_of_operation(struct encoder *encoder, const struct expr *expr,
                                         const struct domain *const *args, unsigned count) {
    struct domain out = {0};
    if (expr->op == EXPR_ITE) {
        for (unsigned i = 0; i < args[0]->count; i++)
            add_all(encoder->domains->round, &out, args[bits_is_zero(args[0]->values[i]) ? 2 : 1]);
        return out;
    }
    apply(encoder, expr, args, count, &out);
    if (out.any && expr->width == 1)
        out = domain_of_bit;
    return out;
}

static void find_domain(void *context, const struct expr *expr) {
    struct encoder *encoder = context;
    struct domains *domains = encoder->domains;
    const struct domain *args[3];
    unsigned count = 0;
    struct domain *out = &domains->exprs[expr->id];
    for (; count < 3 && expr->args[count] != NULL; count++)
        args[count] = &domains->exprs[expr->args[count]->id];
    if (expr->op == EXPR_CONST)
        *out = (struct domain){.count = 1, .values = &expr->value};
    else if (expr->op == EXPR_READ)
        *out = domains->reads[expr->index];
    else if (count == 0 && expr->width == 1)
        *out = domain_of_bit;
    else if (count == 0)
        *out = (struct domain){.any = true};
    else
        *out = domain_of_operation(encoder, expr, args, count);
}

static const struct domain *domain_of(struct encoder *encoder, const struct expr *expr) {
    walk_expr(expr, encoder->domains->seen, find_domain, encoder);
    return &encoder->domains->exprs[expr->id];
}

// --- Rounds ------------------------------------------------------------------------------------

// What the cell may hold, as far as this read's origins go.
static void add_cell(struct encoder *encoder, const struct origins *origins, struct domain *out) {
    const struct program *program = encoder->program;
    for (size_t i = 0; i < origins->count; i++) {
        const struct event *write = &program->events[origins->items[i].write];
        if (write->kind == EVENT_INIT)
            add_all(encoder->domains->round, out,
                    domain_of(encoder, program_initial_value(program, origins->cell)));
        for (size_t k = 0; write->kind != EVENT_INIT && k < write->candidate_count; k++) {
            const struct candidate *candidate = &write->candidates[k];
            unsigned index = origins->cell - candidate->first_cell;
            if (origins->cell >= candidate->first_cell && index < candidate->cell_count)
                add_all(encoder->domains->round, out,
                        domain_of(encoder, program_cell_value(program, write, candidate, index)));
        }
    }
}

static void concat(struct arena *arena, struct domain *value, const struct domain *high,
                   unsigned low_bits) {
    struct domain out = {.any = value->any || high->any};
    for (unsigned i = 0; i < value->count; i++)
        for (unsigned k = 0; k < high->count; k++)
            add(arena, &out, fold_concat(high->values[k], value->values[i], low_bits));
    *value = out;
}

static void add_candidate(struct encoder *encoder, unsigned read, const struct candidate *candidate,
                          struct domain *out) {
    assert(read < encoder->n);
    struct domain value = {0};
    unsigned bits = 0;
    for (unsigned k = 0; k < candidate->cell_count; k++) {
        unsigned cell = candidate->first_cell + k;
        struct domain part = {0};
        add_cell(encoder, &encoder->events[read].reads[memory_touch_index(encoder, read, cell)],
                 &part);
        if (k == 0)
            value = part;
        else
            concat(encoder->domains->round, &value, &part, bits);
        bits += 8 * encoder->program->memory.cells[cell].size;
    }
    add_all(encoder->arena, out, &value);
}

// Parts of values are expressions that may be made as we ask for them, so they are made before.
static void make_room(struct encoder *encoder) {
    struct domains *domains = encoder->domains;
    const struct program *program = encoder->program;
    for (unsigned w = 0; w < encoder->n; w++) {
        const struct event *write = &program->events[w];
        for (size_t k = 0; write->kind == EVENT_WRITE && k < write->candidate_count; k++)
            for (unsigned i = 0; i < write->candidates[k].cell_count; i++)
                program_cell_value(program, write, &write->candidates[k], i);
    }
    domains->expr_count = expr_pool_count(program->pool);
    domains->exprs = ARENA_ARRAY(encoder->arena, struct domain, domains->expr_count);
    domains->seen = ARENA_ARRAY(encoder->arena, bool, domains->expr_count);
}

// All reads take one step at a time: within a round none sees what another one has got in it.
static bool next_round(struct encoder *encoder) {
    struct domains *domains = encoder->domains;
    bool changed = false;
    domains->round = arena_new();
    memset(domains->seen, 0, domains->expr_count * sizeof *domains->seen);
    for (unsigned r = 0; r < encoder->n; r++) {
        const struct event *event = &encoder->program->events[r];
        struct domain *domain = &domains->next[r];
        unsigned before = domain->count;
        bool any = domain->any;
        for (size_t i = 0; event->kind == EVENT_READ && !any && i < event->candidate_count; i++)
            add_candidate(encoder, r, &event->candidates[i], domain);
        changed = changed || domain->count != before || domain->any != any;
    }
    memcpy(domains->reads, domains->next, encoder->n * sizeof *domains->reads);
    arena_free(domains->round);
    return changed;
}

static void find_domains(struct encoder *encoder) {
    encoder->domains = ARENA_NEW(encoder->arena, struct domains);
    encoder->domains->reads = ARENA_ARRAY(encoder->arena, struct domain, encoder->n);
    encoder->domains->next = ARENA_ARRAY(encoder->arena, struct domain, encoder->n);
    encoder->domains->known = cycles_are_forbidden(encoder);
    if (!encoder->domains->known)
        return;
    make_room(encoder);
    for (unsigned i = 0; i < encoder->n; i++)
        if (encoder->program->events[i].kind == EVENT_READ && !next_round(encoder))
            return;
}

const struct domain *domain_of_read(struct encoder *encoder, unsigned read) {
    assert(read < encoder->n);
    if (encoder->domains == NULL)
        find_domains(encoder);
    const struct domain *domain = &encoder->domains->reads[read];
    return encoder->domains->known && !domain->any && domain->count != 0 ? domain : NULL;
}
