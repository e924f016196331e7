/* libptxlitmus: the outcomes that PTX's memory model allows for a litmus test or a kernel's launch,
 * its faults, why an outcome is allowed or forbidden, and what would forbid it.
 *
 *     struct ptxlitmus *checker = ptxlitmus_open();
 *     ptxlitmus_set(checker, "model", "ptx-9.1");
 *     struct ptxlitmus_result *result = ptxlitmus_check(checker, "MP.litmus", text, size, 0);
 *     if (ptxlitmus_status(result) == PTXLITMUS_CHECKED)
 *         printf("%s\n", ptxlitmus_verdict_name(ptxlitmus_verdict(result)));
 *     ptxlitmus_free(result);
 *     ptxlitmus_close(checker);
 *
 * No function prints, ends the process, catches a signal, or changes anything that belongs to the
 * whole process (the locale, the handlers of other libraries, limits). One test may need much
 * memory and time: see the options "timeout" and "memory".
 *
 * NULL: what a function that found no memory returns may be given to every other one. A checker
 * that is NULL sets no option and returns no result; a result or message that is NULL has the
 * status PTXLITMUS_FAULT, the severity PTXLITMUS_ERROR, no texts (NULL), no numbers (0), and
 * nothing that is known. Of arguments, `name`, `value`, `state` and `text` may be NULL as the
 * functions say, an `option` that is NULL is not one, and `bits` may be NULL.
 *
 * Threads: different checkers may be used by different threads at the same time. A checker must be
 * used by one thread at a time, except for ptxlitmus_interrupt. A result is independent of its
 * checker and outlives it: it may be read and freed on any thread, by one thread at a time.
 *
 * Texts that are returned are UTF-8 and end with a NUL. They belong to the checker or the result
 * from which they came and live until it is freed; a checker's error lives until its next call.
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

/* The version of the header; ptxlitmus_version() returns that of the library. */
#define PTXLITMUS_VERSION_MAJOR 0
#define PTXLITMUS_VERSION_MINOR 1

struct ptxlitmus;        /* a checker: options, the models that they name, a solver */
struct ptxlitmus_result; /* the result of one check */

/* Returns the version of the library, "0.1.0", which lives for ever. */
const char *ptxlitmus_version(void);

/* --- Checkers ------------------------------------------------------------------------------ */

/* Makes a checker with the default options, which the caller frees with ptxlitmus_close. NULL when
 * there is no memory. It starts a thread for time limits, in which all signals are blocked. */
struct ptxlitmus *ptxlitmus_open(void);

/* Frees a checker; its results stay. */
void ptxlitmus_close(struct ptxlitmus *checker);

/* Sets an option of the program (docs/command-line.md) by its name without the dashes: "model",
 * "include", "target", "ptx-version", "syntax", "verdict", "states", "timeout", "deps",
 * "proxy-fences", "relaxed-waits", "async-proxies", "async-place", "st-async", "tearing",
 * "mbarrier-observation", "grid-waits", "multimem", "unroll", "no-timeouts", "races", "progress",
 * "hex", "memory", "engine" or "both-engines". `value` is as on the command line, and NULL for
 * options that take none.
 *
 * "timeout" is the time of one call in seconds: the solver stops then, and the verdict is unknown
 * unless what was found decides it. (Reading a test, and some steps of the solver, may take longer:
 * for a strict limit, run a process that can be killed, as the program does.) "memory" is how many
 * megabytes a search may add to those that the process has: it is looked at now and then, so that
 * a little more may be in use when the search stops, and other threads' memory counts as well.
 *
 * "engine" is z3 or cadical, "both-engines" has both decide, which takes longer, and ends in
 * PTXLITMUS_FAULT where they differ. Where the system has no memory left for a search, the call
 * returns NULL, and what the search had is lost to the process: give "memory" where that may be. (A
 * library that was built without a compiler of C++ ends the process where CaDiCaL has no memory.)
 *
 * Returns true when the option was set; else no option has changed, and ptxlitmus_error says why.
 * Whether a model or target exists is only found out by the next check. */
bool ptxlitmus_set(struct ptxlitmus *checker, const char *option, const char *value);

/* Says how the kernels of modules are launched (docs/modules.md): with the manifest of `size`
 * bytes, which is copied, each module that is given from now on and says nothing itself. `name` is
 * for messages ("manifest" where it is NULL); `text` NULL: with no manifest. Returns as
 * ptxlitmus_set does; whether the manifest is right is only found out with a module. */
bool ptxlitmus_set_manifest(struct ptxlitmus *checker, const char *name, const char *text,
                            size_t size);

/* Returns why the last call with this checker that sets or returns something failed, or NULL when
 * it did not. Bad input is not a failure. */
const char *ptxlitmus_error(const struct ptxlitmus *checker);

/* Asks the call in progress to stop soon, or the next one when there is none: its answer is
 * unknown unless what was found decides it. May be called on any thread, and in a signal handler,
 * while the checker is not being closed. */
void ptxlitmus_interrupt(struct ptxlitmus *checker);

/* --- Checks -------------------------------------------------------------------------------- */

/* Finds the outcomes of test number `index` (from 0) of a text of `size` bytes, as `ptxlitmus run`
 * does; most texts hold one test, and ptxlitmus_tests says how many there are. A module of PTX has
 * a test for each condition of its manifest. `name` is for messages, and for what the test is
 * called when the text gives it no name ("text" where it is NULL); a `text` that is NULL is empty.
 * Both are copied. Returns a result, which the caller frees with ptxlitmus_free, for bad input as
 * well; NULL when there is no memory left, after which the checker can still be used. */
struct ptxlitmus_result *ptxlitmus_check(struct ptxlitmus *checker, const char *name,
                                         const char *text, size_t size, size_t index);

/* Asks whether a test is free of data races, hangs and undefined uses, as `ptxlitmus check` does.
 * It needs no condition; a module has a test for each launch of its manifest, whose threads are run
 * first where that may decide (docs/launches.md): of more than 32 threads, the faults are those
 * that the run has met. The options "races" and "progress" do not count. Otherwise as
 * ptxlitmus_check. */
struct ptxlitmus_result *ptxlitmus_check_faults(struct ptxlitmus *checker, const char *name,
                                                const char *text, size_t size, size_t index);

/* Finds the outcomes, and explains why the condition is allowed or forbidden, as `ptxlitmus
 * explain` does; with `state`, such as "P1:%r0=1, x=2", whether that outcome is (NULL: the
 * condition). Otherwise as ptxlitmus_check. */
struct ptxlitmus_result *ptxlitmus_explain(struct ptxlitmus *checker, const char *name,
                                           const char *text, size_t size, size_t index,
                                           const char *state);

/* Finds the cheapest changes that make the outcome impossible which the test asks about, as
 * `ptxlitmus repair` does, five at most. The options "races", "progress", "verdict" and "states" do
 * not count. Otherwise as ptxlitmus_check. */
struct ptxlitmus_result *ptxlitmus_repair(struct ptxlitmus *checker, const char *name,
                                          const char *text, size_t size, size_t index);

/* Reads a module of PTX, as `ptxlitmus inspect` does: nothing is asked, and there is no verdict.
 * Otherwise as ptxlitmus_check. */
struct ptxlitmus_result *ptxlitmus_inspect(struct ptxlitmus *checker, const char *name,
                                           const char *text, size_t size);

/* Frees a result and all its texts. */
void ptxlitmus_free(struct ptxlitmus_result *result);

enum ptxlitmus_status {
    PTXLITMUS_CHECKED = 0, /* there is an answer, which may be "unknown" */
    PTXLITMUS_BAD_INPUT =
        1, /* the diagnostics say what is wrong with the test, the model or the target */
    PTXLITMUS_FAULT =
        2 /* an error of the library's own, which the last diagnostic tells: please report it */
};

/* Returns how the call ended. Ask this first. */
enum ptxlitmus_status ptxlitmus_status(const struct ptxlitmus_result *result);

/* Returns how many tests the text has; 0 when it could not be read. */
size_t ptxlitmus_tests(const struct ptxlitmus_result *result);

/* --- The verdict --------------------------------------------------------------------------- */
/* Without PTXLITMUS_CHECKED, and where the question was another one, verdicts and truths are
 * unknown, counts (except that of diagnostics) are 0, and texts are NULL. */

enum ptxlitmus_truth { PTXLITMUS_UNKNOWN = 0, PTXLITMUS_NO = 1, PTXLITMUS_YES = 2 };

/* About the condition without its quantifier: it is not known; no outcome satisfies it; some do;
 * all do. */
enum ptxlitmus_verdict {
    PTXLITMUS_VERDICT_UNKNOWN = 0,
    PTXLITMUS_FORBIDDEN = 1,
    PTXLITMUS_ALLOWED = 2,
    PTXLITMUS_ALWAYS = 3
};

/* Returns the verdict. */
enum ptxlitmus_verdict ptxlitmus_verdict(const struct ptxlitmus_result *result);

/* Returns "unknown", "forbidden", "allowed" or "always", which live for ever. */
const char *ptxlitmus_verdict_name(enum ptxlitmus_verdict verdict);

/* Returns why the verdict, a flag or an expectation is unknown or the list of outcomes is cut; NULL
 * when everything is known. */
const char *ptxlitmus_reason(const struct ptxlitmus_result *result);

/* Whether the test's expectations came true (its `expect`, else what `~exists` and `forall` claim);
 * an `exists` without `expect` has none, and every decided verdict will do. */
enum ptxlitmus_truth ptxlitmus_expected(const struct ptxlitmus_result *result);

/* Returns the test's name. */
const char *ptxlitmus_name(const struct ptxlitmus_result *result);

/* Returns the name of the model under which the test was checked. */
const char *ptxlitmus_model(const struct ptxlitmus_result *result);

/* Returns the condition with its quantifier, in the syntax of tests. */
const char *ptxlitmus_condition(const struct ptxlitmus_result *result);

/* --- Outcomes ------------------------------------------------------------------------------ */
/* Each outcome is a row, and rows are sorted by their values; columns are the registers and
 * locations that the test shows. With the option "verdict" there are no rows. */

/* Returns the number of columns. */
size_t ptxlitmus_columns(const struct ptxlitmus_result *result);

/* Returns what a column shows, "P1:%r0"; NULL when there is no such column. */
const char *ptxlitmus_column(const struct ptxlitmus_result *result, size_t column);

/* Returns the number of rows. */
size_t ptxlitmus_outcomes(const struct ptxlitmus_result *result);

/* Whether the rows are all outcomes that the model allows. */
bool ptxlitmus_complete(const struct ptxlitmus_result *result);

/* Returns a value as the program's table shows it: decimal, hexadecimal with "hex", a variable's
 * name for an address that the condition compares, "?" for an unknown initial value. NULL when
 * there is no such row or column. */
const char *ptxlitmus_value(const struct ptxlitmus_result *result, size_t row, size_t column);

/* Sets `bits` to those of a value, the low 64 first. Returns false for a value that depends on an
 * unknown initial one, and when there is no such row or column. */
bool ptxlitmus_bits(const struct ptxlitmus_result *result, size_t row, size_t column,
                    uint64_t bits[2]);

/* Whether a row satisfies the condition; unknown when an unknown initial value decides that, and
 * when there is no such row. */
enum ptxlitmus_truth ptxlitmus_satisfies(const struct ptxlitmus_result *result, size_t row);

/* --- Flags --------------------------------------------------------------------------------- */
/* What holds in some execution, such as "data-race". A flag that is not listed does not hold. */

/* Returns the number of flags that hold or may hold. */
size_t ptxlitmus_flags(const struct ptxlitmus_result *result);

/* Returns the name of a flag; NULL when there is no such flag. */
const char *ptxlitmus_flag(const struct ptxlitmus_result *result, size_t flag);

/* Whether a flag holds: yes or unknown. */
enum ptxlitmus_truth ptxlitmus_flag_holds(const struct ptxlitmus_result *result, size_t flag);

/* Returns what a flag means, as a sentence without a full stop; NULL when there is no such flag. */
const char *ptxlitmus_flag_meaning(const struct ptxlitmus_result *result, size_t flag);

/* --- Faults -------------------------------------------------------------------------------- */
/* With ptxlitmus_check_faults. */

/* Whether the test is free of data races, hangs and undefined uses. */
enum ptxlitmus_truth ptxlitmus_clean(const struct ptxlitmus_result *result);

/* Returns the number of faults that were found: at least one where ptxlitmus_clean is
 * PTXLITMUS_NO. Races of the same two places are one. */
size_t ptxlitmus_findings(const struct ptxlitmus_result *result);

/* Returns what is wrong, the name of a flag: "data-race", "hang"; NULL when there is no such
 * finding. */
const char *ptxlitmus_finding_flag(const struct ptxlitmus_result *result, size_t finding);

/* Returns why, or what that means, a sentence without a full stop; NULL where nothing more is
 * known. */
const char *ptxlitmus_finding_why(const struct ptxlitmus_result *result, size_t finding);

/* Returns how many places it is about: two of a race, one of what a thread does, 0 where none is
 * known. */
size_t ptxlitmus_finding_places(const struct ptxlitmus_result *result, size_t finding);

/* Returns a place, "line 7", or "line 41 (mp.cu:8)" of a module with the lines of its source; NULL
 * when there is no such place. */
const char *ptxlitmus_finding_place(const struct ptxlitmus_result *result, size_t finding,
                                    size_t place);

/* Returns what is done there and by whom, "data[0] read by thread 0 of block 1", of a hang the
 * thread; NULL when there is no such place. */
const char *ptxlitmus_finding_access(const struct ptxlitmus_result *result, size_t finding,
                                     size_t place);

/* --- Explanations -------------------------------------------------------------------------- */

/* With ptxlitmus_explain, returns the explanation as the program prints it. ptxlitmus_reason says
 * what of it is not known. */
const char *ptxlitmus_explanation(const struct ptxlitmus_result *result);

/* --- Repairs ------------------------------------------------------------------------------- */
/* With ptxlitmus_repair. */

enum ptxlitmus_repaired {
    PTXLITMUS_REPAIR_UNKNOWN = 0,    /* a limit was reached before */
    PTXLITMUS_REPAIR_FOUND = 1,      /* there are remedies */
    PTXLITMUS_REPAIR_NOT_NEEDED = 2, /* the outcome is impossible as it is */
    PTXLITMUS_REPAIR_NONE = 3        /* no change of orders, scopes and fences does it */
};

/* Returns what came of the search. */
enum ptxlitmus_repaired ptxlitmus_repaired(const struct ptxlitmus_result *result);

/* Returns why there are no remedies, as a sentence without a full stop; NULL with some. */
const char *ptxlitmus_repair_why(const struct ptxlitmus_result *result);

/* Returns the number of remedies, the cheapest first. */
size_t ptxlitmus_remedies(const struct ptxlitmus_result *result);

/* Returns what a remedy costs (docs/repair.md); 0 when there is no such remedy. */
unsigned ptxlitmus_remedy_cost(const struct ptxlitmus_result *result, size_t remedy);

/* Returns the changed text; NULL when there is no such remedy. */
const char *ptxlitmus_remedy_text(const struct ptxlitmus_result *result, size_t remedy);

/* Returns the manifest of the changed module, where that is a text of its own, else NULL. */
const char *ptxlitmus_remedy_manifest(const struct ptxlitmus_result *result, size_t remedy);

/* Returns the changes as a unified diff; NULL when there is no such remedy. */
const char *ptxlitmus_remedy_diff(const struct ptxlitmus_result *result, size_t remedy);

/* Returns why it forbids the outcome, as a sentence; NULL where there is nothing to say. */
const char *ptxlitmus_remedy_reason(const struct ptxlitmus_result *result, size_t remedy);

/* --- Modules ------------------------------------------------------------------------------- */
/* With ptxlitmus_inspect; what else is known of a module, its JSON says. */

/* Returns the number of kernels. */
size_t ptxlitmus_kernels(const struct ptxlitmus_result *result);

/* Returns the name of a kernel, as in C++ where it is mangled; NULL when there is no such kernel.
 */
const char *ptxlitmus_kernel(const struct ptxlitmus_result *result, size_t kernel);

/* --- Diagnostics --------------------------------------------------------------------------- */

enum ptxlitmus_severity { PTXLITMUS_ERROR = 0, PTXLITMUS_WARNING = 1, PTXLITMUS_NOTE = 2 };

struct ptxlitmus_diagnostic; /* a message about the input, in its result */

/* Returns the number of messages. */
size_t ptxlitmus_diagnostics(const struct ptxlitmus_result *result);

/* Returns a message, which belongs to the result; NULL when there is no such message. */
const struct ptxlitmus_diagnostic *ptxlitmus_diagnostic(const struct ptxlitmus_result *result,
                                                        size_t index);

/* Returns whether a message is an error, a warning or a note. */
enum ptxlitmus_severity
ptxlitmus_diagnostic_severity(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the `name` of the check, or the path of a model's file. */
const char *ptxlitmus_diagnostic_path(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the line that a message is about, from 1; 0 when it is not about a place in a text. */
unsigned ptxlitmus_diagnostic_line(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the column in characters, from 1; 0 as above. */
unsigned ptxlitmus_diagnostic_column(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the line in which the place ends; 0 as above. */
unsigned ptxlitmus_diagnostic_end_line(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the column, from 1, that follows the last character of the place; 0 as above. */
unsigned ptxlitmus_diagnostic_end_column(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the message as a sentence, without a capital letter and full stop. */
const char *ptxlitmus_diagnostic_message(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns a hint that belongs to the message, or NULL. */
const char *ptxlitmus_diagnostic_hint(const struct ptxlitmus_diagnostic *diagnostic);

/* Returns the message as the program prints it: "file:line:column: error: ...", the line, carets,
 * the hint. */
const char *ptxlitmus_diagnostic_text(const struct ptxlitmus_diagnostic *diagnostic);

/* --- All of it ----------------------------------------------------------------------------- */

/* Returns the result as the JSON object that the program prints (docs/command-line.md, and of an
 * explanation, a repair or a module docs/explain.md, docs/repair.md and docs/modules.md), with
 * races if the option "races" was set or faults were asked for, as a line with its newline. It is
 * made when it is first asked for. NULL without PTXLITMUS_CHECKED, and when there is no memory. */
const char *ptxlitmus_json(struct ptxlitmus_result *result);

#ifdef __cplusplus
}
#endif

#endif
