// A result as JSON, with what the command adds.
#include "check/print/json.h"

#include "cli/print/print.h"
#include "cli/report/added.h"
#include "cli/suite/judge.h"

void print_json(FILE *out, struct arena *arena, const struct report *report) {
    const struct judged *judged = report->added->judged;
    print_result_json(out, arena, report, judged ? judged_json(arena, judged) : NULL);
}
