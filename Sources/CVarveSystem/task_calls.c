#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "task_state.h"
#include "varve_streams.h"

static const char *obstacle;

const char *vv_tasks_obstacle(void) { return __atomic_load_n(&obstacle, __ATOMIC_ACQUIRE); }

void vv_tasks_tell_obstacle(void) {
  enum { log = 13, string = 7 };  // VarveProbe.RecordKind and PayloadKind
  const char *why = vv_tasks_obstacle();
  uint32_t gate = vv_gate_load();
  if (!why || !gate) return;
  uint32_t bytes = (uint32_t)strlen(why);
  vv_emit_bytes(&vv_thread_current()->writer, gate, log, string, 0, 0, 0, (const uint8_t *)why,
                bytes, bytes);
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__)) && defined(__clang__)
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdlib.h>

typedef void (*runtime_call)(void *object);

typedef struct range {
  uintptr_t from, to;
} range;

// What is known of the runtime; constant once tasks are followed.
static struct {
  uintptr_t code_from, code_bytes;
  range enqueue, enqueue_global, cancel, resume, resume_throwing, resume_with_error;
  const void *task_type;
  runtime_call *acquire, *release;
  void *(*current)(void) __attribute__((swiftcall));
  uint64_t (*number)(void *task) __attribute__((swiftcall));
} runtime;

enum { unasked, following, given_up };
static uint32_t state = unasked;
// Whether a task has been found to be laid out as expected: one that runs, and one that was only made.
static uint32_t is_checked = 0, is_half_checked = 0;

bool vv_tasks_are_followed(void) {
  return __atomic_load_n(&state, __ATOMIC_RELAXED) == following;
}

static bool is_attached = false;
bool vv_tasks_are_attached(void) { return __atomic_load_n(&is_attached, __ATOMIC_RELAXED); }

static inline bool is_in(range range, uintptr_t address) {
  return address - range.from < range.to - range.from;
}

bool vv_tasks_run_at(uintptr_t address) {
  return address - runtime.code_from < runtime.code_bytes;
}

static void give_up(const char *why) {
  __atomic_store_n(&obstacle, why, __ATOMIC_RELEASE);
  __atomic_store_n(&state, given_up, __ATOMIC_RELEASE);
  if (runtime.acquire) __atomic_store_n(runtime.acquire, NULL, __ATOMIC_RELEASE);
  if (runtime.release) __atomic_store_n(runtime.release, NULL, __ATOMIC_RELEASE);
  vv_tasks_tell_obstacle();
}

// MARK: What the runtime calls

// The return address tells who calls. The runtime calls from few places: what each of them tells is
// found once, and then kept, with the place, in one word.
enum { calls_other = 1, calls_enqueue = 2, calls_resume = 3, kind_bits = 2, places_count = 4096 };
static uint32_t places[places_count];

static inline uint32_t *place_of(uint32_t offset) {
  return &places[(offset ^ offset >> 12) % places_count];
}

static inline void tell(void *object, uint32_t kind, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  if (kind == calls_other) {
    if (!(vv_task_half(object, vv_task_status) & vv_task_is_complete)) return;
    // The runtime tells of the end, and then once more when it keeps the result.
    if (state_of(object))
      vv_task_has_ended(object);
    else if (gate && vv_task_error(object))
      vv_task_has_failed(object, vv_task_error(object), gate, frame);
  } else if (!gate) {
    return;
  } else if (kind == calls_enqueue) {
    const vv_task_state *state = state_of(object);
    if (!state || state->session != gate >> 8 || !is_scheduled(state, gate))
      vv_task_is_enqueued(object, gate, frame);
  } else {
    vv_task_is_resumed(object, frame);
  }
}

// Before the first task runs, many may be made, and none may ever run.
static __attribute__((noinline, cold)) bool half_check(void *task) {
  if (__atomic_load_n(&is_half_checked, __ATOMIC_RELAXED)) return true;
  if (vv_task_number(task) != runtime.number(task) || vv_task_word(task, vv_task_reserved))
    return false;
  __atomic_store_n(&is_half_checked, 1, __ATOMIC_RELEASE);
  return true;
}

static __attribute__((noinline, cold)) void tell_first(void *object, uint32_t offset,
                                                       uintptr_t frame) {
  uintptr_t caller = runtime.code_from + offset;
  uint32_t kind = calls_other;
  if (is_in(runtime.enqueue, caller) || is_in(runtime.enqueue_global, caller))
    kind = calls_enqueue;
  else if (is_in(runtime.resume, caller) || is_in(runtime.resume_throwing, caller) ||
           is_in(runtime.resume_with_error, caller))
    kind = calls_resume;
  if (!__atomic_load_n(&is_checked, __ATOMIC_RELAXED)) {
    if (kind == calls_enqueue && half_check(object)) tell(object, kind, frame);
    return;
  }
  __atomic_store_n(place_of(offset), offset << kind_bits | kind, __ATOMIC_RELAXED);
  tell(object, kind, frame);
}

// Most calls are about other objects, from other places.
__attribute__((noinline)) static void released(void *object) {
  uintptr_t offset = (uintptr_t)__builtin_return_address(0) - runtime.code_from;
  if (offset >= runtime.code_bytes || *(const void **)object != runtime.task_type) return;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  uint32_t found = __atomic_load_n(place_of((uint32_t)offset), __ATOMIC_RELAXED);
  if (__builtin_expect(found >> kind_bits != (uint32_t)offset, 0))
    return tell_first(object, (uint32_t)offset, frame);
  tell(object, found & ((1 << kind_bits) - 1), frame);
}

__attribute__((noinline)) static void acquired(void *object) {
  uintptr_t caller = (uintptr_t)__builtin_return_address(0);
  if (!vv_tasks_run_at(caller) || *(const void **)object != runtime.task_type) return;
  if (!__atomic_load_n(&is_checked, __ATOMIC_RELAXED)) return;
  uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
  if (is_in(runtime.cancel, caller))
    vv_task_is_cancelled(object, frame);
  else if (vv_task_half(object, vv_task_status) & vv_task_is_complete &&
           !(vv_task_half(object, vv_task_flags) & vv_task_is_child) && vv_task_error(object))
    vv_task_failure_is_read(object, frame);
}

// MARK: The beginning

// Also finds what a program has loaded for a plug-in alone.
void *vv_tasks_find(const char *name) {
  void *found = dlsym(RTLD_DEFAULT, name);
  static const char *const libraries[] = {"libswiftCore.so", "libswift_Concurrency.so"};
  for (int index = 0; !found && index < 2; index++) {
    void *library = dlopen(libraries[index], RTLD_LAZY | RTLD_NOLOAD);
    if (library) found = dlsym(library, name);
  }
  return found;
}

static range function(const char *name) {
  void *found = vv_tasks_find(name);
  Dl_info where;
  const ElfW(Sym) *symbol = NULL;
  if (!found || !dladdr1(found, &where, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
    return (range){0, 0};
  // A call may be the last instruction of a function.
  return (range){(uintptr_t)found + 1, (uintptr_t)found + symbol->st_size + 1};
}

static int find_code(struct dl_phdr_info *module, size_t size, void *context) {
  (void)size;
  for (int index = 0; index < module->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &module->dlpi_phdr[index];
    range code = {module->dlpi_addr + segment->p_vaddr,
                  module->dlpi_addr + segment->p_vaddr + segment->p_memsz};
    if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) ||
        !is_in(code, *(uintptr_t *)context))
      continue;
    runtime.code_from = code.from;
    runtime.code_bytes = code.to - code.from;
    return 1;
  }
  return 0;
}

static const char *prepare(void) {
  runtime.current = (__typeof__(runtime.current))vv_tasks_find("swift_task_getCurrent");
  runtime.number = (__typeof__(runtime.number))vv_tasks_find("swift_task_getJobTaskId");
  const void **type = vv_tasks_find("_swift_concurrency_debug_asyncTaskMetadata");
  const uint32_t *version = vv_tasks_find("_swift_concurrency_debug_internal_layout_version");
  const size_t *size = vv_tasks_find("_swift_concurrency_debug_asyncTaskSize");
  runtime.acquire = vv_tasks_find("_swift_tsan_acquire");
  runtime.release = vv_tasks_find("_swift_tsan_release");
  if (!runtime.current || !runtime.number || !type || !version || !size || !runtime.acquire ||
      !runtime.release)
    return "tasks are not recorded: this version of Swift does not tell where they are";
  if (*version != 1 || *size != vv_task_size)
    return "tasks are not recorded: their layout in this version of Swift is not known";
  runtime.task_type = *type;
  runtime.enqueue = function("swift_task_enqueue");
  runtime.enqueue_global = function("swift_task_enqueueGlobal");
  runtime.cancel = function("swift_task_cancel");
  runtime.resume = function("swift_continuation_resume");
  runtime.resume_throwing = function("swift_continuation_throwingResume");
  runtime.resume_with_error = function("swift_continuation_throwingResumeWithError");
  uintptr_t within = runtime.enqueue.from;
  dl_iterate_phdr(find_code, &within);
  if (!runtime.enqueue.from || !runtime.enqueue_global.from || !runtime.cancel.from ||
      !runtime.resume.from || !runtime.resume_throwing.from || !runtime.code_from ||
      runtime.code_bytes >> (32 - kind_bits))
    return "tasks are not recorded: functions of this version of Swift were not found";
  if (*runtime.acquire || *runtime.release) {
    runtime.acquire = runtime.release = NULL;
    return "tasks are not recorded: a thread sanitizer watches them";
  }
  return NULL;
}

// Follows tasks, if the runtime is there and known.
static void follow(void) {
  uint32_t known = unasked;
  if (!vv_tasks_find("swift_task_getCurrent")) return;
  if (!__atomic_compare_exchange_n(&state, &known, following, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return;
  const char *why = prepare();
  if (why) return give_up(why);
  __atomic_store_n(runtime.acquire, acquired, __ATOMIC_RELEASE);
  __atomic_store_n(runtime.release, released, __ATOMIC_RELEASE);
  vv_errors_follow();
}

// The first task that runs shows whether tasks are laid out as expected.
static bool check(void *task) {
  void *current = runtime.current();
  if (!current) return false;
  if (current != task || *(const void **)task != runtime.task_type ||
      vv_task_number(task) != runtime.number(task) ||
      (vv_task_word(task, vv_task_reserved) &&
       !__atomic_load_n(&is_half_checked, __ATOMIC_ACQUIRE))) {
    give_up("tasks are not recorded: they are laid out differently in this version of Swift");
    return false;
  }
  __atomic_store_n(&is_checked, 1, __ATOMIC_RELEASE);
  return true;
}

// MARK: What the library VarveTasks calls

static __attribute__((noinline, cold)) bool is_first(void *task) {
  if (__atomic_load_n(&state, __ATOMIC_RELAXED) != following) {
    follow();
    if (!vv_tasks_are_followed()) return false;
  }
  return check(task);
}

// What was checked once stays so.
static void entered(void *access, uintptr_t caller, uintptr_t frame) {
  void *task = (char *)access - vv_task_private;
  if (__builtin_expect(!__atomic_load_n(&is_checked, __ATOMIC_RELAXED), 0) && !is_first(task))
    return;
  vv_task_has_entered(task, caller, frame);
}

static void exits(void *access) {
  if (__atomic_load_n(&is_checked, __ATOMIC_RELAXED))
    vv_task_suspends((char *)access - vv_task_private);
}

// The interface of the library, as declared in its header.
typedef struct {
  void (*entered)(void *access, uintptr_t caller, uintptr_t frame);
  void (*exits)(void *access);
} task_follower;
enum { tasks_version = 1 };

extern void varve_recorder_start_from_environment(void) __attribute__((weak));

typedef struct {
  void (*attach)(int version, const task_follower *follower);
  void **(*thread_word)(void);
  void (*attach_streams)(int version, const void *follower);
} tasks_library;

static void attach_to_streams(const tasks_library *library) {
  enum { streams_version = 1 };
  static const struct {
    void (*made)(void *, const vv_stream_making *);
    bool (*yields)(void *, const void *, uintptr_t, vv_stream_passage *);
    void (*yielded)(void *, const void *, const vv_stream_passage *);
    void (*finishes)(void *, const void *, uintptr_t, vv_stream_passage *);
    void (*finished)(const vv_stream_passage *);
  } follower = {varve_stream_made, varve_stream_yields, varve_stream_yielded, varve_stream_finishes,
                varve_stream_finished};
  if (library->attach_streams && varve_stream_made && vv_tasks_are_followed())
    library->attach_streams(streams_version, &follower);
}

static const task_follower tasks_follower = {entered, exits};

static void use_word_of(const tasks_library *library) {
  vv_task_thread_word = (intptr_t)library->thread_word() - (intptr_t)__builtin_thread_pointer();
}

static void is_attached_to(const tasks_library *library) {
  __atomic_store_n(&is_attached, true, __ATOMIC_RELAXED);
  attach_to_streams(library);
}

// If the library was preloaded: before the recording starts (process.c).
__attribute__((constructor(200))) static void attach_to_preloaded(void) {
  tasks_library preloaded = {
      (__typeof__(preloaded.attach))dlsym(RTLD_DEFAULT, "varve_tasks_attach"),
      (__typeof__(preloaded.thread_word))dlsym(RTLD_DEFAULT, "varve_tasks_thread_word"),
      (__typeof__(preloaded.attach_streams))dlsym(RTLD_DEFAULT, "varve_streams_attach")};
  if (!preloaded.attach || !varve_recorder_start_from_environment) return;
  if (!preloaded.thread_word)
    return give_up("tasks are not recorded: the command `varve` is older than the program");
  use_word_of(&preloaded);
  // It leaves the runtime's variables to who attaches.
  preloaded.attach(tasks_version, &tasks_follower);
  follow();
  is_attached_to(&preloaded);
}

// MARK: Following from inside

// Defined in the library as programs link it.
extern void varve_linked_tasks_attach(int, const task_follower *) __attribute__((weak));
extern void **varve_linked_tasks_thread_word(void) __attribute__((weak));
extern bool varve_linked_tasks_come_first(void) __attribute__((weak));
extern void varve_linked_streams_attach(int, const void *) __attribute__((weak));

bool vv_tasks_are_linked(void) {
  return varve_linked_tasks_attach && varve_linked_tasks_thread_word &&
         varve_linked_tasks_come_first && varve_linked_streams_attach;
}

void vv_tasks_follow_linked(void) {
  if (vv_tasks_are_attached() || vv_tasks_obstacle()) return;
  if (!vv_tasks_are_linked())
    return give_up("tasks are not recorded: the program does not link the product VarveTasks");
  if (!vv_tasks_find("swift_task_getCurrent"))
    return give_up("tasks are not recorded: the runtime of Swift is linked into the program");
  if (!varve_linked_tasks_come_first())
    return give_up("tasks are not recorded: VarveTasks is linked into a library, not the program");
  tasks_library linked = {varve_linked_tasks_attach, varve_linked_tasks_thread_word,
                          varve_linked_streams_attach};
  use_word_of(&linked);
  // Tasks may be running: before they call, all must be known of the runtime.
  follow();
  linked.attach(tasks_version, &tasks_follower);
  is_attached_to(&linked);
}

void vv_tasks_meet_current(void) {
  if (!vv_tasks_are_followed() || !__atomic_load_n(&is_checked, __ATOMIC_RELAXED)) return;
  void *task = runtime.current();
  if (task && !vv_thread_current()->task) vv_task_has_entered(task, 0, 0);
}
#else
bool vv_tasks_are_followed(void) { return false; }
bool vv_tasks_are_attached(void) { return false; }
bool vv_tasks_are_linked(void) { return false; }
void vv_tasks_follow_linked(void) {
  obstacle = "tasks are not recorded: this is done on Linux alone";
}
void vv_tasks_are_new_from(const void *task) { (void)task; }
void vv_tasks_meet_current(void) {}
bool vv_tasks_run_at(uintptr_t address) { (void)address; return false; }
void *vv_tasks_find(const char *name) { return (void)name, NULL; }
#endif
