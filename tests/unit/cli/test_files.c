// Folders become their tests, in the order of names.
#include "cli/input/files.h"
#include "litmus/source/arena.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void touch(struct arena *arena, const char *folder, const char *name) {
    int file = open(arena_format(arena, "%s/%s", folder, name), O_CREAT | O_WRONLY, 0600);
    assert_true(file >= 0);
    close(file);
}

static const char *make_folder(struct arena *arena, const char *folder, const char *name) {
    const char *path = arena_format(arena, "%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
    return path;
}

static void expect(const struct input *input, const char *folder, const char *rest,
                   const char *error) {
    assert_int_equal(strncmp(input->path, folder, strlen(folder)), 0);
    assert_string_equal(input->path + strlen(folder), rest);
    if (error) {
        assert_non_null(input->error);
        assert_string_equal(input->error, error);
    } else {
        assert_null(input->error);
    }
}

static void test_folders(void **state) {
    (void)state;
    struct arena *arena = arena_new();
    char *root = arena_format(arena, "/tmp/ptxlitmus-files-XXXXXX");
    assert_non_null(mkdtemp(root));
    const char *inner = make_folder(arena, root, "b");
    const char *empty = make_folder(arena, root, "empty");
    touch(arena, root, "c.litmus");
    touch(arena, root, "a.litmus");
    touch(arena, root, "notes.txt");
    touch(arena, root, ".litmus"); // a suffix without a name
    touch(arena, inner, "z.test");
    touch(arena, inner, "y.litmus");
    assert_int_equal(symlink(".", arena_format(arena, "%s/loop", inner)), 0);
    touch(arena, empty, "notes.md");

    const char *paths[] = {"-", root, "missing.litmus", empty};
    struct input_list list;
    files_collect(arena, paths, 4, &list);
    assert_int_equal(list.count, 7);
    assert_int_equal(list.file_count, 6);
    expect(&list.items[0], "-", "", NULL);
    expect(&list.items[1], root, "/a.litmus", NULL);
    expect(&list.items[2], root, "/b/y.litmus", NULL);
    expect(&list.items[3], root, "/b/z.test", NULL);
    expect(&list.items[4], root, "/c.litmus", NULL);
    expect(&list.items[5], "missing.litmus", "", NULL);
    expect(&list.items[6], empty, "",
           "no tests in this folder: it holds no *.litmus, *.test or *.ptx file");
    const char *slash[] = {arena_format(arena, "%s/", inner)};
    files_collect(arena, slash, 1, &list);
    expect(&list.items[0], inner, "/y.litmus", NULL);

    static const char *const made[] = {"b/y.litmus", "b/z.test", "b/loop",    "a.litmus",
                                       "c.litmus",   ".litmus",  "notes.txt", "empty/notes.md"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        unlink(arena_format(arena, "%s/%s", root, made[i]));
    rmdir(inner);
    rmdir(empty);
    assert_int_equal(rmdir(root), 0);
    arena_free(arena);
}

// Every N-th file from the I-th on, with its place in the whole; files that cannot be read are
// none.
static void test_shards(void **state) {
    (void)state;
    static const size_t counts[][3] = {{1, 2, 3}, {2, 2, 2}, {1, 7, 1}, {5, 7, 1}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        struct input items[5] = {
            {.path = "0"}, {.path = "1"}, {.path = "2"}, {.path = "3"}, {.path = "4"}};
        struct input_list list = {.items = items, .count = 5, .file_count = 5};
        files_take_shard(&list, counts[i][0], counts[i][1]);
        assert_int_equal(list.count, counts[i][2]);
        assert_int_equal(list.file_count, counts[i][2]);
        for (size_t k = 0; k < list.count; k++) {
            assert_int_equal(list.items[k].index, counts[i][0] + k * counts[i][1]);
            assert_int_equal(list.items[k].path[0] - '0' + 1, (int)list.items[k].index);
        }
    }
    struct input items[2] = {{.path = "0", .error = "bad"}, {.path = "1"}};
    struct input_list list = {.items = items, .count = 2, .file_count = 1};
    files_take_shard(&list, 1, 1);
    assert_int_equal(list.file_count, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_folders),
                                       cmocka_unit_test(test_shards)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
