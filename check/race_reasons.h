// Why nothing orders the accesses of the races that were found.
#ifndef PTXLITMUS_CHECK_RACE_REASONS_H
#define PTXLITMUS_CHECK_RACE_REASONS_H

#include "check/report/findings.h"

struct model;
struct solver;

// Sets the reasons of the findings of a report, by searches of their own with these options, which
// ask for no races. Where one is cut short, the reason is left out. The arena owns them.
void race_reasons(struct solver *solver, struct arena *arena, const struct model *model,
                  const struct report *report, const struct solver_options *options,
                  struct findings *findings);

#endif
