// Choices, one check of the solver each.
#include "solver/answer/choices.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>

// In a large program, what comes after so many checks is left to the solver.
enum { CHECKS_MAX = 600 };

enum truth choices_ask(struct choices *choices) {
    return choices->ask(choices->context, choices->asked.at, choices->asked.count);
}

bool choices_take(struct choices *choices, const literal *literals, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (literals[i] == LITERAL_FALSE || ++choices->checks > CHECKS_MAX)
            continue;
        literals_add(&choices->asked, literals[i]);
        enum truth found = choices_ask(choices);
        if (found == TRUTH_YES)
            return true;
        choices->asked.count--;
        if (found == TRUTH_UNKNOWN)
            return false;
    }
    return true;
}

// Whether a write leaves the state of an mbarrier: what an operation on one is expected to find.
static bool leaves_state(const struct program *program, unsigned write) {
    const struct event *event = &program->events[write];
    return event->kind == EVENT_INIT ? program_is_mbarrier(program, event)
                                     : event->mbarrier != NULL;
}

// The first write that a cell can be read from; of an mbarrier, one that leaves a state if there is
// any.
static bool choose_source(struct choices *choices, unsigned read, unsigned cell) {
    const struct program *program = choices->program;
    bool of_state = program->events[read].mbarrier != NULL;
    size_t n = program->event_count, count = 0;
    literal *literals = allocate(n + 1, sizeof *literals);
    for (int wanted = of_state; wanted >= 0; wanted--)
        for (unsigned source = 0; source < n; source++)
            if (!of_state || leaves_state(program, source) == wanted)
                literals[count++] = encode_source(choices->encoder, read, cell, source);
    bool good = choices_take(choices, literals, count);
    free(literals);
    return good;
}

// Operations on mbarriers choose first: what they find decides on what they do.
static bool choose_sources(struct choices *choices, bool of_mbarriers) {
    const struct program *program = choices->program;
    for (unsigned e = 0; e < program->event_count; e++) {
        if (program->events[e].kind != EVENT_READ ||
            (program->events[e].mbarrier != NULL) != of_mbarriers)
            continue;
        for (unsigned cell = 0; cell < program->memory.cell_count; cell++)
            if (!choose_source(choices, e, cell))
                return false;
    }
    return true;
}

// Leaves two writes unordered where that is possible, for then no order that is shown is there
// without need.
static bool choose_co(struct choices *choices, unsigned a, unsigned b) {
    struct encoder *encoder = choices->encoder;
    literal forth = encode_base_pair(encoder, BASE_REL_CO, a, b);
    literal back = encode_base_pair(encoder, BASE_REL_CO, b, a);
    if (forth == LITERAL_FALSE && back == LITERAL_FALSE)
        return true;
    size_t before = choices->asked.count;
    literals_add(&choices->asked, -forth);
    literals_add(&choices->asked, -back);
    enum truth neither = ++choices->checks > CHECKS_MAX ? TRUTH_NO : choices_ask(choices);
    if (neither == TRUTH_NO)
        choices->asked.count = before;
    return neither == TRUTH_NO ? choices_take(choices, LITERALS(forth, back))
                               : neither == TRUTH_YES;
}

static bool choose_orders(struct choices *choices) {
    const struct program *program = choices->program;
    for (unsigned a = 0; a < program->event_count; a++)
        for (unsigned b = a + 1; b < program->event_count; b++) {
            const struct event *x = &program->events[a], *y = &program->events[b];
            bool writes = x->kind == EVENT_WRITE && y->kind == EVENT_WRITE;
            bool fences = x->kind == EVENT_FENCE && y->kind == EVENT_FENCE &&
                          x->order == ORDER_SC && y->order == ORDER_SC;
            if (writes && !choose_co(choices, a, b))
                return false;
            literal first = LITERAL_FALSE;
            if (fences)
                first = encode_base_pair(choices->encoder, BASE_REL_SC_ORDER, a, b);
            if (fences && !choices_take(choices, &first, 1))
                return false;
        }
    return true;
}

bool choices_make(struct choices *choices) {
    return choose_sources(choices, true) && choose_sources(choices, false) &&
           choose_orders(choices);
}
