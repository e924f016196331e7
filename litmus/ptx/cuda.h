// Words of CUDA C++ that PTX says in another way.
#ifndef PTXLITMUS_PTX_CUDA_H
#define PTXLITMUS_PTX_CUDA_H

#include <stddef.h>

// A row of cuda.def.
struct cuda_word {
    const char *word;     // "__threadfence()"
    const char *ptx;      // "fence.sc.gpu"
    const char *sentence; // a hint that says so
};

// Returns all `*count` words, which live for ever, in the order of the table.
const struct cuda_word *cuda_words(size_t *count);

// Returns the word as it is written in CUDA, with or without parentheses after it; NULL when the
// table does not have it. It lives for ever.
const struct cuda_word *cuda_word_find(const char *word);

#endif
