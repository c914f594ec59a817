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
#include "varve_emit.h"
#include "varve_process.h"
#include "varve_stack.h"
#include "varve_task.h"

enum { threads_most = 256, modules_most = 512 };
// How often threads are looked at, in nanoseconds. Work that goes on is sampled after one to two
// periods, and then whenever it has lasted twice as long.
static const uint64_t period = 30000000;
// How far from the top of a stack frames are looked for, and how much of it is copied, in bytes.
enum { longest_copy = 64 << 10 };

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

// MARK: Code

typedef struct range {
  uintptr_t from, to;
} range;

static struct {
  uint64_t generation;
  int count;
  range at[modules_most];  // of each module's code; the program's comes first
  range system;            // the C library's
} modules;

static inline bool is_in(range range, uintptr_t address) {
  return address - range.from < range.to - range.from;
}

static int note_module(struct dl_phdr_info *module, size_t size, void *context) {
  (void)size, (void)context;
  for (int index = 0; index < module->dlpi_phnum && modules.count < modules_most; index++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
    uintptr_t from = module->dlpi_addr + segment->p_vaddr;
    modules.at[modules.count++] = (range){from, from + segment->p_memsz};
    break;
  }
  return modules.count == modules_most;
}

// Asking for the modules takes a lock of the linker's, which a child that is forked meanwhile would
// keep.
static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
static void hold(void) { pthread_mutex_lock(&asking); }
static void let_go(void) { pthread_mutex_unlock(&asking); }
static void begin_anew(void) { pthread_mutex_init(&asking, NULL); }
__attribute__((constructor(101))) static void watch_forks(void) {
  pthread_atfork(hold, let_go, begin_anew);
}

static void find_modules(void) {
  hold();
  uint64_t now = vv_modules_generation();
  if (!modules.count || modules.generation != now) {
    modules.count = 0;
    modules.generation = now;
    dl_iterate_phdr(note_module, NULL);
    uintptr_t inside = (uintptr_t)dlsym(RTLD_DEFAULT, "nanosleep");
    for (int index = 0; index < modules.count; index++)
      if (is_in(modules.at[index], inside)) modules.system = modules.at[index];
  }
  let_go();
}

static bool is_code(uintptr_t address) {
  for (int index = 0; index < modules.count; index++)
    if (is_in(modules.at[index], address)) return true;
  return false;
}

static inline bool is_own(uintptr_t address) {
  return modules.count && is_in(modules.at[0], address);
}

// Whether a call lies before an address of the program's.
VV_UNCHECKED static bool follows_call(uintptr_t address) {
#if defined(__x86_64__)
  const uint8_t *at = (const uint8_t *)address;
  if (!is_own(address - 7)) return false;
  if (at[-5] == 0xe8) return true;
  // An indirect call: its second byte tells the operand.
  for (int length = 2; length <= 7; length++)
    if (at[-length] == 0xff && (at[1 - length] & 0x38) == 0x10) return true;
  return false;
#else
  if (address & 3 || !is_own(address - 4)) return false;
  uint32_t word = *(const uint32_t *)(address - 4);
  return (word & 0xfc000000) == 0x94000000 || (word & 0xfffffc1f) == 0xd63f0000;
#endif
}

// MARK: A walk

/// A thread that does not run, or in its own signal handler: its registers, and its stack.
typedef struct stopped {
  uintptr_t counter, stack, frame;  // `frame` may hold anything
  uintptr_t end;                    // the frame of what runs the work, or 0
  const uint8_t *bytes;             // the stack's, from `stack` on
  size_t count;
  bool may_lock;  // whether it is looked at from another thread
} stopped;

VV_UNCHECKED static inline bool word_at(const stopped *thread, uintptr_t address, uintptr_t *word) {
  if (address & 7 || address < thread->stack || thread->count < 8 ||
      address - thread->stack > thread->count - 8)
    return false;
  *word = *(const uintptr_t *)(thread->bytes + (address - thread->stack));
  return true;
}

// Whether there is a frame: it leads further out, and returns into code.
static bool is_frame(const stopped *thread, uintptr_t frame) {
  uintptr_t next, back;
  return word_at(thread, frame, &next) && word_at(thread, frame + 8, &back) && is_code(back) &&
         next > frame && next - frame < 1 << 20;
}

static bool begins_chain(const stopped *thread, uintptr_t frame) {
  uintptr_t next;
  return is_frame(thread, frame) && word_at(thread, frame, &next) &&
         (next == thread->end || is_frame(thread, next));
}

// Whether frames lead from here to what runs the work.
static bool leads_to_end(const stopped *thread, uintptr_t frame) {
  enum { most = 1024 };
  for (int steps = 0; steps < most && frame != thread->end; steps++)
    if (!is_frame(thread, frame) || !word_at(thread, frame, &frame)) return false;
  return frame == thread->end;
}

// Returns where the function begins that a return address of the program's leads back to; 0 if that is
// unknown. It may take locks.
static uintptr_t function_at(uintptr_t address) {
  struct bases {
    void *text, *data, *function;
  } bases = {0};
  static const void *(*find)(const void *, struct bases *);
  if (!find) *(void **)&find = dlsym(RTLD_DEFAULT, "_Unwind_Find_FDE");
  return find && find((const void *)(address - 1), &bases) ? (uintptr_t)bases.function : 0;
}

// Returns how likely a frame is that of a function: 3 if it was called from where the frame returns
// to, 0 if another one was, and something between if that is not known.
VV_UNCHECKED static int likelihood(const stopped *thread, uintptr_t frame, uintptr_t function) {
  uintptr_t back = 0, next = 0;
  word_at(thread, frame + 8, &back);
  word_at(thread, frame, &next);
  if (!leads_to_end(thread, frame)) return 0;
  if (!is_own(back)) return next == thread->end && vv_tasks_run_at(back) ? 2 : 1;
#if defined(__x86_64__)
  const uint8_t *at = (const uint8_t *)back;
  if (!is_own(back - 5) || at[-5] != 0xe8) return 2;
  int32_t distance;
  memcpy(&distance, at - 4, sizeof distance);
#else
  uint32_t word = is_own(back - 4) ? *(const uint32_t *)(back - 4) : 0;
  if ((word & 0xfc000000) != 0x94000000) return 2;
  int64_t distance = ((int64_t)(int32_t)(word << 6) >> 6) * 4 - 4;
#endif
  return back + (uintptr_t)(int64_t)distance == function ? 3 : 0;
}

// Finds the innermost frame on a stack. Others, which calls that have returned left behind, may lie
// before it. The first of the program's return addresses tells whose it must be.
static uintptr_t first_frame(const stopped *thread, uintptr_t first) {
  uintptr_t found = 0, function = 0, word = 0;
  int best = -1;
  for (uintptr_t frame = first; frame < first + longest_copy && best < 3; frame += 8) {
    if (!word_at(thread, frame, &word)) break;
    if (!function && thread->may_lock && is_own(word) && follows_call(word))
      function = function_at(word);
    if (!begins_chain(thread, frame)) continue;
    int now = function ? likelihood(thread, frame, function)
                       : thread->end && leads_to_end(thread, frame);
    if (now > best) best = now, found = frame;
  }
  return found;
}

// Adds the first of the program's return addresses between two places of a stack.
static uint32_t add_own(const stopped *thread, uintptr_t at, uintptr_t end, uintptr_t *address) {
  uintptr_t word;
  for (; at < end && word_at(thread, at, &word); at += 8)
    if (is_own(word) && follows_call(word)) return *address = word, 1;
  return 0;
}

// The system's C library is built without frame pointers: its functions have no frames, or those of
// their callers. Where the program called it lies between two frames.
static uint32_t walk(const stopped *thread, uintptr_t *addresses) {
  uint32_t count = 0;
  addresses[count++] = thread->counter | VV_RESUMPTION;
  uintptr_t frame = thread->frame, first = (thread->stack + 7) & ~(uintptr_t)7;
  if (!begins_chain(thread, frame)) frame = first_frame(thread, first);
  uintptr_t last = thread->counter, from = first;
  bool has_own = is_own(last);
  uintptr_t entry = __atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED);
  while (count < VV_STACK_FRAMES - 1 && frame != thread->end && is_frame(thread, frame)) {
    uintptr_t back = 0, next = 0;
    word_at(thread, frame + 8, &back);
    word_at(thread, frame, &next);
    if (!has_own && is_in(modules.system, last)) {
      uint32_t added = add_own(thread, from, frame, &addresses[count]);
      count += added;
      has_own = added != 0;
    }
    if (back == entry || (next == thread->end && vv_tasks_run_at(back))) break;
    addresses[count++] = back;
    has_own = has_own || is_own(back);
    last = back;
    from = frame + 16;
    frame = next;
  }
  // Optimised code has no frame of its own either, if it is called by what runs the work.
  if (count == 1 && !has_own && is_in(modules.system, last))
    count += add_own(thread, from, thread->end, &addresses[count]);
  return count;
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
  stopped here = {.end = own->task_frame};
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
  request.count = walk(&here, request.addresses);
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
static activity look(uint64_t thread, stopped *found, call *call) {
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

static uint32_t copy_and_walk(stopped *thread, uintptr_t high, uintptr_t *addresses) {
  static uint64_t copy[longest_copy / 8];
  if (thread->stack >= high || thread->stack & 7) return 0;
  size_t wanted = high - thread->stack;
  if (wanted > longest_copy) wanted = longest_copy;
  thread->bytes = (const uint8_t *)copy;
  thread->count = read_safely(thread->stack, copy, wanted);
  return walk(thread, addresses);
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
  stopped before = {.end = thread->task_frame, .may_lock = true}, after = {0};
  find_modules();
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
