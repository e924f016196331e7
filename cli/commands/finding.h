// What `check` finds, with reasons.
#ifndef PTXLITMUS_CLI_COMMANDS_FINDING_H
#define PTXLITMUS_CLI_COMMANDS_FINDING_H

struct arena;
struct model;
struct report;
struct run;

// Sets the findings of a report of a search of `check`, with why nothing orders what races. The
// reasons take a search of their own, within what is left of the limits; where it is cut short,
// they are left out.
void finding_explain(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report);

// Does the same for a report of another command.
void finding_reasons(struct run *run, struct arena *arena, const struct model *model,
                     struct report *report);

// Looks for a fix of what a report has found, where the options want one, and sets its `mending`.
// Changes of the source come first where they are more likely than those of orders and scopes.
// `searched` is a report of a search of the same kernel, with findings, for changes of its PTX:
// the report itself, or that of a smaller launch; NULL: only the source is changed.
void finding_fix(struct run *run, struct arena *arena, const struct model *model,
                 struct report *report, const struct report *searched);

#endif
