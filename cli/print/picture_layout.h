// Where the parts of a picture are. Lengths are in points, y grows downwards.
#ifndef PTXLITMUS_CLI_PRINT_PICTURE_LAYOUT_H
#define PTXLITMUS_CLI_PRINT_PICTURE_LAYOUT_H

#include "cli/print/picture.h"

// The height of a line of text in a box.
#define LAYOUT_LINE 14.0

struct point {
    double x, y;
};

// A box around threads: a CTA, a cluster, a GPU or the host.
struct layout_box {
    const char *label;
    struct point low, high;
};

// An event, or the head of a thread.
struct layout_node {
    const char **lines;
    size_t line_count;
    struct point centre;
    double width, height;
    bool is_head;
};

enum { LAYOUT_POINTS = 6 };

// The way of an edge: straight pieces between points, the last one where its arrow ends.
struct layout_edge {
    struct point points[LAYOUT_POINTS];
    size_t point_count;
    struct point label;
};

struct layout {
    struct layout_node *nodes; // by event of the picture, then the heads
    size_t node_count;
    struct layout_box *boxes; // outer ones first
    size_t box_count;
    struct layout_edge *edges; // by edge of the picture
    double width, height;
};

// Lays a picture out, from (0, 0) on. The arena owns the result.
struct layout picture_layout(struct arena *arena, const struct picture *picture);

#endif
