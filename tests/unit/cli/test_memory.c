// The peak of a process' memory.
#include "cli/jobs/memory.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>
#include <sys/mman.h>

enum { SIZE_KB = 64 * 1024, SLACK_KB = 8 * 1024 };

// It grows with what is touched, stays when that is given back, and can be forgotten.
static void test_peak(void **state) {
    (void)state;
    memory_forget_peak();
    size_t before = memory_peak_kb();
    assert_true(before > 0);
    char *memory = mmap(NULL, (size_t)SIZE_KB * 1024, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    memset(memory, 1, (size_t)SIZE_KB * 1024);
    assert_int_equal(munmap(memory, (size_t)SIZE_KB * 1024), 0);
    size_t after = memory_peak_kb();
    assert_true(after + SLACK_KB > before + SIZE_KB);
    memory_forget_peak();
    assert_true(memory_peak_kb() < after - SIZE_KB / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peak),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
