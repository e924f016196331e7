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

static void print_declarations(const struct sample *sample, const char *indent, FILE *file) {
    if (sample->is_array) {
        fprintf(file, "%s.global .%s m[%u] = {", indent, sample->type[0], sample->location_count);
        for (unsigned l = 0; l < sample->location_count; l++)
            fprintf(file, "%s%u", l ? ", " : "", sample->initial[l]);
        fputs("};\n", file);
        return;
    }
    for (unsigned l = 0; l < sample->location_count; l++) {
        fprintf(file, "%s.global .%s %c", indent, sample->type[l], "xyz"[l]);
        if (sample->initial[l])
            fprintf(file, " = %u", sample->initial[l]);
        fputs(";\n", file);
    }
}

static void place_text(const struct sample *sample, unsigned t, char *text, size_t size) {
    const struct sample_thread *thread = &sample->thread[t];
    if (thread->has_cluster)
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

// Every loaded register, and some of the locations, compared with a small number.
static void print_condition(const struct sample *sample, struct random *random, FILE *file) {
    const char *connective = random_chance(random, 80) ? " /\\ " : " \\/ ";
    bool first = true;
    for (unsigned t = 0; t < sample->thread_count; t++)
        for (unsigned i = 0; i < sample->thread[t].loaded_count; i++) {
            fprintf(file, "%sP%u:%s", first ? "" : connective, t, sample->thread[t].loaded[i]);
            print_comparison(3, random, file);
            first = false;
        }
    for (unsigned l = 0; l < sample->location_count; l++) {
        if (!first && random_chance(random, 60))
            continue;
        fputs(first ? "" : connective, file);
        print_location(sample, l, file);
        print_comparison(4, random, file);
        first = false;
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

void sample_print(const struct sample *sample, struct random *random, FILE *file) {
    bool table = random_chance(random, 50);
    fprintf(file, "PTX %s\n", sample->name);
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
    for (unsigned l = 0; l < sample->location_count; l++) {
        fputs(l ? " " : "", file);
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
