// Reads parameters, which may be of any form.
#include "cli/lsp/params.h"

#include "litmus/source/arena.h"

#include <stdarg.h>
#include <string.h>

void request_refuse(struct rpc_request *request, enum rpc_error code, const char *format, ...) {
    va_list args;
    va_start(args, format);
    request->why = arena_vformat(request->arena, format, args);
    request->code = code;
    va_end(args);
}

const json_t *params_at(const json_t *params, const char *path) {
    char name[64];
    while (params && *path) {
        size_t length = strcspn(path, ".");
        memcpy(name, path, length);
        name[length] = '\0';
        params = json_object_get(params, name);
        path += length + (path[length] == '.');
    }
    return params;
}

const char *params_text(struct rpc_request *request, const char *path) {
    const json_t *value = params_at(request->params, path);
    if (!json_is_string(value))
        request_refuse(request, RPC_INVALID_PARAMS, "'%s' has to be a string", path);
    else if (strlen(json_string_value(value)) != json_string_length(value))
        request_refuse(request, RPC_INVALID_PARAMS, "'%s' has a NUL in it", path);
    else
        return json_string_value(value);
    return NULL;
}

struct document *params_document(struct rpc_request *request) {
    const char *uri = params_text(request, "textDocument.uri");
    struct document *document = uri ? document_find(request->server->documents, uri) : NULL;
    if (uri && !document)
        request_refuse(request, RPC_INVALID_PARAMS, "'%s' is not open", uri);
    return document;
}

static bool read_number(struct rpc_request *request, const json_t *value, const char *path,
                        const char *name, size_t *number) {
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *number = (size_t)json_integer_value(value);
        return true;
    }
    request_refuse(request, RPC_INVALID_PARAMS, "'%s.%s' has to be a whole number from 0 on", path,
                   name);
    return false;
}

bool params_offset(struct rpc_request *request, const struct document *document,
                   const json_t *position, const char *path, size_t *offset) {
    size_t line, character;
    if (!read_number(request, json_object_get(position, "line"), path, "line", &line) ||
        !read_number(request, json_object_get(position, "character"), path, "character",
                     &character))
        return false;
    *offset = text_offset(&document->text, line, character, request->server->is_utf8);
    return true;
}

bool params_range(struct rpc_request *request, const struct document *document, const json_t *range,
                  const char *path, size_t *begin, size_t *end) {
    const char *start_path = arena_format(request->arena, "%s.start", path);
    const char *end_path = arena_format(request->arena, "%s.end", path);
    if (!params_offset(request, document, json_object_get(range, "start"), start_path, begin) ||
        !params_offset(request, document, json_object_get(range, "end"), end_path, end))
        return false;
    if (*begin > *end)
        request_refuse(request, RPC_INVALID_PARAMS, "'%s' ends before it begins", path);
    return *begin <= *end;
}

bool params_lists(const json_t *params, const char *path, const char *text) {
    const json_t *list = params_at(params, path);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *item = json_string_value(json_array_get(list, i));
        if (item && strcmp(item, text) == 0)
            return true;
    }
    return false;
}
