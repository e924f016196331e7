// The walk is a search that decides the choices first, and then everything else.
//
// Choices are taken back one after the other, the last one first: each is made one way, then the
// other. Below them it is a search with learned clauses that ends with the first model: what is
// learned follows from the clauses alone, and serves all that comes later.

#include "solver/backend/literals.h"
#include "solver/backend/walk.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    CONFLICTS_MAX = 300,     // from one model to the next
    SIZE_MAX_INTS = 1 << 24, // of clauses, with what is learned
    NO_REASON = 0,           // of a decision
    POLL_STEPS = 64,
};

// What was decided: for a choice, one way or the other.
struct walk_level {
    size_t begin;    // of its literals in the trail
    size_t choice;   // from which on choices are open; below the choices, the variable
    bool is_flipped; // a choice that is made the other way
};

struct walk {
    size_t variables;
    struct literals clauses;  // each: its size, its literals; the first two are watched
    size_t given;             // of these, numbers that were given
    struct literals units;    // clauses of one literal, and what is assumed
    struct literals *watches; // by index of a literal: clauses that watch it
    signed char *values;      // by variable: 1, -1, or 0 when open
    signed char *phases;      // the last value of each
    bool *seen;
    unsigned *levels_of;
    int *reasons; // the clause that forced it, or NO_REASON
    int *trail;
    size_t trail_count, propagated;
    struct walk_level *levels; // from 1
    unsigned level, chosen;    // the last level, and the last one of a choice
    struct literals learned;
    const struct backend_choice *choices;
    size_t choice_count;
    bool is_begun, is_over;
    size_t conflicts, steps;
};

static size_t variable_of(literal l) {
    return (size_t)(l < 0 ? -l : l);
}

static size_t index_of(literal l) {
    return 2 * variable_of(l) + (l < 0);
}

static int value_of(const struct walk *walk, literal l) {
    return l < 0 ? -walk->values[-l] : walk->values[l];
}

bool walk_value(const struct walk *walk, literal l) {
    return variable_of(l) <= walk->variables && value_of(walk, l) > 0;
}

// --- Clauses -----------------------------------------------------------------------------------

// Adds a clause of two literals or more. Returns its place.
static int add_clause(struct walk *walk, const literal *literals, size_t count) {
    int place = (int)walk->clauses.count;
    literals_add(&walk->clauses, (int)count);
    for (size_t i = 0; i < count; i++)
        literals_add(&walk->clauses, literals[i]);
    for (size_t i = 0; i < 2; i++)
        literals_add(&walk->watches[index_of(literals[i])], place);
    return place;
}

struct walk *walk_new(size_t variables, const literal *log, size_t length,
                      const struct backend_choice *choices, size_t choice_count) {
    struct walk *walk = allocate(1, sizeof *walk);
    size_t count = variables + 1;
    *walk = (struct walk){.variables = variables, .choices = choices, .choice_count = choice_count};
    walk->watches = allocate(2 * count, sizeof *walk->watches);
    walk->values = allocate(count, sizeof *walk->values);
    walk->phases = allocate(count, sizeof *walk->phases);
    walk->seen = allocate(count, sizeof *walk->seen);
    walk->levels_of = allocate(count, sizeof *walk->levels_of);
    walk->reasons = allocate(count, sizeof *walk->reasons);
    walk->trail = allocate(count, sizeof *walk->trail);
    walk->levels = allocate(count + 1, sizeof *walk->levels);
    literals_add(&walk->clauses, 0); // so that no clause is at NO_REASON
    walk->is_over = length >= SIZE_MAX_INTS;
    for (size_t begin = 0, i = 0; i < length && !walk->is_over; i++) {
        if (log[i] != 0)
            continue;
        if (i - begin >= 2)
            add_clause(walk, log + begin, i - begin);
        else
            literals_add(&walk->units, i == begin ? 0 : log[begin]);
        begin = i + 1;
    }
    walk->given = walk->clauses.count;
    return walk;
}

void walk_free(struct walk *walk) {
    for (size_t i = 0; i < 2 * (walk->variables + 1); i++)
        free(walk->watches[i].at);
    free(walk->clauses.at);
    free(walk->units.at);
    free(walk->learned.at);
    free(walk->watches);
    free(walk->values);
    free(walk->phases);
    free(walk->seen);
    free(walk->levels_of);
    free(walk->reasons);
    free(walk->trail);
    free(walk->levels);
    free(walk);
}

void walk_assume(struct walk *walk, literal l) {
    assert(!walk->is_begun);
    if (l != LITERAL_TRUE)
        literals_add(&walk->units, l == LITERAL_FALSE || l == LITERAL_NONE ? 0 : l);
}

// --- Values ------------------------------------------------------------------------------------

static void assign(struct walk *walk, literal l, int reason) {
    size_t variable = variable_of(l);
    assert(walk->values[variable] == 0);
    walk->values[variable] = l < 0 ? -1 : 1;
    walk->levels_of[variable] = walk->level;
    walk->reasons[variable] = reason;
    walk->trail[walk->trail_count++] = l;
}

static void decide(struct walk *walk, literal l, size_t choice, bool is_flipped) {
    walk->level++;
    walk->levels[walk->level] = (struct walk_level){walk->trail_count, choice, is_flipped};
    assign(walk, l, NO_REASON);
}

static void take_back(struct walk *walk, unsigned level) {
    if (walk->level <= level)
        return;
    size_t begin = walk->levels[level + 1].begin;
    while (walk->trail_count > begin) {
        size_t variable = variable_of(walk->trail[--walk->trail_count]);
        walk->phases[variable] = walk->values[variable];
        walk->values[variable] = 0;
    }
    walk->level = level;
    walk->propagated = begin;
}

// Finds another literal for a clause to watch in place of one that is false. Returns false when
// there is none.
static bool watch_another(struct walk *walk, int *clause, int place) {
    for (int i = 3; i <= clause[0]; i++)
        if (value_of(walk, clause[i]) >= 0) {
            int other = clause[i];
            clause[i] = clause[2];
            clause[2] = other;
            literals_add(&walk->watches[index_of(other)], place);
            return true;
        }
    return false;
}

// Draws the conclusions of the clauses that watch a literal, which is false. Returns one that is
// broken, or 0.
static int visit(struct walk *walk, literal l) {
    struct literals *watches = &walk->watches[index_of(l)];
    size_t kept = 0, next = 0;
    int broken = 0;
    while (next < watches->count && broken == 0) {
        int place = watches->at[next++], *clause = walk->clauses.at + place;
        if (clause[1] == l) {
            clause[1] = clause[2];
            clause[2] = l;
        }
        int first = value_of(walk, clause[1]);
        if (first <= 0 && watch_another(walk, clause, place))
            continue;
        watches->at[kept++] = place;
        if (first < 0)
            broken = place;
        else if (first == 0)
            assign(walk, clause[1], place);
    }
    while (next < watches->count)
        watches->at[kept++] = watches->at[next++];
    watches->count = kept;
    return broken;
}

static int propagate(struct walk *walk) {
    int broken = 0;
    while (broken == 0 && walk->propagated < walk->trail_count)
        broken = visit(walk, -walk->trail[walk->propagated++]);
    return broken;
}

// --- Conflicts ---------------------------------------------------------------------------------

// Marks the literals of a clause, but the one that it has forced: those of earlier levels are
// learned. Returns how many are new on the last level.
static size_t mark(struct walk *walk, int place, literal forced) {
    size_t found = 0;
    const int *clause = walk->clauses.at + place;
    for (int i = 1; i <= clause[0]; i++) {
        size_t variable = variable_of(clause[i]);
        if (clause[i] == forced || walk->seen[variable] || walk->levels_of[variable] == 0)
            continue;
        walk->seen[variable] = true;
        if (walk->levels_of[variable] == walk->level)
            found++;
        else
            literals_add(&walk->learned, clause[i]);
    }
    return found;
}

// Derives a clause from a broken one in which a single literal, the first, is of the last level.
static void learn(struct walk *walk, int broken) {
    size_t at = walk->trail_count;
    walk->learned.count = 0;
    literals_add(&walk->learned, 0);
    size_t open = mark(walk, broken, 0);
    literal l = 0;
    for (;;) {
        do
            l = walk->trail[--at];
        while (!walk->seen[variable_of(l)]);
        walk->seen[variable_of(l)] = false;
        if (--open == 0)
            break;
        open += mark(walk, walk->reasons[variable_of(l)], l);
    }
    walk->learned.at[0] = -l;
    for (size_t i = 1; i < walk->learned.count; i++)
        walk->seen[variable_of(walk->learned.at[i])] = false;
}

// Puts a literal of the last level among the others of the learned clause second. Returns that
// level.
static unsigned sort_learned(struct walk *walk) {
    unsigned last = 0;
    int *learned = walk->learned.at;
    for (size_t i = 1; i < walk->learned.count; i++) {
        unsigned level = walk->levels_of[variable_of(learned[i])];
        if (level <= last)
            continue;
        last = level;
        int other = learned[1];
        learned[1] = learned[i];
        learned[i] = other;
    }
    return last;
}

// Leaves a conflict below the choices: goes back as far as the learned clause says, but takes no
// choice back.
static void go_back(struct walk *walk, int broken) {
    learn(walk, broken);
    unsigned level = sort_learned(walk);
    take_back(walk, level < walk->chosen ? walk->chosen : level);
    int reason = NO_REASON;
    if (walk->learned.count >= 2)
        reason = add_clause(walk, walk->learned.at, walk->learned.count);
    assign(walk, walk->learned.at[0], reason);
}

// Makes the last choice that was made in one way only in the other way. Returns false when there is
// none.
static bool choose_otherwise(struct walk *walk) {
    while (walk->chosen != 0 && walk->levels[walk->chosen].is_flipped)
        walk->chosen--;
    if (walk->chosen == 0)
        return false;
    struct walk_level level = walk->levels[walk->chosen];
    literal l = walk->trail[level.begin];
    take_back(walk, walk->chosen - 1);
    decide(walk, -l, level.choice, true);
    return true;
}

static bool resolve(struct walk *walk, int broken) {
    walk->conflicts++;
    if (walk->level == walk->chosen)
        return choose_otherwise(walk);
    go_back(walk, broken);
    return true;
}

// --- Decisions ---------------------------------------------------------------------------------

static bool is_open(const struct walk *walk, literal l) {
    return l != LITERAL_TRUE && l != LITERAL_FALSE && value_of(walk, l) == 0;
}

static bool holds(const struct walk *walk, literal l) {
    return l == LITERAL_TRUE || (l != LITERAL_FALSE && value_of(walk, l) > 0);
}

// A literal that a choice leaves open; 0 when it is made.
static literal open_literal(const struct walk *walk, const struct backend_choice *choice) {
    literal open = LITERAL_NONE;
    if (is_open(walk, choice->none))
        return -choice->none;
    if (holds(walk, choice->none))
        return LITERAL_NONE;
    for (size_t i = 0; i < choice->count; i++) {
        if (holds(walk, choice->options[i]))
            return LITERAL_NONE;
        if (open == LITERAL_NONE && is_open(walk, choice->options[i]))
            open = choice->options[i];
    }
    return open;
}

// Decides something that is open, choices first. Returns false when nothing is.
static bool decide_next(struct walk *walk) {
    size_t from = walk->level == 0 ? 0 : walk->levels[walk->level].choice;
    if (walk->level == walk->chosen) {
        for (size_t i = from; i < walk->choice_count; i++) {
            literal l = open_literal(walk, &walk->choices[i]);
            if (l == LITERAL_NONE)
                continue;
            decide(walk, l, i, false);
            walk->chosen = walk->level;
            return true;
        }
        from = LITERAL_TRUE + 1;
    }
    for (size_t i = from; i <= walk->variables; i++)
        if (walk->values[i] == 0) {
            decide(walk, walk->phases[i] > 0 ? (literal)i : -(literal)i, i, false);
            return true;
        }
    return false;
}

// --- The walk ----------------------------------------------------------------------------------

// Asserts the clauses of one literal. Returns false when there is no model.
static bool begin(struct walk *walk) {
    walk->is_begun = true;
    if (walk->is_over)
        return true;
    for (size_t i = 0; i < walk->units.count; i++) {
        literal l = walk->units.at[i];
        int value = l == 0 ? -1 : value_of(walk, l);
        if (value < 0)
            return false;
        if (value == 0)
            assign(walk, l, NO_REASON);
    }
    return propagate(walk) == 0;
}

static bool satisfies_clause(const struct walk *walk, const int *clause) {
    for (int i = 1; i <= clause[0]; i++)
        if (value_of(walk, clause[i]) > 0)
            return true;
    return false;
}

// Whether every clause that was given holds, and all that is assumed.
static bool is_model(const struct walk *walk) {
    for (size_t i = 0; i < walk->units.count; i++)
        if (value_of(walk, walk->units.at[i]) <= 0)
            return false;
    for (size_t i = 1; i < walk->given; i += (size_t)walk->clauses.at[i] + 1)
        if (!satisfies_clause(walk, walk->clauses.at + i))
            return false;
    return true;
}

// Goes on from a model.
static bool leave(struct walk *walk) {
    if (!walk->is_begun)
        return begin(walk);
    take_back(walk, walk->chosen);
    return choose_otherwise(walk);
}

static bool is_too_much(struct walk *walk, bool (*must_stop)(void *context), void *context) {
    return walk->is_over || walk->conflicts > CONFLICTS_MAX ||
           walk->clauses.count > SIZE_MAX_INTS ||
           (walk->steps++ % POLL_STEPS == 0 && must_stop(context));
}

enum walk_end walk_next(struct walk *walk, bool (*must_stop)(void *context), void *context) {
    bool goes_on = leave(walk);
    walk->conflicts = 0;
    while (goes_on) {
        if (is_too_much(walk, must_stop, context))
            return WALK_GAVE_UP;
        int broken = propagate(walk);
        if (broken != 0)
            goes_on = resolve(walk, broken);
        else if (!decide_next(walk))
            return is_model(walk) ? WALK_MORE : WALK_GAVE_UP;
    }
    return WALK_ALL;
}
