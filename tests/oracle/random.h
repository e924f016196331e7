// Pseudo-random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood, "Fast
// splittable pseudorandom number generators", OOPSLA 2014).
#ifndef PTXLITMUS_ORACLE_RANDOM_H
#define PTXLITMUS_ORACLE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_next(struct random *random) {
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// Numbers are drawn one a statement: the order in which C evaluates arguments is open.

// A number below `bound`, which is not 0. (The bias of the remainder is of no concern here.)
static inline unsigned random_below(struct random *random, unsigned bound) {
    return (unsigned)(random_next(random) % bound);
}

static inline bool random_chance(struct random *random, unsigned percent) {
    return random_below(random, 100) < percent;
}

// The stream of the `index`-th test of a seed: tests do not depend on the ones before them.
static inline struct random random_stream(uint64_t seed, uint64_t index) {
    struct random random = {.state = seed};
    random.state = random_next(&random) ^ (index * 0xd1342543de82ef95u);
    random.state = random_next(&random);
    return random;
}

#endif
