// Precedence of exit statuses (litmus-format.md section 4).
#include "check/report/exit_status.h"

// Rank by precedence: the higher one wins.
static int rank(enum exit_status status) {
    switch (status) {
    case EXIT_INTERNAL: return 4;
    case EXIT_BAD_INPUT: return 3;
    case EXIT_FAILED: return 2;
    case EXIT_UNDECIDED: return 1;
    case EXIT_DECIDED: return 0;
    }
    return 4;
}

enum exit_status exit_status_worse(enum exit_status a, enum exit_status b) {
    return rank(a) >= rank(b) ? a : b;
}
