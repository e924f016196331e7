// Boolean functions as reduced ordered binary decision diagrams (Bryant, 1986): equal functions are
// one number, and a function depends on exactly the variables that occur in its diagram.
#ifndef PTXLITMUS_LITMUS_PROGRAM_DEPENDENCY_DIAGRAM_H
#define PTXLITMUS_LITMUS_PROGRAM_DEPENDENCY_DIAGRAM_H

#include <stdbool.h>

// A function. After the limit of a problem is reached, results are DIAGRAM_TOO_LARGE, and so is
// what is made of them.
typedef unsigned diagram;
enum { DIAGRAM_FALSE = 0, DIAGRAM_TRUE = 1, DIAGRAM_TOO_LARGE = ~0u >> 1 };

enum { DIAGRAM_VARIABLES_MAX = 1 << 14 };

struct diagrams;

// Freed by diagrams_free.
struct diagrams *diagrams_new(void);
void diagrams_free(struct diagrams *diagrams);

// Forgets all functions. Afterwards at most `steps` steps are taken, each of about constant time.
void diagrams_begin(struct diagrams *diagrams, unsigned steps);
unsigned diagrams_steps(const struct diagrams *diagrams); // taken since then

// The variable of this rank, which is below DIAGRAM_VARIABLES_MAX: lower ranks stand higher.
diagram diagram_variable(struct diagrams *diagrams, unsigned rank);
diagram diagram_and(struct diagrams *diagrams, diagram a, diagram b);
diagram diagram_xor(struct diagrams *diagrams, diagram a, diagram b);
diagram diagram_not(struct diagrams *diagrams, diagram a);
diagram diagram_or(struct diagrams *diagrams, diagram a, diagram b);
diagram diagram_choose(struct diagrams *diagrams, diagram condition, diagram then_value,
                       diagram else_value);

// Sets `occurs[rank]` for each variable that the function, which is not too large, depends on.
void diagram_mark_variables(struct diagrams *diagrams, diagram function, bool *occurs);

#endif
