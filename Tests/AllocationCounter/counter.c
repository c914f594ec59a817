#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "AllocationCounter.h"

#include <dlfcn.h>
#include <stddef.h>

static _Thread_local uint64_t count;

uint64_t allocations_of_this_thread(void) { return count; }

// MARK: References

static _Thread_local uint64_t retains;

uint64_t retains_of_this_thread(void) { return retains; }

// In front of the Swift runtime's own, for all but the runtime itself.
void *swift_retain(void *object) {
  static void *(*own)(void *);
  retains++;
  if (!own) own = dlsym(RTLD_NEXT, "swift_retain");
  return own(object);
}

void *swift_bridgeObjectRetain(void *object) {
  static void *(*own)(void *);
  retains++;
  if (!own) own = dlsym(RTLD_NEXT, "swift_bridgeObjectRetain");
  return own(object);
}

// MARK: The heap

// ThreadSanitizer has a heap of its own, and does not start behind another.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HAS_OWN_HEAP 1
#endif
#endif

#if defined(__GLIBC__) && !defined(HAS_OWN_HEAP)
// The C library's functions under the names that it keeps for those who stand in front of them.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  count++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count++;
  return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
  count++;
  return __libc_realloc(old, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count++;
  *result = __libc_memalign(alignment, size);
  return *result ? 0 : 12;
}

void *aligned_alloc(size_t alignment, size_t size) {
  count++;
  return __libc_memalign(alignment, size);
}
#endif
