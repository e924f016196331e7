// Walks folders in the order of names.
#include "cli/files.h"

#include "litmus/source/arena.h"
#include "litmus/source/containers.h"

#include <errno.h>
#include <fts.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static const UT_icd input_icd = {sizeof(struct input), NULL, NULL, NULL};

static void push(UT_array *inputs, const char *path, const char *error) {
    struct input input = {.path = path, .error = error};
    utarray_push_back(inputs, &input);
}

static bool has_suffix(const FTSENT *entry, const char *suffix) {
    size_t length = strlen(suffix);
    return entry->fts_namelen > length &&
           strcmp(entry->fts_name + entry->fts_namelen - length, suffix) == 0;
}

// Litmus tests, and nvlitmus's.
static bool is_test(const FTSENT *entry) {
    return has_suffix(entry, ".litmus") || has_suffix(entry, ".test");
}

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

// Adds what one entry of a folder stands for. A folder that is its own ancestor through a link
// (FTS_DC) has been seen already.
static void visit(struct arena *arena, UT_array *inputs, const FTSENT *entry) {
    const char *path = arena_strndup(arena, entry->fts_path, entry->fts_pathlen);
    switch (entry->fts_info) {
    case FTS_F:
    case FTS_SLNONE: // a dangling link: reading it says so
        if (is_test(entry)) {
            push(inputs, path, NULL);
        }
        break;
    case FTS_DNR:
    case FTS_ERR:
    case FTS_NS:
        push(inputs, path, arena_format(arena, "cannot be read: %s", strerror(entry->fts_errno)));
        break;
    default: break;
    }
}

static void collect_folder(struct arena *arena, UT_array *inputs, const char *path) {
    char *roots[] = {arena_strndup(arena, path, strlen(path)), NULL};
    unsigned before = utarray_len(inputs);
    FTS *walk = fts_open(roots, FTS_LOGICAL | FTS_NOCHDIR, by_name);
    if (!walk) {
        push(inputs, path, arena_format(arena, "cannot be read: %s", strerror(errno)));
        return;
    }
    for (const FTSENT *entry; (entry = fts_read(walk));) {
        visit(arena, inputs, entry);
    }
    fts_close(walk);
    if (utarray_len(inputs) == before) {
        push(inputs, path, "no tests in this folder: it holds no *.litmus and no *.test file");
    }
}

static bool is_folder(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

void files_collect(struct arena *arena, const char *const *paths, size_t count,
                   struct input_list *list) {
    UT_array *inputs;
    utarray_new(inputs, &input_icd);
    for (size_t i = 0; i < count; i++) {
        if (is_folder(paths[i])) {
            collect_folder(arena, inputs, paths[i]);
        } else {
            push(inputs, paths[i], NULL);
        }
    }
    list->count = utarray_len(inputs);
    list->items = ARENA_ARRAY(arena, struct input, list->count + 1);
    list->file_count = 0;
    for (size_t i = 0; i < list->count; i++) {
        list->items[i] = *(struct input *)utarray_eltptr(inputs, (unsigned)i);
        list->file_count += list->items[i].error == NULL;
    }
    utarray_free(inputs);
}

void files_take_shard(struct input_list *list, size_t shard, size_t count) {
    size_t kept = 0;
    list->file_count = 0;
    for (size_t i = shard - 1; i < list->count; i += count) {
        struct input *input = &list->items[kept++];
        *input = list->items[i];
        input->index = i + 1;
        list->file_count += input->error == NULL;
    }
    list->count = kept;
}
