// Comparing our reading of PTX with ptxas, NVIDIA's assembler: statements are made from the
// instruction table, right and wrong ones, and both are asked whether a target has them in a
// version of PTX.
#ifndef PTXLITMUS_TESTS_PTX_COMPARE_H
#define PTXLITMUS_TESTS_PTX_COMPARE_H

#include "litmus/ptx/target.h"
#include "litmus/source/arena.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum verdict {
    VERDICT_ACCEPTED,
    VERDICT_REFUSED,
    VERDICT_OUTSIDE, // ours alone: PTX that is not read
};

// What a statement is judged for: a module of that version, for that target.
struct setting {
    const struct ptx_target *target;
    unsigned version; // 78 for PTX ISA 7.8
};

struct statement_case {
    const char *text;
    struct setting setting;
    enum verdict ours;
    const char *message; // our first error, or ""
    enum verdict ptxas;
    const char *error; // its first error, or ""
};

struct case_list {
    struct arena *arena;
    struct statement_case *items;
    size_t count;
};

// --- generate.c --------------------------------------------------------------------------------

// Adds a statement for each alternative of each slot of each form that is read.
void generate_all_forms(struct case_list *list, struct setting setting);

// Which instructions random statements are made of.
enum instruction_set {
    SET_MEMORY, // ld st atom red fence membar cvta isspacep mapa, which the memory model is about
    SET_ALL,
};

struct random {
    uint64_t state;
};

// Of 0 to limit - 1, each with the same chance.
size_t random_below(struct random *random, size_t limit);

// Whether a statement is of one of some instructions, "mbarrier,cp.async": their names up to a '.',
// or to the end.
bool statement_is_of(const char *text, const char *names);

// Adds `count` random statements, about half of them with a mistake; of the instructions in
// `names`, where that is not NULL, of which at least one form is read.
void generate_random(struct case_list *list, struct random *random, struct setting setting,
                     enum instruction_set set, const char *names, size_t count);

// Whether the statement is of SET_MEMORY.
bool statement_is_memory(const char *text);

// --- judge.c -----------------------------------------------------------------------------------

// Fills `ours` and `message`.
void judge_ourselves(struct case_list *list);

// Fills `ptxas` and `error`. Returns false when ptxas cannot be run.
bool judge_by_ptxas(struct case_list *list, const char *ptxas);

// The path of ptxas, owned by the arena: $PTXAS, on the PATH, in $CUDA_HOME/bin, or where CUDA is
// installed by default; NULL when there is none.
const char *find_ptxas(struct arena *arena);

// Whether this ptxas makes code for the target.
bool ptxas_knows_target(const char *ptxas, const char *target);

// Whether this ptxas reads modules of the setting.
bool ptxas_takes(struct arena *arena, const char *ptxas, struct setting setting);

#endif
