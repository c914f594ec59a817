#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_attention.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include "varve_slot.h"

static int watched = 0;  // the signal whose earlier handler `before` holds; 0 for none
static struct sigaction before;
static uint32_t is_listening = 0;
static uint32_t has_come = 0;

static void handle(int signal, siginfo_t *told, void *context) {
  int error = errno;
  if (__atomic_load_n(&is_listening, __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&has_come, 1, __ATOMIC_RELEASE);
    vv_bell_ring_from_handler(&vv_drain_bell);
  }
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, told, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(signal);
  errno = error;
}

static bool is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

bool vv_attention_watch(int signal) {
  __atomic_store_n(&has_come, 0, __ATOMIC_RELAXED);
  struct sigaction now;
  if (sigaction(signal, NULL, &now) != 0) return false;
  // Somebody may have installed a handler above ours, which passes the signal on.
  if (watched != signal && !is_ours(&now)) {
    before = now;
    struct sigaction action = {0};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, NULL) != 0) return false;
    watched = signal;
  }
  __atomic_store_n(&is_listening, 1, __ATOMIC_RELEASE);
  return true;
}

void vv_attention_unwatch(void) {
  __atomic_store_n(&is_listening, 0, __ATOMIC_RELEASE);
  struct sigaction now;
  if (!watched || sigaction(watched, NULL, &now) != 0 || !is_ours(&now)) return;
  sigaction(watched, &before, NULL);
  watched = 0;
}

bool vv_attention_take(void) {
  return __atomic_exchange_n(&has_come, 0, __ATOMIC_ACQ_REL) != 0;
}
