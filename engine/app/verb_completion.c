/* verb_completion.c: vkskin completion SHELL: a script that completes verbs, options and their words, from the tables. */
#include <string.h>

#include "option_values.h"
#include "terminal.h"
#include "verbs.h"

#define ADDRESS_OF(verb) &verb,
static const Verb *const VERB_LIST[] = {VERBS(ADDRESS_OF)};

/* The words of an option, with blanks between them. */
static void printWords(const Option *option) {
    const char *const *words = optionWords(option);
    for (size_t i = 0; words && words[i]; i++) {
        printf("%s%s", i > 0 ? " " : "", words[i]);
    }
}

static bool isRepeatable(OptionKind kind) {
    return kind == OPTION_OPERAND || kind == OPTION_NAMES || kind == OPTION_CHAINS || kind == OPTION_FILES ||
           kind == OPTION_SETTING;
}

static bool isFile(OptionKind kind) {
    return kind == OPTION_INPUT || kind == OPTION_OUTPUT || kind == OPTION_REPORT || kind == OPTION_UPDATED ||
           kind == OPTION_OPERAND || kind == OPTION_FILES;
}

/* ---- bash ---- */

/* Where no word fits, `complete -o default` completes the names of files. */
static void printBash(void) {
    const Option *option;
    puts("# bash completion of vkskin, printed by 'vkskin completion bash'\n"
         "_vkskin() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words= IFS=$' \\t\\n'\n"
         "    if [ \"$word\" = = ]; then\n"
         "        word=\n"
         "    elif [ \"$before\" = = ]; then\n"
         "        before=${COMP_WORDS[COMP_CWORD - 2]}\n"
         "    fi\n"
         "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "        before=\n"
         "    fi\n"
         "    case \"${COMP_WORDS[1]} $before\" in");
    for (size_t v = 0; v < COUNT_OF(VERB_LIST); v++) {
        for (uint32_t i = 0; (option = optionsAt(VERB_LIST[v], i)); i++) {
            if (optionWords(option)) {
                printf("        '%s --%s') words='", VERB_LIST[v]->name, option->name);
                printWords(option);
                puts("' ;;");
            }
        }
    }
    fputs("        'completion completion') words='bash zsh' ;;\n"
          "        *' ' | 'help help')\n"
          "            words='",
          stdout);
    for (size_t v = 0; v < COUNT_OF(VERB_LIST); v++) {
        printf("%s ", VERB_LIST[v]->name);
    }
    puts("help'\n"
         "            [ \"$word\" = \"${word#-}\" ] || words='--help --version'\n"
         "            ;;\n"
         "        *)\n"
         "            case $word in\n"
         "                -*)\n"
         "                    case ${COMP_WORDS[1]} in");
    for (size_t v = 0; v < COUNT_OF(VERB_LIST); v++) {
        printf("                        %s) words='", VERB_LIST[v]->name);
        for (uint32_t i = 0; (option = optionsAt(VERB_LIST[v], i)); i++) {
            printf("%s--%s", i > 0 ? " " : "", option->name);
        }
        puts("' ;;");
    }
    puts("                    esac\n"
         "                    ;;\n"
         "            esac\n"
         "            ;;\n"
         "    esac\n"
         "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
         "}\n"
         "complete -o bashdefault -o default -F _vkskin vkskin");
}

/* ---- zsh ---- */

/* In single quotes; a backslash before what _arguments or _describe would read. */
static void printQuoted(const char *text, const char *special) {
    for (; *text; text++) {
        if (*text == '\'') {
            fputs("'\\''", stdout);
        } else {
            printf("%s%c", strchr(special, *text) ? "\\" : "", *text);
        }
    }
}

/* A line of _arguments: '*--name=[help]:VALUE:(words)'. */
static void printZshOption(const Option *option) {
    const char *value = option->kind == OPTION_FLAG ? "" : "=";
    if (option->letter) {
        printf("            {-%c%s,--%s%s}'[", option->letter, value[0] ? "+" : "", option->name, value);
    } else {
        printf("            '%s--%s%s[", isRepeatable(option->kind) ? "*" : "", option->name, value);
    }
    printQuoted(option->help, "[]:\\");
    putchar(']');
    if (value[0]) {
        putchar(':');
        printQuoted(option->valueName, ":\\");
        fputs(isFile(option->kind) ? ":_files" : ":(", stdout);
        if (!isFile(option->kind)) {
            printWords(option);
            putchar(')');
        }
    }
    puts("' \\");
}

static void printZsh(void) {
    const Option *option;
    puts("#compdef vkskin\n"
         "# zsh completion of vkskin, printed by 'vkskin completion zsh'\n"
         "_vkskin() {\n"
         "    local -a verbs=(");
    for (size_t v = 0; v < COUNT_OF(VERB_LIST); v++) {
        printf("        '%s:", VERB_LIST[v]->name);
        printQuoted(VERB_LIST[v]->summary, "\\");
        puts("'");
    }
    puts("        'help:prints the options of a verb'\n"
         "    )\n"
         "    if (( CURRENT == 2 )); then\n"
         "        _describe verb verbs\n"
         "        return\n"
         "    fi\n"
         "    local verb=$words[2]\n"
         "    shift words\n"
         "    (( CURRENT-- ))\n"
         "    case $verb in");
    for (size_t v = 0; v < COUNT_OF(VERB_LIST); v++) {
        printf("        %s) _arguments -s \\\n", VERB_LIST[v]->name);
        for (uint32_t i = 0; (option = optionsAt(VERB_LIST[v], i)); i++) {
            printZshOption(option);
        }
        puts(strcmp(VERB_LIST[v]->name, "completion") == 0 ? "            '1:shell:(bash zsh)' ;;"
             : VERB_LIST[v]->operandsMax > 0               ? "            '*:MODEL:_files' ;;"
                                                           : "            && return ;;");
    }
    puts("        help) _describe verb verbs ;;\n"
         "    esac\n"
         "}\n"
         "_vkskin \"$@\"");
}

static int runCompletion(const Arguments *arguments) {
    const char *shell = arguments->operands[0];
    if (strcmp(shell, "bash") != 0 && strcmp(shell, "zsh") != 0) {
        sayFailure(verbCompletion.name, "SHELL is bash or zsh, not '%.100s'", shell);
        return EXIT_USAGE;
    }
    if (strcmp(shell, "bash") == 0) {
        printBash();
    } else {
        printZsh();
    }
    return EXIT_GOOD;
}

const Verb verbCompletion = {
    .name = "completion",
    .summary = "prints a script for a shell that completes verbs and options",
    .usage = "bash|zsh",
    .details = "In bash: source <(vkskin completion bash). In zsh: source <(vkskin completion zsh), after compinit.\n"
               "'cmake --install' puts both scripts where the shells look for them.\n",
    .operandName = "SHELL",
    .operandsMin = 1,
    .operandsMax = 1,
    .run = runCompletion,
    .operandHelp = "bash or zsh",
    .examples = {"bash > ~/.local/share/bash-completion/completions/vkskin"},
};
