#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_task.h"

#include <dlfcn.h>
#include <stddef.h>
#include "varve_follow.h"

// Part of the runtime's ABI. Weak, because a program may not link Swift concurrency.
extern __attribute__((swiftcall)) void *swift_task_getCurrent(void) __attribute__((weak));
extern void swift_task_create(void) __attribute__((weak));
extern __attribute__((swiftcall)) uint64_t swift_task_getJobTaskId(void *task) __attribute__((weak));

bool vv_task_runs(void) { return swift_task_getCurrent && swift_task_getCurrent() != NULL; }

// MARK: Causes noted for tasks

uint8_t vv_tasks_noted = 0;

// A task takes its note along: where tasks are followed, in what is known of it (`task_records.c`);
// else in the word of its memory that the runtime leaves null, if it is laid out as is known. So no
// number of living tasks is too large, and nothing is left of a task that has ended.
//
// Elsewhere there is a table for as many tasks as have entries, indexed by task id, which is unique in
// a process, unlike a task's address, which may be reused. Ids are consecutive, so entries are used in
// turn, and a task loses its entry only if it waits while as many others as there are entries note a
// cause. Two tasks that share an entry overwrite each other, possibly at the same time, so an entry is
// valid only if its two halves match. Unused entries take no physical memory.
typedef struct {
  uint64_t check, cause;
} noted_cause;
static noted_cause noted_causes[VV_TASKS_NOTED];

typedef enum { place_unknown, place_in_task, place_in_table } note_place;
static uint8_t place = place_unknown;

static inline uint64_t check_of(uint64_t task, uint64_t cause) {
  return task ^ cause * 0x9e3779b97f4a7c15ull;
}

#if defined(__linux__)
extern const uint32_t _swift_concurrency_debug_internal_layout_version __attribute__((weak));
extern const size_t _swift_concurrency_debug_asyncTaskSize __attribute__((weak));

// Whether tasks are laid out as is known, and no recorder in the process follows them, or may ask to,
// whose word this is then.
static bool is_laid_out_as_known(const void *task) {
  return &_swift_concurrency_debug_internal_layout_version &&
         &_swift_concurrency_debug_asyncTaskSize &&
         _swift_concurrency_debug_internal_layout_version == 1 &&
         _swift_concurrency_debug_asyncTaskSize == vv_task_size && !vv_tasks_are_attached() &&
         !vv_tasks_are_linked() &&
         swift_task_getJobTaskId && vv_task_number(task) == swift_task_getJobTaskId((void *)task) &&
         !vv_task_word(task, vv_task_reserved);
}
#else
static bool is_laid_out_as_known(const void *task) { return (void)task, false; }
#endif

static note_place place_for(const void *task) {
  note_place known = __atomic_load_n(&place, __ATOMIC_RELAXED);
  if (__builtin_expect(known != place_unknown, 1)) return known;
  known = is_laid_out_as_known(task) ? place_in_task : place_in_table;
  __atomic_store_n(&place, known, __ATOMIC_RELAXED);
  return known;
}

static inline uint64_t *word_of(void *task) {
  return (uint64_t *)((char *)task + vv_task_reserved);
}

static uint64_t id_of(void *task) {
  return swift_task_getJobTaskId ? swift_task_getJobTaskId(task) : 0;
}

void vv_task_table_keep(uint64_t id, uint64_t cause) {
  if (!id) return;
  noted_cause *entry = &noted_causes[id % VV_TASKS_NOTED];
  __atomic_store_n(&entry->cause, cause, __ATOMIC_RELAXED);
  __atomic_store_n(&entry->check, check_of(id, cause), __ATOMIC_RELAXED);
}

uint64_t vv_task_table_find(uint64_t id) {
  noted_cause *entry = &noted_causes[id % VV_TASKS_NOTED];
  uint64_t cause = __atomic_load_n(&entry->cause, __ATOMIC_RELAXED);
  uint64_t check = __atomic_load_n(&entry->check, __ATOMIC_RELAXED);
  return id && check == check_of(id, cause) ? cause : 0;
}

void vv_task_note_cause(uint64_t cause) {
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  if (!task) return;
  vv_thread *thread = vv_thread_current();
  if (cause)
    vv_task_forget_beginning(thread);
  else
    vv_task_recall_beginning(thread);
  if (vv_tasks_are_followed())
    vv_task_keep_note(thread, task, cause);
  else if (place_for(task) == place_in_task)
    *word_of(task) = cause;
  else
    vv_task_table_keep(id_of(task), cause);
  if (!vv_tasks_are_noted()) __atomic_store_n(&vv_tasks_noted, 1, __ATOMIC_RELAXED);
}

uint64_t vv_task_cause(void) {
  if (vv_thread_current()->is_attributed) return 0;
  void *task = swift_task_getCurrent ? swift_task_getCurrent() : NULL;
  if (!task) return 0;
  if (vv_tasks_are_followed()) return vv_task_note(task);
  switch (__atomic_load_n(&place, __ATOMIC_RELAXED)) {
    case place_in_task: return *word_of(task);
    case place_in_table: return vv_task_table_find(id_of(task));
    default: return 0;
  }
}

// MARK: How tasks await each other

uintptr_t vv_await_entry = 0;
uint8_t vv_await_learned = 0;
uint32_t vv_await_attempts = 0;

// The beginning of an asynchronous function's context, which outlives its suspensions. The
// function's frame has a pointer to it below the saved frame pointer.
typedef struct awaiting {
  struct awaiting *caller;  // the context of the awaiting function
  uintptr_t resume;         // the address at which that function resumes
} awaiting;

static inline const awaiting *of_frame(uintptr_t frame) {
  return ((const awaiting *const *)frame)[-1];
}

int vv_await_walk(uintptr_t frame, uintptr_t *addresses, int most) {
  int count = 0;
  for (const awaiting *own = of_frame(frame); own && count < most; own = own->caller) {
    if (own->resume < 4096) break;
    addresses[count++] = own->resume | VV_RESUMPTION;
  }
  return count;
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <sys/uio.h>
#include <unistd.h>

// Reads memory that may not be mapped.
static bool read_safely(const void *from, void *to, size_t bytes) {
  struct iovec here = {to, bytes}, there = {(void *)from, bytes};
  return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)bytes;
}

static const void *module_of(uintptr_t address) {
  Dl_info found;
  return address && dladdr((void *)address, &found) ? found.dli_fbase : NULL;
}

// Whether the chain begins in `module`, if one is given, contains only addresses of code, and ends.
static bool is_plausible(const awaiting *own, const void *module) {
  for (int length = 0; length < 64; length++) {
    awaiting read;
    if (!own) return length > 1;
    if ((uintptr_t)own & 7 || !read_safely(own, &read, sizeof read)) return false;
    if (!read.resume) return length > 1;
    const void *where = module_of(read.resume);
    if (!where || (length == 0 && module && where != module)) return false;
    own = read.caller;
  }
  return false;
}

__attribute__((noinline)) void vv_await_learn(void) {
  uintptr_t own = (uintptr_t)__builtin_frame_address(0);
  uintptr_t asynchronous = ((uintptr_t *)own)[0], module = ((uintptr_t *)own)[1];
  if (!vv_task_runs() || asynchronous <= own || asynchronous & 7 || !vv_thread_owns(asynchronous) ||
      !vv_thread_owns(asynchronous + 15))
    return;
  uintptr_t entry = ((uintptr_t *)asynchronous)[1];
  const void *runtime = module_of((uintptr_t)&swift_task_create);
  if (!runtime || module_of(entry) != runtime) return;
  if (!is_plausible(of_frame(asynchronous), module_of(module))) return;
  __atomic_store_n(&vv_await_entry, entry, __ATOMIC_RELAXED);
}

VV_UNCHECKED void vv_await_learn_from(uintptr_t frame, uintptr_t runner, uintptr_t caller) {
  // The code of that function between the runtime's call that tells of the run, and the run itself.
  enum { longest_code = 256 };
  __atomic_fetch_add(&vv_await_attempts, 1, __ATOMIC_RELAXED);
  for (int steps = 0; steps < VV_STACK_FRAMES && frame < runner && !(frame & 7); steps++) {
    uintptr_t next = ((uintptr_t *)frame)[0], entry = ((uintptr_t *)frame)[1];
    if (next == runner) {
      if (entry - caller < longest_code && is_plausible(of_frame(frame), NULL))
        __atomic_store_n(&vv_await_entry, entry, __ATOMIC_RELAXED);
      return;
    }
    if (next <= frame) return;
    frame = next;
  }
}
#else
void vv_await_learn(void) {}
void vv_await_learn_from(uintptr_t frame, uintptr_t runner, uintptr_t caller) {
  (void)frame, (void)runner, (void)caller;
}
#endif
