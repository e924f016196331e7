// Code lenses: above each condition, or launch, what it came to.
#include "check/text/json.h"
#include "cli/lsp/features.h"
#include "cli/lsp/params.h"

#include <string.h>

// Where a result is in the document; one of another file at the beginning.
static json_t *place_of(const struct rpc_request *request, const struct document *document,
                        const json_t *result) {
    const char *file = json_string_value(json_object_get(result, "file"));
    bool is_here = file && strcmp(file, document->path) == 0;
    size_t begin = is_here ? (size_t)json_integer_value(json_object_get(result, "begin")) : 0;
    size_t end = is_here ? (size_t)json_integer_value(json_object_get(result, "end")) : 0;
    return text_range(&document->text, begin, end, request->server->is_utf8);
}

void feature_lens(struct rpc_request *request) {
    struct document *document = params_document(request);
    if (!document)
        return;
    if (document->decision.state != JOB_DONE) {
        request->waits_for = document;
        return;
    }
    request->result = json_array();
    for (size_t i = 0; i < json_array_size(document->results); i++) {
        const json_t *result = json_array_get(document->results, i);
        // Its command is empty: it is only to be read.
        json_item(request->result,
                  json_of("{s:o, s:{s:O, s:s}}", "range", place_of(request, document, result),
                          "command", "title", json_object_get(result, "title"), "command", ""));
    }
}
