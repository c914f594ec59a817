#include "AllocationCounter.h"

#include <stddef.h>

static _Thread_local uint64_t count;

uint64_t allocations_of_this_thread(void) { return count; }

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
