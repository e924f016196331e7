// The cat texts that are built in, which the build generates from model/*.cat.
#ifndef PTXLITMUS_BUILTIN_H
#define PTXLITMUS_BUILTIN_H

#include "model/cat/model.h"

// Newest first; ends with an entry whose name is NULL.
extern const struct builtin_model builtin_models[];

// model/dat3m-names.cat: what is read before a text in Dat3M's names.
extern const char *const builtin_dat3m_names;

#endif
