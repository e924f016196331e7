// How many threads a block of a derived launch has.
#ifndef PTXLITMUS_CLI_COMMANDS_LAUNCH_SIZE_H
#define PTXLITMUS_CLI_COMMANDS_LAUNCH_SIZE_H

struct run;

// Sets how many threads a block has where the launch of the kernel that `check` is given is
// derived: as many as the kernel allows, or 64, if such a launch can be decided in a few seconds;
// else the most of some smaller sizes that can. Nothing is changed where a manifest, an option or
// the kernel itself says how large a block is.
void launch_size_choose(struct run *run);

#endif
