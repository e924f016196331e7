// Terminals, colours and character sets.
#include "cli/print/terminal.h"

#include "check/text/names.h"
#include "litmus/source/allocate.h"
#include "litmus/source/arena.h"
#include "litmus/source/utf8.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// --- Colours -----------------------------------------------------------------------------------

const char *tone_begin(bool is_on, enum tone tone) {
    static const char *const sequences[] = {
        [TONE_STRONG] = "\033[1m",     [TONE_GOOD] = "\033[32m",   [TONE_BAD] = "\033[1;31m",
        [TONE_WARNING] = "\033[1;33m", [TONE_NOTE] = "\033[1;36m", [TONE_MARK] = "\033[1;32m",
    };
    return is_on ? sequences[tone] : "";
}

const char *tone_end(bool is_on) {
    return is_on ? "\033[m" : "";
}

static struct diag_style style_of(bool has_colour) {
    return (struct diag_style){
        .severities = {[SEVERITY_ERROR] = tone_begin(has_colour, TONE_BAD),
                       [SEVERITY_WARNING] = tone_begin(has_colour, TONE_WARNING),
                       [SEVERITY_NOTE] = tone_begin(has_colour, TONE_NOTE)},
        .carets = tone_begin(has_colour, TONE_MARK),
        .end = tone_end(has_colour)};
}

void print_diagnostic(FILE *out, struct arena *arena, const struct diagnostic *diagnostic,
                      bool has_colour) {
    struct diag_style style = style_of(has_colour);
    struct diagnostic shown = *diagnostic;
    shown.path = escaped(arena, diagnostic->path);
    fputs(diag_render_in(arena, &shown, &style), out);
}

static bool wants_colour(enum colour_choice choice, int file) {
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    switch (choice) {
    case COLOUR_ALWAYS: return true;
    case COLOUR_NEVER: return false;
    case COLOUR_AUTO: break;
    }
    return !(no_color && *no_color) && terminal && *terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(file);
}

void terminal_settle(struct options *options) {
    if (!options->print.format_is_given && isatty(STDOUT_FILENO))
        options->print.format = FORMAT_TEXT;
    options->print.colour_out = wants_colour(options->print.colour, STDOUT_FILENO);
    options->print.colour_err = wants_colour(options->print.colour, STDERR_FILENO);
}

// --- Characters --------------------------------------------------------------------------------

bool terminal_is_utf8(void) {
    locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
    bool is_utf8 = locale != (locale_t)0 && strcmp(nl_langinfo_l(CODESET, locale), "UTF-8") == 0;
    if (locale != (locale_t)0)
        freelocale(locale);
    return is_utf8;
}

// The replacement of a character that is not ASCII, in as many columns.
static const char *ascii_of(uint32_t code) {
    static const char *const marks[] = {"", "?", "??"};
    switch (code) {
    case 0x2010: // hyphen, non-breaking hyphen, dashes, minus
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2212: return "-";
    case 0x2018:
    case 0x2019: return "'";
    case 0x201C:
    case 0x201D: return "\"";
    case 0x00A0: return " ";
    default: return marks[utf8_columns(code)];
    }
}

// Puts the text, except a last character that is cut off, into `out`, which has room for two bytes
// for each of the text's. Returns how many bytes were taken, and in `*made` how many were put.
static size_t to_ascii(const char *text, size_t size, char *out, size_t *made) {
    size_t at = 0;
    *made = 0;
    while (at < size) {
        uint32_t code = 0;
        size_t length = utf8_decode(text + at, text + size, &code);
        if (length == 0 && utf8_is_cut_off(text + at, text + size))
            break;
        const char one[] = {text[at], '\0'};
        const char *ascii = length == 0 ? "?" : length == 1 ? one : ascii_of(code);
        size_t count = length == 1 ? 1 : strlen(ascii); // of a NUL, too
        memcpy(out + *made, ascii, count);
        *made += count;
        at += length == 0 ? 1 : length;
    }
    return at;
}

const char *ascii_text(struct arena *arena, const char *text) {
    size_t size = strlen(text), made = 0;
    bool is_ascii = true;
    for (size_t i = 0; i < size; i++)
        is_ascii = is_ascii && (unsigned char)text[i] < 0x80;
    if (is_ascii)
        return text;
    char *out = arena_alloc(arena, 2 * size + 1);
    for (size_t left = size - to_ascii(text, size, out, &made); left > 0; left--)
        out[made++] = '?'; // a character that never ends
    return out;
}

enum { PIECE = 4096, CUT_OFF_MOST = 3 };

struct ascii {
    FILE *under;
    char waiting[CUT_OFF_MOST]; // of a character that is not all there yet
    size_t waiting_count;
};

static bool write_piece(struct ascii *ascii, const char *bytes, size_t size) {
    char text[CUT_OFF_MOST + PIECE], out[2 * sizeof text];
    size_t count = ascii->waiting_count, made;
    memcpy(text, ascii->waiting, count);
    memcpy(text + count, bytes, size);
    size_t taken = to_ascii(text, count + size, out, &made);
    ascii->waiting_count = count + size - taken;
    memcpy(ascii->waiting, text + taken, ascii->waiting_count);
    return fwrite(out, 1, made, ascii->under) == made;
}

static ssize_t ascii_write(void *cookie, const char *bytes, size_t size) {
    struct ascii *ascii = cookie;
    for (size_t at = 0; at < size; at += PIECE)
        if (!write_piece(ascii, bytes + at, size - at < PIECE ? size - at : PIECE))
            return 0;
    return fflush(ascii->under) == 0 ? (ssize_t)size : 0;
}

static int ascii_end(void *cookie) {
    struct ascii *ascii = cookie;
    for (size_t i = 0; i < ascii->waiting_count; i++)
        fputc('?', ascii->under);
    return 0;
}

FILE *ascii_stream(FILE *under) {
    // Not allocated: processes that are made meanwhile end without closing the streams.
    static _Thread_local struct ascii of_out, of_err;
    struct ascii *ascii = under == stderr ? &of_err : &of_out;
    *ascii = (struct ascii){.under = under};
    FILE *stream =
        fopencookie(ascii, "w", (cookie_io_functions_t){.write = ascii_write, .close = ascii_end});
    if (!stream)
        out_of_memory();
    if (under == stderr) // messages are seen at once
        setvbuf(stream, NULL, _IOLBF, 0);
    return stream;
}

struct streams streams_open(bool is_data) {
    bool is_utf8 = terminal_is_utf8();
    return (struct streams){.out = is_utf8 || is_data ? stdout : ascii_stream(stdout),
                            .err = is_utf8 ? stderr : ascii_stream(stderr)};
}

void streams_close(struct streams streams) {
    if (streams.out != stdout)
        fclose(streams.out);
    if (streams.err != stderr)
        fclose(streams.err);
}
