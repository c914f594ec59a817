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
static bool installed[NSIG];  // `before` holds what was there
static int listened = 0;      // the signal that calls for attention; 0 while none does
static uint32_t has_come = 0;

static void handle(int signal, siginfo_t *told, void *context) {
  int error = errno;
  if (__atomic_load_n(&listened, __ATOMIC_ACQUIRE) == signal) {
    __atomic_store_n(&has_come, 1, __ATOMIC_RELEASE);
    vv_bell_ring_from_handler(&vv_drain_bell);
  }
  action_call(&before[signal], signal, told, context);
  errno = error;
}

static bool is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

bool vv_attention_watch(int signal) {
  __atomic_store_n(&has_come, 0, __ATOMIC_RELAXED);
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
  __atomic_store_n(&listened, signal, __ATOMIC_RELEASE);
  return true;
}

void vv_attention_unwatch(void) {
  int signal = __atomic_exchange_n(&listened, 0, __ATOMIC_ACQ_REL);
  struct sigaction now;
  if (!installed[signal] || sigaction(signal, NULL, &now) != 0 || !is_ours(&now)) return;
  sigaction(signal, &before[signal], NULL);
  installed[signal] = false;
}

bool vv_attention_take(void) {
  return __atomic_exchange_n(&has_come, 0, __ATOMIC_ACQ_REL) != 0;
}
