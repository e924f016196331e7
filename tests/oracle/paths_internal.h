// What the files of paths share: paths.c finds them, needs.c drops those that no write provides
// for.
#ifndef PTXLITMUS_ORACLE_PATHS_INTERNAL_H
#define PTXLITMUS_ORACLE_PATHS_INTERNAL_H

#include "tests/oracle/paths.h"

#include <stdbool.h>
#include <stddef.h>

// As calloc and reallocarray; without memory, a message, and the end of the program with status 4.
void *paths_allocate(size_t count, size_t size);
void *paths_resized(void *memory, size_t count, size_t size);

// Returns the chunk that a thread's step writes, or the number of chunks where there is none yet.
size_t paths_find_chunk(const struct paths *paths, int thread, const struct step *step);

// Returns the bytes from `offset` to `end` of a chunk that covers them.
struct value paths_chunk_part(const struct chunk *chunk, unsigned offset, unsigned end);

// Whether a chunk writes all bytes of an object from `offset` to `end`.
bool paths_covers(const struct chunk *chunk, int object, unsigned offset, unsigned end);

// Returns these bytes as they are before the test.
struct value paths_initial_part(const struct paths *paths, int object, unsigned offset,
                                unsigned end);

// Adds what may come out of thin air to paths->guesses: each constant of the test, where what is
// read can make a difference to what is executed.
void paths_guess_constants(struct paths *paths);

// Finds what a path of a thread provides and needs, which needs_free_path releases with the path.
void needs_find(struct paths *paths, int thread, struct candidate_path *path);

// Releases a path and all that it owns.
void needs_free_path(struct candidate_path *path);

// Drops paths that read what no path that is left writes, until there are none.
void needs_drop_unprovided(struct paths *paths);

#endif
