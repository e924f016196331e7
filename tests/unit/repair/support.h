// Helpers of the repair room's tests: tests from texts and files.
#ifndef PTXLITMUS_TEST_REPAIR_SUPPORT_H
#define PTXLITMUS_TEST_REPAIR_SUPPORT_H

#include "litmus/readers/reader.h"
#include "litmus/source/arena.h"
#include "litmus/source/diagnostics.h"
#include "repair/changes.h"
#include "repair/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// The test of a text, which must be right.
struct test *test_of(struct arena *arena, const char *text);

// Its changes in one direction, with the costs of costs.def, for a version and target of PTX.
struct changes *changes_of(struct arena *arena, const struct test *test,
                           enum change_direction direction, const struct ptx_target *target);

// The place of this kind in this line, and the form with this text; the test fails without them.
size_t place_in_line(const struct changes *changes, enum change_kind kind, unsigned line);
size_t form_with_text(const struct changes *changes, size_t place, const char *text);

// The forms of a place, by their texts with spaces between.
const char *forms_text(struct arena *arena, const struct changes *changes, size_t place);

#endif
