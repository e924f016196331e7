// The layout: events in rows that all columns share, so that edges between columns that are not
// neighbours can run between the rows, each in a lane of its own.
#include "cli/print/picture_layout.h"

#include "check/report/races.h"
#include "check/text/deeds.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"

#include <assert.h>
#include <string.h>

// Points. A character of the font for instructions is about 6.7 wide at 11 points.
#define CHARACTER 6.8
#define NODE_PADDING 10.0
#define COLUMN_GAP 104.0
#define ROW_GAP 34.0
#define LANE 11.0
#define BOX_PADDING 12.0
#define BOX_TITLE 18.0
#define HEAD_HEIGHT 22.0
#define PORT 15.0

enum {
    TEXT_MAX = 40,
    SHORT_TEXT = 22,
    LEVELS = 3
}; // characters of a line, of an instruction on one; kinds of boxes

struct column {
    unsigned thread;
    double left, width;
};

struct layout_maker {
    struct arena *arena;
    const struct picture *picture;
    const struct test *test;
    struct layout layout;
    struct column *columns;
    size_t column_count;
    int *column_of, *row_of; // by event; -1
    size_t row_count;
    double *row_top; // one more than there are rows
    double node_height;
    unsigned *lanes;    // by row: how many edges run below it
    unsigned *gaps;     // by column: how many edges run up or down right of it
    unsigned *ports[2]; // by event: how many edges are at its left and its right
    unsigned *used[2];  // the same of those that have their place
    bool has_initial;
};

static const struct event *event_at(const struct layout_maker *maker, unsigned event) {
    return &maker->picture->execution->program->events[event];
}

// --- Texts -------------------------------------------------------------------------------------

// How much of a text is on its first line: all that fits, up to a space where there is one.
static size_t first_line(const char *text) {
    size_t length = strlen(text), at = TEXT_MAX;
    if (length <= TEXT_MAX)
        return length;
    while (at > TEXT_MAX / 2 && text[at] != ' ')
        at--;
    return text[at] == ' ' ? at : TEXT_MAX;
}

// Adds a text to a box, on as many lines as it takes.
static void add_text(struct layout_maker *maker, struct layout_node *node, const char *text) {
    while (*text) {
        size_t length = first_line(text);
        double width = (double)length * CHARACTER + 2 * NODE_PADDING;
        node->lines = arena_grow(maker->arena, node->lines, node->line_count, sizeof *node->lines);
        node->lines[node->line_count++] = arena_strndup(maker->arena, text, length);
        node->width = width > node->width ? width : node->width;
        text += length;
        text += strspn(text, " ");
    }
    node->height = (double)node->line_count * LAYOUT_LINE + NODE_PADDING;
}

// An instruction that is long has its operands on a line of their own.
static void add_instruction(struct layout_maker *maker, struct layout_node *node,
                            const struct instruction *instruction) {
    const char *text = race_instruction_text(maker->arena, instruction);
    size_t guard = *text == '@' ? strcspn(text, " ") + 1 : 0;
    size_t opcode = guard + strcspn(text + guard, " ");
    if (strlen(text) <= SHORT_TEXT || !text[opcode])
        opcode = strlen(text);
    add_text(maker, node, arena_strndup(maker->arena, text, opcode));
    add_text(maker, node, text + opcode + strspn(text + opcode, " "));
}

static void set_lines(struct layout_maker *maker, unsigned e) {
    struct layout_node *node = &maker->layout.nodes[e];
    const struct event *event = event_at(maker, e);
    const char *name = maker->picture->names->items[e],
               *done =
                   deed_text(maker->arena, maker->picture->execution, e, maker->picture->values);
    if (event->instruction != NULL) {
        const struct span span = event->instruction->opcode_span;
        add_text(maker, node,
                 arena_format(maker->arena, "%s  line %u", name,
                              source_position(span.source, span.begin).line));
        add_instruction(maker, node, event->instruction);
    } else {
        add_text(maker, node, name);
    }
    if (done != NULL)
        add_text(maker, node, done);
}

// --- Columns and rows --------------------------------------------------------------------------

// Whether two threads are in one box of a level: 0 the GPU (or the host), 1 the cluster, 2 the CTA.
static bool share_box(const struct layout_maker *maker, unsigned a, unsigned b, unsigned level) {
    const struct place *p = &maker->test->threads[a].place, *q = &maker->test->threads[b].place;
    if (p->host || q->host)
        return p->host && q->host;
    return level == 0   ? test_same_gpu(p, q)
           : level == 1 ? test_same_cluster(p, q)
                        : test_same_cta(p, q);
}

// Adds the threads that share a box with `first`, those of one smaller box together.
static void add_threads(struct layout_maker *maker, bool *placed, unsigned first, unsigned level) {
    if (level == LEVELS) {
        placed[first] = true;
        maker->columns[maker->column_count++] = (struct column){.thread = first};
        return;
    }
    for (unsigned t = first; t < maker->test->thread_count; t++)
        if (!placed[t] && share_box(maker, first, t, level))
            add_threads(maker, placed, t, level + 1);
}

static void place_columns(struct layout_maker *maker) {
    size_t count = maker->test->thread_count;
    bool *placed = ARENA_ARRAY(maker->arena, bool, count + 1);
    maker->columns = ARENA_ARRAY(maker->arena, struct column, count + 1);
    for (unsigned t = 0; t < count; t++)
        if (!placed[t])
            add_threads(maker, placed, t, 0);
}

static void place_events(struct layout_maker *maker) {
    const struct found_execution *execution = maker->picture->execution;
    for (unsigned e = 0; e < execution->n; e++) {
        maker->column_of[e] = maker->row_of[e] = -1;
        if (!maker->picture->shown[e])
            continue;
        set_lines(maker, e);
        maker->has_initial = maker->has_initial || event_at(maker, e)->kind == EVENT_INIT;
    }
    for (size_t c = 0; c < maker->column_count; c++) {
        struct column *column = &maker->columns[c];
        int row = 0;
        column->width = 60;
        for (unsigned e = 0; e < execution->n; e++) {
            const struct layout_node *node = &maker->layout.nodes[e];
            if (!maker->picture->shown[e] || event_at(maker, e)->thread != (int)column->thread)
                continue;
            maker->column_of[e] = (int)c;
            maker->row_of[e] = row++;
            column->width = node->width > column->width ? node->width : column->width;
            maker->node_height =
                node->height > maker->node_height ? node->height : maker->node_height;
        }
        maker->row_count = (size_t)row > maker->row_count ? (size_t)row : maker->row_count;
    }
}

// --- Ways of edges -----------------------------------------------------------------------------

static bool are_near(const struct layout_maker *maker, const struct picture_edge *edge) {
    int a = maker->column_of[edge->a], b = maker->column_of[edge->b];
    return a == b || a + 1 == b || b + 1 == a;
}

// Whether the edge goes straight down to the next event.
static bool is_straight(const struct layout_maker *maker, const struct picture_edge *edge) {
    return maker->column_of[edge->a] == maker->column_of[edge->b] &&
           maker->row_of[edge->b] == maker->row_of[edge->a] + 1 &&
           strcmp(edge->style->relation, "po") == 0;
}

static bool is_inner(const struct layout_maker *maker, const struct picture_edge *edge) {
    return maker->column_of[edge->a] >= 0 && maker->column_of[edge->b] >= 0;
}

// At which side of its event an edge that is not straight begins: 0 left, 1 right. It ends at the
// other event's side that faces it; one within a column is on the right.
static unsigned side_of(const struct layout_maker *maker, unsigned event, unsigned other) {
    return maker->column_of[other] >= maker->column_of[event];
}

// The row below which the lane of an edge is.
static size_t lane_row(const struct layout_maker *maker, const struct picture_edge *edge) {
    int a = maker->row_of[edge->a], b = maker->row_of[edge->b];
    return (size_t)(a <= b ? a : a - 1);
}

static void count_ways(struct layout_maker *maker) {
    const struct picture *picture = maker->picture;
    for (size_t i = 0; i < picture->edge_count; i++) {
        const struct picture_edge *edge = &picture->edges[i];
        if (!is_inner(maker, edge) || is_straight(maker, edge))
            continue;
        maker->ports[side_of(maker, edge->a, edge->b)][edge->a]++;
        maker->ports[side_of(maker, edge->b, edge->a)][edge->b]++;
        if (!are_near(maker, edge))
            maker->lanes[lane_row(maker, edge)]++;
    }
}

// --- Positions ---------------------------------------------------------------------------------

// How many boxes end and begin between two columns.
static unsigned levels_between(const struct layout_maker *maker, size_t left) {
    unsigned levels = 0;
    for (unsigned level = 0; level < LEVELS; level++) {
        levels +=
            !share_box(maker, maker->columns[left].thread, maker->columns[left + 1].thread, level);
    }
    return levels;
}

static void place_all(struct layout_maker *maker) {
    double x = LEVELS * BOX_PADDING;
    double y = (maker->has_initial ? 60 : 0) + LEVELS * BOX_TITLE + BOX_PADDING;
    for (size_t c = 0; c < maker->column_count; c++) {
        maker->columns[c].left = x;
        x += maker->columns[c].width;
        if (c + 1 < maker->column_count)
            x += COLUMN_GAP + levels_between(maker, c) * BOX_PADDING;
    }
    maker->layout.width = x + LEVELS * BOX_PADDING;
    y += HEAD_HEIGHT;
    for (size_t row = 0; row < maker->row_count; row++) {
        maker->row_top[row] = y;
        y += maker->node_height + ROW_GAP + maker->lanes[row] * LANE;
    }
    maker->row_top[maker->row_count] = y;
    maker->layout.height = y - ROW_GAP + LEVELS * BOX_PADDING + 20;
}

static void place_nodes(struct layout_maker *maker) {
    const struct found_execution *execution = maker->picture->execution;
    double initial_x = LEVELS * BOX_PADDING;
    for (unsigned e = 0; e < execution->n; e++) {
        struct layout_node *node = &maker->layout.nodes[e];
        int c = maker->column_of[e];
        if (c >= 0) {
            node->width = maker->columns[c].width;
            node->centre.x = maker->columns[c].left + node->width / 2;
            node->centre.y = maker->row_top[maker->row_of[e]] + node->height / 2;
        } else if (maker->picture->shown[e]) {
            node->centre = (struct point){initial_x + node->width / 2, node->height / 2};
            initial_x += node->width + 20;
        }
    }
    for (size_t c = 0; c < maker->column_count; c++) {
        const char **line = ARENA_ARRAY(maker->arena, const char *, 1);
        struct column *column = &maker->columns[c];
        *line = arena_format(maker->arena, "P%u", maker->test->threads[column->thread].number);
        maker->layout.nodes[maker->layout.node_count++] = (struct layout_node){
            line,
            1,
            {column->left + column->width / 2, maker->row_top[0] - HEAD_HEIGHT / 2 - 2},
            40,
            HEAD_HEIGHT - 6,
            true};
    }
}

static const char *box_label(struct layout_maker *maker, unsigned thread, unsigned level) {
    const struct place *place = &maker->test->threads[thread].place;
    if (place->host)
        return level == 0 ? "host" : NULL;
    return level == 0           ? arena_format(maker->arena, "GPU %u", place->gpu)
           : level == 2         ? arena_format(maker->arena, "CTA %u", place->cta)
           : place->has_cluster ? arena_format(maker->arena, "cluster %u", place->cluster)
                                : NULL;
}

static void place_boxes(struct layout_maker *maker) {
    struct layout *layout = &maker->layout;
    layout->boxes = ARENA_ARRAY(maker->arena, struct layout_box, LEVELS * maker->column_count + 1);
    for (unsigned level = 0; level < LEVELS; level++) {
        for (size_t c = 0, end; c < maker->column_count; c = end) {
            const char *label = box_label(maker, maker->columns[c].thread, level);
            end = c + 1;
            while (end < maker->column_count &&
                   share_box(maker, maker->columns[c].thread, maker->columns[end].thread, level))
                end++;
            double padding = (LEVELS - level) * BOX_PADDING - 4;
            const struct column *last = &maker->columns[end - 1];
            double top = maker->row_top[0] - HEAD_HEIGHT - (LEVELS - level) * BOX_TITLE;
            if (label) {
                layout->boxes[layout->box_count++] =
                    (struct layout_box){label,
                                        {maker->columns[c].left - padding, top},
                                        {last->left + last->width + padding,
                                         maker->row_top[maker->row_count] - ROW_GAP + padding}};
            }
        }
    }
}

// --- Edges -------------------------------------------------------------------------------------

// The next free place at a side of an event.
static struct point port(struct layout_maker *maker, unsigned event, unsigned other) {
    unsigned side = side_of(maker, event, other);
    const struct layout_node *node = &maker->layout.nodes[event];
    double index = maker->used[side][event]++, count = maker->ports[side][event];
    double step = (count - 1) * PORT > node->height - 8 ? (node->height - 8) / (count - 1) : PORT;
    return (struct point){node->centre.x + (side ? 1 : -1) * node->width / 2,
                          node->centre.y + (index - (count - 1) / 2) * step};
}

static struct point between(struct point a, struct point b, double share) {
    return (struct point){a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

static void add_point(struct layout_edge *way, double x, double y) {
    assert(way->point_count < LAYOUT_POINTS);
    way->points[way->point_count++] = (struct point){x, y};
}

static void lead_straight(struct layout_maker *maker, const struct picture_edge *edge,
                          struct layout_edge *way) {
    const struct layout_node *a = &maker->layout.nodes[edge->a], *b = &maker->layout.nodes[edge->b];
    add_point(way, a->centre.x, a->centre.y + a->height / 2);
    add_point(way, b->centre.x, b->centre.y - b->height / 2);
    way->label = between(way->points[0], way->points[1], 0.5);
}

// Between neighbours; within a column around its right side.
static void lead_near(struct layout_maker *maker, const struct picture_edge *edge,
                      struct layout_edge *way) {
    int c = maker->column_of[edge->a];
    struct point from = port(maker, edge->a, edge->b), to = port(maker, edge->b, edge->a);
    add_point(way, from.x, from.y);
    if (maker->column_of[edge->b] == c) {
        double out = from.x + 16 + 7.0 * maker->gaps[c]++;
        add_point(way, out, from.y);
        add_point(way, out, to.y);
        way->label = (struct point){out, (from.y + to.y) / 2};
    } else {
        way->label = between(from, to, 0.32);
    }
    add_point(way, to.x, to.y);
}

// Between columns that are not neighbours: down or up in the gap, along a lane, and on in the other
// gap.
static void lead_far(struct layout_maker *maker, const struct picture_edge *edge,
                     struct layout_edge *way) {
    size_t row = lane_row(maker, edge);
    int a = maker->column_of[edge->a], b = maker->column_of[edge->b];
    struct point from = port(maker, edge->a, edge->b), to = port(maker, edge->b, edge->a);
    double direction = b > a ? 1 : -1;
    double y = maker->row_top[row] + maker->node_height + ROW_GAP / 2 + LANE * --maker->lanes[row];
    double near_x = from.x + direction * (24 + 7.0 * maker->gaps[a]++);
    double far_x = to.x - direction * (24 + 7.0 * maker->gaps[b]++);
    add_point(way, from.x, from.y);
    add_point(way, near_x, from.y);
    add_point(way, near_x, y);
    add_point(way, far_x, y);
    add_point(way, far_x, to.y);
    add_point(way, to.x, to.y);
    way->label = (struct point){near_x + direction * 26, y};
}

// From an initial write, which is above all threads.
static void lead_from_initial(struct layout_maker *maker, const struct picture_edge *edge,
                              struct layout_edge *way) {
    const struct layout_node *a = &maker->layout.nodes[edge->a], *b = &maker->layout.nodes[edge->b];
    bool down = a->centre.y < b->centre.y;
    add_point(way, a->centre.x, a->centre.y + (down ? 1 : -1) * a->height / 2);
    add_point(way, b->centre.x - b->width / 4, b->centre.y - (down ? 1 : -1) * b->height / 2);
    way->label = between(way->points[0], way->points[1], 0.4);
}

static void lead_edges(struct layout_maker *maker) {
    const struct picture *picture = maker->picture;
    maker->layout.edges = ARENA_ARRAY(maker->arena, struct layout_edge, picture->edge_count + 1);
    for (size_t i = 0; i < picture->edge_count; i++) {
        const struct picture_edge *edge = &picture->edges[i];
        struct layout_edge *way = &maker->layout.edges[i];
        if (!is_inner(maker, edge))
            lead_from_initial(maker, edge, way);
        else if (is_straight(maker, edge))
            lead_straight(maker, edge, way);
        else if (are_near(maker, edge))
            lead_near(maker, edge, way);
        else
            lead_far(maker, edge, way);
    }
}

struct layout picture_layout(struct arena *arena, const struct picture *picture) {
    size_t n = picture->execution->n;
    struct layout_maker maker = {
        .arena = arena, .picture = picture, .test = picture->execution->program->test};
    size_t thread_count = maker.test->thread_count;
    maker.layout.nodes = ARENA_ARRAY(arena, struct layout_node, n + thread_count + 1);
    maker.layout.node_count = n;
    maker.column_of = ARENA_ARRAY(arena, int, n + 1);
    maker.row_of = ARENA_ARRAY(arena, int, n + 1);
    maker.row_top = ARENA_ARRAY(arena, double, n + 2);
    maker.lanes = ARENA_ARRAY(arena, unsigned, n + 2);
    maker.gaps = ARENA_ARRAY(arena, unsigned, thread_count + 1);
    for (unsigned side = 0; side < 2; side++) {
        maker.ports[side] = ARENA_ARRAY(arena, unsigned, n + 1);
        maker.used[side] = ARENA_ARRAY(arena, unsigned, n + 1);
    }
    place_columns(&maker);
    place_events(&maker);
    count_ways(&maker);
    place_all(&maker);
    place_nodes(&maker);
    place_boxes(&maker);
    lead_edges(&maker);
    return maker.layout;
}
