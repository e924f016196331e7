// The formats by their table.
#include "cli/print/formats.h"

#include "check/print/json.h"
#include "cli/print/notice.h"
#include "cli/print/print.h"
#include "cli/print/record.h"

#include <assert.h>

static const struct format formats[] = {
#define FORMAT(id, ...) [FORMAT_##id] = {__VA_ARGS__},
#include "cli/print/formats.def"
#undef FORMAT
    [FORMAT_RECORD] = {"record", print_record, print_record_error, print_record_input,
                       SEVERAL_REPORTS, true, false, false, false},
    [FORMAT_NOTICE] = {"notice", print_notice, print_notice_message, print_notice_input,
                       SEVERAL_REFUSED, true, false, true, false},
};

const struct format *format_of(const struct options *options) {
    assert((size_t)options->print.format < sizeof formats / sizeof formats[0]);
    return &formats[options->print.format];
}
