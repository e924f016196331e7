// Pictures in the dot language, one below the other in one graph, with a legend.
#include "cli/print/picture.h"

#include "cli/print/names.h"
#include "cli/print/picture_layout.h"
#include "litmus/source/arena.h"

#include <math.h>
#include <string.h>

#define MARGIN 16.0
#define TITLE 26.0
#define BETWEEN 12.0
#define ARROW 9.0
#define LEGEND_LINE 20.0
#define LEGEND_WIDTH 330.0

// What printing a graph needs.
struct dot_page {
    FILE *out;
    struct arena *arena;
    const struct picture_list *pictures;
    double height, top; // of the graph; of the picture that is printed, from above
    size_t number;      // of the picture
};

// dot's y grows upwards.
static double up(const struct dot_page *page, double y) {
    return page->height - page->top - y;
}

// A text as it is between quotes.
static void print_quoted(FILE *out, const char *text) {
    for (; *text; text++) {
        fputs(*text == '\n' ? "\\n" : *text == '"' || *text == '\\' ? "\\" : "", out);
        fputs(*text == '\n' ? "" : (char[]){*text, '\0'}, out);
    }
}

void picture_print_text(FILE *out, const char *text) {
    for (; *text; text++) {
        fputs(*text == '<'   ? "&lt;"
              : *text == '>' ? "&gt;"
              : *text == '&' ? "&amp;"
                             : (char[]){*text, '\0'},
              out);
    }
}

static void print_text_node(const struct dot_page *page, const char *name, const char *text,
                            struct point centre, double size) {
    fprintf(page->out,
            "  %s [shape=plaintext, fontname=\"DejaVu Sans,sans-serif\", fontsize=%g, "
            "width=0, height=0, fixedsize=false, pos=\"%.1f,%.1f\", label=\"",
            name, size, centre.x, up(page, centre.y));
    print_quoted(page->out, text);
    fputs("\"];\n", page->out);
}

// A text whose left end is at a place: fixed widths would need the font.
static void print_left_text(const struct dot_page *page, const char *name, const char *text,
                            struct point left, double size) {
    double width = (double)strlen(text) * size * 0.64 + 8;
    fprintf(page->out,
            "  %s [shape=plaintext, fontname=\"DejaVu Sans,sans-serif\", fontsize=%g, "
            "width=%.2f, height=0.35, fixedsize=true, pos=\"%.1f,%.1f\", label=\"",
            name, size, width / 72, left.x + width / 2, up(page, left.y));
    print_quoted(page->out, text);
    fputs("\\l\"];\n", page->out);
}

// --- Boxes and nodes ---------------------------------------------------------------------------

static void print_box(const struct dot_page *page, const struct layout_box *box, size_t index) {
    fprintf(
        page->out,
        "  subgraph \"cluster_%zu_%zu\" { graph [style=rounded, color=\"#767676\", label=\"%s\", "
        "bb=\"%.1f,%.1f,%.1f,%.1f\", lp=\"%.1f,%.1f\"]; }\n",
        page->number, index, box->label, MARGIN + box->low.x, up(page, box->high.y),
        MARGIN + box->high.x, up(page, box->low.y),
        MARGIN + box->low.x + 8 + 3.6 * (double)strlen(box->label), up(page, box->low.y + 10));
}

static void print_node(const struct dot_page *page, const struct layout_node *node, size_t index) {
    struct point centre = {MARGIN + node->centre.x, node->centre.y};
    const char *name = arena_format(page->arena, "e%zu_%zu", page->number, index);
    if (node->is_head) {
        print_text_node(page, name, node->lines[0], centre, 14);
        return;
    }
    fprintf(page->out, "  %s [width=%.3f, height=%.3f, pos=\"%.1f,%.1f\", label=\"", name,
            node->width / 72, node->height / 72, centre.x, up(page, centre.y));
    const char *text = node->lines[0];
    for (size_t i = 1; i < node->line_count; i++) {
        text = arena_format(page->arena, "%s\n%s", text, node->lines[i]);
    }
    print_quoted(page->out, text);
    fputs("\"];\n", page->out);
}

// --- Edges -------------------------------------------------------------------------------------

static void print_point(const struct dot_page *page, struct point point) {
    fprintf(page->out, " %.1f,%.1f", MARGIN + point.x, up(page, point.y));
}

// The end of a piece of a way, shortened by a distance.
static struct point before_arrow(struct point from, struct point to, double distance) {
    double length = hypot(to.x - from.x, to.y - from.y);
    double share = length > distance ? distance / length : 0.5;
    return (struct point){to.x + (from.x - to.x) * share, to.y + (from.y - to.y) * share};
}

// A way as a spline: each straight piece is one of its curves. The point of a thick arrow reaches
// further than where it ends.
static void print_way(const struct dot_page *page, const struct layout_edge *way,
                      double thickness) {
    struct point end = before_arrow(way->points[way->point_count - 2],
                                    way->points[way->point_count - 1], thickness);
    fprintf(page->out, "e,%.1f,%.1f", MARGIN + end.x, up(page, end.y));
    print_point(page, way->points[0]);
    for (size_t i = 1; i < way->point_count; i++) {
        struct point from = way->points[i - 1], to = way->points[i];
        if (i + 1 == way->point_count) {
            to = before_arrow(from, to, ARROW + thickness);
        }
        print_point(page,
                    (struct point){from.x + (to.x - from.x) / 3, from.y + (to.y - from.y) / 3});
        print_point(page, (struct point){from.x + (to.x - from.x) * 2 / 3,
                                         from.y + (to.y - from.y) * 2 / 3});
        print_point(page, to);
    }
}

static double width_of(const struct picture_edge *edge) {
    return edge->is_emphasised ? edge->style->width + 2.4 : edge->style->width;
}

static void print_edge(const struct dot_page *page, const struct picture *picture,
                       const struct layout_edge *way, size_t index) {
    const struct picture_edge *edge = &picture->edges[index];
    const struct picture_style *style = edge->style;
    bool plain = strcmp(style->relation, "po") == 0 && !edge->is_emphasised;
    fprintf(page->out, "  e%zu_%u -> e%zu_%u [color=\"%s\", style=%s, penwidth=%.1f, pos=\"",
            page->number, edge->a, page->number, edge->b, style->colour, style->line,
            width_of(edge));
    print_way(page, way, width_of(edge));
    fprintf(page->out, "\", tooltip=\"%s: %s to %s\"", style->label, picture->names->items[edge->a],
            picture->names->items[edge->b]);
    if (!plain) {
        fprintf(page->out,
                ", lp=\"%.1f,%.1f\", label=<<TABLE BORDER=\"0\" CELLBORDER=\"0\" "
                "CELLPADDING=\"1\" BGCOLOR=\"white\"><TR><TD>%s",
                MARGIN + way->label.x, up(page, way->label.y), edge->is_emphasised ? "<B>" : "");
        picture_print_text(page->out, style->label);
        fprintf(page->out, "%s</TD></TR></TABLE>>", edge->is_emphasised ? "</B>" : "");
    }
    fputs("];\n", page->out);
}

// --- The legend --------------------------------------------------------------------------------

// Returns the styles that the pictures use, each once, in `*count`, and whether some edge is
// emphasised.
static const struct picture_style **used_styles(const struct dot_page *page, size_t *count,
                                                bool *emphasised) {
    const struct picture_style **used = NULL;
    *count = 0;
    *emphasised = false;
    for (size_t p = 0; p < page->pictures->count; p++) {
        const struct picture *picture = &page->pictures->items[p];
        for (size_t i = 0; i < picture->edge_count; i++) {
            size_t k = 0;
            while (k < *count && strcmp(used[k]->label, picture->edges[i].style->label) != 0) {
                k++;
            }
            *emphasised = *emphasised || picture->edges[i].is_emphasised;
            if (k == *count) {
                used = arena_grow(page->arena, used, *count, sizeof *used);
                used[(*count)++] = picture->edges[i].style;
            }
        }
    }
    return used;
}

static void print_legend_entry(const struct dot_page *page, const struct picture_style *style,
                               double width, size_t index) {
    double x = MARGIN, y = (double)index * LEGEND_LINE + 12;
    fprintf(page->out,
            "  l%zu_a [shape=point, style=invis, width=0.01, pos=\"%.1f,%.1f\"];\n"
            "  l%zu_b [shape=point, style=invis, width=0.01, pos=\"%.1f,%.1f\"];\n"
            "  l%zu_a -> l%zu_b [color=\"%s\", style=%s, penwidth=%.1f, "
            "pos=\"e,%.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f %.1f,%.1f\"];\n",
            index, x, up(page, y), index, x + 48, up(page, y), index, index, style->colour,
            style->line, width, x + 48, up(page, y), x, up(page, y), x + 13, up(page, y), x + 26,
            up(page, y), x + 39, up(page, y));
    print_left_text(page, arena_format(page->arena, "l%zu_t", index),
                    arena_format(page->arena,
                                 strcmp(style->label, style->legend) == 0 ? "%s" : "%s: %s",
                                 style->label, style->legend),
                    (struct point){x + 56, y}, 11);
}

static size_t legend_size(const struct dot_page *page) {
    size_t count;
    bool emphasised;
    used_styles(page, &count, &emphasised);
    return count + emphasised;
}

static void print_legend(const struct dot_page *page) {
    static const struct picture_style thick = {"",      "thick", "#000000",
                                               "solid", 3.4,     "the pairs that break the axiom"};
    size_t count;
    bool emphasised;
    const struct picture_style **used = used_styles(page, &count, &emphasised);
    for (size_t i = 0; i < count; i++) {
        print_legend_entry(page, used[i], used[i]->width, i);
    }
    if (emphasised) {
        print_legend_entry(page, &thick, thick.width, count);
    }
}

// --- The graph ---------------------------------------------------------------------------------

static void print_picture(const struct dot_page *page, const struct picture *picture,
                          const struct layout *layout) {
    print_left_text(page, arena_format(page->arena, "t%zu", page->number), picture->title,
                    (struct point){MARGIN, -10}, 12);
    for (size_t i = 0; i < layout->box_count; i++) {
        print_box(page, &layout->boxes[i], i);
    }
    for (size_t i = 0; i < layout->node_count; i++) {
        if (layout->nodes[i].line_count > 0) {
            print_node(page, &layout->nodes[i], i);
        }
    }
    for (size_t i = 0; i < picture->edge_count; i++) {
        print_edge(page, picture, &layout->edges[i], i);
    }
}

void pictures_print_dot(FILE *out, struct arena *arena, const struct picture_list *pictures) {
    struct dot_page page = {.out = out, .arena = arena, .pictures = pictures};
    struct layout *layouts = ARENA_ARRAY(arena, struct layout, pictures->count + 1);
    double width = LEGEND_WIDTH;
    page.height = MARGIN + TITLE;
    for (size_t i = 0; i < pictures->count; i++) {
        layouts[i] = picture_layout(arena, &pictures->items[i]);
        double title = (double)strlen(pictures->items[i].title) * 7.2;
        width = layouts[i].width > width ? layouts[i].width : width;
        width = title > width ? title : width;
        page.height += TITLE + layouts[i].height + BETWEEN;
    }
    page.height += (double)legend_size(&page) * LEGEND_LINE + MARGIN;
    fprintf(
        out,
        "// Drawn by: neato -n2 -Tsvg FILE (or dot -Kneato -n2), since all positions are here.\n"
        "digraph {\n"
        "  graph [bb=\"0,0,%.1f,%.1f\", bgcolor=white, outputorder=nodesfirst, "
        "fontname=\"DejaVu Sans,sans-serif\", fontsize=12];\n"
        "  node [shape=box, fixedsize=true, style=filled, fillcolor=white, fontname=\"DejaVu Sans "
        "Mono,monospace\", fontsize=11];\n"
        "  edge [fontname=\"DejaVu Sans,sans-serif\", fontsize=11, arrowsize=0.9];\n",
        width + 2 * MARGIN, page.height);
    page.top = MARGIN;
    print_left_text(&page, "title", pictures->title, (struct point){MARGIN, 8}, 14);
    page.top += TITLE;
    for (page.number = 0; page.number < pictures->count; page.number++) {
        page.top += TITLE;
        print_picture(&page, &pictures->items[page.number], &layouts[page.number]);
        page.top += layouts[page.number].height + BETWEEN;
    }
    print_legend(&page);
    fputs("}\n", out);
}
