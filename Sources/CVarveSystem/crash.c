#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_crash.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include "crash_mark.h"
#include "earlier_action.h"
#include "varve_pool.h"

static const int watched[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
enum { watched_count = sizeof watched / sizeof *watched };

static struct sigaction before[watched_count];
static bool installed[watched_count];  // `before` holds what was there
static uint32_t is_watching = 0;

// Whether the instruction that was struck strikes again when the handler returns, and `si_addr` is
// told. Other signals of the system's come once: a key at the terminal, a breakpoint, a forbidden
// call, memory that was found broken in the background.
static bool is_fault(int signal, const siginfo_t *told) {
  int code = told->si_code;
  if (code <= 0 || code == SI_USER || code == SI_QUEUE) return false;
#if defined(BUS_MCEERR_AO)
  if (signal == SIGBUS && code == BUS_MCEERR_AO) return false;
#endif
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
}

static void handle(int signal, siginfo_t *told, void *context);

static bool is_ours(const struct sigaction *action) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == handle;
}

// Lets the earlier handler have the signal. Returns whether the program goes on as if nothing had
// been: the handler came back, and ours would be called once more.
static bool give_way(int index, siginfo_t *told, void *context) {
  int signal = watched[index];
  const struct sigaction *earlier = &before[index];
  if (!action_call(earlier, signal, told, context)) {
    sigaction(signal, earlier, NULL);
    // A fault strikes again when its instruction is tried again; all else must be sent again.
    if (!is_fault(signal, told)) raise(signal);
    return false;
  }
  struct sigaction now;
  return sigaction(signal, NULL, &now) == 0 && is_ours(&now);
}

static void handle(int signal, siginfo_t *told, void *context) {
  int error = errno;
  bool faults = is_fault(signal, told);
  uint64_t mark = 0;
  if (__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE)) {
    vv_strike strike = {
        .signal = signal,
        .address = faults ? (uint64_t)(uintptr_t)told->si_addr : 0,
        .context = context,
        .handler = vv_frame_address(),
    };
    mark = vv_crash_mark(&strike);
  }
  for (int index = 0; index < watched_count; index++) {
    if (watched[index] != signal) continue;
    if (!give_way(index, told, context)) {
      if (faults) vv_crash_settle(mark);
    } else if (signal != SIGABRT) {
      // `abort` ends the program although a handler came back, and asks nobody once more. Who only
      // raised its signal takes the mark back as after a jump.
      vv_crash_unmark(mark);
    }
  }
  errno = error;
}

void vv_crash_watch(void) {
  for (int index = 0; index < watched_count; index++) {
    struct sigaction now;
    if (sigaction(watched[index], NULL, &now) != 0 || is_ours(&now)) continue;
    if (now.sa_handler == SIG_IGN) continue;
    if (installed[index]) continue;  // Somebody has installed one above ours, which passes it on.
    before[index] = now;
    struct sigaction action = {0};
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    installed[index] = sigaction(watched[index], &action, NULL) == 0;
  }
  __atomic_store_n(&is_watching, 1, __ATOMIC_RELEASE);
  vv_crash_prepare_thread();
}

void vv_crash_unwatch(void) {
  __atomic_store_n(&is_watching, 0, __ATOMIC_RELEASE);
  for (int index = 0; index < watched_count; index++) {
    struct sigaction now;
    if (!installed[index] || sigaction(watched[index], NULL, &now) != 0 || !is_ours(&now)) continue;
    sigaction(watched[index], &before[index], NULL);
    installed[index] = false;
  }
}

// MARK: Stacks for the handler

enum { handler_stack_bytes = 64 * 1024 };
static _Thread_local void *handler_stack;

void vv_crash_prepare_thread(void) {
  if (!__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE)) return;
  // The handler can ask for neither the thread's slot nor its stack.
  vv_thread_watch_end();
  vv_thread *thread = vv_thread_current();
  if (thread->stack_high == 0) vv_thread_find_stack(thread);
  if (handler_stack) return;
  stack_t now;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  void *memory = mmap(NULL, handler_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1,
                      0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = handler_stack_bytes, .ss_flags = 0};
  if (sigaltstack(&stack, NULL) == 0)
    handler_stack = memory;
  else
    munmap(memory, handler_stack_bytes);
}

void vv_crash_leave_thread(void) {
  if (!handler_stack) return;
  stack_t now, none = {.ss_flags = SS_DISABLE};
  if (sigaltstack(NULL, &now) == 0 && now.ss_sp == handler_stack) sigaltstack(&none, NULL);
  munmap(handler_stack, handler_stack_bytes);
  handler_stack = NULL;
}
