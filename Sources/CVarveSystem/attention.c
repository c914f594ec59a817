#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_attention.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include "earlier_action.h"
#include "varve_slot.h"

// By signal, since ours may stay below a handler of somebody's while a later recording watches
// another signal.
static struct sigaction before[NSIG];
static bool installed[NSIG];     // `before` holds what was there
static uint32_t listened[NSIG];  // whether the signal calls for attention
static uint32_t has_come = 0;

static void handle(int signal, siginfo_t *told, void *context) {
  int error = errno;
  if (__atomic_load_n(&listened[signal], __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&has_come, 1, __ATOMIC_RELEASE);
    vv_bell_ring_from_handler(&vv_drain_bell);
  }
  action_call(&before[signal], signal, told, context);
  errno = error;
}

static bool is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

static bool is_listening(void) {
  for (int signal = 1; signal < NSIG; signal++)
    if (__atomic_load_n(&listened[signal], __ATOMIC_RELAXED)) return true;
  return false;
}

bool vv_attention_watch(int signal) {
  // What came to an earlier recording; not what one of this one's other signals has just said.
  if (!is_listening()) __atomic_store_n(&has_come, 0, __ATOMIC_RELAXED);
  struct sigaction now;
  if (signal <= 0 || signal >= NSIG || sigaction(signal, NULL, &now) != 0) return false;
  // Somebody may have installed a handler above ours, which passes the signal on.
  if (!installed[signal] && !is_ours(&now)) {
    before[signal] = now;
    struct sigaction action = {0};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, NULL) != 0) return false;
    installed[signal] = true;
  }
  __atomic_store_n(&listened[signal], 1, __ATOMIC_RELEASE);
  return true;
}

static void leave(int signal) {
  struct sigaction now;
  if (!installed[signal] || sigaction(signal, NULL, &now) != 0 || !is_ours(&now)) return;
  sigaction(signal, &before[signal], NULL);
  installed[signal] = false;
}

void vv_attention_unwatch(void) {
  for (int signal = 1; signal < NSIG; signal++)
    if (__atomic_exchange_n(&listened[signal], 0, __ATOMIC_ACQ_REL)) leave(signal);
}

bool vv_attention_take(void) {
  return __atomic_exchange_n(&has_come, 0, __ATOMIC_ACQ_REL) != 0;
}
