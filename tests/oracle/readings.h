// The rules that are read in two ways (docs/readings.md): their options, and the flags of the tests
// that the other reading decides differently.
#ifndef PTXLITMUS_ORACLE_READINGS_H
#define PTXLITMUS_ORACLE_READINGS_H

#include "tests/oracle/explore.h"

enum { ORACLE_READINGS = 9 };

struct oracle_reading {
    const char *option;        // "proxy-fences"
    const char *usual, *other; // what the option chooses besides "both"
    const char *flag;          // "proxy-reading"
    size_t field;              // where struct version has the other reading, a bool
    bool since_9_1;            // older versions have no other reading
    // Whether it can decide a test differently that was explored in the usual one.
    bool (*matters)(const struct test *test, const struct explored *result);
    // Whether the two are compared by the races of the test, too; NULL: never.
    bool (*decides_races)(const struct explored *result);
};

extern const struct oracle_reading oracle_readings[ORACLE_READINGS];

// The version in the other reading of a rule; false where it has none.
bool oracle_reading_other(const struct oracle_reading *reading, const struct version *version,
                          struct version *other);

#endif
