// Draws pictures as SVG: the title, the pictures one below the other, and a legend. Texts have a
// white rim instead of a box of their own, so that no width of a font has to be known.
#include "cli/print/picture.h"

#include "cli/print/html.h"
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
#define TITLE_CHARACTER 7.2 // of the font for titles, at most
#define EMPHASIS 2.4        // how much thicker the pairs are that break the axiom
#define SANS "DejaVu Sans, sans-serif"
#define MONO "DejaVu Sans Mono, monospace"

// What drawing needs.
struct drawing {
    FILE *out;
    struct arena *arena;
    const struct picture_list *pictures;
    double top; // of the picture that is drawn
};

// A text whose baseline is a little below the middle of a line at y. `anchor` is "start" or
// "middle".
static void draw_text(const struct drawing *drawing, struct point at, double size,
                      const char *anchor, const char *font, const char *text) {
    fprintf(drawing->out,
            "<text x=\"%.1f\" y=\"%.1f\" font-family=\"%s\" font-size=\"%g\" text-anchor=\"%s\">",
            at.x, at.y + size * 0.36, font, size, anchor);
    html_print(drawing->out, text);
    fputs("</text>\n", drawing->out);
}

// --- Boxes and nodes ---------------------------------------------------------------------------

static void draw_box(const struct drawing *drawing, const struct layout_box *box) {
    double x = MARGIN + box->low.x, y = drawing->top + box->low.y;
    fprintf(drawing->out,
            "<rect class=\"place\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" rx=\"8\" "
            "fill=\"none\" "
            "stroke=\"#767676\"/>\n",
            x, y, box->high.x - box->low.x, box->high.y - box->low.y);
    draw_text(drawing, (struct point){x + 8, y + 10}, 12, "start", SANS, box->label);
}

static void draw_node(const struct drawing *drawing, const struct layout_node *node) {
    struct point centre = {MARGIN + node->centre.x, drawing->top + node->centre.y};
    double first = centre.y - ((double)node->line_count - 1) * LAYOUT_LINE / 2;
    if (node->is_head) {
        draw_text(drawing, centre, 14, "middle", SANS, node->lines[0]);
        return;
    }
    fprintf(
        drawing->out,
        "<rect class=\"event\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"white\" "
        "stroke=\"black\"/>\n",
        centre.x - node->width / 2, centre.y - node->height / 2, node->width, node->height);
    for (size_t i = 0; i < node->line_count; i++)
        draw_text(drawing, (struct point){centre.x, first + (double)i * LAYOUT_LINE}, 11, "middle",
                  MONO, node->lines[i]);
}

// --- Edges -------------------------------------------------------------------------------------

static const char *dashes_of(const struct picture_style *style) {
    return strcmp(style->line, "dashed") == 0   ? " stroke-dasharray=\"6 4\""
           : strcmp(style->line, "dotted") == 0 ? " stroke-dasharray=\"1.5 4\""
                                                : "";
}

// A way of straight pieces with an arrow at its end.
static void draw_way(const struct drawing *drawing, const struct point *points, size_t count,
                     const struct picture_style *style, double width) {
    struct point from = points[count - 2], to = points[count - 1];
    double right = to.x - from.x, down = to.y - from.y, size = ARROW + width;
    double length = sqrt(right * right + down * down);
    double x = length > 0 ? right / length : 0, y = length > 0 ? down / length : 1;
    struct point base = {to.x - x * size, to.y - y * size};
    fputs("<path fill=\"none\" d=\"M", drawing->out);
    for (size_t i = 0; i + 1 < count; i++)
        fprintf(drawing->out, "%.1f,%.1f L", points[i].x, points[i].y);
    fprintf(drawing->out, "%.1f,%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"%s/>\n", base.x, base.y,
            style->colour, width, dashes_of(style));
    fprintf(drawing->out, "<path d=\"M%.1f,%.1f L%.1f,%.1f L%.1f,%.1f Z\" fill=\"%s\"/>\n", to.x,
            to.y, base.x - y * size * 0.38, base.y + x * size * 0.38, base.x + y * size * 0.38,
            base.y - x * size * 0.38, style->colour);
}

static double width_of(const struct picture_edge *edge) {
    return edge->style->width + (edge->is_emphasised ? EMPHASIS : 0);
}

static bool is_labelled(const struct picture_edge *edge) {
    return strcmp(edge->style->label, "po") != 0 || edge->is_emphasised;
}

static void draw_edge(const struct drawing *drawing, const struct layout_edge *way,
                      const struct picture_edge *edge) {
    struct point points[LAYOUT_POINTS];
    for (size_t i = 0; i < way->point_count; i++)
        points[i] = (struct point){MARGIN + way->points[i].x, drawing->top + way->points[i].y};
    draw_way(drawing, points, way->point_count, edge->style, width_of(edge));
}

// The label of an edge, which also says between which events it is.
static void draw_label(const struct drawing *drawing, const struct picture *picture,
                       const struct layout_edge *way, const struct picture_edge *edge) {
    fputs("<g class=\"edge\"><title>", drawing->out);
    html_print(drawing->out, edge->style->label);
    fputs(": ", drawing->out);
    html_print(drawing->out, picture->names->items[edge->a]);
    fputs(" to ", drawing->out);
    html_print(drawing->out, picture->names->items[edge->b]);
    fputs("</title>", drawing->out);
    if (is_labelled(edge)) {
        fprintf(drawing->out,
                "<text x=\"%.1f\" y=\"%.1f\" font-family=\"" SANS
                "\" font-size=\"11\" text-anchor=\"middle\" "
                "stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\"%s>",
                MARGIN + way->label.x, drawing->top + way->label.y + 4,
                edge->is_emphasised ? " font-weight=\"bold\"" : "");
        html_print(drawing->out, edge->style->label);
        fputs("</text>", drawing->out);
    }
    fputs("</g>\n", drawing->out);
}

// --- The legend --------------------------------------------------------------------------------

struct legend {
    const struct picture_style **styles; // those that the pictures use, each once
    size_t count;
    bool has_thick; // some edge is emphasised
};

static void add_to_legend(struct arena *arena, struct legend *legend,
                          const struct picture_edge *edge) {
    size_t k = 0;
    legend->has_thick = legend->has_thick || edge->is_emphasised;
    while (k < legend->count && strcmp(legend->styles[k]->label, edge->style->label) != 0)
        k++;
    if (k < legend->count)
        return;
    legend->styles = arena_grow(arena, legend->styles, legend->count, sizeof *legend->styles);
    legend->styles[legend->count++] = edge->style;
}

static struct legend legend_of(struct arena *arena, const struct picture_list *pictures) {
    struct legend legend = {0};
    for (size_t p = 0; p < pictures->count; p++)
        for (size_t i = 0; i < pictures->items[p].edge_count; i++)
            add_to_legend(arena, &legend, &pictures->items[p].edges[i]);
    return legend;
}

static void draw_legend_entry(const struct drawing *drawing, const struct picture_style *style,
                              double width, size_t index) {
    double y = drawing->top + (double)index * LEGEND_LINE + 12;
    const struct point line[] = {{MARGIN, y}, {MARGIN + 48, y}};
    bool says_more = strcmp(style->label, style->legend) != 0;
    fputs("<g class=\"legend\">", drawing->out);
    draw_way(drawing, line, 2, style, width);
    draw_text(drawing, (struct point){MARGIN + 60, y}, 11, "start", SANS,
              says_more ? arena_format(drawing->arena, "%s: %s", style->label, style->legend)
                        : style->label);
    fputs("</g>\n", drawing->out);
}

static void draw_legend(const struct drawing *drawing, const struct legend *legend) {
    static const struct picture_style thick = {"",      "thick", "#000000",
                                               "solid", 3.4,     "the pairs that break the axiom"};
    for (size_t i = 0; i < legend->count; i++)
        draw_legend_entry(drawing, legend->styles[i], legend->styles[i]->width, i);
    if (legend->has_thick)
        draw_legend_entry(drawing, &thick, thick.width, legend->count);
}

// --- The whole ---------------------------------------------------------------------------------

// What the pictures show, in words: the edges that are not program order.
static void print_description(FILE *out, const struct picture_list *pictures) {
    for (size_t p = 0; p < pictures->count; p++) {
        const struct picture *picture = &pictures->items[p];
        html_print(out, picture->title);
        fputs(".", out);
        for (size_t i = 0; i < picture->edge_count; i++) {
            const struct picture_edge *edge = &picture->edges[i];
            if (!edge->is_emphasised && strcmp(edge->style->relation, "po") == 0)
                continue;
            fputc(' ', out);
            html_print(out, picture->names->items[edge->a]);
            fputs(" to ", out);
            html_print(out, picture->names->items[edge->b]);
            fputs(": ", out);
            html_print(out, edge->style->label);
            fputs(edge->is_emphasised ? ", breaks the axiom." : ".", out);
        }
        fputc(' ', out);
    }
}

static void draw_picture(const struct drawing *drawing, const struct picture *picture,
                         const struct layout *layout) {
    draw_text(drawing, (struct point){MARGIN, drawing->top - 10}, 12, "start", SANS,
              picture->title);
    for (size_t i = 0; i < layout->box_count; i++)
        draw_box(drawing, &layout->boxes[i]);
    for (size_t i = 0; i < picture->edge_count; i++)
        draw_edge(drawing, &layout->edges[i], &picture->edges[i]);
    for (size_t i = 0; i < layout->node_count; i++)
        if (layout->nodes[i].line_count > 0)
            draw_node(drawing, &layout->nodes[i]);
    for (size_t i = 0; i < picture->edge_count; i++)
        draw_label(drawing, picture, &layout->edges[i], &picture->edges[i]);
}

static double larger(double a, double b) {
    return a > b ? a : b;
}

// Draws the lines that say how the kernel was launched below the title.
static void draw_launch(struct drawing *drawing) {
    const struct picture_list *pictures = drawing->pictures;
    for (size_t i = 0; i < pictures->launch_count; i++) {
        draw_text(drawing, (struct point){MARGIN, drawing->top}, 12, "start", SANS,
                  pictures->launch[i]);
        drawing->top += LEGEND_LINE;
    }
}

static void draw_all(struct drawing *drawing, const struct legend *legend) {
    const struct picture_list *pictures = drawing->pictures;
    struct layout *layouts = ARENA_ARRAY(drawing->arena, struct layout, pictures->count + 1);
    double width = larger(LEGEND_WIDTH, (double)strlen(pictures->title) * TITLE_CHARACTER * 1.2);
    double height =
        MARGIN + TITLE + MARGIN +
        (double)(legend->count + legend->has_thick + pictures->launch_count) * LEGEND_LINE;
    for (size_t i = 0; i < pictures->launch_count; i++)
        width = larger(width, (double)strlen(pictures->launch[i]) * TITLE_CHARACTER);
    for (size_t i = 0; i < pictures->count; i++) {
        layouts[i] = picture_layout(drawing->arena, &pictures->items[i]);
        width = larger(width, layouts[i].width);
        width = larger(width, (double)strlen(pictures->items[i].title) * TITLE_CHARACTER);
        height += TITLE + layouts[i].height + BETWEEN;
    }
    fprintf(drawing->out,
            "<svg role=\"img\" xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\">\n<title>",
            width + 2 * MARGIN, height, width + 2 * MARGIN, height);
    html_print(drawing->out, pictures->title);
    fputs("</title>\n<desc>", drawing->out);
    print_description(drawing->out, pictures);
    fputs("</desc>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n", drawing->out);
    draw_text(drawing, (struct point){MARGIN, MARGIN + 8}, 14, "start", SANS, pictures->title);
    drawing->top = MARGIN + TITLE;
    draw_launch(drawing);
    for (size_t i = 0; i < pictures->count; i++) {
        drawing->top += TITLE;
        draw_picture(drawing, &pictures->items[i], &layouts[i]);
        drawing->top += layouts[i].height + BETWEEN;
    }
    draw_legend(drawing, legend);
    fputs("</svg>\n", drawing->out);
}

const char *pictures_draw_svg(struct arena *arena, const struct picture_list *pictures) {
    struct arena_text text;
    struct drawing drawing = {.out = arena_text_begin(&text), .arena = arena, .pictures = pictures};
    struct legend legend = legend_of(arena, pictures);
    draw_all(&drawing, &legend);
    return arena_text_end(arena, &text);
}
