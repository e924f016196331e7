// JSON as text, for every object and array of the output.
#include "check/text/json.h"

#include "check/text/names.h"
#include "litmus/source/diagnostics.h"
#include "litmus/source/utf8.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void json_field(json_t *object, const char *name, json_t *value) {
    if (json_object_set_new(object, name, value) != 0)
        bug("JSON cannot say the field %s", name);
}

void json_item(json_t *array, json_t *value) {
    if (json_array_append_new(array, value) != 0)
        bug("JSON cannot say an item");
}

json_t *json_of(const char *format, ...) {
    json_error_t error;
    va_list args;
    va_start(args, format);
    json_t *value = json_vpack_ex(&error, 0, format, args);
    va_end(args);
    if (!value)
        bug("JSON cannot say %s: %s", format, error.text);
    return value;
}

json_t *text_json(struct arena *arena, const char *text) {
    return text ? json_string(valid_utf8(arena, text)) : json_null();
}

// Prints JSON text with what must not reach a terminal as \uNNNN. Such characters occur only inside
// strings alone, and jansson has no option for them.
static void print_visible(FILE *out, const char *json) {
    const char *end = json + strlen(json), *from = json;
    for (const char *at = json; at < end;) {
        uint32_t code = 0;
        unsigned length = utf8_decode(at, end, &code);
        if (length > 0 && utf8_is_hidden(code)) {
            fwrite(from, 1, (size_t)(at - from), out);
            fprintf(out, "\\u%04" PRIx32, code);
            from = at + length;
        }
        at += length > 0 ? length : 1;
    }
    fwrite(from, 1, (size_t)(end - from), out);
}

void print_json_line(FILE *out, json_t *object) {
    enum { DIGITS = 10 }; // of real numbers: milliseconds, to the microsecond
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(DIGITS));
    if (!text)
        bug("an object that JSON cannot say");
    print_visible(out, text);
    fputc('\n', out);
    free(text);
    json_decref(object);
}
