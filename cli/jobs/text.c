// What workers print and note, as texts in memory.
#include "cli/jobs/task.h"
#include "litmus/source/allocate.h"

#include <stdlib.h>

struct worker_streams worker_text_open(struct worker_text *text) {
    return (struct worker_streams){.out = text_open(&text->out, &text->out_size),
                                   .err = text_open(&text->err, &text->err_size),
                                   .note = text_open(&text->note, &text->note_size)};
}

void worker_text_close(const struct worker_streams *streams) {
    text_close(streams->out);
    text_close(streams->err);
    text_close(streams->note);
}

void worker_texts_free(struct worker_text texts[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(texts[i].out);
        free(texts[i].err);
        free(texts[i].note);
    }
}
