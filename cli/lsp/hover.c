// Hovers: what a word means, and how an instruction is written.
#include "check/text/json.h"
#include "cli/lsp/features.h"
#include "cli/lsp/params.h"
#include "cli/lsp/words.h"
#include "explain/glossary.h"
#include "litmus/ptx/cuda.h"
#include "litmus/ptx/grammar.h"
#include "litmus/source/arena.h"

#include <string.h>

enum { FORMS_SHOWN = 3, PHRASE_WORDS = 3 };

// --- Instructions ------------------------------------------------------------------------------

// A form that a row of the table has, with what it needs.
static const char *form_text(struct arena *arena, const struct form *form) {
    const char *since = ptx_since_text(arena, form->ptx, form->sm);
    return form->outside ? arena_format(arena, "%s\n  not modelled: %s (%s)",
                                        ptx_form_grammar(arena, form), form->outside, since)
                         : arena_format(arena, "%s\n  %s", ptx_form_grammar(arena, form), since);
}

// The forms that what is written may be, the first ones in full; "" where it is none.
static const char *forms_text(struct arena *arena, const struct opcode_begin *begin) {
    size_t count, fitting = 0;
    const struct form *forms = ptx_forms(&count);
    const char *text = "";
    for (size_t i = 0; i < count; i++) {
        if (!ptx_form_begins(&forms[i], begin, NULL, NULL))
            continue;
        if (fitting++ < FORMS_SHOWN)
            text =
                arena_format(arena, "%s%s%s", text, *text ? "\n" : "", form_text(arena, &forms[i]));
    }
    if (fitting > FORMS_SHOWN) {
        text = arena_format(arena, "%s\n... and %zu more form%s", text, fitting - FORMS_SHOWN,
                            fitting - FORMS_SHOWN == 1 ? "" : "s");
    }
    return text;
}

// What a qualifier is: "a memory order", by the first class that has it; NULL: none has.
static const char *noun_of(const char *spelling) {
    for (unsigned class = 0; class < CLASS_COUNT; class ++)
        if (ptx_qualifier((enum qualifier_class) class, spelling))
            return ptx_class_noun((enum qualifier_class) class);
    return NULL;
}

static const char *term_text(struct arena *arena, const struct glossary_term *term) {
    return arena_format(arena, "%s%s%s%s: %s", term->word, *term->section ? " (PTX ISA " : "",
                        term->section, *term->section ? ")" : "", term->text);
}

static const char *qualifier_text(struct arena *arena, const char *spelling) {
    const struct glossary_term *term = glossary_find(spelling + 1);
    const char *noun = noun_of(spelling);
    if (!noun && !term)
        return "";
    return arena_format(arena, "%s%s%s%s%s", spelling, noun ? " is " : "", noun ? noun : "",
                        term ? "\n\n" : "", term ? term_text(arena, term) : "");
}

static const char *in_fence(const struct server *server, struct arena *arena, const char *code) {
    return server->takes_markdown && *code ? arena_format(arena, "```ptx\n%s\n```", code) : code;
}

// What is said of an opcode, and of its qualifier at hand.
static const char *instruction_text(const struct rpc_request *request, const char *opcode,
                                    const char *part) {
    struct arena *arena = request->arena;
    struct opcode_begin begin = ptx_opcode_begin(arena, opcode, "");
    const struct unread *unread = ptx_unread(opcode);
    const char *of_part = *part == '.' ? qualifier_text(arena, part) : "";
    while (begin.count > 1 && !*forms_text(arena, &begin))
        begin.at = --begin.count; // from a qualifier on, it is none
    const char *forms = forms_text(arena, &begin);
    if (unread || !*forms) {
        unread = unread ? unread : ptx_unread(begin.parts[0]);
        return unread ? arena_format(arena, "%s: %s not modelled (%s)", unread->names, unread->what,
                                     ptx_since_text(arena, unread->ptx, unread->sm))
                      : of_part;
    }
    return arena_format(arena, "%s%s%s", of_part, *of_part ? "\n\n" : "",
                        in_fence(request->server, arena, forms));
}

// --- Words -------------------------------------------------------------------------------------

static const char *meaning_of(struct arena *arena, const char *word) {
    const struct glossary_term *term = glossary_find(word);
    const struct cuda_word *cuda = cuda_word_find(word);
    return term   ? term_text(arena, term)
           : cuda ? arena_format(arena, "%s: %s", cuda->word, cuda->sentence)
                  : NULL;
}

// The word before a place, or after it, where one blank or a '-' is between; else an empty place.
static struct text_place neighbour(const struct edited_text *text, struct text_place place,
                                   bool is_after) {
    size_t at = is_after ? place.end : place.begin - 1;
    bool has_gap = (is_after || place.begin > 0) && at < text->size &&
                   (text->bytes[at] == ' ' || text->bytes[at] == '-');
    if (!has_gap)
        return (struct text_place){at, at};
    return words_at(text, is_after ? at + 1 : at);
}

// The longest phrase around a word that means something: "data race", "no race".
static const char *phrase_text(struct arena *arena, const struct edited_text *text,
                               struct text_place *place) {
    struct text_place first = *place;
    const char *found = NULL;
    struct text_place best = *place;
    for (int before = 0; before < PHRASE_WORDS; before++) {
        struct text_place last = *place;
        for (int after = 0; before + after < PHRASE_WORDS; after++) {
            struct text_place phrase = {first.begin, last.end};
            const char *meaning = meaning_of(arena, words_text(arena, text, phrase));
            if (meaning && (!found || phrase.end - phrase.begin > best.end - best.begin)) {
                found = meaning;
                best = phrase;
            }
            last = neighbour(text, last, true);
            if (last.begin == last.end)
                break;
        }
        first = first.begin > 0 ? neighbour(text, first, false) : (struct text_place){0, 0};
        if (first.begin == first.end)
            break;
    }
    *place = best;
    return found;
}

// --- The request -------------------------------------------------------------------------------

static json_t *hover_json(const struct rpc_request *request, const struct document *document,
                          struct text_place place, const char *text) {
    return json_of("{s:{s:s, s:s}, s:o}", "contents", "kind",
                   request->server->takes_markdown ? "markdown" : "plaintext", "value", text,
                   "range",
                   text_range(&document->text, place.begin, place.end, request->server->is_utf8));
}

void feature_hover(struct rpc_request *request) {
    const struct document *document = params_document(request);
    size_t offset;
    if (!document || !params_offset(request, document, json_object_get(request->params, "position"),
                                    "position", &offset))
        return;
    const struct edited_text *text = &document->text;
    struct text_place word = words_at(text, offset);
    const char *opcode = words_text(request->arena, text, word), *said = NULL;
    const char *name = arena_strndup(request->arena, opcode, strcspn(opcode, "."));
    if (*name && ptx_is_opcode(name) && !words_in_comment(text, word.begin)) {
        struct text_place part = words_part(text, word, offset);
        said = instruction_text(request, opcode, words_text(request->arena, text, part));
    } else if (*opcode == '.') {
        said = qualifier_text(request->arena, opcode);
    } else if (*opcode) {
        said = phrase_text(request->arena, text, &word);
    }
    if (said && *said)
        request->result = hover_json(request, document, word, said);
}
