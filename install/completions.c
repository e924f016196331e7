// Completions for bash, zsh and fish: commands, what each of them takes, and the included tests.
#include "install/describe.h"

#include <stdio.h>
#include <string.h>

static void print_choices(const char *argument) {
    for (; *argument; argument++)
        putchar(*argument == '|' ? ' ' : *argument);
}

// A text in single quotes, as a shell without other quoting in these has it: `quote` is how one
// is written inside, and a backslash comes before each character of `special`.
static void print_quoted(const char *text, const char *special, const char *quote) {
    for (; *text; text++) {
        if (strchr(special, *text))
            putchar('\\');
        fputs(*text == '\'' ? quote : (char[]){*text, '\0'}, stdout);
    }
}

// Calls `print` for each option that a command takes: its own first, then those of a run.
static void each_option(const struct cli_command *command,
                        void (*print)(const char *letter, const struct option_text *option)) {
    size_t count;
    const struct option_text *const *options = options_texts(&count);
    for (size_t i = 0; i < command->own_count; i++) {
        struct option_text own = describe_own(&command->own[i]);
        print(command->own[i].letter, &own);
    }
    for (size_t i = 0; i < count; i++) {
        struct option_text option = *options[i];
        if (command->formats && strcmp(option.name, "format") == 0)
            option.argument = command->formats;
        if (command_accepts(command, option.name))
            print(NULL, &option);
    }
}

// --- bash --------------------------------------------------------------------------------------

static void print_bash_word(const char *letter, const struct option_text *option) {
    printf("%s%s--%s ", letter ? letter : "", letter ? " " : "", option->name);
}

static void print_bash_argument(const char *letter, const struct option_text *option) {
    enum argument_kind kind = describe_kind(option);
    if (kind == ARGUMENT_NONE)
        return;
    printf("        %s%s--%s) ", letter ? letter : "", letter ? " | " : "", option->name);
    switch (kind) {
    case ARGUMENT_CHOICE:
        fputs("_ptxlitmus_words '", stdout);
        print_choices(option->argument);
        fputs("'; ", stdout);
        break;
    case ARGUMENT_MODEL:
        fputs("_ptxlitmus_list --list-models; _ptxlitmus_files '*.cat'; ", stdout);
        break;
    case ARGUMENT_TARGET: fputs("_ptxlitmus_list --list-targets; ", stdout); break;
    case ARGUMENT_FOLDER: fputs("_ptxlitmus_files ''; ", stdout); break;
    case ARGUMENT_FILE: fputs("_ptxlitmus_files '*'; ", stdout); break;
    case ARGUMENT_NONE:
    case ARGUMENT_OTHER: break;
    }
    puts("return ;;");
}

// What a command takes besides options.
static void print_bash_files(const struct cli_command *command) {
    if (command == &command_list) {
        puts("            _ptxlitmus_list list");
    } else if (command == &command_show) {
        puts("            _ptxlitmus_tests");
    } else if (command == &command_help) {
        puts("            _ptxlitmus_words \"$commands\"");
    } else if (!command->files) {
        printf("            _ptxlitmus_tests; _ptxlitmus_files '*.litmus' '*.test' '*.ptx'%s\n",
               command->kernels > 0 ? " '*.cu'" : "");
    } else if (*command->files) {
        printf("            _ptxlitmus_files '%s'\n", command->files);
    }
}

static void print_bash_command(const struct cli_command *command) {
    printf("    %s)\n        case $previous in\n", command->name);
    each_option(command, print_bash_argument);
    fputs("        -j) return ;;\n"
          "        esac\n"
          "        if [[ $current == -* ]]; then\n"
          "            _ptxlitmus_words '",
          stdout);
    each_option(command, print_bash_word);
    puts(command->has_run_options ? "-h -j'\n        else" : "--help -h'\n        else");
    print_bash_files(command);
    puts("            :\n        fi ;;");
}

static const char bash_functions[] =
    "# bash completion for ptxlitmus, made from the tables of commands and options.\n"
    "\n"
    "# Words that begin as the current one does.\n"
    "_ptxlitmus_words() { mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY < <(compgen -W \"$1\" -- "
    "\"$current\"); }\n"
    "\n"
    "# Names of a list that the program prints, the last one of several with commas between.\n"
    "_ptxlitmus_list() {\n"
    "    local before=${current%\"${current##*,}\"} name\n"
    "    while read -r name _; do\n"
    "        [[ $before$name != \"$current\"* ]] || COMPREPLY+=(\"$before$name\")\n"
    "    done < <(\"${COMP_WORDS[0]}\" \"$1\" 2>/dev/null)\n"
    "}\n"
    "\n"
    "# Names of included tests.\n"
    "_ptxlitmus_tests() {\n"
    "    local path\n"
    "    [[ -n $current && $current != */* ]] || return\n"
    "    for path in \"$(\"${COMP_WORDS[0]}\" --data-folder 2>/dev/null)\"/library/*/\"$current\"*"
    ".litmus; do\n"
    "        [[ ! -e $path ]] || { path=${path##*/}; COMPREPLY+=(\"${path%.litmus}\"); }\n"
    "    done\n"
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
    "command=run commands\n"
    "    COMPREPLY=()\n"
    "    if [[ $current == = ]]; then\n"
    "        current=''\n"
    "    elif [[ $previous == = ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    fi\n";

void describe_bash(void) {
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    fputs(bash_functions, stdout);
    fputs("    commands='", stdout);
    for (size_t i = 0; i < count; i++)
        printf("%s%s", i > 0 ? " " : "", commands[i]->name);
    puts("'\n"
         "    if [[ COMP_CWORD -eq 1 && $current != [-@]* ]]; then\n"
         "        _ptxlitmus_words \"$commands\"\n"
         "    elif [[ \" $commands \" == *\" ${COMP_WORDS[1]} \"* ]]; then\n"
         "        command=${COMP_WORDS[1]}\n"
         "    fi\n"
         "    if [[ $current == @* ]]; then\n"
         "        current=${current#@}\n"
         "        _ptxlitmus_files '*'\n"
         "        COMPREPLY=(\"${COMPREPLY[@]/#/@}\")\n"
         "        return\n"
         "    fi\n"
         "    case $command in");
    for (size_t i = 0; i < count; i++)
        print_bash_command(commands[i]);
    puts("    esac\n"
         "}\n"
         "complete -F _ptxlitmus ptxlitmus");
}

// --- zsh ---------------------------------------------------------------------------------------

static void print_zsh_action(const struct option_text *option) {
    switch (describe_kind(option)) {
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
        putchar(':');
        print_quoted(option->argument, ":", "'\\''");
        putchar(':');
        break;
    }
}

static void print_zsh_option(const char *letter, const struct option_text *option) {
    (void)letter;
    bool repeats = strcmp(option->name, "include") == 0 || strcmp(option->name, "report") == 0;
    printf("      '%s--%s%s[", repeats ? "*" : "", option->name, *option->argument ? "=" : "");
    print_quoted(options_help(option), "[]:\\", "'\\''");
    putchar(']');
    print_zsh_action(option);
    puts("' \\");
}

static void print_zsh_files(const struct cli_command *command) {
    if (command == &command_list) {
        puts("      '*:topic:{compadd -- ${${(f)\"$(ptxlitmus list)\"}%% *}}'");
    } else if (command == &command_show) {
        puts("      '*:test:_ptxlitmus_tests'");
    } else if (command == &command_help) {
        puts("      '1:command:{_describe command commands}'");
    } else if (!command->files) {
        puts("      '*:test:{_ptxlitmus_tests; _files -g \"*.(litmus|test|ptx)\"}'");
    } else {
        printf("      '*:file:_files%s%s%s'\n", *command->files ? " -g \"" : "", command->files,
               *command->files ? "\"" : "");
    }
}

void describe_zsh(void) {
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    puts("#compdef ptxlitmus\n"
         "# zsh completion for ptxlitmus, made from the tables of commands and options.\n"
         "_ptxlitmus_tests() {\n"
         "  local folder=\"$(ptxlitmus --data-folder 2>/dev/null)\"\n"
         "  compadd -- $folder/library/*/*.litmus(N:t:r)\n"
         "}\n"
         "_ptxlitmus() {\n"
         "  local command=run\n"
         "  local -a commands\n"
         "  commands=(");
    for (size_t i = 0; i < count; i++) {
        printf("    '%s:", commands[i]->name);
        print_quoted(commands[i]->help, ":", "'\\''");
        puts("'");
    }
    puts("  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    [[ $words[2] == -* ]] || _describe command commands\n"
         "  elif (( ${commands[(I)$words[2]:*]} )); then\n"
         "    command=$words[2]; shift words; (( CURRENT-- ))\n"
         "  fi\n"
         "  case $command in");
    for (size_t i = 0; i < count; i++) {
        printf("    (%s) _arguments -s \\\n", commands[i]->name);
        each_option(commands[i], print_zsh_option);
        puts(commands[i]->has_run_options ? "      '-h[print the help and exit]' \\\n"
                                            "      '-j+[run N tests at once]:N:' \\"
                                          : "      '-h[print the help and exit]' \\");
        print_zsh_files(commands[i]);
        puts("    ;;");
    }
    puts("  esac\n"
         "}\n"
         "_ptxlitmus \"$@\"");
}

// --- fish --------------------------------------------------------------------------------------

static void print_fish_argument(const struct option_text *option) {
    switch (describe_kind(option)) {
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
    fputs(" -d '", stdout);
    print_quoted(options_help(option), "\\", "\\'");
    puts("'");
}

// The commands that do not take an option of a run.
static void print_fish_refusers(const char *name) {
    size_t count;
    const struct cli_command *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++)
        if (!command_accepts(commands[i], name))
            printf(" %s", commands[i]->name);
}

static void print_fish_run_option(const struct option_text *option) {
    fputs("complete -c ptxlitmus -n 'not __fish_seen_subcommand_from", stdout);
    print_fish_refusers(option->name);
    printf("' -l %s", option->name);
    if (strcmp(option->name, "jobs") == 0)
        fputs(" -s j", stdout);
    if (strcmp(option->name, "help") == 0)
        fputs(" -s h", stdout);
    print_fish_argument(option);
}

static void print_fish_command(const struct cli_command *command) {
    printf("complete -c ptxlitmus -n __fish_is_first_arg -a %s -d '", command->name);
    print_quoted(command->help, "\\", "\\'");
    puts("'");
    for (size_t i = 0; i < command->own_count; i++) {
        struct option_text option = describe_own(&command->own[i]);
        printf("complete -c ptxlitmus -n '__fish_seen_subcommand_from %s' -l %s", command->name,
               option.name);
        if (command->own[i].letter)
            printf(" -s %s", command->own[i].letter + 1);
        print_fish_argument(&option);
    }
}

void describe_fish(void) {
    size_t count;
    const struct option_text *const *options = options_texts(&count);
    puts("# fish completion for ptxlitmus, made from the tables of commands and options.");
    for (size_t i = 0; i < count; i++)
        print_fish_run_option(options[i]);
    const struct cli_command *const *commands = commands_all(&count);
    for (size_t i = 0; i < count; i++)
        print_fish_command(commands[i]);
    puts("complete -c ptxlitmus -n '__fish_seen_subcommand_from list' -x -a '(ptxlitmus list | "
         "string "
         "replace -r \" .*\" \"\")'\n"
         "complete -c ptxlitmus -n 'not __fish_seen_subcommand_from list diff merge' -a '(path "
         "basename -E (ptxlitmus --data-folder)/library/*/*.litmus)'");
}
