// Code actions: words that a message has another one for, and repairs. A repair is offered where
// the cursor is at a condition that can be reached, or at what `check` has found; looking for its
// edit takes a process.
#include "check/text/json.h"
#include "cli/lsp/deciding.h"
#include "cli/lsp/edits.h"
#include "cli/lsp/features.h"
#include "cli/lsp/params.h"
#include "litmus/source/arena.h"

#include <string.h>

static const char *text_at(const json_t *object, const char *name) {
    return json_string_value(json_object_get(object, name));
}

static const char *title_of(struct arena *arena, const json_t *result) {
    const char *goal = text_at(result, "goal"), *test = text_at(result, "test");
    const char *name = test ? arena_format(arena, " of %s", test) : "";
    if (strcmp(goal, "outcome") == 0)
        return arena_format(arena, "Forbid the outcome%s: the least changes", name);
    if (strcmp(goal, "races") == 0)
        return arena_format(arena, "Repair the data races%s", name);
    if (strcmp(goal, "hangs") == 0)
        return arena_format(arena, "Repair the hang%s", name);
    return arena_format(arena, "Repair the %s%s", goal, name);
}

// --- What is at a place ------------------------------------------------------------------------

// The number of the line that a notice is shown at: of another file, the first one.
static size_t line_of(const struct document *document, const json_t *notice) {
    size_t begin, end;
    document_place(document, notice, &begin, &end);
    return text_line_of(&document->text, begin);
}

static bool is_between(size_t line, size_t first, size_t last) {
    return first <= line && line <= last;
}

// Whether a finding that a repair may be for is on one of these lines: a warning.
static bool has_finding(const struct document *document, size_t first, size_t last) {
    for (size_t i = 0; i < json_array_size(document->messages); i++) {
        const json_t *message = json_array_get(document->messages, i);
        size_t line = (size_t)json_integer_value(params_at(message, "range.start.line"));
        const char *code = text_at(message, "code");
        bool is_finding =
            strcmp(code, "error") != 0 && strcmp(code, "warning") != 0 && strcmp(code, "note") != 0;
        if (is_finding && is_between(line, first, last))
            return true;
    }
    return false;
}

// --- Words ---------------------------------------------------------------------------------------

// The word that a message says may be meant: "hint: did you mean '.relaxed'?"; NULL: it says none.
static const char *meant_word(struct arena *arena, const char *message) {
    static const char hint[] = "\nhint: did you mean '";
    const char *word = strstr(message, hint);
    size_t length = word ? strcspn(word + sizeof hint - 1, "'\n") : 0;
    word = word ? word + sizeof hint - 1 : NULL;
    return length > 0 && strcmp(word + length, "'?") == 0 ? arena_strndup(arena, word, length)
                                                          : NULL;
}

// Whether a message is about exactly the word in its range, which it quotes.
static bool quotes_range(struct rpc_request *request, const struct document *document,
                         const json_t *message) {
    size_t begin, end;
    if (!params_range(request, document, json_object_get(message, "range"), "range", &begin, &end))
        return false;
    const char *word =
        arena_format(request->arena, "'%s'",
                     arena_strndup(request->arena, document->text.bytes + begin, end - begin));
    return begin < end && strstr(text_at(message, "message"), word) != NULL;
}

static json_t *edits_json(const struct document *document, json_t *edits) {
    return json_of("{s:{s:o}}", "changes", document->uri, edits);
}

// Adds an action for each message on these lines that says which word may be meant.
static void add_words(struct rpc_request *request, const struct document *document, size_t first,
                      size_t last) {
    for (size_t i = 0; i < json_array_size(document->messages); i++) {
        json_t *message = json_array_get(document->messages, i);
        const char *word = meant_word(request->arena, text_at(message, "message"));
        size_t line = (size_t)json_integer_value(params_at(message, "range.start.line"));
        if (!word || !is_between(line, first, last) || !quotes_range(request, document, message))
            continue;
        json_t *edits = json_of("[{s:o, s:s}]", "range",
                                json_deep_copy(json_object_get(message, "range")), "newText", word);
        json_item(request->result,
                  json_of("{s:s, s:s, s:[o], s:o}", "title",
                          arena_format(request->arena, "Change to '%s'", word), "kind", "quickfix",
                          "diagnostics", json_deep_copy(message), "edit",
                          edits_json(document, edits)));
    }
}

// --- The edit ----------------------------------------------------------------------------------

// What the process has printed about a test; NULL: nothing. The caller releases it.
static json_t *repair_of(const struct lsp_job *job, const char *test) {
    const char *at = job->printed, *end = job->printed + job->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        size_t length = newline ? (size_t)(newline - at) : (size_t)(end - at);
        json_t *object = json_loadb(at, length, 0, NULL);
        const char *name = text_at(object, "test");
        if (json_object_get(object, "results") && name && test && strcmp(name, test) == 0)
            return object;
        json_decref(object);
        at += length + 1;
    }
    return NULL;
}

// The edit of a repair, as an object of LSP; NULL after refusing the request, or while it waits.
static json_t *edit_of(struct rpc_request *request, struct document *document,
                       const json_t *result) {
    struct server *server = request->server;
    const struct lsp_job *job = deciding_repair(server, document, text_at(result, "goal"));
    if (job->state == JOB_RUNNING) {
        request->waits_for = document;
        return NULL;
    }
    json_t *repair = repair_of(job, text_at(result, "test"));
    const char *diff = text_at(json_array_get(json_object_get(repair, "results"), 0), "diff");
    const char *why = text_at(repair, "why");
    json_t *edit = NULL, *edits = NULL;
    if (diff && *diff)
        edits = edits_of_diff(request->arena, &document->text, diff, server->is_utf8);
    if (edits) {
        edit = edits_json(document, edits);
    } else {
        request_refuse(request, RPC_REQUEST_FAILED, "no repair was found%s%s",
                       why ? ": " : " in time", why ? why : "");
    }
    json_decref(repair);
    return edit;
}

// --- The requests ------------------------------------------------------------------------------

static json_t *action_of(struct rpc_request *request, const struct document *document,
                         const json_t *result) {
    return json_of("{s:s, s:s, s:{s:s, s:I, s:o}}", "title", title_of(request->arena, result),
                   "kind", "quickfix", "data", "uri", document->uri, "edition",
                   (json_int_t)document->edition, "result", json_deep_copy(result));
}

// Adds the action of a result; its edit, too, where the client does not ask for that later. False
// while that has to be waited for.
static bool add_action(struct rpc_request *request, struct document *document,
                       const json_t *result) {
    json_t *edit = request->server->resolves_edits ? NULL : edit_of(request, document, result);
    if (request->waits_for)
        return false;
    if (!edit && !request->server->resolves_edits) {
        request->why = NULL; // without a repair, there is nothing to offer
        return true;
    }
    json_t *action = action_of(request, document, result);
    if (edit)
        json_field(action, "edit", edit);
    json_item(request->result, action);
    return true;
}

// Whether the client wants actions of the kind "quickfix", or of any.
static bool wants_fixes(const json_t *params) {
    const json_t *only = params_at(params, "context.only");
    return !only || json_is_null(only) || params_lists(params, "context.only", "quickfix") ||
           params_lists(params, "context.only", "");
}

// Whether a result can be repaired on these lines: at its condition, or where its faults are.
static bool is_repaired_at(const struct document *document, const json_t *result, size_t first,
                           size_t last) {
    const char *goal = text_at(result, "goal");
    if (!goal || !text_at(result, "test"))
        return false;
    return is_between(line_of(document, result), first, last) ||
           (strcmp(goal, "outcome") != 0 && has_finding(document, first, last));
}

// Adds the repairs on these lines, until one has to be waited for.
static void add_repairs(struct rpc_request *request, struct document *document, size_t first,
                        size_t last) {
    for (size_t i = 0; i < json_array_size(document->results); i++) {
        const json_t *result = json_array_get(document->results, i);
        if (is_repaired_at(document, result, first, last) && !add_action(request, document, result))
            return;
    }
}

void feature_actions(struct rpc_request *request) {
    struct document *document = params_document(request);
    size_t begin, end;
    if (!document || !params_range(request, document, json_object_get(request->params, "range"),
                                   "range", &begin, &end))
        return;
    request->result = json_array();
    if (!wants_fixes(request->params))
        return;
    if (document->decision.state != JOB_DONE) {
        request->waits_for = document;
        return;
    }
    size_t first = text_line_of(&document->text, begin);
    size_t last = text_line_of(&document->text, end);
    add_words(request, document, first, last);
    if (document->kind != DOCUMENT_LAUNCH) // else it is the module that would be repaired
        add_repairs(request, document, first, last);
}

static bool has_result(const struct document *document, const json_t *result) {
    for (size_t i = 0; i < json_array_size(document->results); i++)
        if (json_equal(json_array_get(document->results, i), result))
            return true;
    return false;
}

void feature_resolve(struct rpc_request *request) {
    const char *uri = params_text(request, "data.uri");
    const json_t *edition = params_at(request->params, "data.edition");
    const json_t *result = params_at(request->params, "data.result");
    struct document *document = uri ? document_find(request->server->documents, uri) : NULL;
    if (!uri)
        return;
    if (!text_at(result, "goal") || !text_at(result, "test")) {
        request_refuse(request, RPC_INVALID_PARAMS, "'data' is not of an action of this server");
        return;
    }
    if (!document || json_integer_value(edition) != (json_int_t)document->edition) {
        request_refuse(request, RPC_CONTENT_MODIFIED, "the text has changed since");
        return;
    }
    if (!has_result(document, result)) {
        request_refuse(request, RPC_INVALID_PARAMS, "'data' is not of an action of this text");
        return;
    }
    json_t *edit = edit_of(request, document, result);
    if (!edit)
        return;
    request->result = json_deep_copy(request->params);
    json_field(request->result, "edit", edit);
}
