// Executions as pictures: a column of events for each thread, in boxes for its CTA, cluster and
// GPU, with the relations between them.
#ifndef PTXLITMUS_CLI_PRINT_PICTURE_H
#define PTXLITMUS_CLI_PRINT_PICTURE_H

#include "check/report/report.h"
#include "check/text/values.h"
#include "explain/explain.h"

#include <stdbool.h>
#include <stddef.h>

struct arena;
struct options;

// A row of picture.def, or a relation that --show names.
struct picture_style {
    const char *relation, *label, *colour, *line;
    double width;
    const char *legend;
};

struct picture_edge {
    const struct picture_style *style;
    unsigned a, b;      // events
    bool is_emphasised; // it is of the cycle or pair that breaks the axiom
};

struct picture {
    const char *title; // what the execution shows, in a sentence
    const struct found_execution *execution;
    const struct event_names *names;
    enum value_style values;
    bool *shown; // by event: it has a box
    struct picture_edge *edges;
    size_t edge_count;
};

struct picture_list {
    const char *title;         // of all
    const char *const *launch; // how the kernel was launched, in lines; none of another test
    size_t launch_count;
    struct picture *items;
    size_t count;
};

// Returns the pictures of what a report explains: the example; or one for each axiom of the core;
// one of what never ends, and one of a hang. The arena owns them.
struct picture_list pictures_of(struct arena *arena, const struct report *report);

// Returns what is wrong with the relations that the options name with --show, owned by the arena,
// or NULL.
const char *pictures_check_shown(struct arena *arena, const struct options *options,
                                 const struct model *model);

// Returns the text of an SVG element with the pictures one below the other and a legend, owned by
// the arena. It has no identifiers, so that a page may have several.
const char *pictures_draw_svg(struct arena *arena, const struct picture_list *pictures);

#endif
