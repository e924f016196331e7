// The texts that are built in, which the build generates from the .cat and .json files of model/.
// They are constants and live for ever.
#ifndef PTXLITMUS_BUILTIN_H
#define PTXLITMUS_BUILTIN_H

#include "model/cat/model.h"

// Newest first; ends with an entry whose name is NULL.
extern const struct builtin_model builtin_models[];

// model/simulated: axioms that make a model stronger, with the names of the ptx-9.1 model.
extern const struct builtin_model builtin_simulated[];

// model/targets: JSON, each under the name of its file, without titles, by name.
extern const struct builtin_model builtin_targets[];

// model/dat3m-names.cat: what is read before a text in Dat3M's names.
extern const char *const builtin_dat3m_names;

// model/whole-accesses.cat: axioms that are added to any model with --tearing=none.
extern const char *const builtin_whole_accesses;

#endif
