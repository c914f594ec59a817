#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_drain.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>
#if defined(__linux__)
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif
#include "varve_thread.h"

// MARK: Bells

#if defined(__linux__)

void vv_bell_make(vv_bell *bell) { __atomic_store_n(&bell->pending, 0, __ATOMIC_RELAXED); }

void vv_bell_destroy(vv_bell *bell) { (void)bell; }

void vv_bell_ring(vv_bell *bell) {
  if (__atomic_exchange_n(&bell->pending, 1, __ATOMIC_ACQ_REL)) return;
  syscall(SYS_futex, &bell->pending, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

// Only makes a system call, which is allowed in a signal handler.
void vv_bell_ring_from_handler(vv_bell *bell) {
  int error = errno;
  vv_bell_ring(bell);
  errno = error;
}

bool vv_bell_wait(vv_bell *bell, uint64_t nanoseconds) {
  if (!__atomic_load_n(&bell->pending, __ATOMIC_ACQUIRE)) {
    // Uses the monotonic clock, so setting the wall clock does not prolong a wait. Spurious wakeups
    // are allowed: callers check their own condition again.
    struct timespec time = {.tv_sec = (time_t)(nanoseconds / 1000000000ull),
                            .tv_nsec = (long)(nanoseconds % 1000000000ull)};
    syscall(SYS_futex, &bell->pending, FUTEX_WAIT_PRIVATE, 0,
            nanoseconds == VV_FOREVER ? NULL : &time, NULL, 0);
  }
  return __atomic_exchange_n(&bell->pending, 0, __ATOMIC_ACQ_REL);
}

#else

void vv_bell_make(vv_bell *bell) {
  pthread_mutex_init(&bell->mutex, NULL);
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
#if !defined(__APPLE__)
  // Setting the wall clock must not prolong a wait.
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
#endif
  pthread_cond_init(&bell->struck, &attributes);
  pthread_condattr_destroy(&attributes);
  __atomic_store_n(&bell->pending, 0, __ATOMIC_RELAXED);
}

void vv_bell_destroy(vv_bell *bell) {
  pthread_cond_destroy(&bell->struck);
  pthread_mutex_destroy(&bell->mutex);
}

void vv_bell_ring(vv_bell *bell) {
  if (__atomic_exchange_n(&bell->pending, 1, __ATOMIC_ACQ_REL)) return;
  // The mutex prevents a wakeup between the waiter's check and its sleep, which would be lost.
  pthread_mutex_lock(&bell->mutex);
  pthread_cond_broadcast(&bell->struck);
  pthread_mutex_unlock(&bell->mutex);
}

void vv_bell_ring_from_handler(vv_bell *bell) { (void)bell; }

static int sleep_until_struck(vv_bell *bell, uint64_t nanoseconds) {
  if (nanoseconds == VV_FOREVER) return pthread_cond_wait(&bell->struck, &bell->mutex);
  struct timespec time;
#if defined(__APPLE__)
  time.tv_sec = (time_t)(nanoseconds / 1000000000ull);
  time.tv_nsec = (long)(nanoseconds % 1000000000ull);
  return pthread_cond_timedwait_relative_np(&bell->struck, &bell->mutex, &time);
#else
  clock_gettime(CLOCK_MONOTONIC, &time);
  nanoseconds += (uint64_t)time.tv_nsec;
  time.tv_sec += (time_t)(nanoseconds / 1000000000ull);
  time.tv_nsec = (long)(nanoseconds % 1000000000ull);
  return pthread_cond_timedwait(&bell->struck, &bell->mutex, &time);
#endif
}

bool vv_bell_wait(vv_bell *bell, uint64_t nanoseconds) {
  if (!__atomic_load_n(&bell->pending, __ATOMIC_ACQUIRE)) {
    pthread_mutex_lock(&bell->mutex);
    // Spurious wakeups are allowed: callers check their own condition again.
    if (!__atomic_load_n(&bell->pending, __ATOMIC_ACQUIRE)) sleep_until_struck(bell, nanoseconds);
    pthread_mutex_unlock(&bell->mutex);
  }
  return __atomic_exchange_n(&bell->pending, 0, __ATOMIC_ACQ_REL);
}

#endif

// MARK: The drain thread

vv_bell vv_drain_bell;
uint32_t vv_drain_is_failing = 0;

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool works;
  uint32_t is_held;
} drain = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};

// Runs before the constructor that may start recording.
__attribute__((constructor(101))) static void hang_the_bell(void) { vv_bell_make(&vv_drain_bell); }

void vv_drain_set_failing(bool failing) {
  __atomic_store_n(&vv_drain_is_failing, failing, __ATOMIC_SEQ_CST);
}

void vv_drain_begin(void) {
  vv_thread_current()->drains = 1;
  pthread_mutex_lock(&drain.mutex);
  while (drain.is_held) pthread_cond_wait(&drain.changed, &drain.mutex);
  drain.works = true;
  pthread_mutex_unlock(&drain.mutex);
}

void vv_drain_end(void) {
  pthread_mutex_lock(&drain.mutex);
  drain.works = false;
  pthread_cond_broadcast(&drain.changed);
  pthread_mutex_unlock(&drain.mutex);
}

// The idle period begins and ends here rather than in the Swift caller, which may need the
// runtime's locks to return.
void vv_drain_listen(uint64_t nanoseconds) {
  vv_drain_end();
  vv_bell_wait(&vv_drain_bell, nanoseconds);
  vv_drain_begin();
}

void vv_drain_pause(void) {
  if (!__atomic_load_n(&drain.is_held, __ATOMIC_RELAXED)) return;
  vv_drain_end();
  vv_drain_begin();
}

void vv_drain_rest(void) {
  if (vv_thread_current()->drains) vv_drain_end();
}

void vv_drain_work(void) {
  int error = errno;
  if (vv_thread_current()->drains) vv_drain_begin();
  errno = error;
}

void vv_drain_hold(void) {
  pthread_mutex_lock(&drain.mutex);
  __atomic_store_n(&drain.is_held, 1, __ATOMIC_RELAXED);
  while (drain.works) pthread_cond_wait(&drain.changed, &drain.mutex);
}

void vv_drain_let_go(void) {
  __atomic_store_n(&drain.is_held, 0, __ATOMIC_RELAXED);
  pthread_cond_broadcast(&drain.changed);
  pthread_mutex_unlock(&drain.mutex);
}

void vv_drain_forget(void) {
  pthread_mutex_init(&drain.mutex, NULL);
  pthread_cond_init(&drain.changed, NULL);
  drain.works = false;
  drain.is_held = 0;
  vv_bell_make(&vv_drain_bell);
  __atomic_store_n(&vv_drain_is_failing, 0, __ATOMIC_RELAXED);
}
