// A random test as text: litmus-format.md section 1.
#include "tests/oracle/sample.h"

#include <string.h>

// "x", or "m[1]" when the locations are elements of an array.
static void print_location(const struct sample *sample, unsigned location, FILE *file) {
    if (sample->is_array)
        fprintf(file, "m[%u]", location);
    else
        fprintf(file, "%c", "xyz"[location]);
}

static bool is_of_part(const struct sample *sample) {
    return sample->kind >= SAMPLE_PROXIES;
}

// The kinds for a part may declare `x` themselves.
static unsigned first_location(const struct sample *sample) {
    if (sample->kind == SAMPLE_RESTRICTED)
        return sample->location_count; // all of them
    return sample->declaration_count ? 1 : 0;
}

static void print_declarations(const struct sample *sample, const char *indent, FILE *file) {
    if (sample->is_array) {
        fprintf(file, "%s.global .%s m[%u] = {", indent, sample->type[0], sample->location_count);
        for (unsigned l = 0; l < sample->location_count; l++)
            fprintf(file, "%s%u", l ? ", " : "", sample->initial[l]);
        fputs("};\n", file);
        return;
    }
    for (unsigned i = 0; i < sample->grid_order_count; i++)
        fprintf(file, "%s%s;\n", indent, sample->grid_order[i]);
    for (unsigned i = 0; i < sample->declaration_count; i++)
        fprintf(file, "%s%s;\n", indent, sample->declaration[i]);
    for (unsigned l = first_location(sample); l < sample->location_count; l++) {
        fprintf(file, "%s.global .%s %c", indent, sample->type[l], "xyz"[l]);
        if (sample->initial[l])
            fprintf(file, " = %u", sample->initial[l]);
        fputs(";\n", file);
        if (sample->aliased[l])
            fprintf(file, "%s%cg @ generic aliases %c;\n", indent, "xyz"[l], "xyz"[l]);
    }
}

static void place_text(const struct sample *sample, unsigned t, char *text, size_t size) {
    const struct sample_thread *thread = &sample->thread[t];
    if (sample->grid_order_count > 0)
        snprintf(text, size, "P%u@grid %u,cta %u", t, thread->grid, thread->cta);
    else if (thread->has_cluster)
        snprintf(text, size, "P%u@cta %u,cluster %u,gpu %u", t, thread->cta, thread->cluster,
                 thread->gpu);
    else
        snprintf(text, size, "P%u@cta %u,gpu %u", t, thread->cta, thread->gpu);
}

static void print_table(const struct sample *sample, FILE *file) {
    char places[SAMPLE_THREADS][48];
    int width[SAMPLE_THREADS];
    unsigned rows = 0;
    for (unsigned t = 0; t < sample->thread_count; t++) {
        const struct sample_thread *thread = &sample->thread[t];
        place_text(sample, t, places[t], sizeof places[t]);
        width[t] = (int)strlen(places[t]);
        rows = thread->line_count > rows ? thread->line_count : rows;
        for (unsigned i = 0; i < thread->line_count; i++)
            if ((int)strlen(thread->line[i]) > width[t])
                width[t] = (int)strlen(thread->line[i]);
    }
    for (unsigned t = 0; t < sample->thread_count; t++)
        fprintf(file, "%s %-*s ", t ? "|" : "", width[t], places[t]);
    fputs(";\n", file);
    for (unsigned i = 0; i < rows; i++) {
        for (unsigned t = 0; t < sample->thread_count; t++)
            fprintf(file, "%s %-*s ", t ? "|" : "", width[t],
                    i < sample->thread[t].line_count ? sample->thread[t].line[i] : "");
        fputs(";\n", file);
    }
}

static void print_blocks(const struct sample *sample, FILE *file) {
    for (unsigned t = 0; t < sample->thread_count; t++) {
        char place[48];
        place_text(sample, t, place, sizeof place);
        fprintf(file, "%s {\n", place);
        for (unsigned i = 0; i < sample->thread[t].line_count; i++)
            fprintf(file, "  %s;\n", sample->thread[t].line[i]);
        fputs("}\n", file);
    }
}

static void print_comparison(unsigned bound, struct random *random, FILE *file) {
    static const char *const others[] = {"!=", "!=", "<", ">=", ">", "<="};
    const char *compare = random_chance(random, 80) ? "==" : others[random_below(random, 6)];
    fprintf(file, " %s %u", compare, random_below(random, bound));
}

struct condition_printer {
    const struct sample *sample;
    struct random *random;
    FILE *file;
    const char *connective;
    bool first;
};

// Starts an atom, unless `percent` say that it is left out; something has to be there.
static bool begins_atom(struct condition_printer *printer, unsigned percent) {
    if (!printer->first && percent > 0 && random_chance(printer->random, percent))
        return false;
    fputs(printer->first ? "" : printer->connective, printer->file);
    printer->first = false;
    return true;
}

// The kinds for a part name some registers only: they have many.
static void print_registers(struct condition_printer *printer, const char (*names)[16],
                            unsigned count, unsigned thread) {
    unsigned left_out = is_of_part(printer->sample) ? 40 : 0;
    for (unsigned i = 0; i < count; i++)
        if (begins_atom(printer, left_out)) {
            fprintf(printer->file, "P%u:%s", thread, names[i]);
            print_comparison(left_out ? 2 : 3, printer->random, printer->file);
        }
}

// Loaded registers, and some of the locations, compared with small numbers.
static void print_condition(const struct sample *sample, struct random *random, FILE *file) {
    struct condition_printer printer = {sample, random, file,
                                        random_chance(random, 80) ? " /\\ " : " \\/ ", true};
    for (unsigned t = 0; t < sample->thread_count; t++) {
        const struct sample_thread *thread = &sample->thread[t];
        print_registers(&printer, thread->loaded, thread->loaded_count, t);
        print_registers(&printer, thread->seen, thread->seen_count, t);
    }
    for (unsigned i = 0; i < sample->shown_count - sample->uncertain; i++)
        if (begins_atom(&printer, 75)) {
            fputs(sample->shown[i], file);
            print_comparison(4, random, file);
        }
    for (unsigned l = first_location(sample); !sample->uncertain && l < sample->location_count; l++)
        if (begins_atom(&printer, is_of_part(sample) ? 75 : 60)) {
            print_location(sample, l, file);
            print_comparison(4, random, file);
        }
}

static void print_filter(const struct sample *sample, struct random *random, FILE *file) {
    const struct sample_thread *thread = &sample->thread[sample->thread_count - 1];
    if (thread->loaded_count == 0 || !random_chance(random, 8))
        return;
    fprintf(file, "filter (P%u:%s", sample->thread_count - 1, thread->loaded[0]);
    print_comparison(2, random, file);
    fputs(")\n", file);
}

// "%p|%q" is not allowed in a table.
static bool has_bar(const struct sample *sample) {
    for (unsigned t = 0; t < sample->thread_count; t++)
        for (unsigned i = 0; i < sample->thread[t].line_count; i++)
            if (strchr(sample->thread[t].line[i], '|'))
                return true;
    return false;
}

void sample_print(const struct sample *sample, struct random *random, FILE *file) {
    bool table = random_chance(random, 50) && !has_bar(sample) && sample->version == NULL;
    fprintf(file, "PTX %s\n", sample->name);
    if (sample->version)
        fprintf(file, ".version %s\n", sample->version);
    if (table)
        fputs("{\n", file);
    print_declarations(sample, table ? "  " : "", file);
    if (table) {
        fputs("}\n", file);
        print_table(sample, file);
    } else {
        print_blocks(sample, file);
    }
    fputs("locations [", file);
    for (unsigned i = 0; i < sample->shown_count; i++)
        fprintf(file, "%s%s;", i ? " " : "", sample->shown[i]);
    for (unsigned l = first_location(sample); l < sample->location_count; l++) {
        fputs(l || sample->shown_count ? " " : "", file);
        print_location(sample, l, file);
        fputs(";", file);
    }
    fputs("]\n", file);
    print_filter(sample, random, file);
    static const char *const quantifiers[] = {"exists", "exists",  "exists", "exists",
                                              "exists", "~exists", "forall"};
    fprintf(file, "%s (", quantifiers[random_below(random, 7)]);
    print_condition(sample, random, file);
    fputs(")\n", file);
}
