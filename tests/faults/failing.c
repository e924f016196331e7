// A library to preload, with which one call of a kind fails: an allocation, or a read or seek in a
// file or folder. Calls are counted from main on, over all processes together.
//
// FAULTS_STATE names a file of struct faults_state, which says which calls fail and counts them.
#include "tests/faults/failing.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { PIECE = 7 }; // bytes that a pread gives at most

// glibc's own names of what is replaced here.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct faults_state *state;                 // NULL until main
static struct { uintptr_t begin, end; } solver[8]; // where Z3 and the library of C++ lie
static size_t solver_count;

static int find_solver(struct dl_phdr_info *info, size_t size, void *context) {
    (void)size;
    (void)context;
    if (!strstr(info->dlpi_name, "libz3") && !strstr(info->dlpi_name, "libstdc++"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type == PT_LOAD && (segment->p_flags & PF_X) &&
            solver_count < sizeof solver / sizeof solver[0]) {
            solver[solver_count].begin = info->dlpi_addr + segment->p_vaddr;
            solver[solver_count].end = solver[solver_count].begin + segment->p_memsz;
            solver_count++;
        }
    }
    return 0;
}

static enum faults_kind kind_of(const void *caller) {
    for (size_t i = 0; i < solver_count; i++)
        if ((uintptr_t)caller >= solver[i].begin && (uintptr_t)caller < solver[i].end)
            return FAULTS_SOLVER_ALLOCATION;
    return FAULTS_ALLOCATION;
}

// Counts a call, and says whether it is to fail.
static bool fails(enum faults_kind kind) {
    if (!state)
        return false;
    unsigned long number = atomic_fetch_add(&state->counts[kind], 1) + 1;
    return kind == state->kind && number >= state->first && number <= state->last;
}

static bool allocation_fails(const void *caller) {
    if (!fails(kind_of(caller)))
        return false;
    errno = ENOMEM;
    return true;
}

// --- What is replaced --------------------------------------------------------------------------

void *malloc(size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

void *reallocarray(void *memory, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) ||
        allocation_fails(__builtin_return_address(0))) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_realloc(memory, bytes);
}

void *memalign(size_t alignment, size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return allocation_fails(__builtin_return_address(0)) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (allocation_fails(__builtin_return_address(0)))
        return ENOMEM;
    *memory = __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

ssize_t pread(int file, void *buffer, size_t size, off_t at) {
    if (fails(FAULTS_PREAD)) {
        errno = EIO;
        return -1;
    }
    // What is read may come in pieces (POSIX); here it always does.
    return syscall(SYS_pread64, file, buffer, size < PIECE ? size : PIECE, at);
}

off_t lseek(int file, off_t offset, int whence) {
    if (fails(FAULTS_LSEEK)) {
        errno = EIO;
        return -1;
    }
    return syscall(SYS_lseek, file, offset, whence);
}

struct dirent *readdir(DIR *folder) {
    static struct dirent *(*real)(DIR *);
    if (fails(FAULTS_READDIR)) {
        errno = EIO;
        return NULL;
    }
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "readdir"); // as POSIX spells it
    return real(folder);
}

// The program loads Z3 when it first needs it.
void *dlopen(const char *name, int flags) {
    static void *(*real)(const char *, int);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "dlopen");
    void *library = real(name, flags);
    solver_count = 0;
    dl_iterate_phdr(find_solver, NULL);
    return library;
}

// --- The beginning -----------------------------------------------------------------------------

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment) {
    const char *path = getenv("FAULTS_STATE");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    dl_iterate_phdr(find_solver, NULL);
    if (file >= 0) {
        void *memory = mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        state = memory == MAP_FAILED ? NULL : memory;
    }
    return real_main(argc, argv, environment);
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv,
                      void (*init)(void), void (*fini)(void), void (*rtld_fini)(void),
                      void *stack_end) {
    __typeof__(&__libc_start_main) start;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return start(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}
