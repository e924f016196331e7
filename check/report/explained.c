// Outcomes that are to be explained, and what is known of them.
#include "check/report/explained.h"

#include "litmus/source/arena.h"

#include <ctype.h>
#include <string.h>

const char *explained_verdict(const struct explained *explained) {
    enum truth reachable =
        explained->explanation ? explained->explanation->reachable : TRUTH_UNKNOWN;
    if (explained->is_open)
        return "unknown";
    return reachable == TRUTH_YES ? "allowed" : reachable == TRUTH_NO ? "forbidden" : "unknown";
}

const char *explained_limit(struct arena *arena, const struct report *report) {
    const struct explanation *explanation = report->explained->explanation;
    enum unknown_reason reason = explanation ? explanation->reason : REASON_NONE;
    if (report->explained->is_open) {
        const char *why = report_reason(arena, report);
        return why ? why : "executions past the bound of a loop are not known";
    }
    if (!explanation) {
        const char *why = report_limit(arena, report);
        return why;
    }
    switch (reason) {
    case REASON_NONE:
    case REASON_RUN: return NULL; // nothing was explained
    case REASON_TIMEOUT:
        if (report->options->solver.timeout_seconds == 0)
            return "the search took too long; '--timeout' gives it more than a minute";
        return arena_format(arena, "the time limit of %g s was reached",
                            report->options->solver.timeout_seconds);
    case REASON_MEMORY: return "the memory was not enough";
    case REASON_INTERRUPTED: return "interrupted";
    case REASON_SOLVER:
        return arena_format(arena, "the solver gave up: %s",
                            explanation->reason_text ? explanation->reason_text
                                                     : "it does not say why");
    }
    return NULL;
}

const char *explained_gap(struct arena *arena, const struct report *report) {
    const struct explained *explained = report->explained;
    const struct repair *repair = explained->repair;
    if (repair && repair->state == REPAIR_UNDECIDED) {
        return arena_format(arena, "it is not known which changes would forbid the outcome: %s",
                            repair->why ? repair->why : "a limit was reached");
    }
    return explained->lacks_executions ? "there is not an execution for each flag" : NULL;
}

// --- States ------------------------------------------------------------------------------------

// One part of a state: "P1:%r0=1", without what is around it.
struct state_word {
    const char *name, *value;
};

static const char *trimmed(struct arena *arena, const char *text, size_t length) {
    while (length > 0 && isspace((unsigned char)*text)) {
        text++;
        length--;
    }
    while (length > 0 && isspace((unsigned char)text[length - 1]))
        length--;
    return arena_strndup(arena, text, length);
}

// number = "-"? (digits | "0x" hexadecimal digits); false when it is none, or has over 128 bits.
static bool parse_number(const char *text, uint128 *value) {
    bool negative = *text == '-';
    text += negative;
    unsigned base = strncmp(text, "0x", 2) == 0 || strncmp(text, "0X", 2) == 0 ? 16 : 10;
    text += base == 16 ? 2 : 0;
    if (*text == '\0')
        return false;
    *value = 0;
    for (; *text; text++) {
        const char *digits = "0123456789abcdef";
        const char *digit = strchr(digits, tolower((unsigned char)*text));
        if (!digit || (unsigned)(digit - digits) >= base ||
            *value > (~(uint128)0 - (unsigned)(digit - digits)) / base)
            return false;
        *value = *value * base + (unsigned)(digit - digits);
    }
    *value = negative ? -*value : *value;
    return true;
}

static const char *shown_columns(struct arena *arena, const struct program *program) {
    const char *list = "";
    for (size_t i = 0; i < program->observed_count; i++) {
        list =
            arena_format(arena, "%s%s%s", list, i > 0 ? ", " : "", program->observed[i].json_name);
    }
    return *list ? arena_format(arena, "the states of this test show %s", list)
                 : "the states of this test show nothing";
}

static const char *add_value(struct arena *arena, const struct program *program,
                             const struct state_word *word, struct wanted_value *wanted) {
    size_t i = 0;
    uint128 value = 0;
    while (i < program->observed_count && strcmp(program->observed[i].json_name, word->name) != 0 &&
           strcmp(program->observed[i].log_name, word->name) != 0)
        i++;
    if (i == program->observed_count) {
        return arena_format(arena, "'--state' names '%s', but %s", word->name,
                            shown_columns(arena, program));
    }
    unsigned width = program->observed[i].width;
    if (!parse_number(word->value, &value)) {
        return arena_format(arena, "'--state' takes numbers of at most 128 bits, and '%s' is none",
                            word->value);
    }
    bool fits = *word->value == '-' ? bits_sign_extend(value & bits_mask(width), width) == value
                                    : (value & ~bits_mask(width)) == 0;
    if (!fits) {
        return arena_format(arena, "'--state' gives '%s' the value %s, but it has %u bits",
                            word->name, word->value, width);
    }
    *wanted = (struct wanted_value){i, bits_from_wide(value & bits_mask(width))};
    return NULL;
}

// state = name "=" number ("," name "=" number)*
const char *explained_parse_state(struct arena *arena, const struct program *program,
                                  const char *text, struct explain_target *target) {
    struct wanted_value *values = NULL;
    target->value_count = 0;
    for (const char *at = text;;) {
        size_t length = strcspn(at, ",");
        const char *equal = memchr(at, '=', length);
        if (!equal) {
            return arena_format(arena,
                                "'--state' takes values such as 'P1:%%r0=1, x=2', and '%s' is none",
                                trimmed(arena, at, length));
        }
        size_t skip = equal[1] == '=' && equal + 1 < at + length ? 2 : 1;
        const char *value = equal + skip;
        struct state_word word = {trimmed(arena, at, (size_t)(equal - at)),
                                  trimmed(arena, value, (size_t)(at + length - value))};
        values = arena_grow(arena, values, target->value_count, sizeof *values);
        const char *error = add_value(arena, program, &word, &values[target->value_count]);
        for (size_t i = 0; !error && i < target->value_count; i++)
            if (values[i].observed == values[target->value_count].observed)
                error = arena_format(arena, "'--state' gives '%s' a value twice", word.name);
        if (error)
            return error;
        target->value_count++;
        if (at[length] == '\0')
            break;
        at += length + 1;
    }
    target->values = values;
    return NULL;
}
