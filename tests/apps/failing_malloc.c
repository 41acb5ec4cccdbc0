/* Loaded before the program (LD_PRELOAD): lets its allocations fail, from main() on.
 *
 *   FAIL_AT=n       the n-th one
 *   FAIL_EVER=1     and all that follow
 *   FAIL_COUNT=1    says on standard error how many there were
 *
 * A large block that is given back is there again: as many bytes are had after it without fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

enum { large = 1 << 16 };
static long count, fail_at, spare;
static int fail_ever, tells, in_main;

static int fails(size_t size) {
  if (!in_main) return 0;
  const long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  if (__atomic_load_n(&spare, __ATOMIC_RELAXED) > 0) {
    __atomic_sub_fetch(&spare, (long)size, __ATOMIC_RELAXED);
    return 0;
  }
  const int now = fail_at > 0 && (fail_ever ? n >= fail_at : n == fail_at);
  if (now) errno = ENOMEM;
  return now;
}

void* malloc(size_t size) { return fails(size) ? NULL : __libc_malloc(size); }
void* calloc(size_t n, size_t size) { return fails(n * size) ? NULL : __libc_calloc(n, size); }
void* realloc(void* p, size_t size) { return fails(size) ? NULL : __libc_realloc(p, size); }
void* aligned_alloc(size_t a, size_t size) { return fails(size) ? NULL : __libc_memalign(a, size); }
int posix_memalign(void** p, size_t a, size_t size) {
  if (fails(size)) return ENOMEM;
  *p = __libc_memalign(a, size);
  return *p ? 0 : ENOMEM;
}

void free(void* p) {
  const size_t size = p ? malloc_usable_size(p) : 0;
  if (in_main && size >= large) __atomic_add_fetch(&spare, (long)size, __ATOMIC_RELAXED);
  __libc_free(p);
}

typedef int (*Main)(int, char**, char**);
static Main program;

static int begin(int argc, char** argv, char** environment) {
  const char* at = getenv("FAIL_AT");
  fail_at = at ? atol(at) : 0;
  fail_ever = getenv("FAIL_EVER") != NULL;
  tells = getenv("FAIL_COUNT") != NULL;
  in_main = 1;
  const int code = program(argc, argv, environment);
  in_main = 0; /* what libraries do at exit is theirs */
  if (tells) dprintf(STDERR_FILENO, "[allocations %ld]\n", count);
  return code;
}

int __libc_start_main(Main main, int argc, char** argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void* stack_end) {
  typedef int (*Start)(Main, int, char**, void (*)(void), void (*)(void), void (*)(void), void*);
  const Start start = (Start)dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return start(begin, argc, argv, init, fini, loader_fini, stack_end);
}
