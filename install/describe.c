// Prints completions for shells and the manual page, from the tables of commands and options
// (cli/options/). Run by the build.
//
// usage: describe bash|zsh|fish|man [TEMPLATE]
//
// In the template of the manual page, the lines @SYNOPSIS@, @COMMANDS@ and @OPTIONS@ are replaced.
#include "install/describe.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum argument_kind describe_kind(const struct option_text *option) {
    const char *argument = option->argument;
    if (!*argument)
        return ARGUMENT_NONE;
    if (strcmp(option->name, "target") == 0)
        return ARGUMENT_TARGET;
    if (strcmp(option->name, "model") == 0 || strcmp(option->name, "source-model") == 0)
        return ARGUMENT_MODEL;
    if (strcmp(argument, "DIR") == 0)
        return ARGUMENT_FOLDER;
    if (strcmp(argument, "FILE") == 0)
        return ARGUMENT_FILE;
    bool is_list = strchr(argument, '|') &&
                   strcspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(argument);
    return is_list ? ARGUMENT_CHOICE : ARGUMENT_OTHER;
}

struct option_text describe_own(const struct own_option *own) {
    return (struct option_text){own->name + 2, own->argument ? own->argument : "", own->help};
}

// --- The manual page ---------------------------------------------------------------------------

// `length` bytes of a text for roff: a hyphen is a minus, and a line does not begin with what roff
// would obey.
static void print_roff(const char *text, size_t length) {
    if (length > 0 && (*text == '.' || *text == '\''))
        fputs("\\&", stdout);
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        fputs(c == '-'    ? "\\-"
              : c == '\\' ? "\\e"
              : c == '\'' ? "\\(aq"
                          : (char[]){c, '\0'},
              stdout);
    }
}

static void print_man_option(const char *letter, const struct option_text *option) {
    puts(".TP");
    fputs(".B ", stdout);
    if (letter) {
        print_roff(letter, strlen(letter));
        fputs(", ", stdout);
    }
    fputs("\\-\\-", stdout);
    print_roff(option->name, strlen(option->name));
    if (*option->argument) {
        fputs(" \\fI", stdout);
        print_roff(option->argument, strlen(option->argument));
        fputs("\\fR", stdout);
    }
    putchar('\n');
    print_roff(options_help(option), strlen(options_help(option)));
    puts(".");
}

static void print_man_options(void) {
    size_t count;
    const struct option_text *const *options = options_texts(&count);
    for (size_t i = 0; i < count; i++)
        print_man_option(NULL, options[i]);
}

static void print_man_synopsis(void) {
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++) {
        for (const char *form = commands[i]->usage; *form;) {
            size_t length = strcspn(form, "\n");
            printf(".B ptxlitmus %s\n", commands[i]->name);
            print_roff(form, length);
            puts("\n.br");
            form += length + (form[length] == '\n');
        }
    }
}

static void print_man_sentence(const char *text) {
    putchar(text[0] - 'a' + 'A');
    print_roff(text + 1, strlen(text + 1));
    puts(".");
}

// The lines of a text; an empty one begins a paragraph.
static void print_man_lines(const char *text) {
    while (text && *text) {
        size_t length = strcspn(text, "\n");
        if (length == 0) {
            puts(".IP");
        } else {
            print_roff(text, length);
            putchar('\n');
        }
        text += length + (text[length] == '\n');
    }
}

static void print_man_commands(void) {
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++) {
        printf(".TP\n.B ptxlitmus %s\n", commands[i]->name);
        print_man_sentence(commands[i]->help);
        print_man_lines(commands[i]->more);
        if (commands[i]->own_count > 0)
            puts(".RS");
        for (size_t k = 0; k < commands[i]->own_count; k++) {
            struct option_text option = describe_own(&commands[i]->own[k]);
            print_man_option(commands[i]->own[k].letter, &option);
        }
        if (commands[i]->own_count > 0)
            puts(".RE");
    }
}

static bool print_man_part(const char *line) {
    static const struct {
        const char *name;
        void (*print)(void);
    } parts[] = {
        {"@SYNOPSIS@\n", print_man_synopsis},
        {"@COMMANDS@\n", print_man_commands},
        {"@OPTIONS@\n", print_man_options},
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strcmp(line, parts[i].name) == 0) {
            parts[i].print();
            return true;
        }
    }
    return false;
}

static int print_man(const char *path) {
    FILE *template = fopen(path, "r");
    char line[1024];
    int parts = 0;
    while (template && fgets(line, sizeof line, template)) {
        char *version = strstr(line, "@VERSION@");
        if (print_man_part(line)) {
            parts++;
        } else if (version) {
            printf("%.*s%s%s", (int)(version - line), line, PTXLITMUS_VERSION,
                   version + strlen("@VERSION@"));
        } else {
            fputs(line, stdout);
        }
    }
    if (!template || fclose(template) != 0 || parts != 3) {
        fprintf(stderr, "describe: '%s' is not a template of the manual page\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int status = 0;
    if (strcmp(what, "bash") == 0) {
        describe_bash();
    } else if (strcmp(what, "zsh") == 0) {
        describe_zsh();
    } else if (strcmp(what, "fish") == 0) {
        describe_fish();
    } else if (strcmp(what, "man") == 0 && argc > 2) {
        status = print_man(argv[2]);
    } else {
        fputs("usage: describe bash|zsh|fish|man [TEMPLATE]\n", stderr);
        status = 2;
    }
    return fflush(stdout) != 0 || ferror(stdout) ? 1 : status;
}
