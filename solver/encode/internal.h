// What the files of this folder share with each other and with no other folder. Each part of this
// header names the file that implements it.
//
// Literals that are returned hold exactly when what the comment says does ("whether"), or as their
// `polarity` says. Values live in the encoder's arena. Events, cells, nodes and phase pairs are
// indices into the program and the model. No function fails: after the backend has, they return
// LITERAL_NONE or some value (backend.h).
#ifndef PTXLITMUS_SOLVER_ENCODE_INTERNAL_H
#define PTXLITMUS_SOLVER_ENCODE_INTERNAL_H

#include "solver/encode/encode.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

// In which direction a literal and its fact imply each other.
enum polarity {
    OVER = 1,  // over-approximated: the fact implies the literal; for asserting absence
    UNDER = 2, // under-approximated: the literal implies the fact; for asserting presence
    EXACT = OVER | UNDER,
};

// Returns the polarity of a negation: OVER for UNDER and the other way round.
static inline enum polarity polarity_opposite(enum polarity polarity) {
    return polarity == OVER ? UNDER : polarity == UNDER ? OVER : EXACT;
}

// --- Tables (encode/gates.c) -------------------------------------------------------------------

// Literals by pair of events, 0 where there is none; rows are made when they are needed.
struct pair_table {
    literal **rows;
};

// Returns an empty table for the program's events; the encoder's arena owns it.
struct pair_table *pair_table_new(struct encoder *encoder);

// Returns the place of a pair's literal, for reading and writing; the table owns it.
literal *pair_table_at(struct encoder *encoder, struct pair_table *table, unsigned a, unsigned b);

// Returns a table's literal; for 0, LITERAL_FALSE, since a pair that a table lacks never holds.
// After the run was stopped, a pair may be missing for that reason alone, and LITERAL_NONE is
// returned.
literal false_unless_known(const struct encoder *encoder, literal known);

// --- Gates (encode/gates.c) --------------------------------------------------------------------

// A disjunction of conjunctions that is being built. Start with {0}.
struct disjunction {
    literal *literals;
    size_t literal_count, literal_capacity;
    size_t *ends; // of each conjunction in `literals`
    size_t count, capacity;
    bool holds; // some conjunction is true
};

// Frees the disjunction without asserting anything.
void disjunction_drop(struct disjunction *disjunction);

// Adds the conjunction of `count` literals (copied); an empty one is true.
void disjunction_add(struct disjunction *disjunction, const literal *literals, size_t count);

// Adds one literal.
void disjunction_add1(struct disjunction *disjunction, literal a);

// Adds the conjunction of two literals.
void disjunction_add2(struct disjunction *disjunction, literal a, literal b);

// Returns a literal for the disjunction, a new variable where one is needed, and frees the
// disjunction. `kind`, `a` and `b` make up the variable's name in dumps.
literal disjunction_close(struct encoder *encoder, struct disjunction *disjunction,
                          enum polarity polarity, const char *kind, unsigned a, unsigned b);

// Asserts that an existing variable is the disjunction, and frees the disjunction.
void disjunction_define(struct encoder *encoder, struct disjunction *disjunction,
                        enum polarity polarity, literal variable);

// Returns a literal for "both".
literal gate_and(struct encoder *encoder, literal a, literal b, enum polarity polarity);

// Returns a literal for "at least one of the two".
literal gate_or(struct encoder *encoder, literal a, literal b, enum polarity polarity);

// Asserts a literal.
void clause1(struct encoder *encoder, literal a);

// Asserts that at least one of two literals holds.
void clause2(struct encoder *encoder, literal a, literal b);

// Asserts that at least one of three literals holds.
void clause3(struct encoder *encoder, literal a, literal b, literal c);

// Asserts that at least one of four literals holds.
void clause4(struct encoder *encoder, literal a, literal b, literal c, literal d);

// Asserts that at most one of `count` literals holds, and exactly one where the condition does.
void exactly_one_if(struct encoder *encoder, literal condition, const literal *literals,
                    size_t count);

// --- Values (encode/values.c, encode/fold.c) ---------------------------------------------------

enum { VALUE_CASES_MAX = 128, VALUE_PRODUCT_MAX = 1024 };

// Returns a value of `width` bits that has no cases yet and room for `case_capacity` of them.
struct encoded_value *values_new(struct encoder *encoder, unsigned width, size_t case_capacity);

// Returns the value that is always `constant`.
const struct encoded_value *values_of_constant(struct encoder *encoder, unsigned width,
                                               struct bits128 constant);

// Returns a literal as a value of one bit.
const struct encoded_value *values_of_literal(struct encoder *encoder, literal l);

// Returns an unconstrained value; `kind` and `number` make up its name in dumps.
const struct encoded_value *values_of_variable(struct encoder *encoder, unsigned width,
                                               const char *kind, unsigned number);

// Returns a value as a bit-vector, which is made when it is first asked for.
term values_term(struct encoder *encoder, const struct encoded_value *value);

// Returns `then_value` where the condition holds, else `else_value`, which has the same width.
const struct encoded_value *values_choose(struct encoder *encoder, literal condition,
                                          const struct encoded_value *then_value,
                                          const struct encoded_value *else_value);

// Returns the concatenation of two values, whose widths are added.
const struct encoded_value *values_concat(struct encoder *encoder, const struct encoded_value *high,
                                          const struct encoded_value *low);

// Whether two values of one width are equal.
literal values_equal(struct encoder *encoder, const struct encoded_value *a,
                     const struct encoded_value *b);

// Asserts that two values of one width are equal where all `count` conditions hold.
void values_equate(struct encoder *encoder, const literal *conditions, size_t count,
                   const struct encoded_value *a, const struct encoded_value *b);

// The possible results of an operation, each with the ways to get it. Start with {0}.
struct groups {
    size_t count, capacity;
    struct bits128 *constants;
    struct disjunction *ways;
    bool too_many;
};

// Adds a way to get a constant: that all `count` literals (copied) hold. Sets `too_many` instead
// when there is no room for another constant.
void groups_add(struct groups *groups, struct bits128 constant, const literal *literals,
                size_t count);

// Returns the value with these cases, NULL when they were too many; frees the groups. In every
// model some way must hold, and all ways that do must lead to one constant.
const struct encoded_value *groups_close(struct encoder *encoder, struct groups *groups,
                                         unsigned width);

// Returns what an operation gives on constants that have the widths of its operands.
struct bits128 fold_operation(struct expr_pool *folder, const struct expr *operation,
                              const struct bits128 *operands);

// Returns the concatenation of two constants, the lower of `low_width` bits; at most 128 in all.
struct bits128 fold_concat(struct bits128 high, struct bits128 low, unsigned low_width);

// Calls `visit` for an expression and all its parts, operands before their users, and each once:
// parts marked in `seen` (by id) are skipped, and those visited are marked.
void walk_expr(const struct expr *root, bool *seen,
               void (*visit)(void *context, const struct expr *expr), void *context);

// A constant's set of possible values; `any` when there are too many to name.
struct domain {
    bool any;
    unsigned count;
    const struct bits128 *values;
};

// Returns the values that a read may return, given that no value depends on itself
// (encode/domains.c; memory-model section 4). NULL when the model is not known to guarantee
// that, or when there are too many values.
const struct domain *domain_of_read(struct encoder *encoder, unsigned read);

// --- Memory (encode/memory.c, encode/reads.c, encode/orders.c) ---------------------------------

// A cell that an event may touch.
struct touch {
    unsigned cell;
    literal when; // the event executes and touches it; 0 before it is known
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

// Whether an event executes (encode/memory.c).
literal encode_executes(struct encoder *encoder, unsigned event);

// Finds the cells that events may touch and the variables of rf. Comes before all that follows.
void memory_prepare(struct encoder *encoder);

// Asserts what rf and the data flow must satisfy (memory-model section 2).
void memory_constrain(struct encoder *encoder);

// Whether an event may touch a cell.
bool memory_may_touch(const struct encoder *encoder, unsigned event, unsigned cell);

// Returns the index of a cell among those that an event may touch; the event may touch it.
size_t memory_touch_index(const struct encoder *encoder, unsigned event, unsigned cell);

// Whether an event executes and touches a cell.
literal memory_touches(struct encoder *encoder, unsigned event, unsigned cell);

// Whether the address of an access is that of a candidate.
literal memory_candidate(struct encoder *encoder, const struct candidate *candidate);

// Returns the value that a write leaves in a cell, which it may touch.
const struct encoded_value *memory_part(struct encoder *encoder, unsigned write, unsigned cell);

// Returns the condition (one bit) that this value depends on an unknown initial one.
const struct expr *memory_part_undef(const struct encoder *encoder, unsigned write, unsigned cell);

// Returns the value that a read returns (encode/reads.c).
const struct encoded_value *reads_value(struct encoder *encoder, unsigned read);

// Whether a read's value depends on an unknown initial one.
literal reads_undef(struct encoder *encoder, unsigned read);

// Returns a cell's final value (memory-model D10).
const struct encoded_value *finals_value(struct encoder *encoder, unsigned cell);

// Whether a cell's final value is that of a write; LITERAL_TRUE when no other write can be final.
literal finals_taken(struct encoder *encoder, unsigned cell, unsigned write);

// Whether a cell's final value depends on an unknown initial one.
literal finals_undef(struct encoder *encoder, unsigned cell);

// Makes the variables of co and asserts that it is a partial order (encode/orders.c).
void orders_prepare(struct encoder *encoder);

// Asserts that sc has no cycle among the pairs that are in use.
void orders_finish(struct encoder *encoder);

// Whether a write is co-before another.
literal encode_co(struct encoder *encoder, unsigned a, unsigned b);

// Whether an operation is before another one, given an event of each; they share a cell at which
// operations take turns (encode/turns.c).
literal orders_turn(struct encoder *encoder, unsigned a, unsigned b);

// Drops pairs of co at such cells from a disjunction that imply others in it.
void orders_shorten(struct encoder *encoder, struct disjunction *disjunction);

// Whether a fence.sc is before another one in sc.
literal orders_sc(struct encoder *encoder, unsigned a, unsigned b);

// Whether a read is fr-before a write.
literal orders_fr(struct encoder *encoder, unsigned read, unsigned write, enum polarity polarity);

// Whether a pair of events is in a base relation (model/cat/base.def).
literal base_pair(struct encoder *encoder, enum base_relation relation, unsigned a, unsigned b,
                  enum polarity polarity);

// Whether two events both execute.
literal both_execute(struct encoder *encoder, unsigned a, unsigned b);

// --- Cells that operations take turns at (encode/turns.c) --------------------------------------

// Two writes of one such cell in co.
struct co_pair {
    unsigned a, b;
};

struct turns {
    bool *has_cell;         // by cell: the operations there are found to take turns
    unsigned *cell_of;      // by event of an operation: 1 more than its cell, 0 of other events
    unsigned *write_of;     // by event of an operation: its write
    struct domain *domains; // by read: its values, given how many operations come before it for
                            // sure and after it; none where they depend on which ones these are
    bool *by_place;         // by read: its value is a function of co (encode/reads.c)
    struct co_pair *pairs;  // by variable, from `first_variable` on; of other variables 0 and 0
    literal first_variable;
    size_t pair_count;
    signed char *
        *closures; // by cell, node and polarity: whether follows_rf (encode/nodes.c), or -1
};

// Finds the cells that only atomic operations write, `least` of them or more (0: as many as pay),
// of which the axioms say that they are a single chain. Comes after memory_prepare, before all that
// follows.
void turns_find(struct encoder *encoder, unsigned least);

// Asserts that each operation reads from its predecessor.
void turns_constrain(struct encoder *encoder);

// Whether all edges of a graph (as of acyclic_require) lead from operations to later ones, so that
// it has no cycle.
bool turns_order(struct encoder *encoder, const unsigned *events, size_t count,
                 const literal *edges);

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

// Makes the variables of barriers, if the program has any. Their meaning is explained above struct
// phase_pair in phases.h (memory-model section 6).
void barriers_prepare(struct encoder *encoder);

// Asserts what the variables of barriers must satisfy.
void barriers_constrain(struct encoder *encoder);

// Whether an executed wait passes: the leaf EXPR_PASSES.
literal barriers_passes(struct encoder *encoder, unsigned wait);

// Whether a phase pair holds, which it does only if its wait executes: the leaf EXPR_PHASE_PAIR.
literal barriers_phase_pair(struct encoder *encoder, unsigned pair);

// Returns the result of the bar.red of a wait: the leaf EXPR_REDUCED.
const struct encoded_value *barriers_reduced(struct encoder *encoder, unsigned wait);

// Whether that result is unknown: the leaf EXPR_REDUCED_UNDEF.
literal barriers_reduced_undef(struct encoder *encoder, unsigned wait);

// Whether two events that may be at one barrier (facts_may_share_barrier) are at one.
literal barriers_at_one(struct encoder *encoder, unsigned a, unsigned b);

// Whether the first of two arrivals is an earlier one of the same thread, and may be at the same
// barrier.
bool barriers_is_earlier(const struct encoder *encoder, unsigned a, unsigned b);

// Whether two arrivals of different threads may be in one phase.
bool barriers_may_share_phase(const struct encoder *encoder, unsigned a, unsigned b);

// Whether the barrier count of an event is `count` threads.
literal barriers_counts_to(struct encoder *encoder, const struct event *event, size_t count);

// Whether two arrivals are in one phase; of an arrival and itself, whether it is in a phase.
literal barriers_in_one_phase(struct encoder *encoder, unsigned a, unsigned b);

// Whether two arrivals have the same barrier count.
literal barriers_counts_equal(struct encoder *encoder, unsigned a, unsigned b);

// Whether the count of an arrival is at most the number of threads that share its barrier.
literal barriers_count_fits(struct encoder *encoder, const struct event *arrival);

// Whether an arrival's phase may be short because a thread has no arrival in it.
bool barriers_may_lack(const struct encoder *encoder, unsigned arrival, size_t thread);

// Whether a thread has exited, and all its arrivals at the barrier of this arrival are in phases.
literal barriers_gone(struct encoder *encoder, unsigned arrival, size_t thread);

// Whether an exit takes place (struct barrier_exit).
literal barriers_exit(struct encoder *encoder, const struct barrier_exit *exit);

// Whether `find` holds for at least as many of a wait's phase pairs as its count says.
literal barriers_has_enough(struct encoder *encoder, const struct event *wait,
                            literal (*find)(struct encoder *, const struct phase_pair *));

// Sets at_least[k], for k from 0 to `most`, to a literal for "at least k of the literals hold".
// `at_least` has room for most + 1 literals.
void count_literals(struct encoder *encoder, const literal *literals, size_t count,
                    literal *at_least, size_t most);

// --- Threads that stay in loops (encode/stays.c) -----------------------------------------------

// Asserts that no phase of a barrier can complete any more, where the guard holds.
void encode_stuck(struct encoder *encoder, literal guard);
// Asserts what staying in a loop asks for. Nothing without program->endings.
void encode_stays(struct encoder *encoder);

// --- Nodes of the model (encode/nodes.c) -------------------------------------------------------

// Whether a pair is in the relation of a node.
literal node_pair(struct encoder *encoder, unsigned node, unsigned a, unsigned b,
                  enum polarity polarity);

// Whether an event is in the set of a node.
literal node_event(struct encoder *encoder, unsigned node, unsigned a, enum polarity polarity);

// Whether an event is related to itself, for asserting that it is not (over-approximated): as
// node_pair, but a cycle whose steps are all of one strict order is left out, for there is none.
literal node_loop(struct encoder *encoder, unsigned node, unsigned event);

// Adds to `out`, for each event, a literal for "the event is on a cycle of the node's relation",
// under-approximated.
void closure_under_diagonal(struct encoder *encoder, unsigned node, struct disjunction *out);

// How the paths of a closure r+ or r* may be taken (encode/steps.c).
struct closure_steps {
    bool
        alternate; // after a step of `order` alone comes one of another member; else no more is set
    unsigned order;         // the node of a member of r that is a strict order in every execution
    struct relation others; // what the other members may hold
    struct relation after;  // the pairs that a path may lead between which begins with one of these
    unsigned *members;      // nodes of them all
    size_t member_count;
    bool *hubs;           // by event: those that the order relates; NULL unless it is the closure's
                          // order between them, by what the model requires
    struct relation free; // the pairs that a path may lead between which has no step of the order,
                          // and no hub on its way
};

// Returns how the paths of a closure may be taken; the encoder's arena owns it.
const struct closure_steps *closure_steps(struct encoder *encoder, unsigned closure);

// Encodes what node_pair and node_event have deferred.
void nodes_finish(struct encoder *encoder);

// Frees what nodes own outside the encoder's arena.
void nodes_free(struct encoder *encoder);

// --- Axioms (encode/axioms.c) ------------------------------------------------------------------

// Asserts that an axiom holds where the guard does.
void axiom_require(struct encoder *encoder, const struct model_axiom *axiom, literal guard);

// Asserts that a graph of `count` vertices has no cycle where the guard holds (encode/acyclic.c).
// edges[a * count + b] is the literal of the edge from vertex a to b, 0 where there is none; there
// is none from a vertex to itself. `events` name the vertices in dumps.
void acyclic_require(struct encoder *encoder, const unsigned *events, size_t count,
                     const literal *edges, literal guard);

// --- The encoder -------------------------------------------------------------------------------

struct pending;   // a deferred definition (encode/nodes.c)
struct node_slot; // tables of unrolled nodes (encode/nodes.c)
struct domains;   // encode/domains.c
struct turns;     // encode/turns.c

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

    struct turns *turns;
    struct pair_table *co;
    struct pair_table *sc;
    bool sc_open; // pairs were asked for since the last orders_finish
    struct pair_table *both;
    struct pair_table *base[BASE_REL_COUNT][2]; // by polarity: OVER, UNDER

    struct pair_table **nodes[2]; // by polarity and node
    struct node_slot *slots;      // unrolled nodes
    struct pending *pending;
    size_t pending_count, pending_capacity;
    struct closure_steps **steps; // by node: NULL when not known yet
    size_t *group_pairs;          // by node: pairs of its recursive definition, 0 when not counted
    signed char *must_closed;     // by node: see encode/nodes.c; -1 when not known yet
};

// Whether two events are of operations at one cell at which operations take turns.
static inline bool turns_share(const struct encoder *encoder, unsigned a, unsigned b) {
    const unsigned *cell_of = encoder->turns->cell_of;
    return cell_of[a] != 0 && cell_of[a] == cell_of[b];
}

// Returns the write of an event's operation.
static inline unsigned turns_write(const struct encoder *encoder, unsigned event) {
    return encoder->turns->write_of[event];
}

// Whether the event is a read.
static inline bool turns_is_read(const struct encoder *encoder, unsigned event) {
    return encoder->program->events[event].kind == EVENT_READ;
}

// Returns the event with this index.
static inline const struct event *barriers_event(const struct encoder *encoder, unsigned event) {
    return &encoder->program->events[event];
}

#endif
