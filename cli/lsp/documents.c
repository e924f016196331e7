// Keeps the open texts.
#include "cli/lsp/documents.h"

#include "litmus/source/allocate.h"

#include <stdlib.h>
#include <string.h>

// The file that is the manifest of each module of its folder that has none of its own.
static const char folder_manifest[] = "/all.ptx.litmus";

static char *copy(const char *text, size_t length) {
    return memcpy(allocate(length + 1, 1), text, length);
}

static bool ends(const char *text, const char *end) {
    size_t length = strlen(text), count = strlen(end);
    return length >= count && strcmp(text + length - count, end) == 0;
}

static int hex_digit(char letter) {
    const char *digits = "0123456789abcdef0123456789ABCDEF";
    const char *at = letter ? strchr(digits, letter) : NULL;
    return at ? (int)((at - digits) % 16) : -1;
}

// The path of a URI: "file://" host? path, in which %XX is a byte. %00 stays as it is written.
static char *path_of(const char *uri) {
    static const char scheme[] = "file://";
    if (strncmp(uri, scheme, sizeof scheme - 1) != 0)
        return copy(uri, strlen(uri));
    const char *from = uri + sizeof scheme - 1;
    from += strcspn(from, "/");
    char *path = copy(from, strlen(from)), *to = path;
    for (const char *at = from; *at; at++) {
        int high = *at == '%' ? hex_digit(at[1]) : -1;
        int low = high >= 0 ? hex_digit(at[2]) : -1;
        bool is_byte = low >= 0 && high + low > 0;
        *to++ = is_byte ? (char)(16 * high + low) : *at;
        at += is_byte ? 2 : 0;
    }
    *to = '\0';
    return path;
}

static enum document_kind kind_of(const char *path) {
    if (ends(path, folder_manifest) || ends(path, ".cu.litmus"))
        return DOCUMENT_OTHER;
    return ends(path, ".ptx.litmus")                      ? DOCUMENT_LAUNCH
           : ends(path, ".ptx")                           ? DOCUMENT_MODULE
           : ends(path, ".litmus") || ends(path, ".test") ? DOCUMENT_TEST
                                                          : DOCUMENT_OTHER;
}

struct document *document_find(struct document *documents, const char *uri) {
    while (documents && strcmp(documents->uri, uri) != 0)
        documents = documents->next;
    return documents;
}

bool document_place(const struct document *document, const json_t *notice, size_t *begin,
                    size_t *end) {
    const char *file = json_string_value(json_object_get(notice, "file"));
    const json_t *first = json_object_get(notice, "begin"), *last = json_object_get(notice, "end");
    *begin = *end = 0;
    if (!file || strcmp(file, document->path) != 0 || !first)
        return false;
    *begin = (size_t)json_integer_value(first);
    *end = (size_t)json_integer_value(last);
    return true;
}

struct document *document_open(struct document **documents, const char *uri, const char *language) {
    struct document *document = document_find(*documents, uri);
    if (document)
        return document;
    document = allocate(1, sizeof *document);
    *document = (struct document){.uri = copy(uri, strlen(uri)),
                                  .path = path_of(uri),
                                  .version = json_null(),
                                  .messages = json_array(),
                                  .results = json_array(),
                                  .next = *documents};
    document->kind = kind_of(document->path);
    if (document->kind == DOCUMENT_OTHER && strcmp(document->path, uri) == 0 && language &&
        strcmp(language, "litmus") == 0)
        document->kind = DOCUMENT_TEST; // a text that was not saved yet
    size_t length = strlen(document->path);
    document->input = copy(document->path,
                           document->kind == DOCUMENT_LAUNCH ? length - strlen(".litmus") : length);
    text_set(&document->text, "", 0);
    *documents = document;
    return document;
}

void document_drop_repairs(struct document *document) {
    while (document->repairs) {
        struct document_repair *repair = document->repairs;
        document->repairs = repair->next;
        job_stop(&repair->job);
        free(repair->goal);
        free(repair);
    }
}

static void forget(struct document *document, double due) {
    document->edition++;
    document->is_decided = false;
    document_drop_repairs(document);
    json_array_clear(document->messages);
    json_array_clear(document->results);
    document->has_news = true; // that nothing is wrong, unless more is said
    if (document->kind == DOCUMENT_OTHER)
        document->decision.state = JOB_DONE;
    else
        job_plan(&document->decision, due);
}

// Whether a text is the manifest of all modules in the folder of another one.
static bool is_of_folder(const struct document *manifest, const struct document *other) {
    const char *name = strrchr(manifest->path, '/'), *slash = strrchr(other->path, '/');
    size_t length = name ? (size_t)(name - manifest->path) : 0;
    return name && slash && strcmp(name, folder_manifest) == 0 &&
           (size_t)(slash - other->path) == length &&
           strncmp(manifest->path, other->path, length) == 0;
}

void document_changed(struct document *documents, struct document *document, double due) {
    forget(document, due);
    for (struct document *other = documents; other; other = other->next)
        if (other != document && (strcmp(other->input, document->input) == 0 ||
                                  (is_of_folder(document, other) && other->kind != DOCUMENT_TEST)))
            forget(other, due);
}

void document_close(struct document **documents, struct document *document) {
    while (*documents != document)
        documents = &(*documents)->next;
    *documents = document->next;
    job_stop(&document->decision);
    document_drop_repairs(document);
    text_free(&document->text);
    json_decref(document->version);
    json_decref(document->messages);
    json_decref(document->results);
    free(document->input);
    free(document->path);
    free(document->uri);
    free(document);
}
