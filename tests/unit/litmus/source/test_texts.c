// Streams into memory: what is written to them, and that those of work that was left by a jump are
// never written to memory again.
#include "litmus/source/allocate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static void test_text(void **state) {
    (void)state;
    char *text = NULL;
    size_t size = 7;
    FILE *out = text_open(&text, &size);
    fprintf(out, "%s %d", "MP", 40);
    text_close(out);
    assert_string_equal(text, "MP 40");
    assert_int_equal(size, 5);
    free(text);
}

static void test_abandoned(void **state) {
    (void)state;
    char *texts[3] = {NULL, NULL, NULL};
    size_t sizes[3];
    FILE *streams[3];
    for (unsigned i = 0; i < 3; i++) {
        streams[i] = text_open(&texts[i], &sizes[i]);
        fputs("lost", streams[i]);
    }
    text_close(streams[1]); // from between the others
    assert_string_equal(texts[1], "lost");
    texts_abandon();
    fflush(NULL); // as at the end of the process
    fclose(streams[2]);
    assert_int_equal(sizes[0], 0);
    assert_int_equal(sizes[2], 0);
    fclose(streams[0]);
    for (unsigned i = 0; i < 3; i++)
        free(texts[i]);
    test_text(state); // later ones are written again
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_abandoned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
