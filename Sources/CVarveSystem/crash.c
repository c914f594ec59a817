#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_crash.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "earlier_action.h"
#include "unchecked.h"
#include "varve_mapping.h"
#include "varve_thread.h"

static const int watched[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
enum { watched_count = sizeof watched / sizeof *watched };

static struct sigaction before[watched_count];
static bool installed[watched_count];  // `before` holds what was there
static uint32_t is_watching = 0;

static uint64_t program_counter(const void *context) {
  const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
  return (uint64_t)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__linux__) && defined(__aarch64__)
  return at->uc_mcontext.pc;
#elif defined(__APPLE__) && defined(__x86_64__)
  return at->uc_mcontext->__ss.__rip;
#elif defined(__APPLE__) && defined(__aarch64__)
  return arm_thread_state64_get_pc(at->uc_mcontext->__ss);
#else
  (void)at;
  return 0;
#endif
}

static uintptr_t frame_pointer(const void *context) {
  const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
  return (uintptr_t)at->uc_mcontext.gregs[REG_RBP];
#elif defined(__linux__) && defined(__aarch64__)
  return at->uc_mcontext.regs[29];
#elif defined(__APPLE__) && defined(__x86_64__)
  return at->uc_mcontext->__ss.__rbp;
#elif defined(__APPLE__) && defined(__aarch64__)
  return arm_thread_state64_get_fp(at->uc_mcontext->__ss);
#else
  (void)at;
  return 0;
#endif
}

static uintptr_t stack_pointer(const void *context) {
  const ucontext_t *at = context;
#if defined(__linux__) && defined(__x86_64__)
  return (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__linux__) && defined(__aarch64__)
  return at->uc_mcontext.sp;
#elif defined(__APPLE__) && defined(__x86_64__)
  return at->uc_mcontext->__ss.__rsp;
#elif defined(__APPLE__) && defined(__aarch64__)
  return arm_thread_state64_get_sp(at->uc_mcontext->__ss);
#else
  (void)at;
  return UINTPTR_MAX;
#endif
}

// Keeps where the struck code was called from. What lies between the stack pointer and the stack's
// end is mapped: a frame pointer that leads elsewhere ends the walk.
UNCHECKED static void keep_stack(vv_crash_stack *stack, const void *context) {
  const vv_thread *thread = vv_thread_current();
  if (thread->stack_high == 0) return;
  uintptr_t frame = frame_pointer(context), lowest = stack_pointer(context);
  if (lowest < thread->stack_low) lowest = thread->stack_low;
  uint32_t count = 0;
  while (count < VV_CRASH_FRAMES) {
    if (frame < lowest || frame > thread->stack_high - 16 || (frame & 7)) break;
    uintptr_t address = ((const uintptr_t *)frame)[1];
    if (address < 4096) break;
    stack->frames[count++] = address;
    lowest = frame + 16;
    frame = ((const uintptr_t *)frame)[0] & 0x0fffffffffffffffull;
  }
  __atomic_store_n(&stack->count, count, __ATOMIC_RELEASE);
}

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

// Whether this is the first signal; later ones, of other threads that die too, leave it as it is.
static bool mark(int signal, const siginfo_t *told, const void *context) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  vv_crash *crash = &sidecar->crash;
  uint64_t nothing = 0;
  if (!__atomic_compare_exchange_n(&crash->state, &nothing, 1, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return false;
  const vv_writer *writer = &vv_thread_current()->writer;
  crash->signal = signal;
  crash->ring_id = writer->ring ? writer->ring_id : 0;
  crash->thread_id = vv_thread_system_id();
  crash->program_counter = program_counter(context);
  crash->address = is_fault(signal, told) ? (uint64_t)(uintptr_t)told->si_addr : 0;
  crash->ticks = vv_clock_ticks();
  __atomic_store_n(&sidecar->stack.count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&crash->state, 2, __ATOMIC_RELEASE);
  keep_stack(&sidecar->stack, context);
  return true;
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
  bool is_first = __atomic_load_n(&is_watching, __ATOMIC_ACQUIRE) && mark(signal, told, context);
  for (int index = 0; index < watched_count; index++) {
    if (watched[index] != signal) continue;
    bool goes_on = give_way(index, told, context);
    if (goes_on && is_first)
      __atomic_store_n(&vv_sidecar_mapped()->crash.state, 0, __ATOMIC_RELEASE);
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
  // The handler cannot ask for it.
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
