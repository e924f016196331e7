// Reads logs line by line.
#include "harness/log.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct log_reader {
    struct arena *arena;
    const struct source *source;
    struct diagnostics *diagnostics;
    struct log_list *list;
    uint32_t at; // the next line
};

// A line without its end.
struct log_line {
    const char *text; // NUL-terminated copy
    size_t length;
    struct span span;
};

static bool next_line(struct log_reader *reader, struct log_line *line) {
    const struct source *source = reader->source;
    if (reader->at >= source->size)
        return false;
    const char *begin = source->text + reader->at;
    const char *newline = memchr(begin, '\n', source->size - reader->at);
    size_t length = newline == NULL ? source->size - reader->at : (size_t)(newline - begin);
    uint32_t at = reader->at;
    reader->at += (uint32_t)length + 1;
    length -= length > 0 && begin[length - 1] == '\r';
    *line = (struct log_line){
        arena_strndup(reader->arena, begin, length), length, {source, at, at + (uint32_t)length}};
    return true;
}

static bool begins(const struct log_line *line, const char *word) {
    return strncmp(line->text, word, strlen(word)) == 0;
}

// The span of a part of a line.
static struct span part(const struct log_line *line, const char *from, const char *to) {
    return (struct span){line->span.source, line->span.begin + (uint32_t)(from - line->text),
                         line->span.begin + (uint32_t)(to - line->text)};
}

const char *log_name(struct arena *arena, const char *name, size_t length) {
    const char *colon = memchr(name, ':', length);
    if (length >= 2 && name[0] == '[' && name[length - 1] == ']')
        return arena_strndup(arena, name + 1, length - 2);
    if (colon == NULL)
        return arena_strndup(arena, name, length);
    size_t skip = *name == 'P';
    const char *rest = colon + 1, *end = name + length;
    rest += rest < end && *rest == '%';
    return arena_format(arena, "%.*s:%.*s", (int)(colon - name - (ptrdiff_t)skip), name + skip,
                        (int)(end - rest), rest);
}

// --- States ------------------------------------------------------------------------------------

// name "=" number ";"
static bool read_value(struct log_reader *reader, const struct log_line *line, const char **at,
                       struct log_value *value) {
    const char *begin = *at, *equal = strchr(begin, '='), *end = strchr(begin, ';');
    char *stop;
    if (equal == NULL || end == NULL || equal > end || equal == begin)
        return diag_error(reader->diagnostics, part(line, begin, line->text + line->length),
                          "expected a value, such as '1:r0=1;'");
    const char *number = equal + 1 + strspn(equal + 1, " ");
    value->is_negative = *number == '-';
    value->value =
        value->is_negative ? (uint64_t)strtoll(number, &stop, 0) : strtoull(number, &stop, 0);
    while (*stop == ' ')
        stop++;
    if (stop != end || !(isdigit((unsigned char)*number) || value->is_negative))
        return diag_error(reader->diagnostics, part(line, number, end), "expected a number");
    while (equal > begin && equal[-1] == ' ')
        equal--;
    value->name = log_name(reader->arena, begin, (size_t)(equal - begin));
    *at = end + 1 + strspn(end + 1, " ");
    return true;
}

// times (":" | "*") ">" value*
static bool read_state(struct log_reader *reader, const struct log_line *line,
                       struct log_state *state) {
    const char *at = line->text + strspn(line->text, " ");
    char *stop;
    state->span = line->span;
    state->times = strtoull(at, &stop, 10);
    const char *mark = stop + strspn(stop, " ");
    if (!isdigit((unsigned char)*at) || (*mark != ':' && *mark != '*') || mark[1] != '>')
        return diag_error(
            reader->diagnostics, line->span,
            "expected how often a state was seen, and the state: '12 :>1:r0=1; 1:r1=0;'");
    for (at = mark + 2 + strspn(mark + 2, " "); *at != '\0';) {
        struct log_value value;
        if (!read_value(reader, line, &at, &value))
            return false;
        ARENA_APPEND(reader->arena, state->values, state->value_count, value);
    }
    return true;
}

// "Histogram (" N " states)", state{N}
static bool read_histogram(struct log_reader *reader, const struct log_line *head,
                           struct log_run *run) {
    char *stop;
    const char *number = head->text + strlen("Histogram (");
    unsigned long count = strtoul(number, &stop, 10);
    if (!begins(head, "Histogram (") || !isdigit((unsigned char)*number) ||
        strncmp(stop, " state", strlen(" state")) != 0)
        return diag_error(reader->diagnostics, head->span, "expected 'Histogram (N states)'");
    for (unsigned long i = 0; i < count; i++) {
        struct log_line line;
        struct log_state state = {0};
        if (!next_line(reader, &line))
            return diag_error(reader->diagnostics, head->span,
                              "the log ends after %lu of these states: it was cut off", i);
        if (!read_state(reader, &line, &state))
            return false;
        ARENA_APPEND(reader->arena, run->states, run->state_count, state);
    }
    return true;
}

// --- Runs --------------------------------------------------------------------------------------

// (key "=" value)*
static bool read_effort(struct log_reader *reader, const struct log_line *line,
                        struct log_run *run) {
    static const char *const keys[] = {"instances", "seconds", "control"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const char *key = arena_format(reader->arena, " %s=", keys[i]);
        const char *at = strstr(line->text, key);
        if (at == NULL)
            continue;
        char *stop;
        const char *number = at + strlen(key);
        double value = strtod(number, &stop);
        if (stop == number || (*stop != ' ' && *stop != '\0') || value < 0)
            return diag_error(reader->diagnostics,
                              part(line, at + 1, number + strcspn(number, " ")), "'%s' is a number",
                              keys[i]);
        if (i == 0)
            run->instances = (uint64_t)value;
        else if (i == 1)
            run->seconds = value;
        else
            run->control = (uint64_t)value;
        run->has_control = run->has_control || i == 2;
    }
    run->has_effort = true;
    return true;
}

// The histogram is the next line that is not empty.
static bool read_run(struct log_reader *reader, const struct log_line *head) {
    struct log_run run = {0};
    struct log_line line = {0};
    const char *name = head->text + strlen("Test "), *end = name + strcspn(name, " ");
    run.test = arena_strndup(reader->arena, name, (size_t)(end - name));
    run.span = part(head, name, end);
    do {
        if (!next_line(reader, &line))
            return diag_error(reader->diagnostics, run.span, "the run of %s has no histogram",
                              run.test);
    } while (line.length == 0);
    if (begins(&line, "States "))
        return diag_error(
            reader->diagnostics, line.span,
            "this is the log of a model, which says what is allowed and not how often it was seen");
    if (!read_histogram(reader, &line, &run))
        return false;
    ARENA_APPEND(reader->arena, reader->list->runs, reader->list->count, run);
    return true;
}

bool log_read(struct arena *arena, const struct source *source, struct log_list *list,
              struct diagnostics *diagnostics) {
    struct log_reader reader = {
        .arena = arena, .source = source, .diagnostics = diagnostics, .list = list};
    size_t before = list->count;
    struct log_line line;
    while (next_line(&reader, &line)) {
        if (begins(&line, "Test ") && !read_run(&reader, &line))
            return false;
        if (!begins(&line, "Effort "))
            continue;
        if (list->count == before)
            return diag_error(diagnostics, line.span,
                              "'Effort' comes after the run that it is about");
        if (!read_effort(&reader, &line, &list->runs[list->count - 1]))
            return false;
    }
    if (list->count == before)
        diag_error(diagnostics, (struct span){source, 0, 0},
                   "there is no run in this log: no line begins with 'Test '");
    return list->count > before;
}
