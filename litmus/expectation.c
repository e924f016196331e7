// The words of expectations, and which of them are opposites.
#include "litmus/expectation.h"

#include <assert.h>

bool expectation_has_opposite(enum expectation what) {
    return what != EXPECT_ALLOWED && what != EXPECT_FORBIDDEN && what != EXPECT_ALWAYS &&
           what != EXPECTATION_COUNT;
}

enum expectation expectation_opposite(enum expectation what) {
    static const enum expectation pairs[][2] = {{EXPECT_RACE, EXPECT_NO_RACE},
                                                {EXPECT_HANG, EXPECT_NO_HANG},
                                                {EXPECT_TRAP, EXPECT_NO_TRAP},
                                                {EXPECT_REACHABLE, EXPECT_UNREACHABLE},
                                                {EXPECT_TERMINATES, EXPECT_MAY_HANG}};
    assert(expectation_has_opposite(what));
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][0] == what || pairs[i][1] == what)
            return pairs[i][pairs[i][0] == what];
    return what;
}

const char *expectation_text(enum expectation what) {
    static const char *const words[EXPECTATION_COUNT] = {
        "allowed", "forbidden", "always",    "race",        "no race",    "hang",    "no hang",
        "trap",    "no trap",   "reachable", "unreachable", "terminates", "may-hang"};
    return words[what];
}
