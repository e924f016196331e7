// Reasons and a fix of a fault that the run of a launch has met.
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCHED_FAULT_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCHED_FAULT_H

struct arena;
struct report;
struct run;

// Looks for reasons of the faults that a run has met in a launch of fewer threads, where
// run->derived has one, and for a fix: sets `report->added->smaller` and `->mending`.
void launched_explain(struct run *run, struct arena *arena, struct report *report);

#endif
