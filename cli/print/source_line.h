// The line of a .cu file that an instruction comes from.
#ifndef PTXLITMUS_CLI_PRINT_SOURCE_LINE_H
#define PTXLITMUS_CLI_PRINT_SOURCE_LINE_H

#include "check/report/report.h"

struct arena;

// Returns the line of the source that an instruction comes from, without the blanks around it;
// owned by the arena. NULL where the report is not of a .cu file, or the line cannot be read.
const char *source_line_text(struct arena *arena, const struct report *report,
                             const struct instruction *instruction);

#endif
