#include "varve_drain.h"

#include <errno.h>
#include <pthread.h>
#include "varve_thread.h"

vv_bell vv_drain_bell;
uint32_t vv_drain_is_failing = 0;

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  bool works;
  uint32_t is_held;
} drain = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false, 0};

// Before the constructor that may start recording.
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

// Rest begins and ends here, not in Swift code around it: that may need the runtime's locks to
// return.
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
