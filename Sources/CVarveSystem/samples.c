#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_samples.h"

#include "varve_follow.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>
#include "sampled_stack.h"
#include "varve_emit.h"
#include "varve_process.h"
#include "varve_stack.h"
#include "varve_task.h"

enum { threads_most = 256 };
// How often threads are looked at, in nanoseconds. Work that goes on is sampled after one to two
// periods, and then whenever it has lasted twice as long.
static const uint64_t period = 30000000;

// MARK: The threads

static struct {
  vv_thread *thread;  // null if the place is free
  uint64_t number;    // the system's
} watched[threads_most];

void vv_samples_watch(void) {
  if (!vv_tasks_are_attached()) return;
  vv_thread *thread = vv_thread_current();
  // A signal handler cannot find it.
  if (thread->stack_high == 0) vv_thread_find_stack(thread);
  uint64_t number = vv_thread_system_id();
  for (int index = 0; index < threads_most; index++) {
    vv_thread *known = __atomic_load_n(&watched[index].thread, __ATOMIC_ACQUIRE);
    if (known == thread) return __atomic_store_n(&watched[index].number, number, __ATOMIC_RELEASE);
  }
  for (int index = 0; index < threads_most; index++) {
    vv_thread *none = NULL;
    if (!__atomic_compare_exchange_n(&watched[index].thread, &none, thread, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_RELAXED))
      continue;
    __atomic_store_n(&watched[index].number, number, __ATOMIC_RELEASE);
    return;
  }
}

static void leave_thread(vv_thread *thread) {
  for (int index = 0; index < threads_most; index++)
    if (__atomic_load_n(&watched[index].thread, __ATOMIC_RELAXED) == thread) {
      __atomic_store_n(&watched[index].number, 0, __ATOMIC_RELAXED);
      __atomic_store_n(&watched[index].thread, NULL, __ATOMIC_RELEASE);
    }
}

__attribute__((constructor(101))) static void watch_threads(void) {
  vv_thread_at_end(leave_thread);
}

// Memory of another thread, which may end meanwhile, is read so that its loss is an error.
static size_t read_safely(uintptr_t from, void *to, size_t bytes) {
  struct iovec here = {to, bytes}, there = {(void *)from, bytes};
  ssize_t count = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
  return count < 0 ? 0 : (size_t)count;
}

// MARK: A thread that computes

enum { idle = 0, asked = 1, taking = 2, taken = 3 };
static struct {
  uint32_t state;
  uint64_t thread;
  uint32_t count;
  uintptr_t addresses[VV_STACK_FRAMES];
} request;

VV_UNCHECKED static void take(const ucontext_t *context) {
  const vv_thread *own = vv_thread_if_known();
  request.count = 0;
  if (!own || !own->hop || own->stack_high <= VV_NO_STACK) return;
  vv_stopped here = {.end = own->task_frame};
#if defined(__x86_64__)
  here.counter = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
  here.stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
  here.frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
#else
  here.counter = context->uc_mcontext.pc;
  here.stack = context->uc_mcontext.sp;
  here.frame = context->uc_mcontext.regs[29];
#endif
  if (here.stack < own->stack_low || here.stack >= own->stack_high) return;
  here.bytes = (const uint8_t *)here.stack;
  here.count = own->stack_high - here.stack;
  request.count = vv_sampled_stack(&here, request.addresses);
}

static void handle(int signal, siginfo_t *info, void *context) {
  (void)signal, (void)info;
  int error = errno;
  uint32_t known = asked;
  if (__atomic_load_n(&request.thread, __ATOMIC_ACQUIRE) == vv_thread_system_id() &&
      __atomic_compare_exchange_n(&request.state, &known, taking, false, __ATOMIC_ACQ_REL,
                                  __ATOMIC_RELAXED)) {
    take(context);
    __atomic_store_n(&request.state, taken, __ATOMIC_RELEASE);
  }
  errno = error;
}

// Whether a thread blocks a signal, which would then come at some later moment.
static bool blocks_signal(uint64_t thread) {
  char path[64], text[4096];
  snprintf(path, sizeof path, "/proc/self/task/%llu/status", (unsigned long long)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[count > 0 ? count : 0] = 0;
  const char *mask = strstr(text, "\nSigBlk:");
  return !mask || strtoull(mask + 8, NULL, 16) >> (SIGPROF - 1) & 1;
}

// Whether the signal is for this. The program may claim it at any time.
static bool has_signal(void) {
  struct sigaction now;
  if (sigaction(SIGPROF, NULL, &now) != 0) return false;
  if (now.sa_flags & SA_SIGINFO) return now.sa_sigaction == handle;
  if (now.sa_handler != SIG_DFL) return false;
  struct sigaction action = {0};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  sigfillset(&action.sa_mask);
  return sigaction(SIGPROF, &action, NULL) == 0;
}

static void pause_for(uint64_t nanoseconds) {
  struct timespec time = {.tv_nsec = (long)nanoseconds};
  nanosleep(&time, NULL);
}

static uint32_t ask(uint64_t thread, uintptr_t *addresses) {
  if (blocks_signal(thread) || !has_signal()) return 0;
  __atomic_store_n(&request.thread, thread, __ATOMIC_RELEASE);
  __atomic_store_n(&request.state, asked, __ATOMIC_RELEASE);
  uint32_t count = 0;
  if (syscall(SYS_tgkill, getpid(), (pid_t)thread, SIGPROF) == 0) {
    // A thread that gets no processor does not answer at once.
    for (int tries = 0; tries < 400; tries++) {
      if (__atomic_load_n(&request.state, __ATOMIC_ACQUIRE) == taken) break;
      pause_for(100000);
    }
  }
  uint32_t known = asked;
  if (!__atomic_compare_exchange_n(&request.state, &known, idle, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    while (__atomic_load_n(&request.state, __ATOMIC_ACQUIRE) == taking) pause_for(100000);
    count = request.count;
    memcpy(addresses, request.addresses, count * sizeof *addresses);
    __atomic_store_n(&request.state, idle, __ATOMIC_RELEASE);
  }
  return count;
}

// MARK: A thread that waits

typedef enum { runs, waits, unknown } activity;

/// A system call: its number, and its first two arguments.
typedef struct call {
  long number;
  unsigned long first, second;
} call;

// Asks the kernel where a thread waits. The line begins with the call and its arguments, and ends in
// the stack pointer and the counter.
static activity look(uint64_t thread, vv_stopped *found, call *call) {
  char path[64], text[256];
  snprintf(path, sizeof path, "/proc/self/task/%llu/syscall", (unsigned long long)thread);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t count = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  if (count <= 0) return unknown;
  text[count] = 0;
  if (strncmp(text, "running", 7) == 0) return runs;
  char *last = strrchr(text, ' ');
  if (!last) return unknown;
  found->counter = strtoull(last + 1, NULL, 16);
  *last = 0;
  last = strrchr(text, ' ');
  if (!last) return unknown;
  found->stack = strtoull(last + 1, NULL, 16);
  if (sscanf(text, "%ld %lx %lx", &call->number, &call->first, &call->second) < 3) call->number = -1;
  return waits;
}

// The thread that holds the lock which a call waits for, by the system's number; 0 if it waits for
// something else. The kernel's own locks, which Swift's `Mutex` uses, contain their holder. A mutex of
// the GNU C library has it in the third of its words, and is known by the others: a lock that is
// wanted, and its type. That the holder is a thread of this process makes sure of it.
static uint64_t lock_holder(const call *call) {
  if (call->number != SYS_futex) return 0;
  uint32_t lock[5] = {0}, holder = 0;
  size_t count = read_safely(call->first, lock, sizeof lock);
  switch (call->second & FUTEX_CMD_MASK) {
    case FUTEX_LOCK_PI:
    case 13:  // FUTEX_LOCK_PI2, of later headers
      if (count >= sizeof lock[0]) holder = lock[0] & FUTEX_TID_MASK;
      break;
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET: {
      enum { wanted = 2, types = 3, flags = 0x3ff };
      if (count == sizeof lock && lock[0] == wanted && lock[3] != 0 && !(lock[4] & ~flags) &&
          (lock[4] & 0xf) <= types)
        holder = lock[2];
      break;
    }
  }
  return holder && syscall(SYS_tgkill, getpid(), (pid_t)holder, 0) == 0 ? holder : 0;
}

static uint32_t copy_and_walk(vv_stopped *thread, uintptr_t high, uintptr_t *addresses) {
  static uint64_t copy[vv_sampled_stack_bytes / 8];
  if (thread->stack >= high || thread->stack & 7) return 0;
  size_t wanted = high - thread->stack;
  if (wanted > vv_sampled_stack_bytes) wanted = vv_sampled_stack_bytes;
  thread->bytes = (const uint8_t *)copy;
  thread->count = read_safely(thread->stack, copy, wanted);
  return vv_sampled_stack(thread, addresses);
}

// MARK: Looking

/// The work that a thread was found to run, and when it is to be sampled.
static struct {
  uint64_t hop, since, due;
} seen[threads_most];

static void sample(int index, const vv_thread *thread, uint32_t gate) {
  uint64_t number = __atomic_load_n(&watched[index].number, __ATOMIC_ACQUIRE), hop = 0;
  uintptr_t addresses[VV_STACK_FRAMES];
  uint32_t count = 0;
  vv_stopped before = {.end = thread->task_frame, .may_lock = true}, after = {0};
  vv_sampled_stack_find_modules();
  call blocking = {0}, later = {0};
  activity state = look(number, &before, &blocking);
  if (state == runs) count = ask(number, addresses);
  if (state == waits) {
    count = copy_and_walk(&before, thread->stack_high, addresses);
    // It may have gone on meanwhile.
    if (look(number, &after, &later) != waits || after.stack != before.stack) return;
  }
  uint64_t holder = state == waits ? lock_holder(&blocking) : 0;
  const vv_thread *there = __atomic_load_n(&watched[index].thread, __ATOMIC_ACQUIRE);
  if (!there || read_safely((uintptr_t)&there->hop, &hop, sizeof hop) != sizeof hop) return;
  if (count == 0 || hop != seen[index].hop) return;
  uint32_t stack = vv_stack_number(addresses, count);
  if (!stack) return;
  vv_stack_define(stack, gate);
  enum { hop_sampled = 24, payload_cause = 14 };  // VarveProbe.RecordKind and .PayloadKind
  uint64_t word = stack | (uint64_t)(state == waits) << 20 | holder << 21;
  vv_emit_word(&vv_thread_current()->writer, gate, hop_sampled, payload_cause, 0, hop, 0, word);
}

static void look_around(uint32_t gate) {
  uint64_t now = vv_clock_monotonic();
  for (int index = 0; index < threads_most; index++) {
    const vv_thread *there = __atomic_load_n(&watched[index].thread, __ATOMIC_ACQUIRE);
    vv_thread thread;
    if (!there || read_safely((uintptr_t)there, &thread, sizeof thread) != sizeof thread) continue;
    if (thread.hop != seen[index].hop) {
      seen[index].hop = thread.hop;
      seen[index].since = now;
      seen[index].due = now + period / 2;
    } else if (thread.hop && now >= seen[index].due) {
      sample(index, &thread, gate);
      seen[index].due = now + (now - seen[index].since);
    }
  }
}

// MARK: The thread

static pid_t started = 0;

static void *run(void *context) {
  (void)context;
  enum { wish_stacks = 1 << 4 };
  vv_thread_set_name("varve.samples");
  for (;;) {
    pause_for(period);
    uint32_t gate = vv_gate_load();
    if (gate & wish_stacks && vv_tasks_are_followed()) look_around(gate);
  }
  return NULL;
}

void vv_samples_forget(void) { memset(watched, 0, sizeof watched); }

void vv_samples_start(void) {
  pid_t own = getpid();
  if (!vv_tasks_are_attached()) return;
  if (__atomic_exchange_n(&started, own, __ATOMIC_ACQ_REL) == own) return;
  void *thread;
  if (vv_process_start_drain(run, NULL, &thread) == 0) pthread_detach((pthread_t)thread);
}
#else
void vv_samples_start(void) {}
void vv_samples_watch(void) {}
void vv_samples_forget(void) {}
#endif
