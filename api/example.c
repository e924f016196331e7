/* Checks the tests of a file, and prints their results. A file with several tests (nvlitmus) is
 * read once for each.
 *
 *     cc example.c $(pkg-config --cflags --libs ptxlitmus) -o example
 *     ./example MP.litmus [OPTION=VALUE...]
 */
#include <ptxlitmus.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a file; the caller frees the text. */
static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    *size = 0;
    if (!file)
        return NULL;
    for (size_t capacity = 4096, got = 1; got > 0; capacity *= 2) {
        char *larger = realloc(text, capacity);
        if (!larger)
            break;
        text = larger;
        got = fread(text + *size, 1, capacity - *size, file);
        *size += got;
    }
    fclose(file);
    return text;
}

/* OPTION=VALUE, or OPTION */
static int set_option(struct ptxlitmus *checker, char *word) {
    char *value = strchr(word, '=');
    if (value)
        *value++ = '\0';
    if (!ptxlitmus_set(checker, word, value)) {
        fprintf(stderr, "%s\n", ptxlitmus_error(checker));
        return 0;
    }
    return 1;
}

static void print_result(const struct ptxlitmus_result *result) {
    printf("%s: %s, %s\n", ptxlitmus_name(result),
           ptxlitmus_verdict_name(ptxlitmus_verdict(result)), ptxlitmus_condition(result));
    for (size_t row = 0; row < ptxlitmus_outcomes(result); row++) {
        printf(ptxlitmus_satisfies(result, row) == PTXLITMUS_YES ? " *" : "  ");
        for (size_t column = 0; column < ptxlitmus_columns(result); column++) {
            printf(" %s=%s", ptxlitmus_column(result, column),
                   ptxlitmus_value(result, row, column));
        }
        printf("\n");
    }
    for (size_t flag = 0; flag < ptxlitmus_flags(result); flag++) {
        printf("  flag %s%s\n", ptxlitmus_flag(result, flag),
               ptxlitmus_flag_holds(result, flag) == PTXLITMUS_YES ? "" : ": not known");
    }
    if (ptxlitmus_reason(result))
        printf("  %s\n", ptxlitmus_reason(result));
}

/* Checks one test of a text; returns whether its expectations came true, and in `*tests` how many
 * the text has. */
static int check(struct ptxlitmus *checker, const char *path, const char *text, size_t size,
                 size_t index, size_t *tests) {
    struct ptxlitmus_result *result = ptxlitmus_check(checker, path, text, size, index);
    int is_expected = 0;
    *tests = 0;
    if (!result) {
        fprintf(stderr, "%s: %s\n", path, ptxlitmus_error(checker));
        return 0;
    }
    for (size_t i = 0; i < ptxlitmus_diagnostics(result); i++)
        fputs(ptxlitmus_diagnostic_text(ptxlitmus_diagnostic(result, i)), stderr);
    if (ptxlitmus_status(result) == PTXLITMUS_CHECKED) {
        print_result(result);
        *tests = ptxlitmus_tests(result);
        is_expected = ptxlitmus_expected(result) == PTXLITMUS_YES;
    }
    ptxlitmus_free(result);
    return is_expected;
}

int main(int argc, char **argv) {
    struct ptxlitmus *checker = ptxlitmus_open();
    size_t size = 0, tests = 1;
    char *text = argc > 1 ? read_file(argv[1], &size) : NULL;
    int good = checker && text;
    if (!good)
        fputs("usage: example FILE [OPTION=VALUE...]\n", stderr);
    for (int i = 2; good && i < argc; i++)
        good = set_option(checker, argv[i]);
    for (size_t i = 0; good && i < tests; i++)
        good = check(checker, argv[1], text, size, i, &tests);
    free(text);
    ptxlitmus_close(checker);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
