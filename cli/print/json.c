// A result as JSON, with what the command adds.
#include "check/print/json.h"

#include "check/report/judge.h"
#include "check/text/json.h"
#include "cli/print/findings.h"
#include "cli/print/launched.h"
#include "cli/print/mending.h"
#include "cli/print/print.h"
#include "cli/report/added.h"

void print_json(FILE *out, struct arena *arena, const struct report *report) {
    const struct added *added = report->added;
    json_t *more = added->judged ? judged_json(arena, added->judged) : json_object();
    if (added->findings)
        json_field(more, "findings", findings_json(arena, report));
    if (added->mending)
        json_field(more, "fix", fix_json(arena, report));
    if (added->launched) {
        json_field(more, "run", launched_json(arena, report));
        json_field(more, "findings", launched_findings_json(arena, report));
    }
    print_result_json(out, arena, report, more);
}
