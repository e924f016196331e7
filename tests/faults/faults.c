// Fails one call after the other of whole runs: every allocation of the program, of jansson and of
// the library of C, a sample of Z3's, and reads of the files through
// which processes tell each other what they have found. Each run must print what it prints without,
// or say that something failed and return 3 or 4, with whole lines only and no verdict that
// is new.
//
// usage: faults PROGRAM LIBRARY [OPTION...]     (from the project root; LIBRARY is failing.c)
//   --full       fail every call, not a sample: hours
//   --scene NAME one of the scenes only
//   --kind N     one kind of calls only, by its number in enum faults_kind
#include "tests/faults/failing.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 12, SHOWN_FAILURES = 20, TIMEOUT_SECONDS = 1200, SET_UP = 100, LAST = 50 };

// A run that is watched.
struct scene {
    const char *name;
    const char *arguments[ARGUMENTS_MAX];
};

#define MP "litmus/library/message-passing/MP.litmus"
#define SB "litmus/library/store-buffering/SB.litmus"

static const struct scene scenes[] = {
    {"log", {MP}},
    {"text", {"--format", "text", "--races", MP}},
    {"json", {"--format", "json", "--races", "--stats", MP}},
    {"verdict", {"--verdict", MP}},
    {"two processes", {"-j", "2", MP, SB, "litmus/library/message-passing/MP+cta.litmus"}},
    {"several systems", {"--verdict", "--target", "sm_90,sc", MP}},
    {"bad input", {"--format", "json", "tests/bad/ptx-missing-scope.litmus"}},
    {"folder", {"--verdict", "tests/cases/inputs/good"}},
    {"module", {"--emit-ptx", "-", MP}},
    {"merge", {"merge", "tests/fuzz/corpus/merge/whole.jsonl"}},
    {"limits", {"--timeout", "60", "--memory", "2000", MP}},
    {"explain", {"explain", MP}},
    {"explain allowed", {"explain", "--format", "json", SB}},
    {"repair", {"repair", "litmus/library/message-passing/MP+cta.litmus"}},
};

static const char *const kind_names[FAULTS_KINDS] = {"allocation", "allocation of Z3", "pread",
                                                     "lseek", "readdir"};

// How many calls of a kind are failed in one scene, at most, unless all are.
static const unsigned long samples[FAULTS_KINDS] = {60, 25, 20, 20, 20};

struct result {
    int status; // of the exit; 128 and the signal's number when one ended it
    bool hung;
    char *out, *err;
};

static struct faults_state *state;
static int state_file, files[2]; // what a run writes to its stdout and stderr
static char state_path[64];
static const char *program;
static char *environment[16];
static size_t run_count, same_count, told_count, failure_count;

// --- Runs --------------------------------------------------------------------------------------

static void give_up(const char *what) {
    fprintf(stderr, "faults: %s: %s\n", what, strerror(errno));
    exit(2);
}

static char *text_of(int file) {
    off_t size = lseek(file, 0, SEEK_END);
    char *text = malloc((size_t)size + 1);
    if (!text || pread(file, text, (size_t)size, 0) != size)
        give_up("a run's output");
    text[size] = '\0';
    return text;
}

// Times differ from run to run: digits in lines of herd's log that tell one, and in fields of JSON
// that end in _ms or _kb.
static void forget_times(char *text) {
    static const char *const beginnings[] = {"\nTime ", "_ms\":", "_kb\":"};
    for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++) {
        for (char *at = text; (at = strstr(at, beginnings[i]));) {
            at += strlen(beginnings[i]);
            at += i == 0 ? strcspn(at, " \n") : 0;
            for (; *at && !strchr(",}\n", *at); at++)
                *at = '0';
        }
    }
}

// Where the line of a page that says why, of a verdict or of a repair, is in `good` alone: its end.
// It is a help, which a failure takes away.
static const char *after_reason(const char *good, const char *got) {
    static const char *const reasons[] = {"\n  why: ", "\n   Why: "};
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++) {
        size_t size = strlen(reasons[i]);
        if (strncmp(good, reasons[i], size) == 0 && strncmp(got, reasons[i], size) != 0)
            return good + 1 + strcspn(good + 1, "\n");
    }
    return good;
}

// What follows a time, which may be longer or shorter.
static bool same_text(const char *a, const char *b) {
    while (*a && *b) {
        b = after_reason(b, a);
        if (*a == '0' && *b == '0') {
            a += strspn(a, "0");
            b += strspn(b, "0");
        } else if (*a++ != *b++) {
            return false;
        }
    }
    return *a == *b;
}

static volatile pid_t running;
static volatile sig_atomic_t hung;

static void end_hung(int signal_number) {
    (void)signal_number;
    hung = 1;
    kill(running, SIGKILL); // its workers end with it
}

static struct result run(const struct scene *scene) {
    char *arguments[ARGUMENTS_MAX + 2] = {(char *)(uintptr_t)program};
    for (size_t i = 0; i < ARGUMENTS_MAX && scene->arguments[i]; i++)
        arguments[i + 1] = (char *)(uintptr_t)scene->arguments[i];
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int i = 0; i < 2; i++) {
        if (ftruncate(files[i], 0) != 0 || lseek(files[i], 0, SEEK_SET) != 0)
            give_up("a file in memory");
        posix_spawn_file_actions_adddup2(&actions, files[i], i + 1);
    }
    pid_t pid;
    int error = posix_spawn(&pid, program, &actions, NULL, arguments, environment);
    if (error != 0) {
        errno = error;
        give_up(program);
    }
    posix_spawn_file_actions_destroy(&actions);
    running = pid;
    hung = 0;
    alarm(TIMEOUT_SECONDS);
    int status;
    while (waitpid(pid, &status, 0) != pid)
        if (errno != EINTR)
            give_up("waitpid");
    alarm(0);
    run_count++;
    struct result result = {WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status),
                            hung == 1, text_of(files[0]), text_of(files[1])};
    forget_times(result.out);
    forget_times(result.err);
    return result;
}

static void result_free(struct result *result) {
    free(result->out);
    free(result->err);
}

static struct result run_failing(const struct scene *scene, enum faults_kind kind,
                                 unsigned long first, unsigned long last) {
    memset(state, 0, sizeof *state);
    state->kind = kind;
    state->first = first;
    state->last = last;
    return run(scene);
}

// --- Judging -----------------------------------------------------------------------------------

static bool has_line(const char *text, const char *line, size_t size) {
    for (const char *at = text; *at; at += strcspn(at, "\n") + 1) {
        char *mine = strndup(at, strcspn(at, "\n")), *theirs = strndup(line, size);
        bool same = mine && theirs && same_text(mine, theirs);
        free(mine);
        free(theirs);
        if (same)
            return true;
    }
    return false;
}

// Whether a line says that the result is unknown, or how many states are in a list that was cut: an
// object with an error, a result that is unknown, and the lines that go with it. (Verdicts are
// lines of their own.)
static bool knows_nothing(const char *line, size_t size) {
    static const char *const signs[] = {
        "nknown",           "\"error\":",         "States ", "??",        "Positive: ",
        "Flag incomplete",  "so it is not known", "decided", "not known", "no execution with it",
        ", cheapest first", "here may be more"};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        const char *found = strstr(line, signs[i]);
        if (found && found < line + size)
            return true;
    }
    return size == 0;
}

// Whether a line says that no repair costs less than some bound, and the cheapest one that is found
// without faults does not.
static bool is_known_bound(const char *good, const char *line) {
    unsigned bound, cost;
    const char *cheapest = strstr(good, "\n1. cost ");
    return sscanf(line, "Found so far: no repair costs less than %u.", &bound) == 1 && cheapest &&
           sscanf(cheapest, "\n1. cost %u", &cost) == 1 && bound <= cost;
}

// What is wrong with a run in which something failed; NULL when it is right.
static const char *fault_of(const struct result *good, const struct result *got,
                            enum faults_kind kind) {
    size_t out_size = strlen(got->out), err_size = strlen(got->err);
    if (got->status == good->status && same_text(got->out, good->out) &&
        strncmp(got->err, good->err, strlen(good->err)) == 0) { // Z3 may have warned
        same_count++;
        return NULL;
    }
    told_count++;
    if (got->hung)
        return "it hangs";
    bool is_input = kind == FAULTS_READDIR && got->status == 2; // it cannot be read
    // A list of repairs that says that it was cut, but has one.
    bool is_cut = got->status == good->status && strstr(got->out, "\nThere may be more: ") != NULL;
    if (got->status != 3 && got->status != 4 && !is_input && !is_cut)
        return "another result than without, and no status 3 or 4";
    bool says_so = is_cut || strstr(got->out, "\nUndecided: "); // a page that is read by itself
    if (!says_so && (err_size == 0 || got->err[err_size - 1] != '\n'))
        return "no message, or no whole one";
    if (out_size > 0 && got->out[out_size - 1] != '\n')
        return "half a line";
    for (const char *at = got->out; *at; at += strcspn(at, "\n") + 1) {
        size_t size = strcspn(at, "\n");
        if (!has_line(good->out, at, size) && !knows_nothing(at, size) &&
            !is_known_bound(good->out, at))
            return "a line that is not printed without";
    }
    return NULL;
}

static void check(const struct scene *scene, const struct result *good, enum faults_kind kind,
                  unsigned long first, unsigned long last) {
    struct result got = run_failing(scene, kind, first, last);
    const char *fault = fault_of(good, &got, kind);
    if (fault && ++failure_count <= SHOWN_FAILURES) {
        printf("FAIL %s, %s %lu%s: %s: status %d\n--- stdout\n%s--- stderr\n%s", scene->name,
               kind_names[kind], first, last > first ? " and all after it" : "", fault, got.status,
               got.out, got.err);
    }
    result_free(&got);
}

// Every call of a kind on its own, or a sample; and from some calls on all, as when no memory is
// left.
static void check_kind(const struct scene *scene, const struct result *good, enum faults_kind kind,
                       unsigned long count, bool full) {
    unsigned long step = full || count <= samples[kind] ? 1 : count / samples[kind];
    unsigned long offset = 0; // so that scenes do not sample the same calls
    for (const char *at = scene->name; *at; at++)
        offset += (unsigned char)*at;
    for (unsigned long i = 1 + offset % step; i <= count; i += step)
        check(scene, good, kind, i, i);
    // The calls by which Z3 sets itself up, in scenes in which a process uses it again after that.
    bool again = strcmp(scene->name, "several systems") == 0;
    for (unsigned long i = 1; kind == FAULTS_SOLVER_ALLOCATION && again && i <= SET_UP; i++)
        check(scene, good, kind, i, i);
    // The last calls, by which the reason of a verdict is found: the verdict itself is known by
    // then.
    unsigned long late = full || count <= LAST ? count : count - LAST;
    for (unsigned long i = late + 1; kind == FAULTS_SOLVER_ALLOCATION && i <= count; i++)
        check(scene, good, kind, i, i);
    for (unsigned long i = 1; kind <= FAULTS_SOLVER_ALLOCATION && i <= count; i += count / 4 + 1)
        check(scene, good, kind, i, (unsigned long)-1);
}

// What is asked for on the command line.
static struct {
    bool full;
    const char *scene; // NULL: all
    int kind;          // -1: all
} wanted = {.kind = -1};

static void check_scene(const struct scene *scene) {
    unsigned long counts[FAULTS_KINDS];
    struct result good = run_failing(scene, FAULTS_ALLOCATION, 0, 0);
    size_t runs = run_count;
    for (size_t kind = 0; kind < FAULTS_KINDS; kind++)
        counts[kind] = state->counts[kind];
    for (size_t kind = 0; kind < FAULTS_KINDS; kind++)
        if (wanted.kind < 0 || wanted.kind == (int)kind)
            check_kind(scene, &good, (enum faults_kind)kind, counts[kind], wanted.full);
    printf(
        "%s: %lu allocations, %lu of Z3, %lu reads, %lu seeks, %lu entries of folders: %zu runs\n",
        scene->name, counts[FAULTS_ALLOCATION], counts[FAULTS_SOLVER_ALLOCATION],
        counts[FAULTS_PREAD], counts[FAULTS_LSEEK], counts[FAULTS_READDIR], run_count - runs);
    fflush(stdout);
    result_free(&good);
}

// --- The beginning -----------------------------------------------------------------------------

static void open_state(const char *library) {
    state_file = memfd_create("state", 0);
    files[0] = memfd_create("stdout", 0);
    files[1] = memfd_create("stderr", 0);
    if (state_file < 0 || files[0] < 0 || files[1] < 0 || ftruncate(state_file, sizeof *state) != 0)
        give_up("a file in memory");
    state = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, state_file, 0);
    if (state == MAP_FAILED)
        give_up("shared memory");
    snprintf(state_path, sizeof state_path, "/proc/%d/fd/%d", (int)getpid(), state_file);
    size_t count = 0;
    if (asprintf(&environment[count++], "LD_PRELOAD=%s", library) < 0 ||
        asprintf(&environment[count++], "FAULTS_STATE=%s", state_path) < 0)
        give_up("the environment");
    environment[count++] = "LC_ALL=C";
    environment[count] = NULL;
}

static bool read_options(int count, char **arguments) {
    for (int i = 0; i < count; i++) {
        bool has_value = i + 1 < count;
        if (strcmp(arguments[i], "--full") == 0)
            wanted.full = true;
        else if (strcmp(arguments[i], "--scene") == 0 && has_value)
            wanted.scene = arguments[++i];
        else if (strcmp(arguments[i], "--kind") == 0 && has_value)
            wanted.kind = atoi(arguments[++i]);
        else
            return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc < 3 || !read_options(argc - 3, argv + 3)) {
        fprintf(stderr, "usage: faults PROGRAM LIBRARY [--full] [--scene NAME] [--kind N]\n");
        return 2;
    }
    program = argv[1];
    open_state(argv[2]);
    signal(SIGALRM, end_hung);
    struct result first = run_failing(&scenes[0], FAULTS_ALLOCATION, 0, 0);
    if (first.status != 0 || state->counts[FAULTS_ALLOCATION] == 0 ||
        state->counts[FAULTS_SOLVER_ALLOCATION] == 0) {
        printf("skipped: the library that fails calls cannot be preloaded here: status %d\n%s",
               first.status, first.err);
        return 77;
    }
    result_free(&first);
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++)
        if (!wanted.scene || strcmp(wanted.scene, scenes[i].name) == 0)
            check_scene(&scenes[i]);
    printf("%zu runs: %zu as without, %zu said that something failed; %zu failures\n", run_count,
           same_count, told_count, failure_count);
    return failure_count > 0;
}
