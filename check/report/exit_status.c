// Precedence of exit statuses (litmus-format.md section 4).
#include "check/report/exit_status.h"

enum exit_status exit_status_worse(enum exit_status a, enum exit_status b) {
    static const int ranks[] = {[EXIT_DECIDED] = 0,
                                [EXIT_UNDECIDED] = 1,
                                [EXIT_FAILED] = 2,
                                [EXIT_BAD_INPUT] = 3,
                                [EXIT_INTERNAL] = 4};
    return ranks[a] >= ranks[b] ? a : b; // by precedence, the higher one wins
}
