// What the files of this folder share, and nobody else sees.
#ifndef PTXLITMUS_SOLVER_ENCODE_INTERNAL_H
#define PTXLITMUS_SOLVER_ENCODE_INTERNAL_H

#include "solver/encode/encode.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// Which way a literal and the fact that it stands for imply each other.
enum polarity {
    OVER = 1,  // over-approximated: the fact implies the literal; for asserting absence
    UNDER = 2, // under-approximated: the literal implies the fact; for asserting presence
    EXACT = OVER | UNDER,
};

static inline enum polarity polarity_opposite(enum polarity polarity) {
    return polarity == OVER ? UNDER : polarity == UNDER ? OVER : EXACT;
}

// --- Tables ------------------------------------------------------------------------------------

// Literals by pair of events, 0 where there is none; rows are made when they are needed.
struct pair_table {
    literal **rows;
};

struct pair_table *pair_table_new(struct encoder *encoder);
literal *pair_table_at(struct encoder *encoder, struct pair_table *table, unsigned a, unsigned b);

// A table's literal, or false for a pair that it lacks because it cannot be; after a stop, the pair
// may be missing for that reason alone.
literal false_unless_known(const struct encoder *encoder, literal known);

// --- Gates (encode/gates.c) --------------------------------------------------------------------

// A disjunction of conjunctions in the making. Start with {0}.
struct disjunction {
    literal *literals;
    size_t literal_count, literal_capacity;
    size_t *ends; // of each conjunction in `literals`
    size_t count, capacity;
    bool holds; // some conjunction is true
};

void disjunction_add(struct disjunction *disjunction, const literal *literals, size_t count);
void disjunction_add1(struct disjunction *disjunction, literal a);
void disjunction_add2(struct disjunction *disjunction, literal a, literal b);
// A literal for the disjunction, a new variable where that is needed; frees the disjunction.
// `kind`, `a` and `b` are the variable's name.
literal disjunction_close(struct encoder *encoder, struct disjunction *disjunction,
                          enum polarity polarity, const char *kind, unsigned a, unsigned b);
// Makes an existing variable stand for the disjunction; frees it.
void disjunction_define(struct encoder *encoder, struct disjunction *disjunction,
                        enum polarity polarity, literal variable);
literal gate_and(struct encoder *encoder, literal a, literal b, enum polarity polarity);
literal gate_or(struct encoder *encoder, literal a, literal b, enum polarity polarity);

void clause1(struct encoder *encoder, literal a);
void clause2(struct encoder *encoder, literal a, literal b);
void clause3(struct encoder *encoder, literal a, literal b, literal c);
void clause4(struct encoder *encoder, literal a, literal b, literal c, literal d);
void exactly_one_if(struct encoder *encoder, literal condition, const literal *literals,
                    size_t count);

// --- Values (encode/values.c, encode/fold.c) ---------------------------------------------------

enum { VALUE_CASES_MAX = 16, VALUE_PRODUCT_MAX = 64 };

struct encoded_value *values_new(struct encoder *encoder, unsigned width, size_t case_capacity);
const struct encoded_value *values_of_constant(struct encoder *encoder, unsigned width,
                                               struct bits128 constant);
const struct encoded_value *values_of_literal(struct encoder *encoder, literal l);
const struct encoded_value *values_of_variable(struct encoder *encoder, unsigned width,
                                               const char *kind, unsigned number);
term values_term(struct encoder *encoder, const struct encoded_value *value);
// `then_value` where the condition holds, else `else_value`.
const struct encoded_value *values_choose(struct encoder *encoder, literal condition,
                                          const struct encoded_value *then_value,
                                          const struct encoded_value *else_value);
// The high part first.
const struct encoded_value *values_concat(struct encoder *encoder, const struct encoded_value *high,
                                          const struct encoded_value *low);
// Whether two values of one width are equal.
literal values_equal(struct encoder *encoder, const struct encoded_value *a,
                     const struct encoded_value *b);
// Asserts that two values are equal where all `conditions` hold.
void values_equate(struct encoder *encoder, const literal *conditions, size_t count,
                   const struct encoded_value *a, const struct encoded_value *b);

// The possible results of something, each with the ways to get it. Start with {0}.
struct groups {
    size_t count;
    struct bits128 constants[VALUE_CASES_MAX];
    struct disjunction ways[VALUE_CASES_MAX];
    bool too_many;
};

void groups_add(struct groups *groups, struct bits128 constant, const literal *literals,
                size_t count);
// The value with these cases; NULL when there are too many. In every model exactly one of the ways
// must lead to its constant, or several to one constant.
const struct encoded_value *groups_close(struct encoder *encoder, struct groups *groups,
                                         unsigned width);

// The constant that an operation gives on constants of the widths of its operands.
struct bits128 fold_operation(struct expr_pool *folder, const struct expr *operation,
                              const struct bits128 *operands);
struct bits128 fold_concat(struct bits128 high, struct bits128 low, unsigned low_width);

// Visits an expression and all that it is made of, operands first and each once: those that are
// marked in `seen` (by number) not again.
void walk_expr(const struct expr *root, bool *seen,
               void (*visit)(void *context, const struct expr *expr), void *context);

// A constant's set of possible values; `any` when there are too many to name.
struct domain {
    bool any;
    unsigned count;
    struct bits128 values[VALUE_CASES_MAX];
};

// The values that a read may return, when no value depends on itself. NULL when that is not known
// to be so under the model, or when there are too many.
const struct domain *domain_of_read(struct encoder *encoder, unsigned read);

// --- Memory (encode/memory.c, encode/reads.c, encode/orders.c) ---------------------------------

// A cell that an event may touch.
struct touch {
    unsigned cell;
    literal when; // the event executes and touches it
};

// A write from which a cell may come, and the literal that says so.
struct origin {
    unsigned write;
    literal taken;
};

// Where a read (or the reader of a final value) may take a cell from.
struct origins {
    unsigned cell;
    struct origin *items;
    size_t count;
};

// The encoding state of one event.
struct event_state {
    literal executes; // 0 before it is known
    struct touch *touches;
    size_t touch_count;
    const struct encoded_value **parts; // of a write: its value in each touched cell
    struct origins *reads;              // of a read: by touched cell
    const struct encoded_value *read;   // EXPR_READ
    bool read_open;                     // it is being computed
    bool read_free; // it was asked for meanwhile: `read` is a variable, equated later
    literal undef;  // EXPR_READ_UNDEF, 0 before it is known
    bool undef_open;
};

// A cell's final value.
struct final_state {
    struct origins origins;
    const struct encoded_value *value;
    literal undef;
};

// Whether an event executes.
literal encode_executes(struct encoder *encoder, unsigned event);
void memory_prepare(struct encoder *encoder);   // cells, variables of rf
void memory_constrain(struct encoder *encoder); // what rf and the data flow must satisfy
// The index of a cell among those that an event touches, or -1.
int memory_touch_index(const struct encoder *encoder, unsigned event, unsigned cell);
literal memory_touches(struct encoder *encoder, unsigned event, unsigned cell);
literal memory_candidate(struct encoder *encoder, const struct candidate *candidate);
// What a write leaves in a cell that it touches, and whether that is unknown.
const struct encoded_value *memory_part(struct encoder *encoder, unsigned write, unsigned cell);
const struct expr *memory_part_undef(const struct encoder *encoder, unsigned write, unsigned cell);

const struct encoded_value *reads_value(struct encoder *encoder, unsigned read);
literal reads_undef(struct encoder *encoder, unsigned read);
const struct encoded_value *finals_value(struct encoder *encoder, unsigned cell);
// Whether a cell's final value is a write's; true when only that one can be final.
literal finals_taken(struct encoder *encoder, unsigned cell, unsigned write);
literal finals_undef(struct encoder *encoder, unsigned cell);

void orders_prepare(struct encoder *encoder);
void orders_finish(struct encoder *encoder); // transitivity of the pairs of sc that are in use
literal encode_co(struct encoder *encoder, unsigned a, unsigned b);
literal orders_sc(struct encoder *encoder, unsigned a, unsigned b);
literal orders_fr(struct encoder *encoder, unsigned read, unsigned write, enum polarity polarity);

// The literal of a base relation's pair.
literal base_pair(struct encoder *encoder, enum base_relation relation, unsigned a, unsigned b,
                  enum polarity polarity);
// Whether two events both execute.
literal both_execute(struct encoder *encoder, unsigned a, unsigned b);

// --- Barriers (encode/barriers.c, encode/hangs.c) ----------------------------------------------

struct barriers {
    unsigned *arrivals, *waits; // ids of events, ascending
    size_t arrival_count, wait_count;
    literal *done;           // by arrival: it is in a completed phase (with a quorum: in the set)
    literal *lacks;          // by arrival: in a short one
    literal *passes;         // by wait
    struct pair_table *same; // of arrivals: they are in one phase; the lower id first
    const struct encoded_value **reduced; // by wait of a bar.red
    literal *reduced_undefs;
};

void barriers_prepare(struct encoder *encoder);   // variables
void barriers_constrain(struct encoder *encoder); // what they must satisfy
// The leaves EXPR_PASSES, EXPR_PHASE_PAIR (true only if the wait executes), EXPR_REDUCED and its
// _UNDEF.
literal barriers_passes(struct encoder *encoder, unsigned wait);
literal barriers_phase_pair(struct encoder *encoder, unsigned pair);
const struct encoded_value *barriers_reduced(struct encoder *encoder, unsigned wait);
literal barriers_reduced_undef(struct encoder *encoder, unsigned wait);
// Whether two events that may be at one barrier are (facts_may_share_barrier).
literal barriers_at_one(struct encoder *encoder, unsigned a, unsigned b);
// Whether the first of two arrivals is an earlier one of the same thread, maybe at the same
// barrier.
bool barriers_is_earlier(const struct encoder *encoder, unsigned a, unsigned b);
// Whether two arrivals of different threads may be in one phase.
bool barriers_may_share_phase(const struct encoder *encoder, unsigned a, unsigned b);
// Whether the barrier count of an event is `count`.
literal barriers_counts_to(struct encoder *encoder, const struct event *event, size_t count);
// Whether two arrivals, or an arrival and itself, are in one phase; whether two want as many
// threads.
literal barriers_in_one_phase(struct encoder *encoder, unsigned a, unsigned b);
literal barriers_counts_equal(struct encoder *encoder, unsigned a, unsigned b);
// Whether the count of an arrival is at most the number of threads that share its barrier.
literal barriers_count_fits(struct encoder *encoder, const struct event *arrival);
// Whether an arrival's phase may be short for want of an arrival of a thread.
bool barriers_may_lack(const struct encoder *encoder, unsigned arrival, size_t thread);
// Whether a thread has exited and has no arrival without a phase at the barrier of an arrival.
literal barriers_gone(struct encoder *encoder, unsigned arrival, size_t thread);
// Whether an exit takes place.
literal barriers_exit(struct encoder *encoder, const struct barrier_exit *exit);
// Whether `find` holds for as many of a wait's phase pairs as its count says.
literal barriers_has_enough(struct encoder *encoder, const struct event *wait,
                            literal (*find)(struct encoder *, const struct phase_pair *));
// at_least[k]: at least k of the literals hold, for k from 0 to `most`.
void count_literals(struct encoder *encoder, const literal *literals, size_t count,
                    literal *at_least, size_t most);

// --- Nodes of the model (encode/nodes.c) -------------------------------------------------------

// Whether a pair is in a node's relation, or an event in its set.
literal node_pair(struct encoder *encoder, unsigned node, unsigned a, unsigned b,
                  enum polarity polarity);
literal node_event(struct encoder *encoder, unsigned node, unsigned a, enum polarity polarity);
// Adds literals for "the event is on a cycle of the node's relation"; UNDER.
void closure_under_diagonal(struct encoder *encoder, unsigned node, struct disjunction *out);
// Encodes what node_pair and node_event have deferred.
void nodes_finish(struct encoder *encoder);
void nodes_free(struct encoder *encoder);

// --- Axioms (encode/axioms.c) ------------------------------------------------------------------

// Asserts that an axiom holds where the guard does.
void axiom_require(struct encoder *encoder, const struct model_axiom *axiom, literal guard);
// acyclic.c: asserts that a graph has no cycle where the guard holds. edges[a * count + b]: the
// literal of the edge from vertex a to b, 0 where there is none; none from a vertex to itself.
// `events` name the vertices in dumps.
void acyclic_require(struct encoder *encoder, const unsigned *events, size_t count,
                     const literal *edges, literal guard);

// --- The encoder -------------------------------------------------------------------------------

struct pending;   // a deferred definition (encode/nodes.c)
struct node_slot; // tables of unrolled nodes (encode/nodes.c)
struct domains;   // encode/domains.c

struct encoder {
    struct arena *arena;
    struct backend *backend;
    const struct program *program;
    const struct model *model;
    const struct facts *facts;
    struct bounds *bounds;
    struct diagnostics *diagnostics;
    bool failed;
    unsigned n;

    struct expr_pool *folder;
    const struct encoded_value **values; // by expression
    size_t value_capacity;
    struct event_state *events;
    struct final_state *finals; // by cell
    struct domains *domains;

    struct barriers *barriers; // NULL without any

    struct pair_table *co;
    struct pair_table *sc;
    bool sc_open; // pairs were asked for since the last orders_finish
    struct pair_table *both;
    struct pair_table *base[BASE_REL_COUNT][2]; // by polarity: OVER, UNDER

    struct pair_table **nodes[2]; // by polarity and node
    struct node_slot *slots;      // unrolled nodes
    struct pending *pending;
    size_t pending_count, pending_capacity;
    size_t *group_pairs;      // by node: pairs of its recursive definition, 0 when not counted
    signed char *must_closed; // by node: see encode/nodes.c; -1 when not known yet
};

static inline const struct event *barriers_event(const struct encoder *encoder, unsigned event) {
    return &encoder->program->events[event];
}

#endif
