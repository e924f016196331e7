// Starts processes for documents. They see the texts of all that is open, saved or not.
#include "cli/lsp/deciding.h"

#include "check/text/json.h"
#include "cli/commands/editing.h"
#include "cli/jobs/pool.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/source.h"
#include "solver/backend/watchdog.h"

#include <string.h>

// The limits are of each test, of which a text may have several, and of a module twice. A process
// has some more time than one of them, and is then ended.
enum { CLOCK_FACTOR = 4, CLOCK_MORE_MS = 5000 };
enum { LEAST = 4 }; // processes at once, however few processors there are

struct deciding {
    const struct server *server;
    const struct document *document;
    const char *goal; // of a repair; NULL: it is decided
};

// --- In the process ----------------------------------------------------------------------------

static void work(void *context) {
    const struct deciding *deciding = context;
    const struct document *all = deciding->server->documents;
    for (const struct document *one = all; one; one = one->next)
        source_override(one->path, one->text.bytes, one->text.size);
    if (deciding->goal)
        editing_repair(deciding->server->options, deciding->document->input, deciding->goal);
    else
        editing_decide(deciding->server->options, deciding->document->input);
}

// --- In the server -----------------------------------------------------------------------------

static double deadline_of(const struct server *server, double now) {
    double seconds = server->options->check.solver.timeout_seconds;
    return now + CLOCK_FACTOR * 1e3 * seconds + CLOCK_MORE_MS;
}

static void add_title(struct document *document, const char *title) {
    json_item(document->results,
              json_of("{s:s, s:n, s:n, s:s}", "title", title, "test", "goal", "file", ""));
}

// Where there is no answer, that is said in its place.
static void note_end(struct document *document) {
    if (document->decision.was_cut)
        add_title(document, "undecided: it took too long, or no process could be started");
    else if (!document->is_decided)
        add_title(document, "undecided: the process that looks for an answer has failed");
}

// Tells the client the messages that it does not know yet.
static void tell(struct server *server, struct document *document) {
    if (!document->has_news)
        return;
    output_notify(&server->output, "textDocument/publishDiagnostics",
                  json_of("{s:s, s:O*, s:o}", "uri", document->uri, "version",
                          json_is_integer(document->version) ? document->version : NULL,
                          "diagnostics", json_deep_copy(document->messages)));
    document->has_news = false;
}

static void tell_end(struct server *server, struct document *document) {
    note_end(document);
    tell(server, document);
}

// Ends what takes too long; returns how many texts are being decided.
static size_t end_late(struct server *server, double now) {
    size_t running = 0;
    for (struct document *one = server->documents; one; one = one->next) {
        bool was_running = one->decision.state == JOB_RUNNING;
        job_check(&one->decision, now);
        for (struct document_repair *repair = one->repairs; repair; repair = repair->next)
            job_check(&repair->job, now);
        if (was_running && one->decision.state == JOB_DONE)
            tell_end(server, one);
        running += one->decision.state == JOB_RUNNING;
    }
    return running;
}

// Whether a process has been started.
static bool begin(struct server *server, struct document *document, double now) {
    struct deciding deciding = {server, document, NULL};
    if (document->text.size > SOURCE_SIZE_MAX)
        document->decision = (struct lsp_job){.state = JOB_DONE, .was_cut = true};
    else
        job_start(&document->decision, work, &deciding, deadline_of(server, now));
    if (document->decision.state == JOB_DONE)
        tell_end(server, document);
    return document->decision.state == JOB_RUNNING;
}

void deciding_begin(struct server *server, double now) {
    size_t running = end_late(server, now);
    size_t most = pool_processors() < LEAST ? LEAST : pool_processors();
    for (struct document *one = server->documents; one && running < most; one = one->next)
        if (one->decision.state == JOB_DUE && one->decision.due <= now)
            running += begin(server, one, now);
}

const struct lsp_job *deciding_repair(struct server *server, struct document *document,
                                      const char *goal) {
    struct document_repair *repair = document->repairs;
    while (repair && strcmp(repair->goal, goal) != 0)
        repair = repair->next;
    if (repair)
        return &repair->job;
    repair = allocate(1, sizeof *repair);
    *repair =
        (struct document_repair){.goal = memcpy(allocate(strlen(goal) + 1, 1), goal, strlen(goal)),
                                 .next = document->repairs};
    document->repairs = repair;
    struct deciding deciding = {server, document, repair->goal};
    job_start(&repair->job, work, &deciding, deadline_of(server, watchdog_now_ms()));
    return &repair->job;
}

// --- What a process has found ------------------------------------------------------------------

// A message of another file, such as the manifest of a module, is at the beginning of the text, and
// says where it is from.
static const char *message_text(struct arena *arena, const json_t *notice, bool is_here) {
    const char *text = json_string_value(json_object_get(notice, "message"));
    const char *file = json_string_value(json_object_get(notice, "file"));
    const json_t *line = json_object_get(notice, "line");
    if (is_here || !line)
        return text;
    return arena_format(arena, "%s:%d:%d: %s", file, (int)json_integer_value(line),
                        (int)json_integer_value(json_object_get(notice, "column")), text);
}

static bool is_known(const json_t *messages, const json_t *message) {
    for (size_t i = 0; i < json_array_size(messages); i++)
        if (json_equal(json_array_get(messages, i), message))
            return true;
    return false;
}

static void add_message(const struct server *server, struct document *document,
                        const json_t *notice) {
    struct arena *arena = arena_new();
    size_t begin, end;
    bool is_here = document_place(document, notice, &begin, &end);
    json_t *message =
        json_of("{s:o, s:O, s:O, s:s, s:s}", "range",
                text_range(&document->text, begin, end, server->is_utf8), "severity",
                json_object_get(notice, "severity"), "code", json_object_get(notice, "code"),
                "source", "ptxlitmus", "message", message_text(arena, notice, is_here));
    if (!is_known(document->messages, message)) { // a module may be decided twice
        json_item(document->messages, json_incref(message));
        document->has_news = true;
    }
    json_decref(message);
    arena_free(arena);
}

static void take_notice(const struct server *server, struct document *document, const char *line,
                        size_t length) {
    json_t *notice = json_loadb(line, length, 0, NULL);
    if (json_object_get(notice, "message"))
        add_message(server, document, notice);
    else if (json_object_get(notice, "title"))
        json_item(document->results, json_incref(notice));
    else if (json_object_get(notice, "end"))
        document->is_decided = true;
    json_decref(notice);
}

void deciding_read(struct server *server, struct document *document) {
    struct lsp_job *job = &document->decision;
    size_t length, before = json_array_size(document->messages);
    const char *line;
    job_read(job);
    while ((line = job_line(job, &length)) != NULL)
        take_notice(server, document, line, length);
    if (job->state == JOB_DONE)
        note_end(document);
    if (job->state == JOB_DONE || json_array_size(document->messages) > before)
        tell(server, document);
}
