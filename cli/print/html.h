// Texts in HTML.
#ifndef PTXLITMUS_CLI_PRINT_HTML_H
#define PTXLITMUS_CLI_PRINT_HTML_H

#include <stdio.h>

// Prints a text so that none of it is taken for HTML.
void html_print(FILE *out, const char *text);

#endif
