// Where the readers of a module are: the current token, what begins there, and how to go on after
// what is not read.
#include "litmus/readers/module/reading.h"

#include "litmus/source/diagnostics.h"

static const char *const linkages[] = {".extern", ".visible", ".weak", ".common"};
static const char *const spaces[] = {".reg",   ".global", ".shared", ".shared::cta",
                                     ".const", ".local",  ".param",  ".tex"};

const char *module_linkage(const struct token *token) {
    int found = token_among(token, linkages, sizeof linkages / sizeof linkages[0]);
    return found < 0 ? NULL : linkages[found];
}

const char *module_space(const struct token *token) {
    int found = token_among(token, spaces, sizeof spaces / sizeof spaces[0]);
    return found < 0 ? NULL : spaces[found];
}

bool module_at_declaration(const struct token *at) {
    return module_linkage(at) || module_space(at);
}

bool module_error_expected(struct module_reading *reading, const char *what) {
    const struct token *token = reading->at;
    if (token->kind == TOKEN_END)
        return diag_error(reading->diagnostics, token->span, "expected %s, not the end of the file",
                          what);
    return diag_error(reading->diagnostics, token->span, "expected %s, not '%.60s'", what,
                      token_text(reading->arena, token));
}

// --- Skipping ----------------------------------------------------------------------------------

static int closing(int punct) {
    return punct == '(' ? ')' : punct == '[' ? ']' : '}';
}

// Only marks of the same kind count: those of others are looked at when what is between is
// read.
bool module_skip_group(struct module_reading *reading) {
    const struct token *opener = reading->at;
    unsigned depth = 0;
    for (const struct token *at = opener; at->kind != TOKEN_END; at++) {
        depth += token_is_punct(at, opener->punct);
        depth -= token_is_punct(at, closing(opener->punct));
        if (depth == 0) {
            reading->at = at + 1;
            return true;
        }
    }
    return diag_error(reading->diagnostics, opener->span, "this '%c' is never closed",
                      opener->punct);
}

void module_skip_statement(struct module_reading *reading) {
    for (bool is_first = true; reading->at->kind != TOKEN_END; reading->at++, is_first = false) {
        const struct token *at = reading->at;
        if (token_is_punct(at, ';')) {
            reading->at++;
            return;
        }
        if (!is_first && at->line_start &&
            (module_at_declaration(at) || token_is(at, ".entry") || token_is(at, ".func") ||
             token_is_punct(at, '}')))
            return;
    }
}
