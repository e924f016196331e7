// Fixes of a .cu file's own text.
#ifndef PTXLITMUS_CLI_COMMANDS_SOURCE_FIX_H
#define PTXLITMUS_CLI_COMMANDS_SOURCE_FIX_H

#include "check/report/report.h"
#include "cli/commands/source_fault.h"

struct arena;
struct model;
struct run;
struct source_fix;
struct solver_options;

// Looks for a change of a .cu file that leaves its launch free of faults: a barrier, a wait, a
// proxy fence, a count of an mbarrier. Each text is compiled and launched as the file is, with
// blocks as large as it may have: run once, and where that does not decide, searched with the
// launch of the report, within `limits`. A compiler may merge branches, so that no point of the
// module is left at which a barrier would do that does in the source. Returns the first one that is
// found, owned by the arena; NULL where there is none. (struct source_fix is in
// cli/print/mending.h.)
const struct source_fix *source_fix_find(struct run *run, struct arena *arena,
                                         const struct model *model, const struct report *report,
                                         const struct source_fault *fault,
                                         const struct solver_options *limits);

#endif
