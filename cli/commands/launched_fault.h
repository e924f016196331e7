// Reasons and a fix of a fault that the run of a launch has met.
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCHED_FAULT_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCHED_FAULT_H

struct arena;
struct report;
struct run;

// Looks for reasons of the faults that a run has met in a launch of fewer threads, where
// run->derived has one, and for a fix: sets `report->added->smaller` and `->mending`.
void launched_explain(struct run *run, struct arena *arena, struct report *report);

// Looks for a fix of a fault that a run has met where nothing is to be searched, as the launch is
// too large or a search does not decide it: changes of the launch itself, each judged by a run of
// all its threads. Sets `report->added->mending`.
void launched_fix(struct run *run, struct arena *arena, struct report *report);

#endif
