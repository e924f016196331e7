// An option that is set by its name and a text, and the kinds of values that such texts are.
#ifndef PTXLITMUS_CHECK_SETTING_H
#define PTXLITMUS_CHECK_SETTING_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

// An option: its name without dashes, its argument or "", and what it does.
struct option_text {
    const char *name, *argument, *help;
};

// One that is being set.
struct setting {
    struct arena *arena; // of what is made of the text, and of messages
    const struct option_text *option;
    const char *text;  // NULL for an option that takes none
    const char *error; // the first; NULL while there is none
};

// Returns NULL when the option has an argument just if it takes one, else what is wrong, owned by
// the arena.
const char *setting_misses(const struct setting *setting);

// Returns a whole number from `low` to `high`; sets the error where the text is something else.
size_t setting_number(struct setting *setting, size_t low, size_t high);

// Returns a number of seconds, "10" or "0.5"; sets the error where the text is something else.
double setting_seconds(struct setting *setting);

// Returns the index of the text among the choices, which '|' separates in the option's argument;
// sets the error where it is none of them.
int setting_choice(struct setting *setting);

// Returns the words of the text, which commas separate, owned by the arena, and sets `*count`; sets
// the error where a word is empty or comes twice.
const char **setting_words(struct setting *setting, size_t *count);

// Whether a text is digits alone, at least one.
bool setting_is_number(const char *text);

#endif
