// What the reads of a path need, what its writes provide, and which paths are left when each read
// has to find something to read.
#include "tests/oracle/paths_internal.h"

#include <stdlib.h>

size_t paths_words(const struct paths *paths) {
    return (paths->chunk_count + 63) / 64;
}

static void set_member(uint64_t *set, size_t member) {
    set[member / 64] |= UINT64_C(1) << member % 64;
}

static bool meet(const uint64_t *a, const uint64_t *b, size_t words) {
    for (size_t i = 0; i < words; i++)
        if (a[i] & b[i])
            return true;
    return false;
}

static void add_need(struct paths *paths, struct candidate_path *path, const struct step *step,
                     unsigned offset, unsigned end) {
    struct value value =
        value_slice(step->value, 8 * (offset - step->spot.offset), 8 * (end - offset));
    if (value_equal(paths_initial_part(paths, step->spot.object, offset, end), value))
        return;
    uint64_t *need = paths_allocate(paths_words(paths), sizeof *need);
    for (size_t i = 0; i < paths->chunk_count; i++)
        if (paths_covers(&paths->chunks[i], step->spot.object, offset, end) &&
            value_equal(paths_chunk_part(&paths->chunks[i], offset, end), value))
            set_member(need, i);
    path->needs = paths_resized(path->needs, path->need_count + 1, sizeof *path->needs);
    path->needs[path->need_count++] = need;
}

void needs_find(struct paths *paths, int thread, struct candidate_path *path) {
    path->provides = paths_allocate(paths_words(paths), sizeof *path->provides);
    for (unsigned i = 0; i < path->path.count; i++) {
        const struct step *step = &path->path.steps[i];
        unsigned end = step->spot.offset + step->size;
        if (step->action == ACTION_WRITE)
            set_member(path->provides, paths_find_chunk(paths, thread, step));
        if (step->action != ACTION_READ)
            continue;
        for (unsigned offset = step->spot.offset; offset < end;) {
            unsigned next = paths_unit_end_of(paths, step, offset, end);
            add_need(paths, path, step, offset, next);
            offset = next;
        }
    }
}

void needs_free_path(struct candidate_path *path) {
    for (size_t i = 0; i < path->need_count; i++)
        free(path->needs[i]);
    free(path->needs);
    free(path->provides);
    free(path->depends);
    free(path->path.registers);
    free(path->path.steps);
    free(path);
}

static void find_provided(struct paths *paths, struct path_list *list) {
    free(list->provides);
    list->provides = paths_allocate(paths_words(paths), sizeof *list->provides);
    for (size_t i = 0; i < list->count; i++)
        for (size_t word = 0; word < paths_words(paths); word++)
            list->provides[word] |= list->paths[i]->provides[word];
}

// Whether each of its reads finds something to read in some paths of the threads.
static bool is_provided(const struct paths *paths, const struct candidate_path *path) {
    for (size_t i = 0; i < path->need_count; i++) {
        bool found = false;
        for (size_t t = 0; t < paths->memory->test->thread_count && !found; t++)
            found = meet(path->needs[i], paths->threads[t].provides, paths_words(paths));
        if (!found)
            return false;
    }
    return true;
}

void needs_drop_unprovided(struct paths *paths) {
    bool dropped = true;
    while (dropped) {
        dropped = false;
        for (size_t t = 0; t < paths->memory->test->thread_count; t++)
            find_provided(paths, &paths->threads[t]);
        for (size_t t = 0; t < paths->memory->test->thread_count; t++) {
            struct path_list *list = &paths->threads[t];
            size_t kept = 0;
            for (size_t i = 0; i < list->count; i++) {
                if (is_provided(paths, list->paths[i])) {
                    list->paths[kept++] = list->paths[i];
                } else {
                    needs_free_path(list->paths[i]);
                    dropped = true;
                }
            }
            list->count = kept;
        }
    }
}
