// Records in binary form. One walk over the fields writes them, and leaves them as they are, or
// reads them in the same order:
//
//   record = mark size-of-body body     mark, sizes and numbers: 8 bytes of the machine
//   text   = 0 | (length + 1) bytes NUL
//   list   = count item*
#include "check/record/record.h"

#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "solver/solver.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct head {
    uint64_t mark, size;
};

static const uint64_t mark = UINT64_C(0x64726f6365722d78); // "x-record" where low bytes come first

struct record_walk {
    FILE *out;            // where records are written; NULL: they are read
    struct arena *arena;  // of what is read
    const char *at, *end; // what is left to read
    bool is_good;         // all of it was there, and is what it should be
};

// --- Values ------------------------------------------------------------------------------------

static void walk_bytes(struct record_walk *walk, void *value, size_t size) {
    if (walk->out) {
        fwrite(value, 1, size, walk->out);
    } else if (walk->is_good && size <= (size_t)(walk->end - walk->at)) {
        memcpy(value, walk->at, size);
        walk->at += size;
    } else {
        memset(value, 0, size);
        walk->is_good = false;
    }
}

static void walk_size(struct record_walk *walk, size_t *value) {
    uint64_t number = *value;
    walk_bytes(walk, &number, sizeof number);
    if (!walk->out)
        *value = (size_t)number;
}

static void walk_bool(struct record_walk *walk, bool *value) {
    size_t number = *value;
    walk_size(walk, &number);
    if (!walk->out)
        *value = number != 0;
}

static void walk_text(struct record_walk *walk, const char **text) {
    size_t size = walk->out && *text ? strlen(*text) + 1 : 0;
    walk_size(walk, &size);
    if (walk->out) {
        fwrite(size > 0 ? *text : "", 1, size, walk->out);
        return;
    }
    *text = NULL;
    if (size == 0)
        return;
    walk->is_good =
        walk->is_good && size <= (size_t)(walk->end - walk->at) && walk->at[size - 1] == '\0';
    if (walk->is_good) {
        *text = arena_strndup(walk->arena, walk->at, size - 1);
        walk->at += size;
    }
}

// The items of a list of `*count`, which are there, or room for those that follow. Each takes at
// least a byte.
static void *walk_list(struct record_walk *walk, void *items, size_t *count, size_t size) {
    walk_size(walk, count);
    if (walk->out)
        return items;
    walk->is_good = walk->is_good && *count <= (size_t)(walk->end - walk->at);
    *count = walk->is_good ? *count : 0;
    return *count > 0 ? arena_alloc_array(walk->arena, *count, size) : NULL;
}

// --- Structs -----------------------------------------------------------------------------------

static void walk_edit(struct record_walk *walk, struct judged_edit **edit) {
    size_t count = walk->out && *edit ? 1 : 0;
    struct judged_edit *item = walk_list(walk, *edit, &count, sizeof *item);
    walk->is_good = walk->is_good && count <= 1;
    if (item) {
        walk_text(walk, &item->file);
        walk_size(walk, &item->begin);
        walk_size(walk, &item->end);
        walk_text(walk, &item->text);
    }
    if (!walk->out)
        *edit = item;
}

static void walk_judged(struct record_walk *walk, struct judged *judged) {
    size_t result = (size_t)judged->result;
    walk_size(walk, &result);
    walk->is_good = walk->is_good && result < SUITE_RESULT_COUNT;
    judged->result = walk->is_good ? (enum suite_result)result : SUITE_INTERNAL;
    judged->failures =
        walk_list(walk, judged->failures, &judged->failure_count, sizeof *judged->failures);
    for (size_t i = 0; i < judged->failure_count; i++) {
        struct judged_failure *failure = &judged->failures[i];
        walk_text(walk, &failure->at.file);
        walk_size(walk, &failure->at.line);
        walk_size(walk, &failure->at.column);
        walk_text(walk, &failure->why);
        walk_edit(walk, &failure->edit);
    }
    walk_text(walk, &judged->execution);
}

static const char **walk_texts(struct record_walk *walk, const char **texts, size_t *count) {
    texts = walk_list(walk, texts, count, sizeof *texts);
    for (size_t i = 0; i < *count; i++)
        walk_text(walk, &texts[i]);
    return texts;
}

static void walk_outcomes(struct record_walk *walk, struct record_outcomes *outcomes) {
    walk_bool(walk, &outcomes->is_complete);
    outcomes->columns =
        walk_list(walk, outcomes->columns, &outcomes->column_count, sizeof *outcomes->columns);
    for (size_t i = 0; i < outcomes->column_count; i++) {
        walk_text(walk, &outcomes->columns[i].name);
        walk_size(walk, &outcomes->columns[i].width);
        walk_bool(walk, &outcomes->columns[i].is_signed);
    }
    walk_size(walk, &outcomes->state_count);
    size_t count = outcomes->state_count * outcomes->column_count;
    outcomes->values = walk_list(walk, outcomes->values, &count, sizeof *outcomes->values);
    walk->is_good = walk->is_good && count == outcomes->state_count * outcomes->column_count;
    for (size_t i = 0; i < count; i++) {
        walk_bytes(walk, &outcomes->values[i].value.low, sizeof(uint64_t));
        walk_bytes(walk, &outcomes->values[i].value.high, sizeof(uint64_t));
        walk_bool(walk, &outcomes->values[i].undef);
    }
    outcomes->flags = walk_texts(walk, outcomes->flags, &outcomes->flag_count);
    outcomes->unknown_flags =
        walk_texts(walk, outcomes->unknown_flags, &outcomes->unknown_flag_count);
}

static void walk_findings(struct record_walk *walk, struct record *record) {
    record->findings =
        walk_list(walk, record->findings, &record->finding_count, sizeof *record->findings);
    for (size_t i = 0; i < record->finding_count; i++) {
        struct record_finding *finding = &record->findings[i];
        walk_text(walk, &finding->rule);
        walk_text(walk, &finding->message);
        walk_bool(walk, &finding->is_open);
        walk_bool(walk, &finding->is_beside);
        finding->places =
            walk_list(walk, finding->places, &finding->place_count, sizeof *finding->places);
        for (size_t k = 0; k < finding->place_count; k++) {
            walk_text(walk, &finding->places[k].at.file);
            walk_size(walk, &finding->places[k].at.line);
            walk_size(walk, &finding->places[k].at.column);
            walk_text(walk, &finding->places[k].what);
        }
    }
}

static void walk_record(struct record_walk *walk, struct record *record) {
    walk_text(walk, &record->file);
    walk_text(walk, &record->test);
    walk_size(walk, &record->index);
    walk_size(walk, &record->tests);
    walk_judged(walk, &record->judged);
    walk_text(walk, &record->launched);
    walk_text(walk, &record->reason);
    walk_bytes(walk, &record->seconds, sizeof record->seconds);
    walk_outcomes(walk, &record->outcomes);
    walk_findings(walk, record);
    walk_text(walk, &record->line);
}

// --- Records -----------------------------------------------------------------------------------

void record_write(FILE *out, const struct record *record) {
    char *body;
    size_t size;
    struct record copy = *record;
    struct record_walk walk = {.out = text_open(&body, &size), .is_good = true};
    walk_record(&walk, &copy);
    text_close(walk.out);
    const struct head head = {mark, size};
    fwrite(&head, sizeof head, 1, out);
    fwrite(body, 1, size, out);
    free(body);
}

size_t record_read(struct arena *arena, const char *bytes, size_t size, struct record *record) {
    struct head head;
    *record = (struct record){0};
    if (size < sizeof head)
        return 0;
    memcpy(&head, bytes, sizeof head);
    if (head.mark != mark || head.size > size - sizeof head)
        return 0;
    const char *body = bytes + sizeof head;
    struct record_walk walk = {
        .arena = arena, .at = body, .end = body + head.size, .is_good = true};
    walk_record(&walk, record);
    bool is_whole = walk.is_good && walk.at == walk.end && record->file;
    return is_whole ? sizeof head + (size_t)head.size : 0;
}

const struct state_value *record_state(const struct record_outcomes *outcomes, size_t n) {
    return &outcomes->values[n * outcomes->column_count];
}
