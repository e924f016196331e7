// What `check` finds, with reasons.
#ifndef PTXLITMUS_CLI_COMMANDS_FINDING_H
#define PTXLITMUS_CLI_COMMANDS_FINDING_H

struct arena;
struct model;
struct report;
struct run;

// Sets the findings of a report of `check`, with why nothing orders what races. The reasons take a
// search of their own, within what is left of the limits; where it is cut short, they are left out.
void finding_explain(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report);

#endif
