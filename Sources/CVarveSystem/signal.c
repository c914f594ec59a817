#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_signal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include "varve_drain.h"
#include "varve_file.h"

// MARK: Actions that one of these handlers has replaced

typedef void (*handler)(int signal, siginfo_t *info, void *context);

static bool is_action(const struct sigaction *action, handler function) {
  return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == function;
}

// Whether an action is a function rather than one of the system's. This has to be checked first: a
// program may install the system's action, which is not an address, with SA_SIGINFO.
static inline bool action_is_function(const struct sigaction *action) {
  return action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
}

// Passes the signal to an earlier action's function; returns false if it has none.
static inline bool action_call(const struct sigaction *earlier, int signal, siginfo_t *info,
                               void *context) {
  if (!action_is_function(earlier)) return false;
  if (earlier->sa_flags & SA_SIGINFO)
    earlier->sa_sigaction(signal, info, context);
  else
    earlier->sa_handler(signal);
  return true;
}

// MARK: The state of the interrupted thread

static inline uint64_t struck_program_counter(const void *context) {
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

static inline uintptr_t struck_frame_pointer(const void *context) {
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

static inline uintptr_t struck_stack_pointer(const void *context) {
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

// MARK: The crash mark

// A program may survive a fatal signal: an earlier handler leaves with `siglongjmp`, and this one
// is not notified. The mark is changed to "survived" as soon as the thread that set it takes a slow
// path, receives another such signal or ends. Until then the mark stands, and is valid if the
// program dies.
//
// The header's state has a mark's number (from 0, in this process) in the upper 56 bits, and a
// vv_crash_state in the lower 8. The number keeps a thread from changing a newer mark.

// A fatal signal, as the handler sees it.
typedef struct strike {
  int signal;
  uint64_t address;     // the faulting address, or 0
  const void *context;  // the thread's context
  uintptr_t handler;    // the handler's frame
} strike;

static uint64_t marks = 0;
// The frame of the handler that set the mark.
static uintptr_t marking_frame = 0;

static vv_crash_state progress(uint64_t state) { return state & 0xff; }

static bool is_on_signal_stack(uintptr_t stack_pointer) {
  stack_t now;
  return sigaltstack(NULL, &now) == 0 && !(now.ss_flags & SS_DISABLE) &&
         stack_pointer - (uintptr_t)now.ss_sp < now.ss_size;
}

// Whether the calling thread set the current mark and has since left the handler: it is on a stack
// other than the handler's, or above the handler's frame.
static bool is_survived_here(const vv_crash *crash, uintptr_t stack_pointer) {
  if (__atomic_load_n(&crash->thread_id, __ATOMIC_RELAXED) != vv_thread_system_id()) return false;
  uintptr_t frame = __atomic_load_n(&marking_frame, __ATOMIC_RELAXED);
  return is_on_signal_stack(frame) ? !is_on_signal_stack(stack_pointer) : stack_pointer > frame;
}

// Stores the callers of the interrupted code. All memory between the stack pointer and the stack's
// end is mapped; a frame pointer that leads elsewhere ends the walk.
VV_UNCHECKED static void keep_stack(vv_crash_stack *stack, const void *context,
                                    const vv_thread *thread) {
  if (!thread || !vv_thread_knows_stack(thread)) return;
  uintptr_t frame = struck_frame_pointer(context), lowest = struck_stack_pointer(context);
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

// Acquires the right to write the mark with this number, unless there is one that may be valid:
// later signals, from other dying threads or from the handlers themselves, leave the first mark
// unchanged.
static bool claim(vv_crash *crash, uint64_t number, uintptr_t stack_pointer) {
  uint64_t state = __atomic_load_n(&crash->state, __ATOMIC_ACQUIRE);
  do {
    if (progress(state) == vv_crash_being_written) return false;
    if (progress(state) == vv_crash_struck && !is_survived_here(crash, stack_pointer)) return false;
  } while (!__atomic_compare_exchange_n(&crash->state, &state, number | vv_crash_being_written,
                                        false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return true;
}

// Writes the crash mark into the header. Returns the mark, or 0.
static uint64_t mark_crash(const strike *strike) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  vv_crash *crash = &sidecar->crash;
  uint64_t number = __atomic_fetch_add(&marks, 1, __ATOMIC_RELAXED) << 8;
  if (!claim(crash, number, struck_stack_pointer(strike->context))) return 0;
  const vv_thread *thread = vv_thread_if_known();
  crash->signal = strike->signal;
  crash->ring_id = thread && thread->writer.ring ? thread->writer.ring_id : 0;
  __atomic_store_n(&crash->thread_id, vv_thread_system_id(), __ATOMIC_RELAXED);
  crash->program_counter = struck_program_counter(strike->context);
  crash->address = strike->address;
  crash->ticks = vv_clock_ticks();
  __atomic_store_n(&marking_frame, strike->handler, __ATOMIC_RELAXED);
  __atomic_store_n(&sidecar->stack.count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&crash->state, number | vv_crash_struck, __ATOMIC_RELEASE);
  keep_stack(&sidecar->stack, strike->context, thread);
  return number | vv_crash_struck;
}

static void note_survival(vv_crash *crash, uint64_t mark) {
  uint64_t survived = (mark & ~(uint64_t)0xff) | vv_crash_survived;
  __atomic_compare_exchange_n(&crash->state, &mark, survived, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_RELAXED);
}

void vv_crash_note_survival(void) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  uint64_t state = sidecar ? __atomic_load_n(&sidecar->crash.state, __ATOMIC_ACQUIRE) : 0;
  if (__builtin_expect(progress(state) == vv_crash_struck, 0) &&
      is_survived_here(&sidecar->crash, vv_frame_address()))
    note_survival(&sidecar->crash, state);
}

// MARK: The crash handler

static const int watched[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP};
enum { watched_count = sizeof watched / sizeof *watched };

static struct sigaction before_crash[watched_count];
static bool installed_for_crash[watched_count];  // `before_crash` holds the earlier action
static uint32_t is_watching = 0;

// Whether the interrupted instruction faults again when the handler returns, and `si_addr` is
// meaningful. Other signals from the system come once: a key at the terminal, a breakpoint, a
// forbidden system call, a memory error detected in the background.
static bool is_fault(int signal, const siginfo_t *info) {
  int code = info->si_code;
  if (code <= 0 || code == SI_USER || code == SI_QUEUE) return false;
#if defined(BUS_MCEERR_AO)
  if (signal == SIGBUS && code == BUS_MCEERR_AO) return false;
#endif
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
}

static void handle_crash(int signal, siginfo_t *info, void *context);

// Passes the signal to the earlier handler. Returns whether the program continues as if nothing had
// happened: the earlier handler returned, and this one is still installed.
static bool give_way(int index, siginfo_t *info, void *context) {
  int signal = watched[index];
  const struct sigaction *earlier = &before_crash[index];
  if (!action_call(earlier, signal, info, context)) {
    sigaction(signal, earlier, NULL);
    // A fault recurs when its instruction is retried; any other signal must be raised again.
    if (!is_fault(signal, info)) raise(signal);
    return false;
  }
  struct sigaction now;
  return sigaction(signal, NULL, &now) == 0 && is_action(&now, handle_crash);
}

static void handle_crash(int signal, siginfo_t *info, void *context) {
  int error = errno;
  bool faults = is_fault(signal, info);
  uint64_t mark = 0;
  if (__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE)) {
    strike strike = {
        .signal = signal,
        .address = faults ? (uint64_t)(uintptr_t)info->si_addr : 0,
        .context = context,
        .handler = vv_frame_address(),
    };
    mark = mark_crash(&strike);
  }
  for (int index = 0; index < watched_count; index++) {
    if (watched[index] != signal) continue;
    // `abort` ends the program even if a handler returns, and does not call this one again. A
    // program that merely raised SIGABRT is found to have survived as it is after a jump.
    if (give_way(index, info, context) && signal != SIGABRT && mark)
      note_survival(&vv_sidecar_mapped()->crash, mark);
  }
  errno = error;
}

void vv_crash_watch(void) {
  for (int index = 0; index < watched_count; index++) {
    struct sigaction now;
    if (sigaction(watched[index], NULL, &now) != 0 || is_action(&now, handle_crash)) continue;
    if (now.sa_handler == SIG_IGN) continue;
    if (installed_for_crash[index]) continue;  // Another handler is above this one and calls it.
    before_crash[index] = now;
    struct sigaction action = {0};
    action.sa_sigaction = handle_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    installed_for_crash[index] = sigaction(watched[index], &action, NULL) == 0;
  }
  __atomic_store_n(&is_watching, 1, __ATOMIC_RELEASE);
  vv_crash_prepare_thread();
}

void vv_crash_unwatch(void) {
  __atomic_store_n(&is_watching, 0, __ATOMIC_RELEASE);
  for (int index = 0; index < watched_count; index++) {
    struct sigaction now;
    if (!installed_for_crash[index] || sigaction(watched[index], NULL, &now) != 0 || !is_action(&now, handle_crash)) continue;
    sigaction(watched[index], &before_crash[index], NULL);
    installed_for_crash[index] = false;
  }
}

// MARK: The handler's stacks

enum { handler_stack_bytes = 64 * 1024 };

void vv_crash_prepare_thread(void) {
  if (!__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE)) return;
  // The handler itself cannot look up the thread's slot or its stack bounds.
  vv_thread_watch_end();
  vv_thread *thread = vv_thread_current();
  if (thread->stack_high == 0) vv_thread_find_stack(thread);
  if (thread->signal_stack) return;
  stack_t now;
  if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
  void *memory = mmap(NULL, handler_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1,
                      0);
  if (memory == MAP_FAILED) return;
  stack_t stack = {.ss_sp = memory, .ss_size = handler_stack_bytes, .ss_flags = 0};
  if (sigaltstack(&stack, NULL) == 0)
    thread->signal_stack = memory;
  else
    munmap(memory, handler_stack_bytes);
}

static void leave_thread(vv_thread *thread) {
  if (!thread->signal_stack) return;
  stack_t now, none = {.ss_flags = SS_DISABLE};
  if (sigaltstack(NULL, &now) == 0 && now.ss_sp == thread->signal_stack) sigaltstack(&none, NULL);
  munmap(thread->signal_stack, handler_stack_bytes);
  thread->signal_stack = NULL;
}

__attribute__((constructor(102))) static void watch_threads(void) { vv_thread_at_end(leave_thread); }

// MARK: Signals that call the drain thread

// Indexed by signal, since this handler may stay below another one while a later recording watches
// a different signal.
static struct sigaction before_call[NSIG];
static bool installed_for_call[NSIG];  // `before_call` holds the earlier action
static uint32_t listened[NSIG];  // whether the signal calls for attention
static uint32_t has_come = 0;

static void handle_call(int signal, siginfo_t *info, void *context) {
  int error = errno;
  if (__atomic_load_n(&listened[signal], __ATOMIC_ACQUIRE)) {
    __atomic_store_n(&has_come, 1, __ATOMIC_RELEASE);
    vv_bell_ring_from_handler(&vv_drain_bell);
  }
  action_call(&before_call[signal], signal, info, context);
  errno = error;
}

static bool is_listening(void) {
  for (int signal = 1; signal < NSIG; signal++)
    if (__atomic_load_n(&listened[signal], __ATOMIC_RELAXED)) return true;
  return false;
}

bool vv_attention_watch(int signal) {
  // Discards calls to an earlier recording, but not those of this recording's other signals.
  if (!is_listening()) __atomic_store_n(&has_come, 0, __ATOMIC_RELAXED);
  struct sigaction now;
  if (signal <= 0 || signal >= NSIG || sigaction(signal, NULL, &now) != 0) return false;
  // There may be a handler above this one that passes the signal on.
  if (!installed_for_call[signal] && !is_action(&now, handle_call)) {
    before_call[signal] = now;
    struct sigaction action = {0};
    action.sa_sigaction = handle_call;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    if (sigaction(signal, &action, NULL) != 0) return false;
    installed_for_call[signal] = true;
  }
  __atomic_store_n(&listened[signal], 1, __ATOMIC_RELEASE);
  return true;
}

static void leave(int signal) {
  struct sigaction now;
  if (!installed_for_call[signal] || sigaction(signal, NULL, &now) != 0 || !is_action(&now, handle_call)) return;
  sigaction(signal, &before_call[signal], NULL);
  installed_for_call[signal] = false;
}

void vv_attention_unwatch(void) {
  for (int signal = 1; signal < NSIG; signal++)
    if (__atomic_exchange_n(&listened[signal], 0, __ATOMIC_ACQ_REL)) leave(signal);
}

bool vv_attention_take(void) {
  return __atomic_exchange_n(&has_come, 0, __ATOMIC_ACQ_REL) != 0;
}
