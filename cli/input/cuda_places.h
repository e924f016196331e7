// Where a statement can be put into CUDA C++, and which arguments its calls have: found by braces
// and parentheses alone, for changes of which a compiler and a check say whether they do.
#ifndef PTXLITMUS_CLI_INPUT_CUDA_PLACES_H
#define PTXLITMUS_CLI_INPUT_CUDA_PLACES_H

#include <stddef.h>

struct arena;

// Lines before which a statement is put, the nearest first. None is there twice.
struct cuda_places {
    unsigned lines[6];
    size_t count;
};

// Returns the lines before which a statement comes that is to be done before a line: that line
// itself, and those that begin the blocks of `if` and loops around it. `code` is what
// cuda_without_comments returns; lines are counted from 1.
struct cuda_places cuda_places_before(const char *code, unsigned line);

// Returns the lines before which a statement comes that is to be done after a line: the one after
// its statement, then the end of each block of an `if` or a loop around it, and what follows that.
struct cuda_places cuda_places_after(const char *code, unsigned line);

// Returns the name of the function that a line is in, owned by the arena; NULL where it is in none.
const char *cuda_place_function(struct arena *arena, const char *code, unsigned line);

// A call with at least one argument. Texts are places in the code, counted in bytes.
struct cuda_call {
    unsigned line;
    size_t name, name_size;         // without namespaces
    size_t argument, argument_size; // the last one, without blanks around it
};

// Returns an argument of a call, counted from 0, without blanks around it; owned by the arena. NULL
// where it has fewer.
const char *cuda_call_argument(struct arena *arena, const char *code, const struct cuda_call *call,
                               size_t index);

// Returns the calls of functions with one of the `name_count` names, `*count` of them in the order
// of the text, and not where these are defined; owned by the arena.
struct cuda_call *cuda_calls(struct arena *arena, const char *code, const char *const *names,
                             size_t name_count, size_t *count);

#endif
