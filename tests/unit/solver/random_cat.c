// Random cat texts.
#include "random_cat.h"

#include "support.h"

static const char *random_relation(struct arena *arena, uint64_t *seed, unsigned depth);

static const char *pick(uint64_t *seed, const char *const *words, uint32_t count) {
    return words[random_below(seed, count)];
}

static const char *random_set(struct arena *arena, uint64_t *seed, unsigned depth) {
    static const char *const names[] = {"R",   "W",   "M",   "F",    "IW",      "SC",
                                        "RED", "GPU", "SYS", "WEAK", "RELAXED", "_"};
    if (depth == 0)
        return pick(seed, names, sizeof names / sizeof *names);
    const char *a = random_set(arena, seed, depth - 1), *b = random_set(arena, seed, depth - 1);
    switch (random_below(seed, 7)) {
    case 0: return arena_format(arena, "(%s | %s)", a, b);
    case 1: return arena_format(arena, "(%s & %s)", a, b);
    case 2: return arena_format(arena, "(%s \\ %s)", a, b);
    case 3: return arena_format(arena, "(~%s)", a);
    case 4: return arena_format(arena, "domain(%s)", random_relation(arena, seed, depth - 1));
    case 5: return arena_format(arena, "range(%s)", random_relation(arena, seed, depth - 1));
    default: return a;
    }
}

static const char *random_relation(struct arena *arena, uint64_t *seed, unsigned depth) {
    static const char *const names[] = {
        "po",   "po",   "rf",  "rf",  "co", "co", "fr", "fr",          "rmw", "loc", "vloc", "addr",
        "data", "ctrl", "int", "ext", "id", "sc", "sc", "same-extent", "0",   "co+", "co*",  "sc+"};
    if (depth == 0)
        return pick(seed, names, sizeof names / sizeof *names);
    const char *a = random_relation(arena, seed, depth - 1);
    const char *b = random_relation(arena, seed, random_below(seed, depth));
    switch (random_below(seed, 13)) {
    case 0:
    case 1: return arena_format(arena, "(%s | %s)", a, b);
    case 2: return arena_format(arena, "(%s & %s)", a, b);
    case 3: return arena_format(arena, "(%s \\ %s)", a, b);
    case 4:
    case 5:
    case 6: return arena_format(arena, "(%s ; %s)", a, b);
    case 7: return arena_format(arena, "(%s)^-1", a);
    case 8: return arena_format(arena, "(%s)+", a);
    case 9: return arena_format(arena, "(%s)?", a);
    case 10: return arena_format(arena, "((%s)* ; [%s])", a, random_set(arena, seed, depth - 1));
    case 11: return arena_format(arena, "(~%s)", a);
    default:
        return arena_format(arena, "(%s * %s)", random_set(arena, seed, depth - 1),
                            random_set(arena, seed, depth - 1));
    }
}

// One or two names that grow with each other.
static const char *random_recursion(struct arena *arena, uint64_t *seed) {
    const char *a = random_relation(arena, seed, 1), *b = random_relation(arena, seed, 1);
    const char *c = random_relation(arena, seed, 1);
    switch (random_below(seed, 5)) {
    case 0: return arena_format(arena, "let rec t = %s | (t ; %s)\n", a, b);
    case 1: return arena_format(arena, "let rec t = %s | (t & %s) | (t ; t)\n", a, b);
    case 2: return arena_format(arena, "let rec t = %s | (t ; u) and u = %s | (t ; %s)\n", a, b, c);
    case 3: return arena_format(arena, "let rec t = (%s | ([range(t)] ; %s))+ \\ %s\n", a, b, c);
    default: return arena_format(arena, "let rec t = %s | (%s ; t^-1)\n", a, b);
    }
}

static const char *random_axiom(struct arena *arena, uint64_t *seed, const char *relation) {
    static const char *const tests[] = {"acyclic", "irreflexive", "empty"};
    static const char *const orders[] = {"sc", "co", "(sc & ext)", "(co & ext)",
                                         "(sc & ((SYS * _) | (_ * SYS)))"};
    const char *order = pick(seed, orders, sizeof orders / sizeof *orders);
    switch (random_below(seed, 9)) { // closures of which an axiom may read the cycles alone
    case 0: relation = arena_format(arena, "(%s)+", relation); break;
    case 1: relation = arena_format(arena, "((%s)+ | fr)", relation); break;
    case 2: relation = arena_format(arena, "(rf | (po | %s)+)", relation); break;
    // Closures with a strict order among their members, and cycles over it.
    case 3: relation = arena_format(arena, "(%s ; (po | %s | %s)+)", order, order, relation); break;
    case 4: relation = arena_format(arena, "(%s ; (%s | po)+)", relation, order); break;
    case 5:
        relation = arena_format(arena, "(%s ; (%s | (rf | po | %s)*))", order, relation, order);
        break;
    default: break;
    }
    return arena_format(arena, "%s %s", pick(seed, tests, 3), relation);
}

const char *random_cat(struct arena *arena, uint64_t *seed) {
    const char *text = arena_format(arena, "\"random\"\n%s", random_recursion(arena, seed));
    for (unsigned i = 0; i < 4; i++) {
        const char *relation = random_relation(arena, seed, 1 + random_below(seed, 3));
        if (random_below(seed, 2) == 0) // recursive names where they must hold, and must not
            relation =
                arena_format(arena, "(%s %s %s)", relation, random_below(seed, 2) == 0 ? "\\" : "&",
                             random_below(seed, 2) == 0 ? "t" : "(t | po)");
        text = arena_format(arena, "%slet r%u = %s\n", text, i, relation);
    }
    if (random_below(seed, 3) != 0)
        text = arena_format(arena, "%s%s\n", text, random_axiom(arena, seed, "r0"));
    for (unsigned i = 1; i < 4; i++)
        text =
            arena_format(arena, "%sflag %s%s as f%u\n", text, random_below(seed, 3) == 0 ? "" : "~",
                         random_axiom(arena, seed, arena_format(arena, "r%u", i)), i);
    return text;
}
