// Writes tests. Dependencies are semantic ones (memory-model: semantic dependencies): their values
// differ where the outcome is missed.
#include "generate/text.h"

#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { LINES_MAX = 8 * CYCLE_EDGES_MAX };

// The instructions of one thread.
struct register_column {
    const char *head;
    const char *lines[LINES_MAX];
    size_t count;
    unsigned registers; // %r that are results of reads
    int from;           // the register that the dependency to the next access is about
};

struct test_writer {
    struct arena *arena;
    const struct cycle *cycle;
    const struct text_style *style;
    struct diagnostics *diagnostics;
    struct register_column columns[CYCLE_EDGES_MAX];
    unsigned registers[CYCLE_EDGES_MAX]; // by event, of a read
    bool is_array[CYCLE_EDGES_MAX];      // by location: an address is computed
};

static const char *location_name(struct arena *arena, unsigned location) {
    static const char names[] = "xyzabcdefghijklmnopq";
    assert(location < sizeof names - 1);
    return arena_format(arena, "%c", names[location]);
}

// The location as the access at an event names it.
static const char *place_of(const struct test_writer *writer, size_t event) {
    const char *view = writer->cycle->marks[event].view;
    const char *name = location_name(writer->arena, writer->cycle->events[event].location);
    return view == NULL ? name : arena_format(writer->arena, "%s_%s", name, view);
}

static void add_line(struct register_column *column, const char *line) {
    assert(column->count < LINES_MAX);
    column->lines[column->count++] = line;
}

static const char *order_of(const struct test_writer *writer, size_t event) {
    const char *order = writer->cycle->marks[event].order;
    return order == NULL ? writer->style->order : order;
}

// The order of an atom by those of its read and write; NULL when there is none.
static const char *order_of_atom(const struct test_writer *writer, size_t read, size_t write) {
    const char *of_read = order_of(writer, read), *of_write = order_of(writer, write);
    const char *scope = strchr(of_read, '.'), *other = strchr(of_write, '.');
    bool acquires = strncmp(of_read, "acquire", 7) == 0;
    bool releases = strncmp(of_write, "release", 7) == 0;
    if (scope == NULL || other == NULL || strcmp(scope, other) != 0)
        return NULL;
    return arena_format(writer->arena, "%s%s",
                        acquires && releases ? "acq_rel"
                        : acquires           ? "acquire"
                        : releases           ? "release"
                                             : "relaxed",
                        scope);
}

// The address of an access, which a register is where it depends on a read.
static const char *address_of(struct test_writer *writer, struct register_column *column,
                              size_t event, const struct edge *before) {
    struct arena *arena = writer->arena;
    const char *place = place_of(writer, event);
    if (before == NULL || before->kind != EDGE_ADDR)
        return place;
    size_t previous = (event + writer->cycle->count - 1) % writer->cycle->count;
    size_t id = column->count;
    unsigned value = writer->cycle->events[previous].value;
    add_line(column, arena_format(arena, "setp.ne.u32 %%p%zu, %%r%d, %u", id, column->from, value));
    add_line(column, arena_format(arena, "selp.u64 %%rd%zu, 4, 0, %%p%zu", id, id));
    add_line(column, arena_format(arena, "mov.u64 %%a%zu, %s", id, place));
    add_line(column, arena_format(arena, "add.u64 %%a%zu, %%a%zu, %%rd%zu", id, id, id));
    return arena_format(arena, "%%a%zu", id);
}

// What a write stores, which a register holds where it depends on a read.
static const char *stored_by(struct test_writer *writer, struct register_column *column,
                             size_t event, const struct edge *before) {
    struct arena *arena = writer->arena;
    unsigned value = writer->cycle->events[event].value;
    if (before == NULL || before->kind != EDGE_DATA)
        return arena_format(arena, "%u", value);
    size_t previous = (event + writer->cycle->count - 1) % writer->cycle->count;
    int more = (int)value - (int)writer->cycle->events[previous].value;
    size_t id = column->count;
    if (more == 0)
        return arena_format(arena, "%%r%d", column->from);
    add_line(column, arena_format(arena, "add.u32 %%d%zu, %%r%d, %d", id, column->from, more));
    return arena_format(arena, "%%d%zu", id);
}

static void add_between(struct test_writer *writer, struct register_column *column, size_t event,
                        const struct edge *before) {
    size_t previous = (event + writer->cycle->count - 1) % writer->cycle->count;
    size_t id = column->count;
    if (before->kind == EDGE_FENCE)
        add_line(column, before->between);
    if (before->kind == EDGE_CTRL) {
        add_line(column, arena_format(writer->arena, "setp.ne.u32 %%p%zu, %%r%d, %u", id,
                                      column->from, writer->cycle->events[previous].value));
        add_line(column, arena_format(writer->arena, "@%%p%zu exit", id));
    }
}

// An atom is written at its read. False after an error.
static bool add_atom(struct test_writer *writer, struct register_column *column, size_t event,
                     const struct edge *before) {
    struct arena *arena = writer->arena;
    const struct cycle *cycle = writer->cycle;
    size_t write = (event + 1) % cycle->count;
    const char *order = order_of_atom(writer, event, write);
    const char *address = address_of(writer, column, event, before);
    if (order == NULL || strcmp(place_of(writer, write), place_of(writer, event)) != 0) {
        if (writer->diagnostics != NULL)
            return diag_error(
                writer->diagnostics, cycle->edges[event].span,
                "the accesses of '%s' are one instruction: they have one scope and one proxy, "
                "and are not weak",
                cycle->edges[event].word);
    }
    add_line(column, arena_format(arena, "atom.%s.global.exch.b32 %%r%u, [%s], %u", order,
                                  writer->registers[event], address, cycle->events[write].value));
    return true;
}

static bool add_access(struct test_writer *writer, size_t event) {
    struct arena *arena = writer->arena;
    const struct cycle *cycle = writer->cycle;
    struct register_column *column = &writer->columns[cycle->events[event].thread];
    size_t previous = (event + cycle->count - 1) % cycle->count;
    const struct edge *before = cycle_is_internal(cycle, previous) ? &cycle->edges[previous] : NULL;
    if (before != NULL && before->kind == EDGE_RMW)
        return true; // written at its read
    if (before != NULL)
        add_between(writer, column, event, before);
    if (cycle->events[event].kind == ACCESS_READ)
        writer->registers[event] = column->registers++;
    if (cycle->edges[event].kind == EDGE_RMW && !add_atom(writer, column, event, before))
        return false;
    if (cycle->events[event].kind == ACCESS_READ && cycle->edges[event].kind != EDGE_RMW)
        add_line(column,
                 arena_format(arena, "ld.%s.global.u32 %%r%u, [%s]", order_of(writer, event),
                              writer->registers[event], address_of(writer, column, event, before)));
    if (cycle->events[event].kind == ACCESS_WRITE) {
        const char *value = stored_by(writer, column, event, before);
        const char *address = address_of(writer, column, event, before);
        add_line(column, arena_format(arena, "st.%s.global.u32 [%s], %s", order_of(writer, event),
                                      address, value));
    }
    if (cycle->events[event].kind == ACCESS_READ)
        column->from = (int)writer->registers[event];
    return true;
}

// The barrier of an edge, by its place in the cycle.
static void add_barrier(struct test_writer *writer, size_t edge, unsigned thread) {
    if (writer->cycle->edges[edge].kind == EDGE_BAR)
        add_line(&writer->columns[thread], arena_format(writer->arena, "bar.sync %zu", edge % 16));
}

static bool write_threads(struct test_writer *writer) {
    const struct cycle *cycle = writer->cycle;
    for (unsigned t = 0; t < cycle->thread_count; t++)
        writer->columns[t].head =
            cycle->has_clusters ? arena_format(writer->arena, "P%u@cta %u,cluster %u,gpu %u", t,
                                               cycle->ctas[t], cycle->clusters[t], cycle->gpus[t])
                                : arena_format(writer->arena, "P%u@cta %u,gpu %u", t,
                                               cycle->ctas[t], cycle->gpus[t]);
    for (size_t i = 0; i < cycle->count; i++) {
        size_t previous = (i + cycle->count - 1) % cycle->count;
        add_barrier(writer, previous, cycle->events[i].thread);
        if (!add_access(writer, i))
            return false;
        add_barrier(writer, i, cycle->events[i].thread);
    }
    return true;
}

static void find_arrays(struct test_writer *writer) {
    const struct cycle *cycle = writer->cycle;
    for (size_t i = 0; i < cycle->count; i++)
        if (cycle->edges[i].kind == EDGE_ADDR)
            writer->is_array[cycle->events[(i + 1) % cycle->count].location] = true;
}

// The declarations: locations, and the other names by which accesses have them.
static void print_locations(const struct test_writer *writer, FILE *out) {
    static const char *const views[][2] = {{"alias", "generic"},
                                           {"async", "async"},
                                           {"texture", "texture"},
                                           {"surface", "surface"},
                                           {"constant", "constant"}};
    const struct cycle *cycle = writer->cycle;
    for (unsigned k = 0; k < cycle->location_count; k++) {
        const char *name = location_name(writer->arena, k);
        fprintf(out,
                writer->is_array[k] ? "  .global .u32 %s[2] = {0, 0};\n"
                                    : "  .global .u32 %s = 0;\n",
                name);
        for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
            bool is_used = false;
            for (size_t i = 0; i < cycle->count; i++)
                is_used =
                    is_used || (cycle->events[i].location == k && cycle->marks[i].view != NULL &&
                                strcmp(cycle->marks[i].view, views[v][0]) == 0);
            if (is_used)
                fprintf(out, "  %s_%s @ %s aliases %s;\n", name, views[v][0], views[v][1], name);
        }
    }
}

static void print_columns(const struct test_writer *writer, FILE *out) {
    const struct cycle *cycle = writer->cycle;
    size_t rows = 0;
    for (unsigned t = 0; t < cycle->thread_count; t++)
        rows = writer->columns[t].count > rows ? writer->columns[t].count : rows;
    for (size_t row = 0; row <= rows; row++) {
        for (unsigned t = 0; t < cycle->thread_count; t++) {
            const struct register_column *column = &writer->columns[t];
            size_t width = strlen(column->head);
            for (size_t i = 0; i < column->count; i++)
                width = strlen(column->lines[i]) > width ? strlen(column->lines[i]) : width;
            const char *cell = row == 0                  ? column->head
                               : row - 1 < column->count ? column->lines[row - 1]
                                                         : "";
            fprintf(out, "%s %-*s ", t == 0 ? "" : "|", (int)width, cell);
        }
        fputs(";\n", out);
    }
}

// The values of reads, and the last value of locations with two writes.
static void print_outcome(const struct test_writer *writer, FILE *out) {
    const struct cycle *cycle = writer->cycle;
    const char *glue = "exists (";
    for (size_t i = 0; i < cycle->count; i++) {
        if (cycle->events[i].is_checked) {
            fprintf(out, "%sP%u:%%r%u == %u", glue, cycle->events[i].thread, writer->registers[i],
                    cycle->events[i].value);
            glue = " /\\ ";
        }
    }
    for (unsigned k = 0; k < cycle->location_count; k++) {
        if (cycle->writes[k] > 1 && cycle->is_ordered[k]) {
            fprintf(out, "%s%s%s == %u", glue, location_name(writer->arena, k),
                    writer->is_array[k] ? "[0]" : "", cycle->writes[k]);
            glue = " /\\ ";
        }
    }
    assert(glue[0] !=
           'e'); // an edge between threads is a communication, or there would be no cycle
    fputs(")\n", out);
}

const char *cycle_text(struct arena *arena, const struct cycle *cycle, const char *name,
                       const struct text_style *style, struct diagnostics *diagnostics) {
    struct test_writer *writer = ARENA_NEW(arena, struct test_writer);
    *writer = (struct test_writer){
        .arena = arena, .cycle = cycle, .style = style, .diagnostics = diagnostics};
    find_arrays(writer);
    if (!write_threads(writer))
        return NULL;
    struct arena_text text;
    FILE *out = arena_text_begin(&text);
    fprintf(out, "PTX %s\n\"%s\"\n{\n", name, cycle_words(arena, cycle));
    print_locations(writer, out);
    fputs("}\n", out);
    print_columns(writer, out);
    print_outcome(writer, out);
    if (style->expect != NULL)
        fprintf(out, "expect %s;\n", style->expect);
    return arena_text_end(arena, &text);
}

const char *cycle_words(struct arena *arena, const struct cycle *cycle) {
    const char *words = "";
    for (size_t i = 0; i < cycle->count; i++) {
        const struct mark *mark = &cycle->marks[i];
        if (mark->order != NULL || mark->view != NULL)
            words =
                arena_format(arena, "%s%s%s%s%s", words, *words ? " " : "",
                             mark->order != NULL ? mark->order : "", mark->view != NULL ? "@" : "",
                             mark->view != NULL ? mark->view : "");
        struct edge edge = cycle->edges[i];
        edge.nearness = edge.nearness == NEAR_GPU ? NEAR_UNSAID : edge.nearness;
        words = arena_format(arena, "%s%s%s", words, *words ? " " : "", edge_word(arena, &edge));
    }
    return words;
}
