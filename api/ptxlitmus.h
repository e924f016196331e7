/* libptxlitmus: the outcomes that PTX's memory model allows for a litmus test.
 *
 *     struct ptxlitmus *checker = ptxlitmus_open();
 *     ptxlitmus_set(checker, "model", "ptx-9.1");
 *     struct ptxlitmus_result *result = ptxlitmus_check(checker, "MP.litmus", text, size, 0);
 *     if (ptxlitmus_status(result) == PTXLITMUS_CHECKED)
 *         printf("%s\n", ptxlitmus_verdict_name(ptxlitmus_verdict(result)));
 *     ptxlitmus_free(result);
 *     ptxlitmus_close(checker);
 *
 * Nothing here prints, ends the process, catches a signal, or changes what is the whole process'
 * (the locale, the handlers of other libraries, limits). One test may need much memory and time:
 * see the option "timeout".
 *
 * Threads: different checkers may be used by different threads at the same time. One checker is
 * used by one thread at a time, but for ptxlitmus_interrupt. A result belongs to nobody else: it
 * may be read and freed on any thread, by one at a time, and outlives its checker.
 *
 * Texts that are returned are UTF-8 and end with a NUL. They belong to the checker or the result
 * that they were asked of and are there until it is freed; a checker's error, until its next call.
 *
 * Binary compatibility: all structs are opaque; functions and values of enumerations are added, and
 * never change what they mean while the library's major version (its soname) stays.
 */
#ifndef PTXLITMUS_H
#define PTXLITMUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the header; ptxlitmus_version() tells that of the library. */
#define PTXLITMUS_VERSION_MAJOR 0
#define PTXLITMUS_VERSION_MINOR 1

struct ptxlitmus;        /* a checker: options, the models that they name, a solver */
struct ptxlitmus_result; /* what came of one check */

/* "0.1.0" */
const char *ptxlitmus_version(void);

/* --- Checkers ------------------------------------------------------------------------------ */

/* Makes a checker with the default options, which the caller frees with ptxlitmus_close. NULL when
 * there is no memory. It starts a thread, in which no signals are taken, that watches over time
 * limits. */
struct ptxlitmus *ptxlitmus_open(void);

/* Frees a checker (NULL: nothing). Its results stay. */
void ptxlitmus_close(struct ptxlitmus *checker);

/* Sets an option of the program (docs/command-line.md) by its name without the dashes: "model",
 * "include", "target", "ptx-version", "syntax", "verdict", "states", "timeout", "deps",
 * "proxy-fences", "tearing", "unroll", "races" or "hex". `value` is as on the command line, and
 * NULL for options that take none. "timeout" is the time of one check in seconds: the solver stops
 * then, and the verdict is unknown unless what was found decides it. (Reading a test, and the
 * solver where it does not listen, may take longer: only a process of its own can be ended from
 * outside, as the program does.) There is no limit of memory, since Z3 has one for the whole
 * process alone.
 *
 * True when the option was set; else nothing has changed, and ptxlitmus_error says why. Whether
 * there is such a model or target is seen in the next check. */
bool ptxlitmus_set(struct ptxlitmus *checker, const char *option, const char *value);

/* Why the last call to ptxlitmus_set or ptxlitmus_check with this checker failed, or NULL. */
const char *ptxlitmus_error(const struct ptxlitmus *checker);

/* Asks the check in progress to stop soon, or the next one when there is none: its verdict is
 * unknown unless what was found decides it. May be called on any thread, and in a signal handler,
 * while the checker is not being closed. */
void ptxlitmus_interrupt(struct ptxlitmus *checker);

/* --- Checks -------------------------------------------------------------------------------- */

/* Checks test number `index` (from 0) of a text of `size` bytes; most texts hold one test, and
 * ptxlitmus_tests says how many there are. `name` is for messages, and for what the test is called
 * where the text gives it no name. `name` and `text` are copied. Returns a result, which the caller
 * frees with ptxlitmus_free, whatever came of it. NULL when there is no memory left: the checker
 * can be used again. */
struct ptxlitmus_result *ptxlitmus_check(struct ptxlitmus *checker, const char *name,
                                         const char *text, size_t size, size_t index);
void ptxlitmus_free(struct ptxlitmus_result *result);

enum ptxlitmus_status {
    PTXLITMUS_CHECKED = 0, /* there is a verdict, be it "unknown" */
    PTXLITMUS_BAD_INPUT =
        1, /* the diagnostics say what is wrong with the test, the model or the target */
    PTXLITMUS_FAULT =
        2 /* an error of the library's own, which the last diagnostic tells: please report it */
};
enum ptxlitmus_status ptxlitmus_status(const struct ptxlitmus_result *result);

/* How many tests the text has; 0 when it could not be read. */
size_t ptxlitmus_tests(const struct ptxlitmus_result *result);

/* --- What is known ------------------------------------------------------------------------- */
/* Without PTXLITMUS_CHECKED, verdicts and truths are unknown, counts (but of diagnostics) 0, texts
 * NULL. */

enum ptxlitmus_truth { PTXLITMUS_UNKNOWN = 0, PTXLITMUS_NO = 1, PTXLITMUS_YES = 2 };

/* Of the condition without its quantifier: nobody knows; no outcome satisfies it; some do; all do.
 */
enum ptxlitmus_verdict {
    PTXLITMUS_VERDICT_UNKNOWN = 0,
    PTXLITMUS_FORBIDDEN = 1,
    PTXLITMUS_ALLOWED = 2,
    PTXLITMUS_ALWAYS = 3
};
enum ptxlitmus_verdict ptxlitmus_verdict(const struct ptxlitmus_result *result);

/* "unknown", "forbidden", "allowed", "always"; lives for ever. */
const char *ptxlitmus_verdict_name(enum ptxlitmus_verdict verdict);

/* Why the verdict, a flag or an expectation is unknown or the list of outcomes is cut; NULL when
 * nothing is. */
const char *ptxlitmus_reason(const struct ptxlitmus_result *result);

/* Whether what the test expects came (its `expect`, else what `~exists` and `forall` claim); an
 * `exists` without `expect` expects nothing, which every verdict meets. */
enum ptxlitmus_truth ptxlitmus_expected(const struct ptxlitmus_result *result);

/* The test's name, the model's, and the condition with its quantifier in the spelling of the test's
 * language. */
const char *ptxlitmus_name(const struct ptxlitmus_result *result);
const char *ptxlitmus_model(const struct ptxlitmus_result *result);
const char *ptxlitmus_condition(const struct ptxlitmus_result *result);

/* --- Outcomes ------------------------------------------------------------------------------ */
/* Each outcome is a row, sorted by values; columns are the registers and locations that the test
 * shows. With the option "verdict" there are no rows. */

size_t ptxlitmus_columns(const struct ptxlitmus_result *result);
const char *ptxlitmus_column(const struct ptxlitmus_result *result,
                             size_t column); /* "P1:%r0"; NULL: no such column */
size_t ptxlitmus_outcomes(const struct ptxlitmus_result *result);

/* Whether the rows are all outcomes that there are. */
bool ptxlitmus_complete(const struct ptxlitmus_result *result);

/* A value as the program's table shows it: decimal, hexadecimal with "hex", a variable's name for
 * an address that the condition compares, "?" for an unknown initial value. NULL: no such row or
 * column. */
const char *ptxlitmus_value(const struct ptxlitmus_result *result, size_t row, size_t column);

/* Its bits, the low 64 first; false for a value that depends on an unknown initial one, and for
 * none. */
bool ptxlitmus_bits(const struct ptxlitmus_result *result, size_t row, size_t column,
                    uint64_t bits[2]);

/* Whether the row satisfies the condition; unknown where an unknown initial value decides, and for
 * no row. */
enum ptxlitmus_truth ptxlitmus_satisfies(const struct ptxlitmus_result *result, size_t row);

/* --- Flags --------------------------------------------------------------------------------- */
/* What holds of some execution, such as "data-race". A flag that is not there does not hold. */

size_t ptxlitmus_flags(const struct ptxlitmus_result *result);
const char *ptxlitmus_flag(const struct ptxlitmus_result *result,
                           size_t flag); /* NULL: no such flag */

/* Yes, or unknown: nobody knows whether it holds. */
enum ptxlitmus_truth ptxlitmus_flag_holds(const struct ptxlitmus_result *result, size_t flag);

/* What it says, in a sentence without its full stop; NULL: no such flag. */
const char *ptxlitmus_flag_meaning(const struct ptxlitmus_result *result, size_t flag);

/* --- Diagnostics --------------------------------------------------------------------------- */

enum ptxlitmus_severity { PTXLITMUS_ERROR = 0, PTXLITMUS_WARNING = 1, PTXLITMUS_NOTE = 2 };

struct ptxlitmus_diagnostic; /* a message about the input, in its result */

size_t ptxlitmus_diagnostics(const struct ptxlitmus_result *result);

/* NULL: no such message. */
const struct ptxlitmus_diagnostic *ptxlitmus_diagnostic(const struct ptxlitmus_result *result,
                                                        size_t index);
enum ptxlitmus_severity
ptxlitmus_diagnostic_severity(const struct ptxlitmus_diagnostic *diagnostic);
const char *ptxlitmus_diagnostic_path(
    const struct ptxlitmus_diagnostic *diagnostic); /* `name`, or a model's file */
unsigned ptxlitmus_diagnostic_line(
    const struct ptxlitmus_diagnostic *diagnostic); /* from 1; 0: in no text */
unsigned ptxlitmus_diagnostic_column(
    const struct ptxlitmus_diagnostic *diagnostic); /* in characters, from 1; or 0 */
const char *
ptxlitmus_diagnostic_message(const struct ptxlitmus_diagnostic *diagnostic); /* a sentence */
const char *
ptxlitmus_diagnostic_hint(const struct ptxlitmus_diagnostic *diagnostic); /* NULL: none */

/* The message as the program prints it: "file:line:column: error: ...", the line, carets, the hint.
 */
const char *ptxlitmus_diagnostic_text(const struct ptxlitmus_diagnostic *diagnostic);

/* --- All of it ----------------------------------------------------------------------------- */

/* The result as the object of JSON that the program prints (docs/command-line.md), with races when
 * the option "races" was set, on a line with its end. Made when first asked for. NULL without
 * PTXLITMUS_CHECKED, and when there is no memory. */
const char *ptxlitmus_json(struct ptxlitmus_result *result);

#ifdef __cplusplus
}
#endif

#endif
