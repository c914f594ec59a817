#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "sampled_stack.h"

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <string.h>
#include "varve_follow.h"
#include "varve_process.h"
#include "varve_stack.h"
#include "varve_task.h"

enum { modules_most = 512 };

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

void vv_sampled_stack_find_modules(void) {
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

VV_UNCHECKED static inline bool word_at(const vv_stopped *thread, uintptr_t address, uintptr_t *word) {
  if (address & 7 || address < thread->stack || thread->count < 8 ||
      address - thread->stack > thread->count - 8)
    return false;
  *word = *(const uintptr_t *)(thread->bytes + (address - thread->stack));
  return true;
}

// Whether there is a frame: it leads further out, and returns into code.
static bool is_frame(const vv_stopped *thread, uintptr_t frame) {
  uintptr_t next, back;
  return word_at(thread, frame, &next) && word_at(thread, frame + 8, &back) && is_code(back) &&
         next > frame && next - frame < 1 << 20;
}

static bool begins_chain(const vv_stopped *thread, uintptr_t frame) {
  uintptr_t next;
  return is_frame(thread, frame) && word_at(thread, frame, &next) &&
         (next == thread->end || is_frame(thread, next));
}

// Whether frames lead from here to what runs the work.
static bool leads_to_end(const vv_stopped *thread, uintptr_t frame) {
  enum { most = 1024 };
  for (int steps = 0; steps < most && frame != thread->end; steps++)
    if (!is_frame(thread, frame) || !word_at(thread, frame, &frame)) return false;
  return frame == thread->end;
}

// Returns where the function begins that a return address of the program's leads back to; 0 if that is
// unknown. It may take locks, of the linker's, too.
static uintptr_t function_at(uintptr_t address) {
  struct bases {
    void *text, *data, *function;
  } bases = {0};
  static const void *(*find)(const void *, struct bases *);
  hold();
  if (!find) *(void **)&find = dlsym(RTLD_DEFAULT, "_Unwind_Find_FDE");
  bool is_known = find && find((const void *)(address - 1), &bases);
  let_go();
  return is_known ? (uintptr_t)bases.function : 0;
}

// Returns how likely a frame is that of a function: 3 if it was called from where the frame returns
// to, 0 if another one was, and something between if that is not known.
VV_UNCHECKED static int likelihood(const vv_stopped *thread, uintptr_t frame, uintptr_t function) {
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
static uintptr_t first_frame(const vv_stopped *thread, uintptr_t first) {
  uintptr_t found = 0, function = 0, word = 0;
  int best = -1;
  for (uintptr_t frame = first; frame < first + vv_sampled_stack_bytes && best < 3; frame += 8) {
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
static uint32_t add_own(const vv_stopped *thread, uintptr_t at, uintptr_t end, uintptr_t *address) {
  uintptr_t word;
  for (; at < end && word_at(thread, at, &word); at += 8)
    if (is_own(word) && follows_call(word)) return *address = word, 1;
  return 0;
}

// The system's C library is built without frame pointers: its functions have no frames, or those of
// their callers. Where the program called it lies between two frames.
uint32_t vv_sampled_stack(const vv_stopped *thread, uintptr_t *addresses) {
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
#endif
