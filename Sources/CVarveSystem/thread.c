#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_thread.h"

#include <pthread.h>
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

uint64_t vv_thread_cpu_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (uint64_t)now.tv_sec * 1000000000ull + (uint64_t)now.tv_nsec;
}
