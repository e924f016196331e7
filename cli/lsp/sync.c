// Keeps the texts. A notification cannot be refused, so what is wrong with one is said in the
// client's log (window/logMessage).
#include "cli/lsp/sync.h"

#include "check/text/json.h"
#include "cli/lsp/params.h"
#include "litmus/source/arena.h"
#include "solver/backend/watchdog.h"

#include <string.h>

enum { LOG_ERROR = 1 };
enum { TYPING_MS = 150 }; // a text is decided once it stays the same for so long

static void log_refusal(struct rpc_request *request, const char *method) {
    output_notify(&request->server->output, "window/logMessage",
                  json_of("{s:i, s:s}", "type", LOG_ERROR, "message",
                          arena_format(request->arena, "ptxlitmus: '%s' was left out: %s", method,
                                       request->why)));
}

static void set_version(struct document *document, const json_t *params) {
    const json_t *version = params_at(params, "textDocument.version");
    json_decref(document->version);
    document->version = json_is_integer(version) ? json_deep_copy(version) : json_null();
}

void sync_open(struct rpc_request *request) {
    const char *uri = params_text(request, "textDocument.uri");
    const json_t *text = params_at(request->params, "textDocument.text");
    if (uri && !json_is_string(text))
        request_refuse(request, RPC_INVALID_PARAMS, "'textDocument.text' has to be a string");
    if (request->why) {
        log_refusal(request, "textDocument/didOpen");
        return;
    }
    const json_t *language = params_at(request->params, "textDocument.languageId");
    struct document *document =
        document_open(&request->server->documents, uri, json_string_value(language));
    set_version(document, request->params);
    text_set(&document->text, json_string_value(text), json_string_length(text));
    document_changed(request->server->documents, document, watchdog_now_ms());
}

// Makes one change; false after refusing.
static bool change(struct rpc_request *request, struct document *document, const json_t *change) {
    const json_t *text = json_object_get(change, "text"), *range = json_object_get(change, "range");
    size_t begin = 0, end = document->text.size;
    if (!json_is_string(text)) {
        request_refuse(request, RPC_INVALID_PARAMS, "'contentChanges' has one without a 'text'");
        return false;
    }
    if (range && !params_range(request, document, range, "range", &begin, &end))
        return false;
    text_change(&document->text, begin, end, json_string_value(text), json_string_length(text));
    return true;
}

void sync_change(struct rpc_request *request) {
    struct document *document = params_document(request);
    const json_t *changes = json_object_get(request->params, "contentChanges");
    if (document && !json_is_array(changes))
        request_refuse(request, RPC_INVALID_PARAMS, "'contentChanges' has to be an array");
    for (size_t i = 0; !request->why && i < json_array_size(changes); i++)
        change(request, document, json_array_get(changes, i));
    if (request->why)
        log_refusal(request, "textDocument/didChange");
    if (!document)
        return;
    set_version(document, request->params);
    document_changed(request->server->documents, document, watchdog_now_ms() + TYPING_MS);
}

void sync_close(struct rpc_request *request) {
    struct document *document = params_document(request);
    if (!document) {
        log_refusal(request, "textDocument/didClose");
        return;
    }
    output_notify(&request->server->output, "textDocument/publishDiagnostics",
                  json_of("{s:s, s:[]}", "uri", document->uri, "diagnostics"));
    document_changed(request->server->documents, document, watchdog_now_ms()); // and what uses it
    document_close(&request->server->documents, document);
}
