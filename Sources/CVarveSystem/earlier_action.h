#pragma once
// What a handler of the recorder's found in its place.
#include <signal.h>
#include <stdbool.h>

// Whether an action is a function and not the system's. Looked at first: a program may ask for the
// system's own action, which is no address, with SA_SIGINFO.
static inline bool action_is_function(const struct sigaction *action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

// Lets an earlier action's function have the signal; false when it is none.
static inline bool action_call(const struct sigaction *earlier, int signal, siginfo_t *told,
                               void *context) {
  if (!action_is_function(earlier)) return false;
  if (earlier->sa_flags & SA_SIGINFO)
    earlier->sa_sigaction(signal, told, context);
  else
    earlier->sa_handler(signal);
  return true;
}
