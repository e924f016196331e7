// Writes what HTML would take for its own as names of characters.
#include "cli/print/html.h"

void html_print(FILE *out, const char *text) {
    for (; *text; text++) {
        fputs(*text == '<'   ? "&lt;"
              : *text == '>' ? "&gt;"
              : *text == '&' ? "&amp;"
              : *text == '"' ? "&quot;"
                             : (char[]){*text, '\0'},
              out);
    }
}
