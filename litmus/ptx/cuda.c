// The table of CUDA's words.
#include "litmus/ptx/cuda.h"

#include <string.h>

static const struct cuda_word words[] = {
#define CUDA(word, ptx, sentence) {word, ptx, sentence},
#include "litmus/ptx/cuda.def"
#undef CUDA
};

enum { WORD_COUNT = sizeof words / sizeof words[0] };

const struct cuda_word *cuda_words(size_t *count) {
    *count = WORD_COUNT;
    return words;
}

const struct cuda_word *cuda_word_find(const char *word) {
    for (size_t i = 0; i < WORD_COUNT; i++) {
        size_t length = strcspn(words[i].word, "(");
        if (strncmp(words[i].word, word, length) == 0 &&
            (word[length] == '\0' || strcmp(word + length, "()") == 0))
            return &words[i];
    }
    return NULL;
}
