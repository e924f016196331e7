// All threads of launches that leave some out.
#ifndef PTXLITMUS_LAUNCH_WHOLE_H
#define PTXLITMUS_LAUNCH_WHOLE_H

#include "litmus/test.h"

struct arena;

// Returns a test in which the launches of a test have all their threads, of which its `threads`
// name some; the test itself where they have, or where these are more than 8,192. The arena owns
// the result, and the test has to live as long. What the test asks of registers is not to be asked
// of the result.
const struct test *whole_launches(struct arena *arena, const struct test *test);

#endif
