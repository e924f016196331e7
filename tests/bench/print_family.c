// ptxlitmus-family: prints a test of a family of the benchmarks.
#include "tests/bench/family.h"

#include <stdlib.h>

static int usage(void) {
    fputs("usage: ptxlitmus-family NAME SIZE [ROUNDS]\n", stderr);
    const struct family *family;
    for (unsigned i = 0; (family = family_at(i)); i++)
        fprintf(stderr, "  %-8s %s: %s, from %u%s\n", family->name, family->what, family->verdict,
                family->least,
                family->is_even ? ", even" : (family->has_rounds ? ", with rounds" : ""));
    return 2;
}

// A number of an argument, or 0 for anything else.
static unsigned number(const char *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    return *text && !*end && value <= 1000000 ? (unsigned)value : 0;
}

int main(int argc, char **argv) {
    if (argc < 3 || argc > 4)
        return usage();
    const struct family *family = family_find(argv[1]);
    unsigned size = number(argv[2]);
    unsigned rounds = argc > 3 ? number(argv[3]) : 1;
    if (!family || !family_has(family, size, rounds))
        return usage();
    family_print(family, size, rounds, stdout);
    return fclose(stdout) == 0 ? 0 : 1;
}
