// The table of methods, and the rules of JSON-RPC and of LSP's life cycle: what may come before
// `initialize` and after `shutdown`, what waits, and what is cancelled.
#include "cli/lsp/requests.h"

#include "check/text/json.h"
#include "cli/lsp/features.h"
#include "cli/lsp/params.h"
#include "cli/lsp/sync.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"

#include <stdlib.h>
#include <string.h>

// A request that waits for a document. When that changes, the answer would be of another text.
struct waiting {
    json_t *id, *params;
    void (*answer)(struct rpc_request *request);
    char *uri;
    size_t edition;
    struct waiting *next;
};

// --- The life of the server --------------------------------------------------------------------

static json_t *capabilities(const struct server *server) {
    enum { BY_RANGES = 2 };
    return json_of("{s:s, s:{s:b, s:i}, s:b, s:{s:[s]}, s:{s:b}, s:{s:[s], s:b}}",
                   "positionEncoding", server->is_utf8 ? "utf-8" : "utf-16", "textDocumentSync",
                   "openClose", true, "change", BY_RANGES, "hoverProvider", true,
                   "completionProvider", "triggerCharacters", ".", "codeLensProvider",
                   "resolveProvider", false, "codeActionProvider", "codeActionKinds", "quickfix",
                   "resolveProvider", server->resolves_edits);
}

static void initialize(struct rpc_request *request) {
    struct server *server = request->server;
    const json_t *client = params_at(request->params, "capabilities");
    if (server->is_initialized) {
        request_refuse(request, RPC_INVALID_REQUEST, "the server is initialized already");
        return;
    }
    if (!json_is_object(client)) {
        request_refuse(request, RPC_INVALID_PARAMS, "'capabilities' has to be an object");
        return;
    }
    server->is_utf8 = params_lists(client, "general.positionEncodings", "utf-8");
    server->takes_markdown = params_lists(client, "textDocument.hover.contentFormat", "markdown");
    server->resolves_edits =
        params_lists(client, "textDocument.codeAction.resolveSupport.properties", "edit");
    server->is_initialized = true;
    request->result = json_of("{s:o, s:{s:s, s:s}}", "capabilities", capabilities(server),
                              "serverInfo", "name", "ptxlitmus", "version", PTXLITMUS_VERSION);
}

static void shut_down(struct rpc_request *request) {
    request->server->is_shut_down = true;
    requests_drop(request->server);
    for (struct document *one = request->server->documents; one; one = one->next)
        job_stop(&one->decision);
}

static void end(struct rpc_request *request) {
    request->server->is_over = true;
}

static void ignore(struct rpc_request *request) {
    (void)request;
}

// --- Waiting -----------------------------------------------------------------------------------

static void free_waiting(struct waiting *waiting) {
    json_decref(waiting->id);
    json_decref(waiting->params);
    free(waiting->uri);
    free(waiting);
}

static void wait(const struct rpc_request *request, void (*answer)(struct rpc_request *request)) {
    const struct document *document = request->waits_for;
    struct waiting *waiting = allocate(1, sizeof *waiting), **last = &request->server->waiting;
    *waiting = (struct waiting){.id = json_deep_copy(request->id),
                                .params = json_deep_copy(request->params),
                                .answer = answer,
                                .uri = allocate(strlen(document->uri) + 1, 1),
                                .edition = document->edition};
    memcpy(waiting->uri, document->uri, strlen(document->uri));
    while (*last)
        last = &(*last)->next;
    *last = waiting;
}

// Refuses and drops what waits and is named, by an id or (NULL) as all of it.
static void refuse_waiting(struct server *server, const json_t *id, enum rpc_error code,
                           const char *why) {
    for (struct waiting **at = &server->waiting; *at;) {
        struct waiting *waiting = *at;
        if (id && !json_equal(waiting->id, id)) {
            at = &waiting->next;
            continue;
        }
        output_error(&server->output, waiting->id, code, why);
        *at = waiting->next;
        free_waiting(waiting);
    }
}

// Ends the searches for repairs that nothing waits for any more.
static void drop_unwanted(struct server *server) {
    for (struct document *one = server->documents; one; one = one->next) {
        bool is_wanted = false;
        for (const struct waiting *at = server->waiting; at; at = at->next)
            is_wanted = is_wanted || strcmp(at->uri, one->uri) == 0;
        bool is_running = false;
        for (const struct document_repair *repair = one->repairs; repair; repair = repair->next)
            is_running = is_running || repair->job.state == JOB_RUNNING;
        if (is_running && !is_wanted)
            document_drop_repairs(one);
    }
}

static void cancel(struct rpc_request *request) {
    const json_t *id = json_object_get(request->params, "id");
    if (id)
        refuse_waiting(request->server, id, RPC_CANCELLED, "the request was cancelled");
    drop_unwanted(request->server);
}

void requests_drop(struct server *server) {
    refuse_waiting(server, NULL, RPC_CANCELLED, "the server shuts down");
    drop_unwanted(server);
}

// --- Methods -----------------------------------------------------------------------------------

static const struct method {
    const char *name;
    bool is_request; // else a notification
    void (*answer)(struct rpc_request *request);
} methods[] = {
    {"initialize", true, initialize},
    {"initialized", false, ignore},
    {"shutdown", true, shut_down},
    {"exit", false, end},
    {"$/cancelRequest", false, cancel},
    {"$/setTrace", false, ignore},
    {"textDocument/didOpen", false, sync_open},
    {"textDocument/didChange", false, sync_change},
    {"textDocument/didSave", false, ignore},
    {"textDocument/didClose", false, sync_close},
    {"textDocument/hover", true, feature_hover},
    {"textDocument/completion", true, feature_completion},
    {"textDocument/codeLens", true, feature_lens},
    {"textDocument/codeAction", true, feature_actions},
    {"codeAction/resolve", true, feature_resolve},
};

static const struct method *find_method(const char *name) {
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        if (strcmp(methods[i].name, name) == 0)
            return &methods[i];
    return NULL;
}

// Sends the answer of a request, unless it waits.
static void reply(const struct rpc_request *request) {
    struct output *output = &request->server->output;
    if (request->why)
        output_error(output, request->id, request->code, request->why);
    else
        output_result(output, request->id, request->result ? request->result : json_null());
}

static void call(struct rpc_request *request, void (*answer)(struct rpc_request *request)) {
    answer(request);
    if (request->id && request->waits_for)
        wait(request, answer);
    else if (request->id)
        reply(request);
    if (request->result && (!request->id || request->why || request->waits_for))
        json_decref(request->result);
}

// Why a method may not be called now; NULL: it may.
static const char *not_now(const struct server *server, const char *name, enum rpc_error *code) {
    bool begins = strcmp(name, "initialize") == 0;
    *code = server->is_shut_down ? RPC_INVALID_REQUEST : RPC_NOT_INITIALIZED;
    if (server->is_shut_down)
        return "the server has shut down";
    return !server->is_initialized && !begins ? "the server is not initialized yet" : NULL;
}

static void call_named(struct rpc_request *request, const char *name) {
    const struct method *method = find_method(name);
    enum rpc_error code;
    const char *why = not_now(request->server, name, &code);
    if (why && strcmp(name, "exit") == 0)
        why = NULL;
    if (why)
        request_refuse(request, code, "%s", why);
    else if (!method)
        request_refuse(request, RPC_METHOD_NOT_FOUND, "there is no method '%s'", name);
    else if (!method->is_request && request->id)
        request_refuse(request, RPC_INVALID_REQUEST, "'%s' is a notification, without an id", name);
    else if (method->is_request && !request->id)
        return; // an answer would go nowhere
    if (!request->why)
        call(request, method->answer);
    else if (request->id)
        reply(request);
}

// --- Messages ----------------------------------------------------------------------------------

static bool is_id(const json_t *id) {
    return json_is_integer(id) || json_is_string(id);
}

// What is wrong with a message as one of JSON-RPC; NULL: nothing.
static const char *wrong_with(const json_t *message) {
    const json_t *id = json_object_get(message, "id");
    const json_t *params = json_object_get(message, "params");
    const char *version = json_string_value(json_object_get(message, "jsonrpc"));
    if (!json_is_object(message))
        return "a message has to be an object";
    if (!version || strcmp(version, "2.0") != 0)
        return "'jsonrpc' has to be \"2.0\"";
    if (id && !is_id(id))
        return "'id' has to be a whole number or a string";
    if (!json_is_string(json_object_get(message, "method")))
        return "'method' has to be a string";
    return params && !json_is_object(params) && !json_is_array(params) && !json_is_null(params)
               ? "'params' has to be an object"
               : NULL;
}

// Whether it is an answer of the client, which is asked nothing.
static bool is_answer(const json_t *message) {
    return json_is_object(message) && !json_object_get(message, "method") &&
           (json_object_get(message, "result") || json_object_get(message, "error"));
}

void requests_take(struct server *server, const char *body, size_t size) {
    json_error_t error;
    json_t *message = json_loadb(body, size, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
    if (!message) {
        output_error(&server->output, NULL, RPC_PARSE_ERROR, "a message is not JSON");
        return;
    }
    const json_t *id = json_object_get(message, "id"), *params = json_object_get(message, "params");
    const char *wrong = wrong_with(message);
    struct arena *arena = arena_new();
    struct rpc_request request = {.server = server,
                                  .arena = arena,
                                  .id = id,
                                  .params = json_is_object(params) ? params : NULL};
    if (!wrong)
        call_named(&request, json_string_value(json_object_get(message, "method")));
    else if (!is_answer(message))
        output_error(&server->output, id && is_id(id) ? id : NULL, RPC_INVALID_REQUEST, wrong);
    arena_free(arena);
    json_decref(message);
}

// Asks a request that has waited again; false where it waits on.
static bool settle(struct server *server, const struct waiting *waiting) {
    const struct document *document = document_find(server->documents, waiting->uri);
    if (!document || document->edition != waiting->edition) {
        output_error(&server->output, waiting->id, RPC_CONTENT_MODIFIED, "the text has changed");
        return true;
    }
    struct arena *arena = arena_new();
    struct rpc_request request = {
        .server = server, .arena = arena, .id = waiting->id, .params = waiting->params};
    waiting->answer(&request);
    bool is_settled = !request.waits_for;
    if (is_settled)
        reply(&request);
    if (request.result && (request.why || !is_settled))
        json_decref(request.result);
    arena_free(arena);
    return is_settled;
}

void requests_settle(struct server *server) {
    for (struct waiting **at = &server->waiting; *at;) {
        struct waiting *waiting = *at;
        if (settle(server, waiting)) {
            *at = waiting->next;
            free_waiting(waiting);
        } else {
            at = &waiting->next;
        }
    }
}
