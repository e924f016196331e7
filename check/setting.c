// The kinds of values that options take; messages say what would be right.
#include "check/setting.h"

#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const char *setting_misses(const struct setting *setting) {
    const struct option_text *option = setting->option;
    if ((*option->argument != '\0') == (setting->text != NULL))
        return NULL;
    return setting->text
               ? arena_format(setting->arena, "'--%s' takes no argument", option->name)
               : arena_format(setting->arena, "'--%s' needs %s", option->name, option->argument);
}

bool setting_is_number(const char *text) {
    return *text != '\0' && text[strspn(text, "0123456789")] == '\0';
}

size_t setting_number(struct setting *setting, size_t low, size_t high) {
    const char *text = setting->text;
    errno = 0;
    unsigned long long value = setting_is_number(text) ? strtoull(text, NULL, 10) : 0;
    if (setting_is_number(text) && errno == 0 && value >= low && value <= high)
        return (size_t)value;
    const char *range = high == SIZE_MAX
                            ? arena_format(setting->arena, "of %zu or more", low)
                            : arena_format(setting->arena, "from %zu to %zu", low, high);
    setting->error = arena_format(setting->arena, "'--%s' takes a whole number %s, not '%s'",
                                  setting->option->name, range, escaped(setting->arena, text));
    return low;
}

// seconds = digits ("." digits)?
double setting_seconds(struct setting *setting) {
    const char *text = setting->text;
    size_t whole = strspn(text, "0123456789");
    size_t fraction = text[whole] == '.' ? strspn(text + whole + 1, "0123456789") : 0;
    size_t length = whole + (fraction ? 1 + fraction : 0);
    if (whole > 0 && text[length] == '\0') {
        double value = strtod(text, NULL);
        if (value <= 1e9)
            return value;
    }
    setting->error = arena_format(
        setting->arena,
        "'--%s' takes a number of seconds (0 for no limit), such as 10 or 0.5, not '%s'",
        setting->option->name, escaped(setting->arena, text));
    return 0;
}

int setting_choice(struct setting *setting) {
    const char *text = setting->text, *choices = setting->option->argument;
    size_t length = strlen(text);
    int index = 0;
    for (const char *at = choices;; index++) {
        size_t size = strcspn(at, "|");
        if (size == length && memcmp(at, text, size) == 0)
            return index;
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    setting->error = arena_format(setting->arena, "'--%s' takes %s, not '%s'",
                                  setting->option->name, choices, escaped(setting->arena, text));
    return 0;
}

// Whether a word is among others.
static bool is_among(const char *word, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i], word) == 0)
            return true;
    return false;
}

// list = word ("," word)*
const char **setting_words(struct setting *setting, size_t *count) {
    struct arena *arena = setting->arena;
    const char **words = NULL, *name = setting->option->name;
    *count = 0;
    for (const char *at = setting->text;;) {
        size_t length = strcspn(at, ",");
        const char *word = arena_strndup(arena, at, length);
        if (length == 0) {
            setting->error = arena_format(
                arena, "'--%s' takes names separated by commas, and '%s' leaves one out", name,
                escaped(arena, setting->text));
            return words;
        }
        if (is_among(word, words, *count)) {
            setting->error =
                arena_format(arena, "'--%s' names '%s' twice", name, escaped(arena, word));
            return words;
        }
        ARENA_APPEND(arena, words, *count, word);
        if (at[length] == '\0')
            return words;
        at += length + 1;
    }
}
