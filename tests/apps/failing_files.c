/* Loaded before the program (LD_PRELOAD): lets calls that change files fail.
 *
 *   FAIL_FILE_AT=n     the n-th one of write, fdatasync, ftruncate, rename, close
 *   FAIL_FILE_EVER=1   and all that follow
 *   FAIL_FILE_COUNT=1  says on standard error how many there were
 *
 * Only regular files count: standard streams and pipes work as ever.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static long count, fail_at;
static int fail_ever, tells;

static int fails(void) {
  const long n = __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED);
  return fail_at > 0 && (fail_ever ? n >= fail_at : n == fail_at);
}

static int writes_a_file(int descriptor) {
  struct stat info;
  return descriptor > 2 && fstat(descriptor, &info) == 0 && S_ISREG(info.st_mode) &&
         (fcntl(descriptor, F_GETFL) & O_ACCMODE) != O_RDONLY;
}

#define NEXT(name) __typeof__(&name) next = (__typeof__(&name))dlsym(RTLD_NEXT, #name)
#define FAIL(number) return errno = (number), -1

ssize_t write(int descriptor, const void* bytes, size_t size) {
  NEXT(write);
  if (writes_a_file(descriptor) && fails()) FAIL(ENOSPC);
  return next(descriptor, bytes, size);
}
int fdatasync(int descriptor) {
  NEXT(fdatasync);
  if (writes_a_file(descriptor) && fails()) FAIL(EIO);
  return next(descriptor);
}
int ftruncate(int descriptor, off_t size) {
  NEXT(ftruncate);
  if (writes_a_file(descriptor) && fails()) FAIL(EIO);
  return next(descriptor, size);
}
int rename(const char* from, const char* to) {
  NEXT(rename);
  if (fails()) FAIL(EACCES);
  return next(from, to);
}
int close(int descriptor) {
  NEXT(close);
  const int failed = writes_a_file(descriptor) && fails();
  const int code = next(descriptor);  // it is closed all the same, as the kernel does
  if (failed) FAIL(EIO);
  return code;
}

__attribute__((constructor)) static void begin(void) {
  const char* at = getenv("FAIL_FILE_AT");
  fail_at = at ? atol(at) : 0;
  fail_ever = getenv("FAIL_FILE_EVER") != NULL;
  tells = getenv("FAIL_FILE_COUNT") != NULL;
}
__attribute__((destructor)) static void end(void) {
  if (tells) fprintf(stderr, "[file calls %ld]\n", count);
}
