#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

_Thread_local vv_thread vv_this_thread;

void vv_thread_find_stack(vv_thread *thread) {
#if defined(__APPLE__)
  uintptr_t high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
  thread->stack_low = high - pthread_get_stacksize_np(pthread_self());
  thread->stack_high = high;
#else
  pthread_attr_t attributes;
  void *base = NULL;
  size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    pthread_attr_getstack(&attributes, &base, &size);
    pthread_attr_destroy(&attributes);
  }
  thread->stack_low = (uintptr_t)base;
  thread->stack_high = (uintptr_t)base + size;
#endif
}

static bool this_is_the_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#else
  return vv_thread_system_id() == (uint64_t)getpid();
#endif
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
  thread->hop_next = __atomic_fetch_add(&next, range, __ATOMIC_RELAXED);
  thread->hop_end = thread->hop_next + range;
}

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

#if defined(__linux__)
vv_whereabouts vv_thread_find_stack_pointer(uint64_t id, uintptr_t *stack_pointer) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%llu/syscall", (unsigned long long)id);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno == ENOENT ? vv_whereabouts_gone : vv_whereabouts_unknown;
  ssize_t count = read(file, text, sizeof text - 1);
  int error = errno;
  close(file);
  if (count < 0) return error == ESRCH ? vv_whereabouts_gone : vv_whereabouts_unknown;
  text[count] = 0;
  // "running", or what it asked of the system, then the stack pointer and the program counter.
  char *last = strrchr(text, ' ');
  if (!last) return vv_whereabouts_unknown;
  *last = 0;
  char *at = strrchr(text, ' ');
  *stack_pointer = at ? (uintptr_t)strtoull(at, NULL, 16) : 0;
  return *stack_pointer ? vv_whereabouts_known : vv_whereabouts_unknown;
}
#else
vv_whereabouts vv_thread_find_stack_pointer(uint64_t id, uintptr_t *stack_pointer) {
  (void)id, (void)stack_pointer;
  return vv_whereabouts_unknown;
}
#endif

void vv_thread_name(char *name, size_t size) {
  // The system refuses when its longest name would not fit.
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
