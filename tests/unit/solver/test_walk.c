// Walks through the models of clauses, compared with trying all assignments.
#include "solver/backend/walk.h"
#include "support.h"

enum { VARIABLES = 11, FIRST = 2, CHOICES = 3, OPTIONS = 3, ROUNDS = 400 };

// A problem: the literal of each clause is 0 after its last one.
struct random_problem {
    literal clauses[80][OPTIONS + 2];
    size_t count;
    literal options[CHOICES][OPTIONS];
    struct backend_choice choices[CHOICES];
    literal assumption;
};

static literal random_literal(uint64_t *seed) {
    literal l = (literal)(FIRST + random_below(seed, VARIABLES));
    return random_below(seed, 2) == 0 ? l : -l;
}

static void push(struct random_problem *problem, const literal *literals, size_t count) {
    for (size_t i = 0; i < count; i++)
        problem->clauses[problem->count][i] = literals[i];
    problem->clauses[problem->count++][count] = 0;
}

// Two choices of one variable of three each, one of which holds; and one of a single variable. Some
// can be none.
static void make_choices(struct random_problem *problem, uint64_t *seed) {
    for (int c = 0; c < CHOICES; c++) {
        literal *options = problem->options[c];
        size_t count = c == 2 ? 1 : OPTIONS;
        for (size_t i = 0; i < count; i++)
            options[i] = FIRST + OPTIONS * c + (literal)i;
        literal none = random_below(seed, 2) == 0 ? LITERAL_FALSE : FIRST + VARIABLES - 1;
        problem->choices[c] = (struct backend_choice){none, options, count};
        if (c == 2) {
            problem->choices[c] = (struct backend_choice){-options[0], NULL, 0};
            continue;
        }
        push(problem, options, OPTIONS);
        for (size_t i = 0; i < OPTIONS; i++)
            push(problem, (literal[]){-options[i], -options[(i + 1) % OPTIONS]}, 2);
    }
}

static void make_problem(struct random_problem *problem, uint64_t *seed) {
    *problem = (struct random_problem){.count = 0};
    make_choices(problem, seed);
    unsigned more = random_below(seed, 45);
    for (unsigned i = 0; i < more; i++) {
        literal literals[OPTIONS];
        unsigned size = random_below(seed, 12) == 0 ? 1 : 2 + random_below(seed, 2);
        for (unsigned k = 0; k < size; k++)
            literals[k] = random_literal(seed);
        push(problem, literals, size);
    }
    problem->assumption = random_below(seed, 2) == 0 ? LITERAL_TRUE : random_literal(seed);
}

static bool is_true(unsigned assignment, literal l) {
    if (l == LITERAL_TRUE || l == LITERAL_FALSE)
        return l == LITERAL_TRUE;
    return (assignment >> ((l < 0 ? -l : l) - FIRST) & 1) == (l > 0);
}

static bool is_model_of(const struct random_problem *problem, unsigned assignment) {
    for (size_t i = 0; i < problem->count; i++) {
        bool holds = false;
        for (const literal *l = problem->clauses[i]; *l != 0; l++)
            holds = holds || is_true(assignment, *l);
        if (!holds)
            return false;
    }
    return is_true(assignment, problem->assumption);
}

// The choices of an assignment as a number.
static unsigned choices_of(const struct random_problem *problem, unsigned assignment) {
    unsigned number = 0;
    for (size_t c = 0; c < CHOICES; c++) {
        const struct backend_choice *choice = &problem->choices[c];
        unsigned made = 0;
        for (size_t i = 0; i < choice->count && !is_true(assignment, choice->none); i++)
            if (is_true(assignment, choice->options[i]))
                made = (unsigned)i + 1;
        number = number * (OPTIONS + 2) + (is_true(assignment, choice->none) ? OPTIONS + 1 : made);
    }
    return number;
}

enum { NUMBERS = (OPTIONS + 2) * (OPTIONS + 2) * (OPTIONS + 2) };

struct visited {
    struct backend *backend;
    const struct random_problem *problem;
    bool seen[NUMBERS];
    unsigned count, most;
};

static bool note_model(void *context) {
    struct visited *visited = context;
    unsigned assignment = 0;
    for (unsigned i = 0; i < VARIABLES; i++)
        if (backend_literal_value(visited->backend, (literal)(FIRST + i)))
            assignment |= 1u << i;
    assert_true(is_model_of(visited->problem, assignment));
    unsigned number = choices_of(visited->problem, assignment);
    assert_false(visited->seen[number]); // one model for each
    visited->seen[number] = true;
    return ++visited->count != visited->most;
}

static void walk_problem(const struct random_problem *problem, enum engine engine, unsigned most) {
    bool expected[NUMBERS] = {false};
    unsigned count = 0;
    for (unsigned assignment = 0; assignment < 1u << VARIABLES; assignment++)
        if (is_model_of(problem, assignment))
            expected[choices_of(problem, assignment)] = true;
    struct visited visited = {backend_new(), problem, {false}, 0, most};
    backend_choose(visited.backend, engine);
    backend_begin(visited.backend, 0, false);
    for (unsigned i = 0; i < VARIABLES; i++)
        assert_int_equal(backend_variable(visited.backend, "x", i, 0), FIRST + i);
    for (size_t i = 0; i < problem->count; i++) {
        size_t size = 0;
        while (problem->clauses[i][size] != 0)
            size++;
        backend_clause(visited.backend, problem->clauses[i], size);
    }
    enum walk_end end = backend_walk(visited.backend, &problem->assumption, 1, problem->choices,
                                     CHOICES, note_model, &visited);
    for (unsigned i = 0; i < NUMBERS; i++) {
        count += expected[i];
        assert_true(most != 0 || visited.seen[i] == expected[i]);
    }
    bool is_cut = most != 0 && most <= count;
    assert_int_equal(end, is_cut ? WALK_MORE : WALK_ALL);
    assert_int_equal(visited.count, is_cut ? most : count);
    backend_free(visited.backend);
}

static void test_random(void **state) {
    (void)state;
    uint64_t seed = 11;
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct random_problem problem;
        make_problem(&problem, &seed);
        enum engine engine = round % 2 == 0 ? ENGINE_Z3 : ENGINE_CADICAL;
        walk_problem(&problem, solver_has_engine(engine) ? engine : ENGINE_Z3,
                     round % 5 == 0 ? 2 : 0);
    }
}

static bool never_called(void *context) {
    (void)context;
    fail();
    return false;
}

// What clauses alone do not say is left to the engine.
static void test_bit_vectors(void **state) {
    (void)state;
    struct backend *backend = backend_new();
    backend_begin(backend, 0, false);
    term x = backend_term_variable(backend, 8, "x", 0);
    literal is_three =
        backend_term_equal(backend, x, backend_term_constant(backend, 8, (struct bits128){3, 0}));
    struct backend_choice choice = {is_three, NULL, 0};
    assert_int_equal(backend_walk(backend, NULL, 0, &choice, 1, never_called, NULL), WALK_GAVE_UP);
    backend_free(backend);
}

// A problem that takes a search: pigeons in holes, of which there is one too few.
static void test_gives_up(void **state) {
    (void)state;
    enum { HOLES = 9 };
    literal in[HOLES + 1][HOLES];
    struct backend *backend = backend_new();
    backend_begin(backend, 0, false);
    for (unsigned p = 0; p <= HOLES; p++) {
        for (unsigned h = 0; h < HOLES; h++)
            in[p][h] = backend_variable(backend, "in", p, h);
        backend_clause(backend, in[p], HOLES);
    }
    for (unsigned h = 0; h < HOLES; h++)
        for (unsigned p = 0; p <= HOLES; p++)
            for (unsigned q = 0; q < p; q++)
                backend_clause(backend, (literal[]){-in[p][h], -in[q][h]}, 2);
    assert_int_equal(backend_walk(backend, NULL, 0, NULL, 0, never_called, NULL), WALK_GAVE_UP);
    backend_free(backend);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_bit_vectors),
        cmocka_unit_test(test_gives_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
