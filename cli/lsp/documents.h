// The texts that are open in the editor, with what is known of them.
#ifndef PTXLITMUS_CLI_LSP_DOCUMENTS_H
#define PTXLITMUS_CLI_LSP_DOCUMENTS_H

#include "cli/lsp/jobs.h"
#include "cli/lsp/text.h"

#include <jansson.h>

// What a text is, by the name of its file.
enum document_kind {
    DOCUMENT_TEST,   // a test, which is decided
    DOCUMENT_MODULE, // of PTX, decided as its manifest says
    DOCUMENT_LAUNCH, // the manifest of a module: that is decided
    DOCUMENT_OTHER,  // whose words alone are known
};

// The search for repairs of all tests of a document, for one goal (cli/print/notice.h).
struct document_repair {
    char *goal;
    struct lsp_job job;
    struct document_repair *next;
};

struct document {
    char *uri;
    char *path;  // of its file, which need not be there
    char *input; // of the file that is decided for it; itself, but of a manifest
    enum document_kind kind;
    json_t *version; // as the client counts, an integer or null
    size_t edition;  // how often it was changed
    struct edited_text text;
    struct lsp_job decision;
    struct document_repair *repairs; // that were asked for
    json_t *messages;                // diagnostics of LSP, as far as they are known of this edition
    json_t *results;                 // notices with titles (cli/print/notice.h), in the same way
    bool is_decided;                 // nothing more comes to be known of it
    bool has_news;                   // messages that the client was not told
    struct document *next;
};

// Returns the document of a URI, or NULL.
struct document *document_find(struct document *documents, const char *uri);

// Whether a notice is about the document itself, and where: else at its beginning.
bool document_place(const struct document *document, const json_t *notice, size_t *begin,
                    size_t *end);

// Opens a document without a text in a list, or returns the one that is open already. A URI of
// another kind than file: is its own path; the language then says what it is ("litmus"), which is
// NULL where the client does not tell.
struct document *document_open(struct document **documents, const char *uri, const char *language);

// Forgets what is known of a text, since it is another one now, and plans to decide it; and so with
// the other texts of the list that depend on it: a module and its manifest.
void document_changed(struct document *documents, struct document *document, double due);

// Ends the searches for repairs, and forgets what they have found.
void document_drop_repairs(struct document *document);

// Closes a document of the list, and ends the work for it.
void document_close(struct document **documents, struct document *document);

#endif
