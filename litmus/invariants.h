// What test.h and its parts say of every test, as assertions: what program and the oracle may
// assume of any reader's.
#ifndef PTXLITMUS_LITMUS_INVARIANTS_H
#define PTXLITMUS_LITMUS_INVARIANTS_H

struct test;

// Asserts all of it of a test that was read without errors; nothing in builds without assertions.
void test_assert(const struct test *test);

#endif
