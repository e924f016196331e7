// What a test expects of itself.
#ifndef PTXLITMUS_LITMUS_EXPECTATION_H
#define PTXLITMUS_LITMUS_EXPECTATION_H

#include "litmus/source/source.h"

#include <stdbool.h>

// What an `expect` may say of a test. Those of one line exclude each other.
enum expectation {
    EXPECT_ALLOWED, // of the verdict
    EXPECT_FORBIDDEN,
    EXPECT_ALWAYS,
    EXPECT_RACE, // some execution has a race; none has
    EXPECT_NO_RACE,
    EXPECT_HANG, // some execution hangs, or none ends; neither is the case
    EXPECT_NO_HANG,
    EXPECT_TRAP, // in some execution a thread traps; in none
    EXPECT_NO_TRAP,
    EXPECT_REACHABLE, // there is some outcome; there is none
    EXPECT_UNREACHABLE,
    EXPECT_TERMINATES, // each execution ends; some may not
    EXPECT_MAY_HANG,
    EXPECTATION_COUNT,
};

struct test_expected {
    enum expectation what;
    struct span span; // of its words
};

// Whether an expectation has an opposite, which those about the verdict have not.
bool expectation_has_opposite(enum expectation what);

// Returns the opposite of an expectation that has one: it holds where the expectation fails.
enum expectation expectation_opposite(enum expectation what);

// Returns the words of an expectation, "no race", which live for ever.
const char *expectation_text(enum expectation what);

#endif
