// Dependencies: lists of them, and which of them count (memory-model: semantic dependencies).
#ifndef PTXLITMUS_PROGRAM_DEPENDENCY_DEPENDENCIES_H
#define PTXLITMUS_PROGRAM_DEPENDENCY_DEPENDENCIES_H

#include "program/builder.h"
#include "program/dependency/influence.h"

struct thread_builder;

// A syntactic dependency that does not count, since the read has no influence.
struct left_out {
    unsigned read, event;
    struct left_out *next;
};

// --- dependency/lists.c --------------------------------------------------------------------

// Adds a dependency on an event to a list that is made one by one, unless its condition (one bit)
// never holds.
void dependencies_add(const struct builder *builder, struct dependency_list *list, unsigned event,
                      const struct expr *condition);

// Returns the dependencies of an operation on two operands. Lists are never changed, so the result
// may share their memory.
struct dependency_list dependencies_union(struct builder *builder, struct dependency_list a,
                                          struct dependency_list b);

// Returns the list with each dependency restricted to where `condition` holds.
struct dependency_list dependencies_when(struct builder *builder, struct dependency_list list,
                                         const struct expr *condition);

// Returns the dependency of a value on the event that read it, or on the wait that returned it; an
// empty list with --deps=none.
struct dependency_list dependencies_of_read(struct builder *builder, unsigned event);

// Makes all later events of the thread depend on a decision, where `condition` holds (syntactic
// control dependencies).
void dependencies_control(struct thread_builder *thread, struct dependency_list list,
                          const struct expr *condition);

// --- dependency/passed.c ----------------------------------------------------------------------

// Puts, in the dependencies of all events, in the place of waits that return values the reads that
// these come from. After phases_build.
void dependencies_pass_on(struct builder *builder);

// Moves the dependencies on reads of other threads to the events' `passed`. After
// dependencies_weigh.
void dependencies_part(struct builder *builder);

// What was found, kept for later questions.
struct passed_values;

// Returns an empty store, owned by the arena; NULL where no expression is over what threads pass
// on. After phases_build.
struct passed_values *passed_values_new(struct arena *arena, struct builder *builder,
                                        struct influences *influences);

// Returns an expression with what each EXPR_REDUCED returns in its place: over EXPR_PHASE_PAIR and
// what the threads give, so that its leaves are reads of several threads; the expression itself
// where `values` is NULL. A result that would come from itself, through phases of which only some
// can be, stays. May add to the pool.
const struct expr *passed_values_in(struct passed_values *values, const struct expr *expr);

// --- dependency/weigh.c -----------------------------------------------------------------------

// Drops the dependencies that are syntactic only. After all threads and phases_build.
void dependencies_weigh(struct builder *builder);

// --- dependency/cycles.c -----------------------------------------------------------------------

// Whether some execution may exist only because of a dependency that was left out. Needs the cells.
bool dependencies_may_matter(const struct builder *builder);

#endif
