// Prints what an installation tells of the options, from the one table of them
// (cli/options/options.def): completions for shells, and the manual page. Run by the build.
//
// usage: describe bash|zsh|fish|man [TEMPLATE]     (of the manual page, whose line @OPTIONS@ is
// replaced)
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct described {
    const char *name, *argument, *help;
};

static const struct described options[] = {
#define OPTION(id, name, argument, help, set) {name, argument, help},
#include "cli/options/options.def"
#undef OPTION
};

enum { COUNT = sizeof options / sizeof options[0] };

// What may be the first word.
static const struct described_command {
    const char *name, *help;
    const char *options; // of its own
    const char *files;   // NULL: it takes tests, and the options above
} commands[] = {
    {"check", "say whether tests are free of races and hangs", "--races", NULL},
    {"compare", "compare the outcomes of two tests, modules or folders", "--map --no-new", NULL},
    {"diff", "print what changed between the JSON results of two runs", "--help", "*"},
    {"explain", "say why an outcome is allowed or forbidden, or what a word means",
     "--state --why-not --remedies --show", NULL},
    {"generate", "write tests of cycles",
     "--edges --size --access --placement --axiom --expect --mutants --most --output --force", ""},
    {"harness", "write tests as CUDA sources, to run them on a GPU", "--output --arch --force",
     NULL},
    {"inspect", "show what is in a PTX module", "--kernel --sidecar --format --help", "*.ptx"},
    {"list", "print the topics of the included tests, or the tests of a topic", "--help", ""},
    {"lower", "make tests in PTX of tests in C++", "--check --table --source-model --list-tables",
     NULL},
    {"merge", "join the results of shards", "--help", "*"},
    {"observed", "compare what tests showed on hardware with what is allowed", "--format", "*"},
    {"relax", "find the weakest test that still forbids the outcome",
     "--all --max-cost --costs --write --keep-outcomes", NULL},
    {"repair", "find the least changes that forbid the outcome", "--all --max-cost --costs --write",
     NULL},
    {"report", "write pages in HTML", "--output", NULL},
    {"show", "print an included test", "--help", ""},
    {"suite", "run tests for CI, and report what failed",
     "--report --filter --fail-fast --update --results --module --manifest", NULL},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

// What an option's argument may be.
enum argument_kind {
    ARGUMENT_NONE,
    ARGUMENT_CHOICE, // one of the words between '|', in lower case
    ARGUMENT_MODEL,
    ARGUMENT_TARGET,
    ARGUMENT_FOLDER,
    ARGUMENT_FILE,
    ARGUMENT_OTHER, // a number, a version
};

static enum argument_kind kind_of(const struct described *option) {
    const char *argument = option->argument;
    if (!*argument) {
        return ARGUMENT_NONE;
    }
    if (strcmp(option->name, "target") == 0) {
        return ARGUMENT_TARGET;
    }
    if (strcmp(option->name, "model") == 0) {
        return ARGUMENT_MODEL;
    }
    if (strcmp(argument, "DIR") == 0) {
        return ARGUMENT_FOLDER;
    }
    if (strcmp(argument, "FILE") == 0) {
        return ARGUMENT_FILE;
    }
    bool is_list = strchr(argument, '|') &&
                   strcspn(argument, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == strlen(argument);
    return is_list ? ARGUMENT_CHOICE : ARGUMENT_OTHER;
}

// The choices of an argument, with blanks between them.
static void print_choices(const char *argument) {
    for (; *argument; argument++) {
        putchar(*argument == '|' ? ' ' : *argument);
    }
}

// A text with a backslash, or what `with` says, before each character of `special`.
static void print_escaped(const char *text, const char *special, const char *with) {
    for (; *text; text++) {
        if (strchr(special, *text)) {
            fputs(with, stdout);
        }
        putchar(*text);
    }
}

// --- bash --------------------------------------------------------------------------------------

// "--a|--b": the options of a kind as a pattern of `case`; false when there is none.
static bool print_pattern(enum argument_kind kind) {
    bool any = false;
    for (size_t i = 0; i < COUNT; i++) {
        if (kind_of(&options[i]) == kind) {
            printf("%s--%s", any ? "|" : "    ", options[i].name);
            any = true;
        }
    }
    return any;
}

static void print_bash_arguments(void) {
    for (size_t i = 0; i < COUNT; i++) {
        if (kind_of(&options[i]) == ARGUMENT_CHOICE) {
            printf("    --%s) _ptxlitmus_words '", options[i].name);
            print_choices(options[i].argument);
            puts("'; return ;;");
        }
    }
    static const struct {
        enum argument_kind kind;
        const char *action;
    } actions[] = {
        {ARGUMENT_MODEL, "_ptxlitmus_list --list-models; _ptxlitmus_files '*.cat'; return"},
        {ARGUMENT_TARGET, "_ptxlitmus_list --list-targets; return"},
        {ARGUMENT_FOLDER, "_ptxlitmus_files ''; return"},
        {ARGUMENT_FILE, "_ptxlitmus_files '*'; return"},
        {ARGUMENT_OTHER, "return"},
    };
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++) {
        if (print_pattern(actions[i].kind)) {
            printf(") %s ;;\n", actions[i].action);
        }
    }
    puts("    -j) return ;;");
}

// Commands are proposed as the first word; after it, what they take.
static void print_bash_commands(void) {
    fputs("    if [[ COMP_CWORD -eq 1 && $current != [-@]* ]]; then\n"
          "        _ptxlitmus_words '",
          stdout);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf("%s%s", i > 0 ? " " : "", commands[i].name);
    }
    fputs("'\n"
          "    fi\n"
          "    [[ COMP_CWORD -eq 1 ]] || case ${COMP_WORDS[1]} in\n",
          stdout);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        const struct described_command *command = &commands[i];
        if (command->files) {
            printf("        %s)\n            _ptxlitmus_files '%s'\n"
                   "            [[ $current != -* ]] || _ptxlitmus_words '%s'\n"
                   "            return ;;\n",
                   command->name, command->files, command->options);
        } else {
            printf("        %s) own='%s' ;;\n", command->name, command->options);
        }
    }
    puts("    esac");
}

static void print_bash(void) {
    fputs(
        "# bash completion for ptxlitmus, made from cli/options/options.def.\n"
        "\n"
        "# Words that begin as the current one does.\n"
        "_ptxlitmus_words() { mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$current\"); }\n"
        "\n"
        "# Names of a list that the program prints, the last one of several with commas between.\n"
        "_ptxlitmus_list() {\n"
        "    local before=${current%\"${current##*,}\"} name\n"
        "    while read -r name _; do\n"
        "        [[ $before$name != \"$current\"* ]] || COMPREPLY+=(\"$before$name\")\n"
        "    done < <(\"${COMP_WORDS[0]}\" \"$1\" 2>/dev/null)\n"
        "}\n"
        "\n"
        "# Folders, and files whose names match a pattern.\n"
        "_ptxlitmus_files() {\n"
        "    local path folder\n"
        "    compopt -o filenames 2>/dev/null\n"
        "    while IFS= read -r path; do\n"
        "        folder=${path#@}\n"
        "        # shellcheck disable=SC2053 # a pattern\n"
        "        for pattern in \"$@\"; do\n"
        "            if [[ -d $folder || ${path##*/} == $pattern ]]; then\n"
        "                COMPREPLY+=(\"$path\")\n"
        "                break\n"
        "            fi\n"
        "        done\n"
        "    done < <(compgen -f -- \"$current\")\n"
        "}\n"
        "\n"
        "_ptxlitmus() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} pattern "
        "own=''\n"
        "    COMPREPLY=()\n"
        "    if [[ $current == = ]]; then\n"
        "        current=''\n"
        "    elif [[ $previous == = ]]; then\n"
        "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
        "    fi\n"
        "    case $previous in\n",
        stdout);
    print_bash_arguments();
    fputs("    esac\n", stdout);
    print_bash_commands();
    fputs("    if [[ $current == -* ]]; then\n"
          "        _ptxlitmus_words \"$own ",
          stdout);
    for (size_t i = 0; i < COUNT; i++) {
        printf("--%s ", options[i].name);
    }
    fputs("-h -j\"\n"
          "    elif [[ $current == @* ]]; then\n"
          "        current=${current#@}\n"
          "        _ptxlitmus_files '*'\n"
          "        COMPREPLY=(\"${COMPREPLY[@]/#/@}\")\n"
          "    else\n"
          "        _ptxlitmus_files '*.litmus' '*.test' '*.ptx'\n"
          "    fi\n"
          "}\n"
          "complete -F _ptxlitmus ptxlitmus\n",
          stdout);
}

// --- zsh ---------------------------------------------------------------------------------------

static void print_zsh_option(const struct described *option) {
    enum argument_kind kind = kind_of(option);
    printf("  '%s--%s%s[", strcmp(option->name, "include") == 0 ? "*" : "", option->name,
           kind == ARGUMENT_NONE ? "" : "=");
    for (const char *at = option->help; *at; at++) {
        if (strchr("[]:\\", *at)) {
            putchar('\\');
        }
        fputs(*at == '\'' ? "'\\''" : (char[]){*at, '\0'}, stdout);
    }
    fputs("]", stdout);
    switch (kind) {
    case ARGUMENT_NONE: break;
    case ARGUMENT_CHOICE:
        printf(":%s:(", option->name);
        print_choices(option->argument);
        putchar(')');
        break;
    case ARGUMENT_MODEL:
        fputs(":model:{_values -s , model ${${(f)\"$(ptxlitmus --list-models)\"}%% *}; _files -g "
              "\"*.cat\"}",
              stdout);
        break;
    case ARGUMENT_TARGET:
        fputs(":target:_values -s , target ${${(f)\"$(ptxlitmus --list-targets)\"}%% *}", stdout);
        break;
    case ARGUMENT_FOLDER: fputs(":folder:_files -/", stdout); break;
    case ARGUMENT_FILE: fputs(":file:_files", stdout); break;
    case ARGUMENT_OTHER:
        fputs(":", stdout);
        print_escaped(option->argument, ":", "\\");
        fputs(":", stdout);
        break;
    }
    puts("' \\");
}

static void print_zsh(void) {
    puts("#compdef ptxlitmus");
    puts("# zsh completion for ptxlitmus, made from cli/options/options.def.");
    puts("_arguments -s \\");
    for (size_t i = 0; i < COUNT; i++) {
        print_zsh_option(&options[i]);
    }
    puts("  '-h[print the help and exit]' \\");
    puts("  '-j+[run N tests at once]:N:' \\");
    fputs("  '1:test:{compadd --", stdout);
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        printf(" %s", commands[i].name);
    }
    puts("; _files -g \"*.(litmus|test|ptx)\"}' \\");
    puts("  '*:test:_files -g \"*.(litmus|test|ptx)\"'");
}

// --- fish --------------------------------------------------------------------------------------

static void print_fish_option(const struct described *option) {
    printf("complete -c ptxlitmus -l %s", option->name);
    switch (kind_of(option)) {
    case ARGUMENT_NONE: break;
    case ARGUMENT_CHOICE:
        fputs(" -x -a '", stdout);
        print_choices(option->argument);
        putchar('\'');
        break;
    case ARGUMENT_MODEL:
        fputs(" -r -a '(ptxlitmus --list-models | string replace -r \" .*\" \"\")'", stdout);
        break;
    case ARGUMENT_TARGET:
        fputs(" -x -a '(ptxlitmus --list-targets | string replace -r \" .*\" \"\")'", stdout);
        break;
    case ARGUMENT_FOLDER: fputs(" -x -a '(__fish_complete_directories)'", stdout); break;
    case ARGUMENT_FILE: fputs(" -r", stdout); break;
    case ARGUMENT_OTHER: fputs(" -x", stdout); break;
    }
    if (strcmp(option->name, "jobs") == 0) {
        fputs(" -s j", stdout);
    }
    if (strcmp(option->name, "help") == 0) {
        fputs(" -s h", stdout);
    }
    fputs(" -d '", stdout);
    for (const char *at = option->help; *at; at++) {
        fputs(*at == '\'' ? "\\'" : *at == '\\' ? "\\\\" : (char[]){*at, '\0'}, stdout);
    }
    puts("'");
}

// A command, and those of its options that are not options of all.
static void print_fish_command(const struct described_command *command) {
    char words[128];
    printf("complete -c ptxlitmus -n __fish_is_first_arg -a %s -d '%s'\n", command->name,
           command->help);
    snprintf(words, sizeof words, "%s", command->options);
    for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
        bool is_general = false;
        for (size_t i = 0; i < COUNT; i++) {
            is_general |= strcmp(word + 2, options[i].name) == 0;
        }
        if (!is_general) {
            printf("complete -c ptxlitmus -n '__fish_seen_subcommand_from %s' -l %s\n",
                   command->name, word + 2);
        }
    }
}

static void print_fish(void) {
    puts("# fish completion for ptxlitmus, made from cli/options/options.def.");
    for (size_t i = 0; i < COUNT; i++) {
        print_fish_option(&options[i]);
    }
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
        print_fish_command(&commands[i]);
    }
}

// --- The manual page ---------------------------------------------------------------------------

// Text for roff: a hyphen is a minus, and a line does not begin with what roff would obey.
static void print_roff(const char *text) {
    if (*text == '.' || *text == '\'') {
        fputs("\\&", stdout);
    }
    for (; *text; text++) {
        fputs(*text == '-'    ? "\\-"
              : *text == '\\' ? "\\e"
              : *text == '\'' ? "\\(aq"
                              : (char[]){*text, '\0'},
              stdout);
    }
}

static void print_man_options(void) {
    for (size_t i = 0; i < COUNT; i++) {
        puts(".TP");
        fputs(".B \\-\\-", stdout);
        print_roff(options[i].name);
        if (*options[i].argument) {
            fputs(" \\fI", stdout);
            print_roff(options[i].argument);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        print_roff(options[i].help);
        puts(".");
    }
}

static int print_man(const char *path) {
    FILE *template = fopen(path, "r");
    char line[1024];
    bool found = false;
    while (template && fgets(line, sizeof line, template)) {
        char *version = strstr(line, "@VERSION@");
        if (strcmp(line, "@OPTIONS@\n") == 0) {
            print_man_options();
            found = true;
        } else if (version) {
            printf("%.*s%s%s", (int)(version - line), line, PTXLITMUS_VERSION,
                   version + strlen("@VERSION@"));
        } else {
            fputs(line, stdout);
        }
    }
    if (!template || fclose(template) != 0 || !found) {
        fprintf(stderr, "describe: '%s' is not a template of the manual page\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    int status = 0;
    if (strcmp(what, "bash") == 0) {
        print_bash();
    } else if (strcmp(what, "zsh") == 0) {
        print_zsh();
    } else if (strcmp(what, "fish") == 0) {
        print_fish();
    } else if (strcmp(what, "man") == 0 && argc > 2) {
        status = print_man(argv[2]);
    } else {
        fputs("usage: describe bash|zsh|fish|man [TEMPLATE]\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 && !ferror(stdout) ? status : 1;
}
