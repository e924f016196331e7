// Expectations rewritten to what came, for review.
#ifndef PTXLITMUS_CLI_SUITE_UPDATE_H
#define PTXLITMUS_CLI_SUITE_UPDATE_H

#include "cli/suite/suite.h"

#include <stdbool.h>

// Rewrites the files that the results name, as far as they are known, and says so on `out`: each
// file once. Returns false after messages on `err` when one cannot be written or read again.
bool suite_update(const struct suite *suite, FILE *out, FILE *err);

#endif
