// Dependencies: lists of them, and which of them count (memory-model: semantic dependencies).
#ifndef PTXLITMUS_PROGRAM_DEPENDENCY_DEPENDENCIES_H
#define PTXLITMUS_PROGRAM_DEPENDENCY_DEPENDENCIES_H

#include "program/builder.h"

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

// --- dependency/weigh.c -----------------------------------------------------------------------

// Drops the dependencies that are syntactic only. After all threads and phases_build.
void dependencies_weigh(struct builder *builder);

// --- dependency/cycles.c -----------------------------------------------------------------------

// Whether some execution may exist only because of a dependency that was left out. Needs the cells.
bool dependencies_may_matter(const struct builder *builder);

#endif
