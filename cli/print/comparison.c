// Tables over several models.
#include "cli/print/comparison.h"

#include "cli/print/launched.h"

#include "check/print/endings.h"
#include "check/print/races.h"
#include "check/print/table.h"
#include "check/report/flags.h"
#include "check/text/condition.h"
#include "check/text/names.h"
#include "litmus/source/arena.h"

#include <assert.h>
#include <string.h>

// A cell of the table: what one model says about a row.
enum model_answer { ANSWER_NO, ANSWER_YES, ANSWER_UNKNOWN, ANSWER_REFUSED };

// An outcome that some model allows.
struct outcome_row {
    const struct state *state; // as one model lists it
    const struct report *report;
    const char *mark;
    enum model_answer *answers; // one for each model
};

static const struct report *first_report(const struct comparison *comparison) {
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->reports[i].outcomes)
            return &comparison->reports[i];
    return NULL;
}

// --- Outcomes ----------------------------------------------------------------------------------

// Whether the model says that it does not allow what its list does not show.
static enum model_answer absent(const struct report *report) {
    if (!report->outcomes)
        return ANSWER_REFUSED;
    return report->outcomes->listed && report->outcomes->complete ? ANSWER_NO : ANSWER_UNKNOWN;
}

// The next state of a report from `at` on, or NULL.
static const struct state *state_at(const struct report *report, size_t at) {
    bool there = report->outcomes && at < report->outcomes->state_count;
    return there ? &report->outcomes->states[at] : NULL;
}

// The smallest of the states at the cursors, as a row without answers; `state` is NULL when
// there is none.
static struct outcome_row smallest(const struct comparison *comparison, const size_t *cursors) {
    assert(comparison->count > 0);
    struct outcome_row row = {0};
    for (size_t i = 0; i < comparison->count; i++) {
        const struct report *report = &comparison->reports[i];
        const struct state *state = state_at(report, cursors[i]);
        size_t width = state ? report->program->observed_count : 0;
        if (state && (!row.state || state_compare(state, row.state, width) < 0)) {
            row.state = state;
            row.report = report;
            row.mark = table_mark(state);
        }
    }
    return row;
}

// Fills in the answers and moves the cursors past the row's state.
static void answer_row(struct arena *arena, const struct comparison *comparison, size_t *cursors,
                       struct outcome_row *row) {
    assert(comparison->count > 0);
    size_t width = row->report->program->observed_count;
    row->answers = ARENA_ARRAY(arena, enum model_answer, comparison->count);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct state *state = state_at(&comparison->reports[i], cursors[i]);
        bool here = state && state_compare(state, row->state, width) == 0;
        row->answers[i] = here ? ANSWER_YES : absent(&comparison->reports[i]);
        cursors[i] += here;
        if (here && strcmp(table_mark(state), row->mark) != 0)
            row->mark = "~"; // only an unknown value can decide differently
    }
}

// The outcomes of all models, merged: each list is sorted.
static struct outcome_row *outcome_rows(struct arena *arena, const struct comparison *comparison,
                                        size_t *count) {
    assert(comparison->count > 0);
    size_t *cursors = ARENA_ARRAY(arena, size_t, comparison->count);
    struct outcome_row *rows = NULL;
    *count = 0;
    for (struct outcome_row row = smallest(comparison, cursors); row.state;
         row = smallest(comparison, cursors)) {
        answer_row(arena, comparison, cursors, &row);
        rows = arena_grow(arena, rows, *count, sizeof *rows);
        rows[(*count)++] = row;
    }
    return rows;
}

// --- Flags -------------------------------------------------------------------------------------

static const struct shown_flag *find_flag(const struct shown_flags *flags, const char *name) {
    for (size_t i = 0; i < flags->count; i++)
        if (strcmp(flags->items[i].name, name) == 0)
            return &flags->items[i];
    return NULL;
}

// The flags that hold under some model or may, each once.
static struct shown_flags all_flags(struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    struct shown_flags all = {0};
    for (size_t i = 0; i < comparison->count; i++) {
        const struct outcomes *outcomes = comparison->reports[i].outcomes;
        struct shown_flags flags = {0};
        if (outcomes)
            flags = flags_shown(arena, outcomes);
        for (size_t j = 0; j < flags.count; j++) {
            if (!find_flag(&all, flags.items[j].name)) {
                all.items = arena_grow(arena, all.items, all.count, sizeof *all.items);
                all.items[all.count++] = flags.items[j];
            }
        }
    }
    return all;
}

static enum model_answer flag_answer(struct arena *arena, const struct report *report,
                                     const char *name) {
    if (!report->outcomes)
        return ANSWER_REFUSED;
    const struct shown_flags flags = flags_shown(arena, report->outcomes);
    const struct shown_flag *flag = find_flag(&flags, name);
    return !flag ? ANSWER_NO : flag->holds == TRUTH_YES ? ANSWER_YES : ANSWER_UNKNOWN;
}

// --- Differences -------------------------------------------------------------------------------

static bool outcomes_differ(struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    size_t count;
    const struct outcome_row *rows = outcome_rows(arena, comparison, &count);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < comparison->count; j++)
            if (rows[i].answers[j] == ANSWER_NO)
                return true;
    }
    return false;
}

static bool verdicts_differ(const struct comparison *comparison) {
    assert(comparison->count > 0);
    enum verdict verdict = VERDICT_UNKNOWN;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct outcomes *outcomes = comparison->reports[i].outcomes;
        if (!outcomes || outcomes->verdict == VERDICT_UNKNOWN)
            continue;
        if (verdict != VERDICT_UNKNOWN && outcomes->verdict != verdict)
            return true;
        verdict = outcomes->verdict;
    }
    return false;
}

// Whether one model flags the test so, and another one does not.
static bool flag_differs(struct arena *arena, const struct comparison *comparison,
                         const char *name) {
    assert(comparison->count > 0);
    bool yes = false, no = false;
    for (size_t j = 0; j < comparison->count; j++) {
        enum model_answer answer = flag_answer(arena, &comparison->reports[j], name);
        yes |= answer == ANSWER_YES;
        no |= answer == ANSWER_NO;
    }
    return yes && no;
}

static bool flags_differ(struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    const struct shown_flags flags = all_flags(arena, comparison);
    for (size_t i = 0; i < flags.count; i++)
        if (flag_differs(arena, comparison, flags.items[i].name))
            return true;
    return false;
}

// Whether the test always ends under one model, and under another one does not.
static bool ends_differ(const struct comparison *comparison) {
    assert(comparison->count > 0);
    bool yes = false, no = false;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct outcomes *outcomes = comparison->reports[i].outcomes;
        bool is_asked = outcomes && outcomes->termination.is_asked;
        yes |= is_asked && outcomes->termination.always == TRUTH_YES;
        no |= is_asked && outcomes->termination.always == TRUTH_NO;
    }
    return yes && no;
}

const char *comparison_difference(struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    const char *parts[4] = {0}, *text = NULL;
    size_t count = 0;
    if (outcomes_differ(arena, comparison))
        parts[count++] = "outcomes";
    if (verdicts_differ(comparison))
        parts[count++] = "verdict";
    bool has_flags = !comparison->reports[0].options->solver.verdict_only;
    if (has_flags && flags_differ(arena, comparison))
        parts[count++] = "flags";
    if (ends_differ(comparison))
        parts[count++] = "whether it ends";
    for (size_t i = 0; i < count; i++) {
        const char *between = i + 1 == count ? " and " : ", ";
        text = text ? arena_format(arena, "%s%s%s", text, between, parts[i]) : parts[i];
    }
    return text;
}

// --- Printing ----------------------------------------------------------------------------------

// A line of the table as text: its left column, and the cells.
struct line {
    const char *left;
    const char **cells;
};

struct outcome_grid {
    struct arena *arena;
    const struct comparison *comparison;
    struct line *lines;
    size_t count;
    struct outcome_row *rows;
    size_t row_count;
    int *widths; // of the columns of registers and locations
};

// Adds a line with empty cells, and returns those.
static const char **add_line(struct outcome_grid *grid, const char *left) {
    const char **cells = ARENA_ARRAY(grid->arena, const char *, grid->comparison->count);
    for (size_t i = 0; i < grid->comparison->count; i++)
        cells[i] = "";
    grid->lines = arena_grow(grid->arena, grid->lines, grid->count, sizeof *grid->lines);
    grid->lines[grid->count++] = (struct line){left, cells};
    return cells;
}

static const char *answer_text(enum model_answer answer) {
    switch (answer) {
    case ANSWER_NO: return "-";
    case ANSWER_YES: return "yes";
    case ANSWER_UNKNOWN: return "?";
    case ANSWER_REFUSED: break;
    }
    return "";
}

static const char *value_cell(const struct outcome_grid *grid, size_t row, size_t column) {
    const struct outcome_row *outcome = &grid->rows[row];
    return table_cell(grid->arena, outcome->report, outcome->state, column);
}

static void find_outcomes(struct outcome_grid *grid) {
    const struct program *program = first_report(grid->comparison)->program;
    grid->rows = outcome_rows(grid->arena, grid->comparison, &grid->row_count);
    grid->widths = ARENA_ARRAY(grid->arena, int, program->observed_count + 1);
    for (size_t j = 0; j < program->observed_count; j++) {
        grid->widths[j] = (int)strlen(program->observed[j].json_name);
        for (size_t i = 0; i < grid->row_count; i++) {
            int width = (int)strlen(value_cell(grid, i, j));
            grid->widths[j] = width > grid->widths[j] ? width : grid->widths[j];
        }
    }
}

// Whether a model may allow an outcome that is in no list.
static bool is_cut(const struct comparison *comparison) {
    assert(comparison->count > 0);
    for (size_t i = 0; i < comparison->count; i++)
        if (comparison->reports[i].outcomes && report_is_cut(&comparison->reports[i]))
            return true;
    return false;
}

static void add_outcomes(struct outcome_grid *grid) {
    size_t columns = first_report(grid->comparison)->program->observed_count;
    for (size_t i = 0; i < grid->row_count; i++) {
        const char *left = arena_format(grid->arena, "  %s", grid->rows[i].mark);
        for (size_t j = 0; j < columns; j++) {
            left =
                arena_format(grid->arena, "%s  %*s", left, grid->widths[j], value_cell(grid, i, j));
        }
        const char **cells = add_line(grid, left);
        for (size_t j = 0; j < grid->comparison->count; j++)
            cells[j] = answer_text(grid->rows[i].answers[j]);
    }
    if (is_cut(grid->comparison))
        add_line(grid, "     ... there may be more");
}

static void add_head(struct outcome_grid *grid) {
    const struct report *report = first_report(grid->comparison);
    const char *left = "   ";
    for (size_t j = 0; j < report->program->observed_count; j++) {
        left = arena_format(grid->arena, "%s  %*s", left, grid->widths[j],
                            report->program->observed[j].json_name);
    }
    const char **cells = add_line(grid, left);
    for (size_t i = 0; i < grid->comparison->count; i++)
        cells[i] = escaped(grid->arena, report_system(&grid->comparison->reports[i]));
}

static const char *verdict_cell(const struct report *report) {
    return report->outcomes ? verdict_text(report->outcomes->verdict) : "refused";
}

static void add_verdicts(struct outcome_grid *grid) {
    const char **cells = add_line(grid, "     verdict");
    for (size_t i = 0; i < grid->comparison->count; i++)
        cells[i] = verdict_cell(&grid->comparison->reports[i]);
}

// Whether the test ends, where that is asked.
static void add_ends(struct outcome_grid *grid) {
    const struct report *first = first_report(grid->comparison);
    if (!first || !first->outcomes->termination.is_asked)
        return;
    const char **cells = add_line(grid, "     ends");
    for (size_t i = 0; i < grid->comparison->count; i++) {
        const struct outcomes *outcomes = grid->comparison->reports[i].outcomes;
        cells[i] = outcomes ? termination_text(&outcomes->termination) : "refused";
    }
}

static void add_flags(struct outcome_grid *grid) {
    const struct shown_flags flags = all_flags(grid->arena, grid->comparison);
    for (size_t i = 0; i < flags.count; i++) {
        const char *name = flags.items[i].name;
        const char **cells = add_line(grid, arena_format(grid->arena, "     flag %s", name));
        for (size_t j = 0; j < grid->comparison->count; j++)
            cells[j] = answer_text(flag_answer(grid->arena, &grid->comparison->reports[j], name));
    }
}

// Texts are ASCII or escaped, so bytes are columns on the screen.
static void print_grid(FILE *out, const struct outcome_grid *grid) {
    size_t columns = grid->comparison->count;
    int left = 0;
    int *widths = ARENA_ARRAY(grid->arena, int, columns);
    for (size_t i = 0; i < grid->count; i++) {
        int length = (int)strlen(grid->lines[i].left);
        left = length > left ? length : left;
        for (size_t j = 0; j < columns; j++) {
            length = (int)strlen(grid->lines[i].cells[j]);
            widths[j] = length > widths[j] ? length : widths[j];
        }
    }
    for (size_t i = 0; i < grid->count; i++) {
        fprintf(out, "%-*s", left, grid->lines[i].left);
        size_t last = columns; // after the last cell with a text: no line ends in spaces
        while (last > 0 && grid->lines[i].cells[last - 1][0] == '\0')
            last--;
        for (size_t j = 0; j < last; j++)
            fprintf(out, "  %-*s", j + 1 < last ? widths[j] : 0, grid->lines[i].cells[j]);
        fputc('\n', out);
    }
}

void print_simulated(FILE *out, const struct comparison *comparison) {
    assert(comparison->count > 0);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct target *target = comparison->reports[i].target;
        if (target && target_is_simulated(target))
            fprintf(out, "  %s: simulated memory, %s\n", target->ptx.name, target->title);
    }
}

// What is taken for granted is the same under all models.
static void print_assumptions(FILE *out, const struct outcome_grid *grid) {
    const struct report *report = first_report(grid->comparison);
    for (size_t i = 0; report && i < report->program->assumption_count; i++)
        fprintf(out, "  assumed: %s\n", report->program->assumptions[i]);
}

// With --races: the pairs that race, under each model that has some.
static void print_races(FILE *out, const struct outcome_grid *grid) {
    for (size_t i = 0; i < grid->comparison->count; i++) {
        const struct report *report = &grid->comparison->reports[i];
        if (report->outcomes && report->outcomes->race_count > 0) {
            fprintf(out, "  races (%s):\n", escaped(grid->arena, report_system(report)));
            races_print(out, grid->arena, report);
        }
    }
}

static void print_condition(FILE *out, const struct outcome_grid *grid) {
    const struct report *report = first_report(grid->comparison);
    bool satisfied = false, unknown = false;
    for (size_t i = 0; i < grid->row_count; i++) {
        satisfied |= grid->rows[i].mark[0] == '*';
        unknown |= grid->rows[i].mark[0] == '~';
    }
    fprintf(out, "%s (", quantifier_text(report->program->test->quantifier));
    condition_print(out, report->program, CONDITION_PTX);
    fputs(")\n", out);
    if (satisfied)
        fputs("  *: satisfies the condition\n", out);
    if (unknown)
        fputs("  ~: an unknown initial value decides whether it satisfies the condition\n", out);
}

void print_comparison(FILE *out, struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    const struct report *report = first_report(comparison);
    if (!report)
        return; // the messages say why
    struct outcome_grid grid = {.arena = arena, .comparison = comparison};
    const char *difference = comparison_difference(arena, comparison);
    const char *name = escaped(arena, report->program->test->name);
    launched_print_derived(out, arena, report);
    fprintf(out, "%s (%s)\n", name, escaped(arena, report->path));
    find_outcomes(&grid);
    add_head(&grid);
    add_outcomes(&grid);
    add_verdicts(&grid);
    add_ends(&grid);
    add_flags(&grid);
    print_grid(out, &grid);
    print_condition(out, &grid);
    print_assumptions(out, &grid);
    print_races(out, &grid);
    print_simulated(out, comparison);
    if (difference)
        fprintf(out, "%s: differs in %s\n\n", name, difference);
    else
        fprintf(out, "%s: no difference\n\n", name);
}

// --- One line per test -------------------------------------------------------------------------

// The width of a system's column.
static int column_width(const char *head) {
    enum { WIDEST = 9 }; // "forbidden"
    return (int)strlen(head) > WIDEST ? (int)strlen(head) : WIDEST;
}

void print_verdict_head(FILE *out, struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    for (size_t i = 0; i < comparison->count; i++) {
        const char *head = escaped(arena, report_system(&comparison->reports[i]));
        fprintf(out, "%-*s  ", column_width(head), head);
    }
    fputs("test\n", out);
}

void print_verdict_line(FILE *out, struct arena *arena, const struct comparison *comparison) {
    assert(comparison->count > 0);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct report *report = &comparison->reports[i];
        const char *head = escaped(arena, report_system(report));
        fprintf(out, "%-*s  ", column_width(head), verdict_cell(report));
    }
    fprintf(out, "%s\n", escaped(arena, comparison->reports[0].program->test->name));
}
