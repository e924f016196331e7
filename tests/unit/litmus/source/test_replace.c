// Files that are replaced whole or not at all, with and without a file system that has files
// without a name; names of files.
#include "litmus/source/arena.h"
#include "litmus/source/file_name.h"
#include "litmus/source/replace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_nameless; // whether new files may be without a name

int __real_access(const char *path, int mode);
int __wrap_access(const char *path, int mode);

int __wrap_access(const char *path, int mode) {
    return is_nameless ? __real_access(path, mode) : -1;
}

struct place {
    struct arena *arena;
    char folder[sizeof "/tmp/replace-XXXXXX"];
    const char *path; // of a file in it
};

static struct place *place_new(void) {
    static struct place place;
    strcpy(place.folder, "/tmp/replace-XXXXXX");
    assert_non_null(mkdtemp(place.folder));
    place.arena = arena_new();
    place.path = arena_format(place.arena, "%s/file", place.folder);
    return &place;
}

static const char *beside(const struct place *place, const char *name) {
    return arena_format(place->arena, "%s/%s", place->folder, name);
}

static void expect(const struct place *place, const char *path, const char *text) {
    char found[100] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
    (void)place;
}

// How many files there are, of any name.
static size_t count(const struct place *place) {
    size_t count = 0;
    DIR *folder = opendir(place->folder);
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

static void place_end(struct place *place) {
    static const char *const names[] = {"file", "other", "link", "victim", "left"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unlink(beside(place, names[i]));
    assert_int_equal(rmdir(place->folder), 0);
    arena_free(place->arena);
}

// What is written is not there before it is whole.
static void test_replaced(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        is_nameless = i == 1;
        struct place *place = place_new();
        struct written_file file;
        struct stat status;
        assert_null(replace_file(place->arena, place->path, "old", 3));
        assert_int_equal(chmod(place->path, 0640), 0);
        assert_null(replace_begin(place->arena, &file, place->path, false));
        fputs("new", file.out);
        fflush(file.out);
        expect(place, place->path, "old");
        assert_null(replace_commit(place->arena, &file));
        expect(place, place->path, "new");
        assert_int_equal(stat(place->path, &status), 0);
        assert_int_equal(status.st_mode & 0777, 0640);
        assert_null(replace_begin(place->arena, &file, place->path, false));
        fputs("never", file.out);
        replace_abandon(&file);
        expect(place, place->path, "new");
        assert_int_equal(count(place), 1);
        place_end(place);
    }
}

// Of several files, nothing has its name before all are stored.
static void test_stored(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        is_nameless = i == 1;
        struct place *place = place_new();
        struct written_file file;
        assert_null(replace_begin(place->arena, &file, place->path, true));
        fputs("text", file.out);
        assert_null(replace_store(place->arena, &file));
        assert_int_equal(access(place->path, F_OK), -1);
        // Another process has made such a file: it stays, and this one may have another name.
        assert_null(replace_file(place->arena, place->path, "theirs", 6));
        assert_ptr_equal(replace_commit(place->arena, &file), REPLACE_EXISTS);
        file.path = beside(place, "other");
        assert_null(replace_commit(place->arena, &file));
        expect(place, place->path, "theirs");
        expect(place, beside(place, "other"), "text");
        assert_int_equal(count(place), 2);
        assert_ptr_equal(replace_begin(place->arena, &file, place->path, true), REPLACE_EXISTS);
        place_end(place);
    }
}

// As on a full disk: a file that may not be so large.
static void test_full(void **state) {
    (void)state;
    struct rlimit before, small = {1000, 1000};
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    char *large = calloc(1, 100000);
    for (int i = 0; i < 2; i++) {
        is_nameless = i == 1;
        struct place *place = place_new();
        assert_null(replace_file(place->arena, place->path, "old", 3));
        setrlimit(RLIMIT_FSIZE, &small);
        const char *error = replace_file(place->arena, place->path, large, 100000);
        setrlimit(RLIMIT_FSIZE, &before);
        assert_non_null(error);
        assert_string_equal(error, strerror(EFBIG));
        expect(place, place->path, "old");
        assert_int_equal(count(place), 1);
        place_end(place);
    }
    free(large);
}

static void test_links(void **state) {
    (void)state;
    is_nameless = true;
    struct place *place = place_new();
    struct written_file file;
    const char *link = beside(place, "link"), *victim = beside(place, "victim");
    assert_int_equal(symlink(victim, link), 0);
    for (int i = 0; i < 2; i++) { // dangling, and to a file
        const char *error = replace_file(place->arena, link, "new", 3);
        assert_non_null(error);
        assert_non_null(strstr(error, "symbolic link"));
        assert_ptr_equal(replace_begin(place->arena, &file, link, true), error);
        assert_null(replace_file(place->arena, place->path, "left", 4));
        assert_ptr_equal(replace_by(place->arena, link, place->path), error);
        if (i == 0)
            assert_int_equal(access(victim, F_OK), -1);
        else
            expect(place, victim, "theirs");
        assert_null(replace_file(place->arena, victim, "theirs", 6));
    }
    assert_null(replace_by(place->arena, victim, place->path));
    expect(place, victim, "left");
    assert_string_equal(replace_file(place->arena, place->folder, "x", 1), strerror(EISDIR));
    assert_string_equal(replace_file(place->arena, beside(place, "none/x"), "x", 1),
                        strerror(ENOENT));
    assert_string_equal(folder_make(place->arena, victim), strerror(ENOTDIR));
    assert_null(folder_make(place->arena, place->folder));
    place_end(place);
}

// Devices, and what is open already, where that is at the time.
static void test_direct(void **state) {
    (void)state;
    struct place *place = place_new();
    FILE *out = fopen(place->path, "w");
    fputs("before, ", out);
    fflush(out);
    const char *open_file = arena_format(place->arena, "/dev/fd/%d", fileno(out));
    assert_null(replace_file(place->arena, open_file, "it, ", 4));
    fputs("after", out);
    fclose(out);
    expect(place, place->path, "before, it, after");
    assert_null(replace_file(place->arena, "/dev/null", "x", 1));
    assert_string_equal(replace_file(place->arena, "/dev/full", "x", 1), strerror(ENOSPC));
    assert_non_null(replace_file(place->arena, "/dev/fd/999", "x", 1));
    place_end(place);
}

static void test_names(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    static const char *const names[][2] = {
        {"MP+cta.2", "MP+cta.2"},
        {"a/b:c d", "a_b_c_d"},
        {"", "test-"},
        {".hidden", "test-.hidden"},
        {"gr\xc3\xbcn", "gr__n"},
        {"\x9b", "_"},
        {"a\nb", "a_b"},
        {"..", "test-.."},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_string_equal(file_stem(arena, names[i][0]), names[i][1]);
    char *longer = arena_format(arena, "%0*d", 300, 7);
    assert_int_equal(strlen(file_stem(arena, longer)), FILE_STEM_MAX);
    assert_string_equal(file_stem_number(arena, "MP", 1), "MP");
    assert_string_equal(file_stem_number(arena, "MP", 2), "MP-2");
    arena_free(arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_replaced), cmocka_unit_test(test_stored),
        cmocka_unit_test(test_full),     cmocka_unit_test(test_links),
        cmocka_unit_test(test_direct),   cmocka_unit_test(test_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
