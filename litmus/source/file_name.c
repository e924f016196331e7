// Makes names of files.
#include "litmus/source/file_name.h"

#include "litmus/source/arena.h"

#include <string.h>

const char *file_stem(struct arena *arena, const char *text) {
    static const char kept[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-_.";
    char *stem = arena_strndup(arena, text, strnlen(text, FILE_STEM_MAX));
    for (char *at = stem + strspn(stem, kept); *at; at += strspn(at, kept))
        *at = '_';
    return *stem == '.' || *stem == '\0' ? arena_format(arena, "test-%s", stem) : stem;
}

const char *file_stem_number(struct arena *arena, const char *stem, unsigned number) {
    return number > 1 ? arena_format(arena, "%s-%u", stem, number) : stem;
}
