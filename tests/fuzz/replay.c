// Runs a fuzz target without libFuzzer, so that ctest can: on each file of the folders and files
// given, and on mutations of it, the same ones in every run.
//
// usage: replay MUTATIONS PATH...
#include "tests/fuzz/fuzz.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_FILE = 1 << 16 };

static unsigned long mutations;
static unsigned long inputs;
static uint64_t random_state;

static size_t random_below(size_t limit) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(random_state >> 33) % limit;
}

// What tends to be near the edge of a parser.
static const char *const interesting[] = {"",    ";",   "|",   "{",    "}",    "(",
                                          ")",   "[",   "]",   "\"",   "/*",   "@",
                                          "%",   ".",   "\n",  "~",    "-",    "4294967296",
                                          "0x",  "P1:", "x",   "\xff", "\\/",  "&",
                                          "let", "rec", "and", ".gpu", ".u64", "exists"};

// Replaces a stretch of the text by something else; returns the new size.
static size_t mutate_once(uint8_t *text, size_t size) {
    size_t begin = random_below(size + 1);
    size_t rest = size - begin;
    size_t removed = random_below((rest < 20 ? rest : 20) + 1);
    uint8_t byte = (uint8_t)random_below(256);
    const char *word = interesting[random_below(sizeof interesting / sizeof *interesting)];
    const void *inserted = word;
    size_t length = strlen(word);
    switch (random_below(4)) {
    case 0: // another byte
        inserted = &byte;
        length = 1;
        break;
    case 1: // cut off here
        return begin;
    case 2: // something from elsewhere in the text
        length = random_below((begin < 30 ? begin : 30) + 1);
        inserted = text;
        break;
    default: break;
    }
    if (size - removed + length > LARGEST_FILE)
        return size;
    uint8_t copy[32];
    length = length < sizeof copy ? length : sizeof copy;
    memcpy(copy, inserted, length);
    memmove(text + begin + length, text + begin + removed, size - begin - removed);
    memcpy(text + begin, copy, length);
    return size - removed + length;
}

static void run(const uint8_t *text, size_t size) {
    uint8_t *exact = malloc(size + 1); // of its own, so that a sanitizer sees reads past the end
    if (exact == NULL)
        abort();
    memcpy(exact, text, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    inputs++;
}

static int replay_file(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)status;
    (void)place;
    static uint8_t original[LARGEST_FILE], text[LARGEST_FILE];
    if (type != FTW_F)
        return 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    size_t size = fread(original, 1, sizeof original, file);
    fclose(file);
    run(original, size);
    random_state = size;
    for (unsigned long i = 0; i < mutations; i++) {
        memcpy(text, original, size);
        size_t length = size;
        for (size_t times = 1 + random_below(3); times > 0; times--)
            length = mutate_once(text, length);
        run(text, length);
    }
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: %s MUTATIONS PATH...\n", argv[0]);
        return 2;
    }
    mutations = strtoul(argv[1], NULL, 10);
    for (int i = 2; i < argc; i++) {
        if (nftw(argv[i], replay_file, 16, FTW_PHYS) != 0) {
            fprintf(stderr, "cannot replay %s\n", argv[i]);
            return 1;
        }
    }
    printf("%lu inputs\n", inputs);
    return 0;
}
