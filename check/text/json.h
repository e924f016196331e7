// Objects and arrays of JSON, and how they are printed: those of all output.
#ifndef PTXLITMUS_CHECK_TEXT_JSON_H
#define PTXLITMUS_CHECK_TEXT_JSON_H

#include "litmus/source/arena.h"

#include <jansson.h>
#include <stdio.h>

// Gives an object a field; steals the value. A value that JSON cannot express, such as bytes that
// are not UTF-8, is a bug of the caller.
void json_field(json_t *object, const char *name, json_t *value);

// Adds an item to an array, in the same way.
void json_item(json_t *array, json_t *value);

// Returns what json_pack makes of a format, which the caller releases; what JSON cannot express is
// a bug in the same way.
json_t *json_of(const char *format, ...);

// Returns a text as a JSON string, bytes that are not UTF-8 replaced; null for NULL. The caller
// releases it; the arena is for the replacement.
json_t *text_json(struct arena *arena, const char *text);

// Prints a JSON object on a line, and releases it; characters that must not reach a terminal become
// \uNNNN.
void print_json_line(FILE *out, json_t *object);

#endif
