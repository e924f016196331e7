// A struct by value as an argument: its fields one after the other, as C lays them out. In a module
// the parameter is an array of bytes, in which an address has no place; so it becomes one of words.
#include "litmus/readers/module/making.h"

#include "litmus/ptx/constant.h"
#include "litmus/ptx/instructions.h"
#include "litmus/readers/declarations.h"
#include "litmus/source/arena.h"

#include <string.h>

// A word of the parameter: a number, or the tokens of an address, which has 64 bits.
struct field_word {
    uint64_t bits;
    const struct token *address, *address_end; // NULL: a number
};

struct field_list {
    struct module_test *making;
    const struct module_parameter *parameter;
    unsigned word;                   // bytes of one: 8, or fewer where its size is not a multiple
    struct field_word *words;        // as many as the parameter has
    uint64_t at;                     // bytes that the fields so far take
    const struct tensor_part *parts; // the tensormaps so far
};

static const struct qualifier *type_at(struct module_test *making, const struct token *token) {
    return ptx_qualifier(CLASS_TYPE, token_text(making->arena, token));
}

bool making_has_fields(struct module_test *making, const struct module_parameter *parameter,
                       const struct token *first, const struct token *end) {
    if (!parameter->is_array || !token_is_punct(first, '{'))
        return false;
    for (const struct token *token = first; token < end; token++)
        if (token_is_punct(token, '&') || token_is(token, "tensormap") ||
            type_at(making, token) != NULL)
            return true;
    return false;
}

// Moves to where the next field of this size begins. Returns false after an error.
static bool place(struct field_list *fields, unsigned size, struct span span) {
    fields->at = (fields->at + size - 1) / size * size;
    if (fields->at + size <= fields->parameter->size)
        return true;
    return diag_error(fields->making->diagnostics, span,
                      "parameter '%s' has %llu bytes, and this field would be at %llu to %llu",
                      fields->parameter->name, (unsigned long long)fields->parameter->size,
                      (unsigned long long)fields->at, (unsigned long long)(fields->at + size - 1));
}

// Whether a word of the parameter can hold an address. Returns false after an error.
static bool has_addresses(const struct field_list *fields, struct span span) {
    if (fields->word == 8)
        return true;
    return diag_error(
        fields->making->diagnostics, span,
        "a struct that has an address is a multiple of 8 bytes long, and parameter '%s' has "
        "%llu",
        fields->parameter->name, (unsigned long long)fields->parameter->size);
}

// field = address, up to the next ',' or '}'
static bool take_address(struct field_list *fields, const struct token **token,
                         const struct token *end) {
    const struct token *first = *token;
    if (!has_addresses(fields, first->span) || !place(fields, 8, first->span))
        return false;
    while (*token < end && !token_is_punct(*token, ',') && !token_is_punct(*token, '}'))
        ++*token;
    fields->words[fields->at / 8].address = first;
    fields->words[fields->at / 8].address_end = *token;
    fields->at += 8;
    return true;
}

// Puts the bytes of a number into the words at the current place.
static void put_number(struct field_list *fields, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++) {
        uint64_t at = fields->at + i;
        fields->words[at / fields->word].bits |= (value >> 8 * i & 0xff) << at % fields->word * 8;
    }
    fields->at += bytes;
}

// field = type integer
static bool take_number(struct field_list *fields, const struct token **token) {
    const struct qualifier *type = type_at(fields->making, *token);
    struct diagnostics *diagnostics = fields->making->diagnostics;
    unsigned bits = type == NULL ? 0 : scalar_type_bits((enum scalar_type)type->value);
    if (bits == 0 || bits > 64 || bits % 8 != 0 || strchr("bsu", type->spelling[1]) == NULL)
        return diag_error(diagnostics, (*token)->span,
                          "a field of a struct is '&NAME', or a type and an integer: '.u32 4'");
    struct span span = (*token)++->span;
    struct ptx_constant number;
    if (!ptx_parse_constant(fields->making->arena, diagnostics, token, &number))
        return false;
    if (!ptx_constant_fits(&number, bits))
        return diag_error(diagnostics, number.span, "the number does not fit type %s",
                          type->spelling);
    if (!place(fields, bits / 8, span))
        return false;
    put_number(fields, number.value, bits / 8);
    return true;
}

bool making_parse_tensor(struct module_test *making, struct span span, const struct token *first,
                         const struct token *end, struct variable *map, size_t *taken) {
    struct frame *frame = &making->frame;
    struct name_table *own = frame->reader.variable_names;
    struct token_list list = {0};
    making_add_tokens(making, &list, first, end);
    making_read_list(making, &list);
    frame->reader.variable_names = making->object_names;
    bool fine = frame_parse_tensor(frame, span, map);
    *taken = frame->at;
    frame->reader.variable_names = own;
    return fine;
}

// field = "tensormap" tensor: a CUtensorMap, which is aligned to 64 bytes, or to 128
static bool take_map(struct field_list *fields, const struct token **token,
                     const struct token *end) {
    // CUDA 13 aligns them to 128 bytes, and with them the struct.
    const unsigned alignment = fields->parameter->alignment >= 128 ? 128 : 64;
    struct module_test *making = fields->making;
    struct tensor_part *part = ARENA_NEW(making->arena, struct tensor_part);
    struct variable map;
    struct span span = (*token)->span;
    const struct token *first = *token + 1;
    size_t taken;
    if (!has_addresses(fields, span))
        return false;
    if (first >= end || !making_parse_tensor(making, span, first, end, &map, &taken))
        return false;
    fields->at = (fields->at + alignment - 1) / alignment * alignment;
    if (fields->at + TENSOR_MAP_BYTES > fields->parameter->size)
        return place(fields, TENSOR_MAP_BYTES, span);
    *part = (struct tensor_part){.offset = fields->at,
                                 .tensor = map.tensor,
                                 .base = map.initial->variable,
                                 .next = fields->parts};
    fields->parts = part;
    fields->words[fields->at / 8].address = first; // the variable of the tensor
    fields->words[fields->at / 8].address_end = first + 1;
    fields->at += TENSOR_MAP_BYTES;
    *token = first + taken;
    return true;
}

// fields = "{" field ("," field)* "}"
static bool take_fields(struct field_list *fields, const struct token *token,
                        const struct token *end) {
    do {
        token++; // the '{' or ','
        bool taken = token < end && token_is(token, "tensormap") ? take_map(fields, &token, end)
                     : token < end && making_is_address(token)   ? take_address(fields, &token, end)
                                                                 : take_number(fields, &token);
        if (!taken)
            return false;
    } while (token < end && token_is_punct(token, ','));
    if (token + 1 == end && token_is_punct(token, '}'))
        return true;
    return diag_error(fields->making->diagnostics, token->span,
                      "expected ',' or '}' after a field");
}

// The words of a parameter are as long as its size allows, since addresses have 8 bytes.
static unsigned word_of(const struct module_parameter *parameter) {
    unsigned word = 8;
    while (parameter->size % word != 0)
        word /= 2;
    return word;
}

bool making_add_fields(struct module_test *making, struct token_list *list,
                       const struct module_parameter *parameter, const struct token *first,
                       const struct token *end, const struct tensor_part **parts) {
    unsigned size = word_of(parameter);
    size_t count = (size_t)(parameter->size / size);
    struct field_list fields = {
        making, parameter, size, ARENA_ARRAY(making->arena, struct field_word, count), 0, NULL};
    const char *path = first->span.source->path;
    if (!take_fields(&fields, first, end))
        return false;
    if ((fields.at + size - 1) / size != count)
        return diag_error(making->diagnostics, first->span,
                          "the fields take %llu bytes, and parameter '%s' has %llu",
                          (unsigned long long)fields.at, parameter->name,
                          (unsigned long long)parameter->size);
    unsigned alignment = parameter->alignment > size ? parameter->alignment : size;
    making_add_text(making, list,
                    arena_format(making->arena, ".param .align %u .u%u %s[%zu] = {", alignment,
                                 8 * size, parameter->name, count),
                    path);
    for (size_t i = 0; i < count; i++) {
        const struct field_word *word = &fields.words[i];
        if (word->address != NULL)
            making_add_tokens(making, list, word->address, word->address_end);
        else
            making_add_text(making, list,
                            arena_format(making->arena, "0x%llx", (unsigned long long)word->bits),
                            path);
        making_add_text(making, list, i + 1 < count ? "," : "}", path);
    }
    *parts = fields.parts;
    return true;
}
