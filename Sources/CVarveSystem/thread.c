#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_thread.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/auxv.h>
#include <sys/syscall.h>
#endif

_Thread_local vv_thread vv_this_thread;

static bool this_is_the_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return vv_thread_system_id() == (uint64_t)getpid();
#endif
}

typedef struct bounds {
  uintptr_t low, high;
} bounds;

#if defined(__APPLE__)
static bool ask_library(bounds *stack) {
  stack->high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
  stack->low = stack->high - pthread_get_stacksize_np(pthread_self());
  return true;
}

static bool ask_kernel(bounds *stack) {
  (void)stack;
  return false;
}
#else
static bool ask_library(bounds *stack) {
#if !defined(__GLIBC__)
  // musl reports only the currently mapped part of the main thread's stack, which grows.
  if (this_is_the_main_thread()) return false;
#endif
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  // Fails if /proc is not mounted, or if a sandbox forbids the system calls.
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  pthread_attr_getstack(&attributes, &base, &size);
  pthread_attr_destroy(&attributes);
  *stack = (bounds){(uintptr_t)base, (uintptr_t)base + size};
  return base && size;
}

#if defined(__linux__)
// Recognizes the main thread's stack. Its frames lie below the data that the kernel has put there,
// and the kernel keeps at least the size of `gap` free below for the stack to grow.
static bool is_on_first_stack(uintptr_t here, bounds *stack) {
  const uintptr_t gap = 128 << 20;
  uintptr_t high = (uintptr_t)getauxval(AT_RANDOM) & ~(uintptr_t)15;
  if (high < gap || here < high - gap || here >= high) return false;
  *stack = (bounds){high - gap, high};
  return true;
}

// For other threads, finds the mapping that contains this frame. A guard page separates it from the
// stacks of other threads.
static bool ask_kernel(bounds *stack) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  if (is_on_first_stack(here, stack)) return true;
  FILE *maps = fopen("/proc/self/maps", "re");
  if (!maps) return false;
  unsigned long low, high;
  bool is_found = false;
  char line[512];
  bool is_new = true;
  while (!is_found && fgets(line, sizeof line, maps)) {
    if (is_new && sscanf(line, "%lx-%lx", &low, &high) == 2) is_found = here >= low && here < high;
    is_new = strchr(line, '\n') != NULL;
  }
  fclose(maps);
  if (is_found) *stack = (bounds){low, high};
  return is_found;
}
#else
static bool ask_kernel(bounds *stack) {
  (void)stack;
  return false;
}
#endif
#endif

void vv_thread_find_stack(vv_thread *thread) {
  bounds stack = {VV_NO_STACK, VV_NO_STACK};
  if (!ask_library(&stack) && !ask_kernel(&stack)) stack = (bounds){VV_NO_STACK, VV_NO_STACK};
  thread->stack_low = stack.low;
  thread->stack_high = stack.high;
}

bool vv_thread_is_main(void) {
  vv_thread *thread = vv_thread_current();
  if (thread->main_thread == vv_main_thread_unasked)
    thread->main_thread = this_is_the_main_thread() ? vv_main_thread_yes : vv_main_thread_no;
  return thread->main_thread == vv_main_thread_yes;
}

void vv_hop_reserve(vv_thread *thread) {
  static uint64_t next = 1;
  const uint64_t range = 64;
  thread->hops.next = __atomic_fetch_add(&next, range, __ATOMIC_RELAXED);
  thread->hops.end = thread->hops.next + range;
}

uint64_t vv_subscription_number_slowly(void) {
  static uint64_t next = 1;
  // At most one new range every few hundred microseconds.
  const uint64_t range = 4096;
  uint64_t first = __atomic_fetch_add(&next, range, __ATOMIC_RELAXED);
  vv_this_thread.subscriptions = (vv_numbers){first + 1, first + range};
  return first;
}

uint32_t vv_stream_number(void) {
  static uint32_t next = 1;
  uint32_t number;
  do number = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
  while (number == 0);
  return number;
}

// MARK: The end of a thread

static void (*leavers[8])(vv_thread *);
static uint32_t leaver_count = 0;
static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static uint32_t has_end_key = 0;

void vv_thread_at_end(void (*leave)(vv_thread *thread)) {
  if (leaver_count < sizeof leavers / sizeof *leavers) leavers[leaver_count++] = leave;
}

static void thread_ends(void *thread) {
  for (uint32_t index = 0; index < leaver_count; index++) leavers[index](thread);
}

static void make_end_key(void) {
  bool is_made = pthread_key_create(&end_key, thread_ends) == 0;
  __atomic_store_n(&has_end_key, is_made, __ATOMIC_RELEASE);
}

void vv_thread_watch_end(void) {
  pthread_once(&end_key_once, make_end_key);
  if (has_end_key) pthread_setspecific(end_key, vv_thread_current());
}

// Reading a thread-specific value allocates nothing in any known thread library.
vv_thread *vv_thread_if_known(void) {
  return __atomic_load_n(&has_end_key, __ATOMIC_ACQUIRE) ? pthread_getspecific(end_key) : NULL;
}

// MARK: The system's view

uint64_t vv_thread_system_id(void) {
#if defined(__APPLE__)
  uint64_t id = 0;
  pthread_threadid_np(NULL, &id);
  return id;
#elif defined(__linux__)
  return (uint64_t)syscall(SYS_gettid);
#else
  return (uint64_t)(uintptr_t)pthread_self();
#endif
}

void vv_thread_name(char *name, size_t size) {
  // The system fails if the buffer is too small for its longest name.
  char whole[64] = "";
  pthread_getname_np(pthread_self(), whole, sizeof whole);
  size_t length = strnlen(whole, sizeof whole - 1);
  if (length > size - 1) length = size - 1;
  memset(name, 0, size);
  memcpy(name, whole, length);
}

void vv_thread_set_name(const char *name) {
#if defined(__APPLE__)
  pthread_setname_np(name);
#else
  pthread_setname_np(pthread_self(), name);
#endif
}

uint64_t vv_thread_cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}
