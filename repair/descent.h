// A result that need not be the cheapest: from a strong choice down.
#ifndef PTXLITMUS_REPAIR_DESCENT_H
#define PTXLITMUS_REPAIR_DESCENT_H

#include <stdbool.h>
#include <stddef.h>

struct candidates;
struct change_work;

// Makes a choice with which the outcome is forbidden weaker until no place can be, as far as the
// programs that share events tell; what is learned on the way goes to the candidates. New barriers
// and other waits stay. Returns false where a limit was reached.
bool descent_find(struct change_work *work, struct candidates *candidates, size_t *choice);

#endif
