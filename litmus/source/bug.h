// Broken invariants of our own.
#ifndef PTXLITMUS_LITMUS_SOURCE_BUG_H
#define PTXLITMUS_LITMUS_SOURCE_BUG_H

// A broken invariant of our own: says where and aborts. Never for bad input.
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Sets what is called on this thread instead, with the place and the text (NULL: nothing, which is
// so at first), and returns what was called before. The handler does not return.
typedef void (*bug_handler)(const char *text);
bug_handler bug_calls(bug_handler handler);

#endif
