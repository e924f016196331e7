// Broken invariants: mistakes of the program, never of its input.
#ifndef PTXLITMUS_LITMUS_SOURCE_BUG_H
#define PTXLITMUS_LITMUS_SOURCE_BUG_H

// Reports a broken invariant with its place, and aborts or calls the thread's handler. The
// arguments are those of printf.
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

// As bug, for a place in `file`.
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// What is called with the place and the text of a bug, which are the caller's. It must not return.
typedef void (*bug_handler)(const char *text);

// Sets the handler of this thread and returns the one before. With NULL, as at first, the text is
// printed and the process aborts.
bug_handler bug_calls(bug_handler handler);

#endif
