// Orders, scopes and types, by their words.
#include "litmus/readers/cpp/cpp.h"

#include "litmus/source/arena.h"

#include <string.h>

struct word {
    const char *text;
    int value;
};

static const struct word orders[] = {
#define ORDER(text, order) {text, order},
#include "litmus/readers/cpp/words.def"
};

static const struct word scopes[] = {
#define SCOPE(text, scope) {text, scope},
#include "litmus/readers/cpp/words.def"
};

static const struct word types[] = {
#define TYPE(text, type) {text, type},
#include "litmus/readers/cpp/words.def"
};

enum {
    ORDERS = sizeof orders / sizeof orders[0],
    SCOPES = sizeof scopes / sizeof scopes[0],
    TYPES = sizeof types / sizeof types[0],
};

static const struct word *find(const struct word *words, size_t count, const char *text) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(words[i].text, text) == 0)
            return &words[i];
    return NULL;
}

static const char *word_for(const struct word *words, size_t count, int value) {
    for (size_t i = 0; i < count; i++)
        if (words[i].value == value)
            return words[i].text;
    return "";
}

const char *cpp_order_word(enum access_order order) {
    return word_for(orders, ORDERS, (int)order);
}

// --- Names --------------------------------------------------------------------------------------

// name = "::"? (word "::")* word
size_t cpp_qualified(struct cpp *cpp, size_t ahead, const char **name) {
    size_t begin = ahead;
    const struct token *before = NULL;
    if (token_is_punct(cpp_peek(cpp, ahead), PUNCT_COLONS))
        ahead++;
    while (cpp_peek(cpp, ahead)->kind == TOKEN_WORD &&
           token_is_punct(cpp_peek(cpp, ahead + 1), PUNCT_COLONS)) {
        before = cpp_peek(cpp, ahead);
        ahead += 2;
    }
    if (cpp_peek(cpp, ahead)->kind != TOKEN_WORD)
        return 0;
    *name = token_text(cpp->reader->arena, cpp_peek(cpp, ahead));
    if (before && (token_is(before, "memory_order") || token_is(before, "thread_scope")))
        *name = arena_format(cpp->reader->arena, "%s::%s", token_text(cpp->reader->arena, before),
                             *name);
    return ahead + 1 - begin;
}

static bool take(struct cpp *cpp, const struct word *words, size_t count, int *value) {
    const char *name;
    size_t tokens = cpp_qualified(cpp, 0, &name);
    const struct word *word = tokens > 0 ? find(words, count, name) : NULL;
    if (!word)
        return false;
    cpp->at += tokens;
    *value = word->value;
    return true;
}

// An order or a scope that C++ or CUDA has and these tests have not.
static bool refuse(struct cpp *cpp, const char *part, const char *why, const char *hint) {
    const char *name;
    size_t tokens = cpp_qualified(cpp, 0, &name);
    if (tokens == 0 || !strcasestr(name, part))
        return false;
    struct span span = span_join(cpp_peek(cpp, 0)->span, cpp_peek(cpp, tokens - 1)->span);
    diag_error(cpp->reader->diagnostics, span, "%s", why);
    diag_hint(cpp->reader->diagnostics, "%s", hint);
    return true;
}

bool cpp_accept_order(struct cpp *cpp, enum access_order *order, bool *failed) {
    int value;
    if (take(cpp, orders, ORDERS, &value)) {
        *order = (enum access_order)value;
        return true;
    }
    *failed = *failed || refuse(cpp, "consume", "the order consume is not modelled",
                                "compilers treat it as acquire: 'memory_order_acquire'");
    return false;
}

bool cpp_parse_scope(struct cpp *cpp, enum scope *scope) {
    static const char *const alone[] = {"scope_thread", "scope::thread", "SCOPE_SINGLE",
                                        "SCOPE_WVFRNT"};
    int value;
    if (take(cpp, scopes, SCOPES, &value)) {
        *scope = (enum scope)value;
        return true;
    }
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        if (refuse(cpp, alone[i], "PTX has no scope as small as this one",
                   "the smallest is 'thread_scope_block'"))
            return false;
    return cpp_error_word(cpp, "a scope such as 'cuda::thread_scope_device'");
}

bool cpp_error_word(struct cpp *cpp, const char *what) {
    static const struct {
        const char *ptx, *cpp;
    } scopes_of_ptx[] = {{"cta", "block"}, {"gpu", "device"}, {"sys", "system"}};
    const struct token *token = cpp_peek(cpp, 0);
    const char *all[ORDERS + SCOPES];
    cpp_error_expected(cpp, what);
    for (size_t i = 0; i < ORDERS + SCOPES; i++)
        all[i] = i < ORDERS ? orders[i].text : scopes[i - ORDERS].text;
    for (size_t i = 0; i < sizeof scopes_of_ptx / sizeof scopes_of_ptx[0]; i++) {
        if (token_is(token, scopes_of_ptx[i].ptx)) {
            diag_hint(cpp->reader->diagnostics, "PTX's '.%s' is '%s' in C++", scopes_of_ptx[i].ptx,
                      scopes_of_ptx[i].cpp);
            return false;
        }
    }
    const char *text = token_text(cpp->reader->arena, token);
    const char *nearest =
        token->kind == TOKEN_WORD ? diag_nearest(text, strlen(text), all, ORDERS + SCOPES) : NULL;
    if (nearest && find(orders, ORDERS, text) == NULL && find(scopes, SCOPES, text) == NULL)
        diag_suggest(cpp->reader->diagnostics, nearest);
    return false;
}

// --- Types --------------------------------------------------------------------------------------

// Whether the words of `text` are at the current token; how many they are.
static size_t words_at(const struct cpp *cpp, size_t ahead, const char *text) {
    size_t count = 0;
    while (*text) {
        size_t length = strcspn(text, " ");
        const struct token *token = cpp_peek(cpp, ahead + count);
        if (token->kind != TOKEN_WORD || token->span.end - token->span.begin != length ||
            memcmp(token->span.source->text + token->span.begin, text, length) != 0)
            return 0;
        text += length + (text[length] == ' ');
        count++;
    }
    return count;
}

// scalar = ("std" "::")? a line of the table
static bool accept_scalar(struct cpp *cpp, enum scalar_type *type) {
    size_t prefix = 0;
    while (cpp_peek(cpp, prefix)->kind == TOKEN_WORD &&
           token_is_punct(cpp_peek(cpp, prefix + 1), PUNCT_COLONS))
        prefix += 2;
    for (size_t i = 0; i < TYPES; i++) {
        size_t count = words_at(cpp, prefix, types[i].text);
        if (count > 0) {
            cpp->at += prefix + count;
            *type = (enum scalar_type)types[i].value;
            return true;
        }
    }
    return false;
}

static bool fail_type(struct cpp *cpp, bool *failed) {
    const struct token *token = cpp_peek(cpp, 0);
    *failed = true;
    diag_error(cpp->reader->diagnostics, token->span, "'%s' is not a type of these tests",
               cpp_text(cpp, token));
    diag_hint(cpp->reader->diagnostics, "they have 32 and 64 bits: int, unsigned, long long, "
                                        "uint64_t and so on");
    return false;
}

// atomic = "atomic" | "atomic_ref", with "<" scalar ("," scope)? ">"
static bool accept_atomic(struct cpp *cpp, size_t tokens, struct cpp_type *type, bool *failed) {
    type->is_reference = token_is(cpp_peek(cpp, tokens - 1), "atomic_ref");
    type->is_atomic = true;
    type->scope = SCOPE_SYS;
    cpp->at += tokens;
    *failed = !cpp_expect(cpp, '<', "'<' and the type of the value");
    if (*failed)
        return false;
    if (!accept_scalar(cpp, &type->scalar))
        return fail_type(cpp, failed);
    *failed = (cpp_accept(cpp, ',') && !cpp_parse_scope(cpp, &type->scope)) ||
              !cpp_expect(cpp, '>', "'>' after the type");
    return !*failed;
}

bool cpp_accept_type(struct cpp *cpp, struct cpp_type *type, bool *failed) {
    static const char *const others[] = {"char",     "short", "float",   "double",
                                         "int8_t",   "void",  "uint8_t", "int16_t",
                                         "uint16_t", "half",  "const",   "volatile"};
    const char *name;
    size_t tokens = cpp_qualified(cpp, 0, &name);
    *type = (struct cpp_type){0};
    if (tokens == 0)
        return false;
    const struct token *last = cpp_peek(cpp, tokens - 1);
    if (token_is(last, "atomic") || token_is(last, "atomic_ref"))
        return accept_atomic(cpp, tokens, type, failed);
    if (token_is(last, "auto") && tokens == 1) {
        cpp_next(cpp);
        return type->is_auto = true;
    }
    if (token_among(last, others, sizeof others / sizeof others[0]) >= 0)
        return fail_type(cpp, failed);
    return accept_scalar(cpp, &type->scalar);
}
