#include "task_state.h"

#include <stdlib.h>

// VarveProbe.RecordKind, .PayloadKind, .TaskAwait, .TaskMaking and .Wish
enum { hop_scheduled = 9, hop_began = 10, hop_ended = 11, task_created = 20, task_cancelled = 21 };
enum { task_failed = 22, task_failure_read = 23, payload_type = 10 };
enum { payload_cause = 14, payload_task = 15, payload_awaited = 16, payload_made = 17 };
enum { await_executor = 4, await_nothing = 5 };
enum { made_before = 0, made_as_task = 1, made_for_group = 2, made_by_let = 3, made_as_child = 4 };
enum { wish_stacks = 1 << 4 };

// Defined in VarveReactive. If it is linked, backtraces may be asked for.
extern void *varve_hop_scheduled(const char *name, uint32_t stack) __attribute__((weak));

// MARK: The calling thread

#if defined(__linux__)
intptr_t vv_task_thread_word = 0;

vv_thread *vv_task_thread_slowly(void) {
  vv_thread *thread = vv_thread_current();
  *(vv_thread **)((char *)__builtin_thread_pointer() + vv_task_thread_word) = thread;
  return thread;
}
#endif

bool vv_task_emit_slowly(vv_writer *writer, uint32_t gate, uint64_t kinds, uint64_t subject,
                         uint64_t floor, uint64_t word, task_cause cause) {
  uint32_t whole = VV_RECORD_HEAD_BYTES + 8 + (cause.far != 0) * 8;
  if (__builtin_expect((writer->session != gate >> 8) | (writer->head + whole > writer->limit), 0)) {
    uint32_t ring_id = writer->ring_id;
    vv_make_room_function make_room = __atomic_load_n(&vv_make_room, __ATOMIC_ACQUIRE);
    if (!make_room(writer, gate >> 8, whole)) return false;
    if (writer->ring_id != ring_id) writer->far_count = 0, cause.near = 0;
    if (floor == SAME_MOMENT) floor = 0;
  }
  task_fill(writer, kinds, subject, task_ticks(writer, floor), word, cause, cause.far != 0);
  return true;
}

// As `task_emit`, for two far causes.
static __attribute__((noinline)) bool emit_both(vv_writer *writer, uint32_t gate, uint8_t kind,
                                                uint8_t payload, uint32_t stream, uint64_t subject,
                                                uint64_t word, uint64_t first, uint64_t second) {
  uint64_t cause = writer->cause, far[2] = {writer->far[0], writer->far[1]};
  uint32_t far_count = writer->far_count, ring_id = writer->ring_id;
  writer->cause = 0;
  writer->far[0] = first;
  writer->far[1] = second;
  writer->far_count = 2;
  bool is_told = vv_emit_word(writer, gate, kind, payload, stream, subject, 0, word);
  bool is_same = ring_id == writer->ring_id;
  writer->cause = is_same ? cause : 0;
  memcpy(writer->far, far, sizeof far);
  writer->far_count = is_same ? far_count : 0;
  return is_told;
}

// MARK: Where something comes from

/// Where something that happens to a task comes from.
typedef struct origin {
  uint64_t cause;   // a reference, if it is not what the thread is delivering; or 0
  uint64_t hop;     // the work during which it happens
  uint64_t number;  // the task that does it, or 0
  uint32_t stack;
} origin;

// Where the function with this frame returns to; 0 if it cannot be read.
VV_UNCHECKED static uintptr_t caller_of(const vv_thread *thread, uintptr_t frame) {
  bool is_own = frame >= thread->stack_low && frame + 16 <= thread->stack_high && !(frame & 7);
  return is_own ? ((const uintptr_t *)frame)[1] : 0;
}

// Whether the function with the frame `frame`, which returns to `caller`, has not returned yet.
VV_UNCHECKED static bool is_within(uintptr_t frame, uintptr_t caller, uintptr_t from) {
  if (from >= frame || from & 7) return false;
  for (int steps = 64; steps > 0; steps--) {
    uintptr_t next = ((const uintptr_t *)from)[0];
    if (next == frame) return !caller || ((const uintptr_t *)frame)[1] == caller;
    if (next <= from || next > frame) return false;
    from = next;
  }
  return false;
}

static inline bool is_after_task(const vv_thread *thread, uintptr_t frame) {
  const vv_task_after *after = &thread->task_after;
  return after->hop && is_within(after->frame, after->caller, frame);
}

// What a task wakes when it has stopped running, or enqueues, which may be itself, it does as
// itself, until the function that has run it returns. It has no stack any more: of a suspended task
// it is that of its functions.
static inline origin origin_here(vv_thread *thread, const vv_task_state *state, uint32_t gate,
                                 uintptr_t frame) {
  const vv_task_after *after = &thread->task_after;
  if (is_after_task(thread, frame))
    return (origin){after->reference, after->hop, after->number,
                    state == after->state ? state->suspended : 0};
  origin here = {0, thread->hop, thread->task_number, 0};
  if (!(gate & wish_stacks)) return here;
  if (thread->task_frame && __builtin_expect(vv_await_may_be_learned(), 0))
    vv_await_learn_from(frame, thread->task_frame, thread->task_caller);
  here.stack = vv_stack_capture_until(thread, frame, thread->task_frame);
  vv_stack_define(here.stack, gate);
  return here;
}

// What a record names as its cause: that of `from`, or what the thread is delivering, or what the
// task that runs here last received.
static inline task_cause cause_from(const vv_writer *writer, const origin *from) {
  if (from->cause) return cause_of(writer, from->cause);
  task_cause found = {writer->cause, 0};
  if (!found.near && vv_tasks_are_noted()) {
    uint64_t noted = vv_task_cause();
    if (vv_reference_is_known(noted)) found.far = noted;
  }
  return found;
}

// MARK: Created

static uint8_t making_of(const void *task) {
  uint32_t flags = vv_task_half(task, vv_task_flags);
  if (flags & 1u << 28) return made_by_let;
  if (flags & 1u << 26) return made_for_group;
  return flags & 1u << 24 ? made_as_child : made_as_task;
}

// The records of a task's status are few: its name is one of them.
static const char *name_of(const void *task) {
  enum { is_named = 1u << 30, record_next = 8, record_name = 6, record_value = 16 };
  if (!(vv_task_half(task, vv_task_flags) & is_named)) return NULL;
  const void *record = (const void *)vv_task_word(task, vv_task_records);
  for (int left = 16; record && left > 0; left--) {
    if ((vv_task_word(record, 0) & 0xff) == record_name)
      return (const char *)vv_task_word(record, record_value);
    record = (const void *)vv_task_word(record, record_next);
  }
  return NULL;
}

static uint64_t first_new = 0;

void vv_tasks_are_new_from(const void *task) {
  if (vv_tasks_are_followed())
    __atomic_store_n(&first_new, vv_task_number(task), __ATOMIC_RELAXED);
}

// Whether a task that nothing is known of was made just now, and not while nothing was recorded.
static inline bool was_made_now(const void *task) {
  return vv_task_number(task) >= __atomic_load_n(&first_new, __ATOMIC_RELAXED);
}

// Makes a task known to the recording.
static vv_task_state *meet(void *task, vv_task_state *state, vv_thread *thread, uint32_t gate,
                           const origin *from, bool is_new) {
  if (!state) {
    state = vv_task_state_make(thread);
    if (!state) return NULL;
    keep_state(task, state);
  }
  state->session = gate >> 8;
  state->scheduled = 0;
  uint8_t priority = (uint8_t)(vv_task_half(task, vv_task_flags) >> 8);
  uint32_t template = vv_task_template_find(is_new ? making_of(task) : made_before, priority,
                                            name_of(task), is_new ? from->stack : 0, gate);
  vv_writer *writer = &thread->writer;
  task_cause cause = is_new ? cause_from(writer, from) : (task_cause){0, 0};
  uint64_t word = (is_new ? from->number << 20 : 0) | template;
  task_emit(writer, gate, task_created, payload_made, 0, vv_task_number(task), 0, word, cause);
  return state;
}

// MARK: Enqueued

/// What a task awaits, according to the record of its status that was added last.
typedef struct dependency {
  const void *on;
  uint32_t kind;  // 0 if none
} dependency;

static inline dependency dependency_of(const void *task) {
  enum { record_dependency = 0, record_on = 16, record_kind = 32 };
  if (!(vv_task_half(task, vv_task_status) & vv_task_depends)) return (dependency){NULL, 0};
  const void *record = (const void *)vv_task_word(task, vv_task_records);
  if (!record || (vv_task_word(record, 0) & 0xff) != record_dependency) return (dependency){NULL, 0};
  return (dependency){(const void *)vv_task_word(record, record_on),
                      vv_task_half(record, record_kind)};
}

static inline uint32_t executor_awaited(const void *task, uint32_t gate) {
  dependency on = dependency_of(task);
  return executor_of(on.kind == await_executor ? on.on : NULL, gate);
}

// Records that the next run of a task is scheduled. `floor` is 0 or SAME_MOMENT.
static inline __attribute__((always_inline)) void schedule(
    void *task, vv_task_state *state, vv_thread *thread, uint32_t gate, const origin *from,
    uint64_t floor) {
  state->scheduler = executor_awaited(task, gate);
  state->stack = from->stack;
  state->hop = vv_hop_next(thread);
  if (varve_hop_scheduled)
    state->way = from->cause ? from->hop << 1 | 1 : vv_way_from_here(thread);
  vv_writer *writer = &thread->writer;
  task_cause cause = cause_from(writer, from);
  uint64_t word = (uint64_t)from->stack | from->hop << 20;
  // The last cause tells whose run it is.
  uint64_t own = state->suspended_at;
  bool names_own = own && own != from->cause && vv_reference_is_known(own);
  // It may have been suspended on another thread since this one's last record.
  if (names_own && own >> 40 != writer->ring_id) floor = 0;
  bool is_told;
  if (__builtin_expect(names_own && cause.far, 0)) {
    is_told = emit_both(writer, gate, hop_scheduled, payload_cause, state->scheduler, state->hop,
                        word, cause.far, own);
  } else {
    if (names_own) cause.far = own;
    is_told = task_emit_far(writer, gate, hop_scheduled, payload_cause, state->scheduler, state->hop,
                        floor, word, cause);
  }
  state->scheduled = is_told ? last_record(writer) : 0;
  state->scheduled_ticks = writer->last;
  state->scheduled_session = gate >> 8;
  state->resumer = 0;
}

void vv_task_is_enqueued(void *task, uint32_t gate, uintptr_t frame) {
  vv_task_state *state = state_of(task);
  vv_thread *thread = thread_here();
  vv_writer *writer = &thread->writer;
  origin from = origin_here(thread, state, gate, frame);
  // What a task wakes by its end, it does in the moment of its end; and a task is created and enqueued
  // at once.
  bool is_same_moment = from.cause && from.cause == last_record(writer);
  if (!state || state->session != gate >> 8) {
    state = meet(task, state, thread, gate, &from, !state && was_made_now(task));
    if (!state) return;
    is_same_moment = true;
  }
  schedule(task, state, thread, gate, &from, is_same_moment ? SAME_MOMENT : 0);
}

void vv_task_is_resumed(void *task, uintptr_t frame) {
  vv_task_state *state = state_of(task);
  if (!state) return;
  vv_thread *thread = thread_here();
  __atomic_store_n(&state->resumer, vv_cause_reference(&thread->writer), __ATOMIC_RELAXED);
  // Where tasks are run, and none runs now, nothing resumes a continuation but the job of a task that
  // has yielded.
  if (thread->task_after.state != state && is_after_task(thread, frame)) {
    vv_task_after *after = &thread->task_after;
    after->reference = state->suspended_at;
    after->hop = state->suspended_at ? state->hop : 0;
    after->number = vv_task_number(task);
    after->state = state;
  }
}

// MARK: Runs

// Of a run that nobody is known to have scheduled.
static __attribute__((noinline)) vv_task_state *meet_run(void *task, vv_thread *thread,
                                                         uint32_t gate, uintptr_t frame) {
  vv_task_state *state = state_of(task);
  if (!state || state->session != gate >> 8) {
    // A task that another one starts at once, or the program's first.
    origin from = {0, thread->hop, thread->task_number, 0};
    bool is_new = !state && vv_task_number(task) > thread->task_number && was_made_now(task);
    if (is_new && (gate & wish_stacks))
      from.stack = vv_stack_capture_until(thread, frame, thread->task_frame);
    vv_stack_define(from.stack, gate);
    state = meet(task, state, thread, gate, &from, is_new);
    if (!state) return NULL;
  }
  // What runs a task at once schedules it.
  if (thread->hop && !is_scheduled(state, gate) && !state->resumer) {
    origin here = {0, thread->hop, thread->task_number, 0};
    schedule(task, state, thread, gate, &here, 0);
  }
  if (!is_scheduled(state, gate)) {
    state->scheduler = executor_awaited(task, gate);
    state->hop = vv_hop_next(thread);
    state->stack = 0;
    state->way = 0;
    state->scheduled = 0;
  }
  return state;
}

void vv_task_has_entered(void *task, uintptr_t caller, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  vv_task_state *state = state_of(task);
  if (!gate) {
    if (state) state->scheduled = 0;
    return;
  }
  vv_thread *thread = thread_here();
  vv_writer *writer = &thread->writer;
  thread->task_after.hop = 0;
  if (!state || state->session != gate >> 8 || !is_scheduled(state, gate)) {
    state = meet_run(task, thread, gate, frame);
    if (!state) return;
  }
  uint64_t scheduled = state->scheduled, number = vv_task_number(task);
  uint64_t outer = vv_cause_reference(writer);
  task_cause cause = cause_of(writer, scheduled ? scheduled : state->resumer);
  uint64_t run = number << 8 | (vv_task_half(task, vv_task_flags) >> 8 & 0xff);
  bool is_told = task_emit(writer, gate, hop_began, payload_task, state->scheduler, state->hop,
                           scheduled ? state->scheduled_ticks : 0, run, cause);
  vv_cause_drop_far(writer);
  state->scheduled = 0;
  state->resumer = 0;
  state->run_session = is_told ? gate >> 8 : 0;
  state->began = is_told ? last_record(writer) : 0;
  writer->cause = is_told ? writer->sequence : 0;
  state->outer_cause = outer;
  state->outer_hop = thread->hop;
  state->outer_number = thread->task_number;
  state->outer = thread->task;
  state->frame = frame;
  thread->task = state;
  thread->task_number = number;
  thread->task_caller = caller;
  thread->task_frame = frame;
  thread->hop = state->hop;
  if (varve_hop_scheduled) {
    state->before = vv_hop_begin(thread, &state->node, state->way, state->hop, state->scheduler,
                                 state->stack);
    state->way = 0;
  }
}

void vv_task_forget_beginning(vv_thread *thread) {
  vv_task_state *state = thread->task;
  if (state && state->began && vv_cause_reference(&thread->writer) == state->began)
    thread->writer.cause = 0;
}

void vv_task_recall_beginning(vv_thread *thread) {
  const vv_task_state *state = thread->task;
  vv_writer *writer = &thread->writer;
  if (state && !writer->cause && state->began >> 40 == writer->ring_id)
    writer->cause = state->began & 0xffffffffffull;
}

void vv_task_keep_note(vv_thread *thread, void *task, uint64_t cause) {
  vv_task_state *state = state_of(task);
  // The task began to run before the recording, which meets it when it runs again.
  if (!state) keep_state(task, state = vv_task_state_make(thread));
  if (state) state->noted = cause;
}

uint64_t vv_task_note(const void *task) {
  const vv_task_state *state = state_of(task);
  return state ? state->noted : 0;
}

// Ends the run of the task that runs here.
static inline __attribute__((always_inline)) void end_run(
    vv_thread *thread, vv_task_state *state, uint64_t number, uint64_t awaited, uint32_t gate) {
  vv_writer *writer = &thread->writer;
  if (varve_hop_scheduled) vv_hop_end(thread, state->before);
  uint64_t reference = 0;
  if (gate && state->run_session == gate >> 8 &&
      task_emit(writer, gate, hop_ended, payload_awaited, state->scheduler, state->hop, 0, awaited,
                cause_of(writer, state->began)))
    reference = last_record(writer);
  vv_cause_drop_far(writer);
  state->suspended_at = reference;
  writer->cause = state->outer_cause >> 40 == writer->ring_id
                      ? state->outer_cause & 0xffffffffffull : 0;
  vv_task_after *after = &thread->task_after;
  after->reference = reference;
  after->hop = reference ? state->hop : 0;
  after->number = number;
  after->frame = state->frame;
  after->caller = caller_of(thread, state->frame);
  after->state = state;
  thread->hop = state->outer_hop;
  thread->task = state->outer;
  thread->task_number = state->outer_number;
  thread->task_frame = state->outer ? state->outer->frame : 0;
}

// The contexts of the functions that a suspended task is in, the innermost first.
typedef struct context {
  const struct context *caller;
  uintptr_t resume;
} context;

// Whether a stored stack is that of a suspended task.
static inline bool is_suspended_at(const vv_stack *stack, uintptr_t resume, const context *at) {
  uint32_t index = 0;
  if (!at || at->resume != resume)
    if (stack->addresses[index++] != (resume | VV_RESUMPTION)) return false;
  for (; at && index < stack->count; at = at->caller)
    if (stack->addresses[index++] != (at->resume | VV_RESUMPTION)) return false;
  return index == stack->count && (!at || at->resume < 4096 || index == VV_STACK_FRAMES);
}

// The stack of a suspended task: where it resumes, and the functions that await that. Most tasks are
// suspended where they were before.
static inline uint32_t suspended_stack(const void *task, uint32_t before) {
  uintptr_t addresses[VV_STACK_FRAMES];
  uint32_t count = 0;
  uintptr_t resume = vv_task_word(task, vv_task_resume);
  const context *at = (const context *)vv_task_word(task, vv_task_context);
  if (resume < 4096) return 0;
  if (before && is_suspended_at(&vv_stacks[before], resume, at)) return before;
  // The context of a continuation names the same place once more.
  if (!at || at->resume != resume) addresses[count++] = resume | VV_RESUMPTION;
  for (; at && at->resume >= 4096 && count < VV_STACK_FRAMES; at = at->caller)
    addresses[count++] = at->resume | VV_RESUMPTION;
  return vv_stack_number(addresses, count);
}

void vv_task_suspends(void *task) {
  vv_thread *thread = thread_here();
  vv_task_state *state = thread->task;
  if (!state || state != state_of(task)) return;
  uint32_t gate = vv_gate_load();
  uint64_t awaited = 0;
  if (gate && state->run_session == gate >> 8) {
    dependency on = dependency_of(task);
    uint64_t number = 0;
    if (on.kind == 1 && on.on) number = vv_task_number(on.on);
    if (on.kind == await_executor) number = vv_task_executor(on.on, gate);
    state->suspended = gate & wish_stacks ? suspended_stack(task, state->suspended) : 0;
    vv_stack_define(state->suspended, gate);
    awaited = state->suspended | (uint64_t)(on.kind < await_nothing ? on.kind : 0) << 20 |
              number << 24;
  }
  end_run(thread, state, thread->task_number, awaited, gate);
}

void vv_task_has_ended(void *task) {
  vv_task_state *state = state_of(task);
  if (!state) return;
  vv_thread *thread = thread_here();
  if (thread->task == state)
    end_run(thread, state, vv_task_number(task), (uint64_t)await_nothing << 20, vv_gate_load());
  keep_state(task, NULL);
  vv_way_release(state->way);
  vv_task_state_free(thread, state);
}

// MARK: Cancelled and failed

// What code does to a task from outside: with its stack.
static void record_from_here(uint8_t kind, const void *task, uint32_t gate, uintptr_t frame) {
  vv_thread *thread = thread_here();
  origin from = origin_here(thread, NULL, gate, frame);
  uint64_t word = (uint64_t)from.stack | from.hop << 20;
  task_emit(&thread->writer, gate, kind, payload_cause, 0, vv_task_number(task), 0, word,
            cause_from(&thread->writer, &from));
}

void vv_task_is_cancelled(void *task, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  if (gate) record_from_here(task_cancelled, task, gate, frame);
}

void vv_task_failure_is_read(void *task, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  if (gate) record_from_here(task_failure_read, task, gate, frame);
}

void vv_task_has_failed(void *task, void *error, uint32_t gate, uintptr_t frame) {
  vv_type_name name = vv_task_error_type(error);
  uint32_t kept = name.count < VV_TASK_NAME_LARGEST ? (uint32_t)name.count : VV_TASK_NAME_LARGEST;
  vv_thread *thread = thread_here();
  vv_writer *writer = &thread->writer;
  // Its cause is the end of the task's last run.
  uint64_t before = writer->cause;
  uint64_t end = is_after_task(thread, frame) ? thread->task_after.reference : 0;
  uint32_t ring_id = writer->ring_id;
  if (end >> 40 == ring_id) writer->cause = end & 0xffffffffffull;
  vv_emit_bytes(writer, gate, task_failed, payload_type, 0, vv_task_number(task), 0,
                (const uint8_t *)name.bytes, kept, (uint32_t)name.count);
  writer->cause = writer->ring_id == ring_id ? before : 0;
}
