// Reads a log as strictly as herdtools' mcompare7 does, and stricter: mcompare7 skips lines that it
// does not know, this program refuses them. The grammar is that of herd7's output
// (herd/top_herd.ml) as herdtools reads it back (tools/lexLog_tools.mll for lines,
// lib/stateLexer.mll and lib/stateParser.mly for the condition).
//
// usage: check_log [FILE]      exits with 0 when the log is good, else with 1 and `line N: what`
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct parser {
    const char *at;
    unsigned line;
    size_t tests, declined;
};

// One test's numbers, to be compared with each other.
struct entry {
    char *name;
    char kind;       // 'A' 'R' 'F'
    char validation; // 'O' 'N' '?'
    long states, positive, negative;
    bool cut; // Flag incomplete
};

_Noreturn static void refuse(const struct parser *p, const char *what) {
    int length = (int)strcspn(p->at, "\n");
    fprintf(stderr, "line %u: %s, not '%.*s'\n", p->line, what, length, p->at);
    exit(EXIT_FAILURE);
}

static void require(const struct parser *p, bool condition, const char *what) {
    if (!condition)
        refuse(p, what);
}

// --- Characters ---------------------------------------------------------------------------------

static bool accept(struct parser *p, const char *word) {
    size_t length = strlen(word);
    if (strncmp(p->at, word, length) != 0)
        return false;
    for (const char *c = word; *c; c++)
        p->line += *c == '\n';
    p->at += length;
    return true;
}

static void expect(struct parser *p, const char *word) {
    if (!accept(p, word)) {
        char what[80];
        snprintf(what, sizeof what, "expected '%s'",
                 word[0] == '\n' ? "the end of the line" : word);
        refuse(p, what);
    }
}

// Takes as many characters as satisfy `test` (one at least) and returns them; the caller frees.
static char *take(struct parser *p, bool (*test)(char), const char *what) {
    size_t length = 0;
    while (test(p->at[length]))
        length++;
    require(p, length > 0, what);
    char *word = strndup(p->at, length);
    p->at += length;
    if (!word)
        abort();
    return word;
}

static bool is_alpha(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_hexa(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_testname(char c) {
    return c && (is_alpha(c) || is_digit(c) || strchr("_/.-+[]", c));
}

static bool is_name(char c) {
    return is_alpha(c) || is_digit(c) || c == '_' || c == '.';
}

static bool is_flag(char c) {
    return is_alpha(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
}

// num = digit+
static long number(struct parser *p) {
    char *digits = take(p, is_digit, "expected a number");
    long value = strtol(digits, NULL, 10);
    free(digits);
    return value;
}

// name = alpha (alpha | digit | '_' | '.')*
static void name(struct parser *p) {
    require(p, is_alpha(*p->at), "expected a name");
    free(take(p, is_name, "expected a name"));
}

// value = '-'? (num | "0x" hexa+) | name
static void value(struct parser *p) {
    if (is_alpha(*p->at)) {
        name(p);
        return;
    }
    accept(p, "-");
    free(accept(p, "0x") ? take(p, is_hexa, "expected hexadecimal digits")
                         : take(p, is_digit, "expected a value"));
}

// location = num ':' name | '[' name ']' | name '[' num ']'
static void location(struct parser *p) {
    if (is_digit(*p->at)) {
        number(p);
        expect(p, ":");
        name(p);
    } else if (accept(p, "[")) {
        name(p);
        expect(p, "]");
    } else {
        name(p);
        expect(p, "[");
        number(p);
        expect(p, "]");
    }
}

// --- Conditions (lib/stateParser.mly) -----------------------------------------------------------

static void disjunction(struct parser *p);

// atom = location '=' (location | value); an element is not a right side, for it reads as an
// address
static void atom(struct parser *p) {
    location(p);
    expect(p, "=");
    bool is_register = is_digit(*p->at) && p->at[strspn(p->at, "0123456789")] == ':';
    if (is_register || *p->at == '[')
        location(p);
    else
        value(p);
}

// unary = "not" ' ' '(' or ')' | '(' or ')' | "true" | "false" | atom
static void unary(struct parser *p) {
    if (accept(p, "not (") || accept(p, "(")) {
        disjunction(p);
        expect(p, ")");
    } else if (!accept(p, "true") && !accept(p, "false")) {
        atom(p);
    }
}

// or = and ("\/" and)*        and = unary ("/\" unary)*
static void disjunction(struct parser *p) {
    do {
        unary(p);
    } while (accept(p, " /\\ ") || accept(p, " \\/ "));
}

// What herd's lexer of conditions stops at (orders) or its parser (a constant with a suffix):
// mcompare7 then reads the log without a condition (tools/logConstr.ml).
static bool is_declined(const char *condition) {
    size_t length = strcspn(condition, "\n");
    for (size_t i = 0; i < length; i++) {
        bool suffix = condition[i] == 'U' && i > 0 && is_hexa(condition[i - 1]);
        if (strchr("<>", condition[i]) || (suffix && memchr(condition, 'x', i)))
            return true;
    }
    return false;
}

static void condition(struct parser *p, char kind) {
    expect(p, "Condition ");
    expect(p, kind == 'A' ? "exists (" : kind == 'R' ? "forall (" : "~exists (");
    if (is_declined(p->at)) {
        p->declined++;
        p->at += strcspn(p->at, "\n");
    } else {
        disjunction(p);
        expect(p, ")");
    }
    expect(p, "\n");
}

// --- Lines --------------------------------------------------------------------------------------

// Writes the locations of the state line at p->at to `out`, each followed by ';'.
static void state_line(struct parser *p, char *out) {
    while (*p->at != '\n') {
        const char *begin = p->at;
        location(p);
        memcpy(out, begin, (size_t)(p->at - begin));
        out += p->at - begin;
        *out++ = ';';
        expect(p, "=");
        value(p);
        expect(p, ";");
        require(p, *p->at == '\n' || accept(p, " "), "expected a blank or the end of the line");
        require(p, p[0].at[-1] != ' ' || *p->at != '\n',
                "expected no blank at the end of the line");
    }
    *out = '\0';
    expect(p, "\n");
}

// The index of a state line among those from `first`: equal lines are one state written twice.
static void different(struct parser *p, const char *first, const char *line) {
    size_t length = strcspn(line, "\n");
    for (const char *other = first; other < line; other += strcspn(other, "\n") + 1) {
        require(p, strcspn(other, "\n") != length || memcmp(other, line, length) != 0,
                "expected each state once");
    }
}

// states = "States" num NL (num times a state), all of the same locations
static long states(struct parser *p) {
    expect(p, "States ");
    long count = number(p);
    expect(p, "\n");
    const char *first = p->at;
    size_t width = strcspn(first, "\n") + 2;
    char *locations = NULL;
    for (long i = 0; i < count; i++) {
        const char *line = p->at;
        size_t size = strcspn(line, "\n") + 2;
        char *here = malloc(size > width ? size : width);
        if (!here)
            abort();
        state_line(p, here);
        different(p, first, line);
        require(p, !locations || strcmp(locations, here) == 0,
                "expected the locations of the first state in every state");
        free(locations);
        locations = here;
    }
    free(locations);
    return count;
}

static void validation(struct parser *p, struct entry *entry) {
    if (accept(p, "Ok\n")) {
        entry->validation = 'O';
    } else if (accept(p, "No\n")) {
        entry->validation = 'N';
    } else {
        expect(p, "??\n");
        entry->validation = '?';
    }
}

static void witnesses(struct parser *p, struct entry *entry) {
    expect(p, "Witnesses\n");
    expect(p, "Positive: ");
    long positive = number(p);
    expect(p, " Negative: ");
    long negative = number(p);
    expect(p, "\n");
    bool swap = entry->kind == 'F'; // herd counts for and against what the quantifier claims
    entry->positive = swap ? negative : positive;
    entry->negative = swap ? positive : negative;
    require(p, positive + negative >= entry->states, "expected every state to be a witness above");
}

// Without "-unknown" or "-possible", which say that it is not known whether the flag holds.
static size_t flag_length(const char *flag) {
    static const char *const ends[] = {"-unknown", "-possible"};
    size_t length = strcspn(flag, "\n");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t tail = strlen(ends[i]);
        if (length > tail && memcmp(flag + length - tail, ends[i], tail) == 0)
            return length - tail;
    }
    return length;
}

// flags = ("Flag" name ("-unknown" | "-possible")? NL)*, each name once
static void flags(struct parser *p, struct entry *entry) {
    const char *first = p->at;
    while (accept(p, "Flag ")) {
        const char *here = p->at;
        require(p, !entry->cut, "expected 'Flag incomplete' to be the last flag");
        for (const char *other = first; other + 5 < here; other += strcspn(other, "\n") + 1) {
            size_t length = flag_length(here);
            require(p, flag_length(other + 5) != length || memcmp(other + 5, here, length) != 0,
                    "expected each flag once");
        }
        char *flag = take(p, is_flag, "expected the name of a flag");
        entry->cut = strcmp(flag, "incomplete") == 0;
        free(flag);
        expect(p, "\n");
    }
}

// Whether word, counts and Ok fit each other. A cut list may lack the witnesses.
static void check_observation(struct parser *p, const struct entry *entry, char word) {
    if (!entry->cut && word != 'U') {
        char expected = entry->positive == 0 ? 'N' : entry->negative == 0 ? 'A' : 'S';
        require(p, word == expected, "expected an observation that fits the witnesses above");
    }
    bool holds = entry->kind == 'A' ? word != 'N' : entry->kind == 'F' ? word == 'N' : word == 'A';
    // a violated forall is established by one state, when the observation is not
    bool violated = entry->kind == 'R' && entry->negative > 0;
    char unknown = violated ? 'N' : '?';
    char expected = word == 'U' ? unknown : holds ? 'O' : 'N';
    require(p, word == 'U' || entry->cut || entry->states > 0,
            "expected Unknown where there is no state");
    require(p, entry->validation == expected, "expected Ok, No or ?? above to fit the observation");
}

static void observation(struct parser *p, const struct entry *entry) {
    static const char *const words[] = {"Never ", "Sometimes ", "Always ", "Unknown "};
    expect(p, "Observation ");
    expect(p, entry->name);
    expect(p, " ");
    char word = '\0';
    for (size_t i = 0; i < 4 && !word; i++)
        word = accept(p, words[i]) ? words[i][0] : '\0';
    require(p, word, "expected Never, Sometimes, Always or Unknown");
    require(p, number(p) == entry->positive, "expected the positive witnesses above");
    expect(p, " ");
    require(p, number(p) == entry->negative, "expected the negative witnesses above");
    expect(p, "\n");
    check_observation(p, entry, word);
}

// ending = "Terminates" word NL ("Thread P" what becomes of it NL)*
static void ending(struct parser *p) {
    if (!accept(p, "Terminates "))
        return;
    require(p, accept(p, "always\n") || accept(p, "maybe\n") || accept(p, "unknown\n"),
            "expected always, maybe or unknown");
    while (accept(p, "Thread P")) {
        number(p);
        expect(p, " ");
        p->at += strcspn(p->at, "\n");
        expect(p, "\n");
    }
}

// assumptions = ("Launched" words NL)? ("Assumed" sentence NL)*
static void assumptions(struct parser *p) {
    if (accept(p, "Launched ")) {
        p->at += strcspn(p->at, "\n");
        expect(p, "\n");
    }
    while (accept(p, "Assumed ")) {
        p->at += strcspn(p->at, "\n");
        expect(p, "\n");
    }
}

static void time_and_hash(struct parser *p, const struct entry *entry) {
    expect(p, "Time ");
    expect(p, entry->name);
    expect(p, " ");
    number(p);
    expect(p, ".");
    number(p);
    expect(p, "\nHash=");
    free(take(p, is_hexa, "expected hexadecimal digits"));
    expect(p, "\n");
    expect(p, "\n");
}

// test = "Test" name kind NL states validation witnesses flag* condition observation assumptions
// ending? time hash NL
static void test(struct parser *p) {
    struct entry entry = {0};
    expect(p, "Test ");
    entry.name = take(p, is_testname, "expected the test's name");
    expect(p, " ");
    entry.kind = *p->at;
    if (!accept(p, "Allowed\n") && !accept(p, "Required\n"))
        expect(p, "Forbidden\n");
    entry.states = states(p);
    validation(p, &entry);
    witnesses(p, &entry);
    flags(p, &entry);
    condition(p, entry.kind);
    observation(p, &entry);
    assumptions(p);
    ending(p);
    time_and_hash(p, &entry);
    free(entry.name);
    p->tests++;
}

static char *read_all(FILE *file) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int c;
    while (out && (c = getc(file)) != EOF)
        putc(c == 0 ? 1 : c, out); // a NUL is not a character of a log, and does not end it
    if (!out || fclose(out) != 0)
        abort();
    return text;
}

int main(int argc, char **argv) {
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    if (!file) {
        perror(argv[1]);
        return EXIT_FAILURE;
    }
    char *text = read_all(file);
    struct parser p = {.at = text, .line = 1};
    require(&p, *p.at != '\0', "expected a test");
    while (*p.at)
        test(&p);
    printf("%zu tests, %zu conditions that herd declines\n", p.tests, p.declined);
    free(text);
    fclose(file);
    return EXIT_SUCCESS;
}
