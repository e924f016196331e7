// Code lenses: above each condition, or launch, what it came to.
#include "check/text/json.h"
#include "cli/lsp/features.h"
#include "cli/lsp/params.h"

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
        size_t begin, end;
        document_place(document, result, &begin, &end);
        // Its command is empty: it is only to be read.
        json_item(request->result,
                  json_of("{s:o, s:{s:O, s:s}}", "range",
                          text_range(&document->text, begin, end, request->server->is_utf8),
                          "command", "title", json_object_get(result, "title"), "command", ""));
    }
}
