// The table of built-in models, which the build generates from model/*.cat.
#ifndef PTXLITMUS_BUILTIN_H
#define PTXLITMUS_BUILTIN_H

#include "model/cat/model.h"

// Newest first; ends with an entry whose name is NULL.
extern const struct builtin_model builtin_models[];

#endif
