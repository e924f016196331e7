// Executions by hand, for unit tests: events are added thread by thread in program order.
#ifndef PTXLITMUS_ORACLE_BUILD_EXECUTION_H
#define PTXLITMUS_ORACLE_BUILD_EXECUTION_H

#include "tests/oracle/axioms.h"

// An execution of `threads` threads that are pairwise together in `together`, with one initial
// write (event 0, 1, ...) for each of `cells` cells. Everything that is added executes.
struct execution build(unsigned cells, enum scope together);

// Each adds an event to the thread and returns it. A read takes its value from `source`.
unsigned build_write(struct execution *x, int thread, enum access_order order, enum scope scope,
                     unsigned cell);
unsigned build_read(struct execution *x, int thread, enum access_order order, enum scope scope,
                    unsigned cell, unsigned source);
unsigned build_fence(struct execution *x, int thread, enum access_order order, enum scope scope);

// An atom: returns its read; its write is the next event.
unsigned build_atom(struct execution *x, int thread, enum access_order order, enum scope scope,
                    unsigned cell, unsigned source);

// The strict order on the events of a list that ends with -1, closed transitively.
struct rel build_order(const struct execution *x, const int *list);

// co: the initial writes first, then `order`, closed transitively.
struct rel build_co(const struct execution *x, struct rel order);

#endif
