#include "varve_follow.h"

#include <stdlib.h>
#include <string.h>
#include "varve_emit.h"
#include "varve_task.h"

// VarveProbe.RecordKind, .PayloadKind, .TaskAwait, .TaskMaking and .Wish
enum { hop_scheduled = 9, hop_began = 10, hop_ended = 11, task_created = 20, task_cancelled = 21 };
enum { payload_cause = 14, payload_task = 15, payload_awaited = 16, payload_made = 17 };
enum { await_executor = 4, await_nothing = 5 };
enum { made_before = 0, made_as_task = 1, made_for_group = 2, made_by_let = 3, made_as_child = 4 };
enum { wish_stacks = 1 << 4 };

// Defined in VarveReactive. If it is linked, backtraces may be asked for.
extern void *varve_hop_scheduled(const char *name, uint32_t stack) __attribute__((weak));

/// What is known of a living task. The task points to it.
typedef struct vv_task_state {
  struct vv_task_state *next, *next_batch;  // while free
  uint32_t session;           // the recording that knows the task
  uint32_t scheduled_session; // that of the next three
  uint64_t scheduled;         // the record that schedules the next run; 0 if none is scheduled
  uint64_t scheduled_ticks;
  uint64_t hop;               // the id of the scheduled or current run
  uint64_t suspended_at;      // the record of the last suspension, or 0
  uint64_t resumer;           // what resumed the task's continuation last, or 0
  vv_way way;
  uint32_t scheduler, stack;  // of the scheduled or current run
  uint32_t suspended;         // the stack of the functions that were last suspended
  // While the task runs:
  uint32_t run_session;       // the recording that knows the run
  uint64_t began;             // the record of its beginning
  uint64_t outer_cause, outer_hop, outer_number;
  struct vv_task_state *outer;
  uintptr_t frame;
  vv_hop *before;
  vv_hop node;
} vv_task_state;

// MARK: Memory

// As with hops (hop.c): states are kept in batches, of which each thread has up to two.
enum { batch = 64 };
static uint64_t top = 0;
static uint64_t states = 0;

static inline vv_task_state *first_state(uint64_t word) {
  return (vv_task_state *)(word & 0xffffffffffffull);
}

static void give(vv_task_state *first) {
  uint64_t known = __atomic_load_n(&top, __ATOMIC_RELAXED), now;
  do {
    __atomic_store_n(&first->next_batch, first_state(known), __ATOMIC_RELAXED);
    now = ((known >> 48) + 1) << 48 | (uint64_t)(uintptr_t)first;
  } while (!__atomic_compare_exchange_n(&top, &known, now, true, __ATOMIC_RELEASE,
                                        __ATOMIC_RELAXED));
}

static vv_task_state *take_batch(void) {
  uint64_t known = __atomic_load_n(&top, __ATOMIC_ACQUIRE), now;
  vv_task_state *first;
  do {
    first = first_state(known);
    if (!first) return NULL;
    now = ((known >> 48) + 1) << 48 |
          (uint64_t)(uintptr_t)__atomic_load_n(&first->next_batch, __ATOMIC_RELAXED);
  } while (!__atomic_compare_exchange_n(&top, &known, now, true, __ATOMIC_ACQUIRE,
                                        __ATOMIC_ACQUIRE));
  return first;
}

static vv_task_state *make_batch(void) {
  vv_task_state *made = malloc(batch * sizeof *made);
  if (!made) return NULL;
  for (int index = 0; index < batch; index++)
    made[index].next = index + 1 < batch ? &made[index + 1] : NULL;
  __atomic_add_fetch(&states, batch, __ATOMIC_RELAXED);
  return made;
}

static __attribute__((noinline)) vv_task_state *refill(vv_thread *thread) {
  vv_thread_watch_end();
  vv_task_state *first = take_batch();
  if (!first) first = make_batch();
  thread->tasks_free = 0;
  for (vv_task_state *state = first; state; state = state->next) thread->tasks_free++;
  return first;
}

static vv_task_state *allocate(vv_thread *thread) {
  vv_task_state *state = thread->free_task ? thread->free_task : refill(thread);
  if (!state) return NULL;
  thread->free_task = state->next;
  thread->tasks_free--;
  memset(state, 0, sizeof *state);
  return state;
}

static __attribute__((noinline)) void shed(vv_thread *thread) {
  vv_task_state *first = thread->free_task, *last = first;
  for (int index = 1; index < batch; index++) last = last->next;
  thread->free_task = last->next;
  thread->tasks_free -= batch;
  last->next = NULL;
  give(first);
}

static void deallocate(vv_thread *thread, vv_task_state *state) {
  state->next = thread->free_task;
  thread->free_task = state;
  if (__builtin_expect(++thread->tasks_free >= 2 * batch, 0)) shed(thread);
}

static void leave_thread(vv_thread *thread) {
  vv_task_state *first = thread->free_task;
  thread->free_task = NULL;
  thread->tasks_free = 0;
  if (first) give(first);
}

__attribute__((constructor(101))) static void watch_threads(void) { vv_thread_at_end(leave_thread); }

uint64_t vv_task_states(void) { return __atomic_load_n(&states, __ATOMIC_RELAXED); }

// MARK: The state of a task

static inline vv_task_state *state_of(const void *task) {
  return (vv_task_state *)vv_task_word(task, vv_task_reserved);
}

static inline void keep_state(void *task, vv_task_state *state) {
  *(vv_task_state **)((char *)task + vv_task_reserved) = state;
}

/// Where something that happens to a task comes from.
typedef struct origin {
  uint64_t cause;   // a reference, if it is not what the thread is delivering; or 0
  uint64_t hop;     // the work during which it happens
  uint64_t number;  // the task that does it, or 0
  uint32_t stack;
} origin;

// Whether a function that ends at `frame` has not returned yet.
VV_UNCHECKED static bool is_within(uintptr_t frame, uintptr_t from) {
  for (int steps = 0; steps < 64 && from < frame && !(from & 7); steps++) {
    uintptr_t next = ((const uintptr_t *)from)[0];
    if (next == frame) return true;
    if (next <= from || next - from > 1 << 20) return false;
    from = next;
  }
  return false;
}

// What a task wakes when it has stopped running, or enqueues, which may be itself, it does as
// itself, until the function that has run it returns. It has no stack any more: of a suspended task
// it is that of its functions.
static origin origin_here(vv_thread *thread, const vv_task_state *state, uint32_t gate,
                          uintptr_t frame) {
  const vv_task_after *after = &thread->task_after;
  if (after->hop && is_within(after->frame, frame))
    return (origin){after->reference, after->hop, after->number,
                    state == after->state ? state->suspended : 0};
  origin here = {0, thread->hop, thread->task_number, 0};
  if (!(gate & wish_stacks)) return here;
  if (__builtin_expect(!__atomic_load_n(&vv_await_entry, __ATOMIC_RELAXED) && thread->task_frame, 0))
    vv_await_learn_from(frame, thread->task_frame, thread->task_caller);
  here.stack = vv_stack_capture_from(frame);
  vv_stack_define(here.stack, gate);
  return here;
}

/// The causes that the thread's next record would have named.
typedef struct causes {
  uint64_t cause, far;
  uint32_t far_count, ring_id;
} causes;

static inline causes set_causes_aside(vv_writer *writer) {
  causes own = {writer->cause, writer->far[0], writer->far_count, writer->ring_id};
  writer->far_count = 0;
  return own;
}

static inline void put_causes_back(vv_writer *writer, causes own) {
  bool is_same = own.ring_id == writer->ring_id;
  writer->cause = is_same ? own.cause : 0;
  writer->far[0] = own.far;
  writer->far_count = is_same ? own.far_count : 0;
}

// Lets the next record name a record.
static inline void name_cause(vv_writer *writer, uint64_t reference) {
  writer->cause = 0;
  if (!reference) return;
  if (reference >> 40 == writer->ring_id)
    writer->cause = reference & 0xffffffffffull;
  else
    vv_cause_add_far(writer, reference);
}

// Lets the next record name what led to it: that of `from`, or what the thread is delivering, or
// what the task that runs here last received.
static inline void name_origin(vv_writer *writer, const origin *from) {
  if (from->cause)
    name_cause(writer, from->cause);
  else if (writer->cause == 0 && vv_tasks_are_noted())
    vv_cause_add_far(writer, vv_task_cause());
}

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

// Makes a task known to the recording.
static vv_task_state *meet(void *task, vv_task_state *state, vv_thread *thread, uint32_t gate,
                           const origin *from, bool is_new) {
  if (!state) {
    state = allocate(thread);
    if (!state) return NULL;
    keep_state(task, state);
  }
  state->session = gate >> 8;
  state->scheduled = 0;
  uint8_t priority = (uint8_t)(vv_task_half(task, vv_task_flags) >> 8);
  uint32_t template = vv_task_template_find(is_new ? making_of(task) : made_before, priority,
                                            name_of(task), is_new ? from->stack : 0, gate);
  vv_writer *writer = &thread->writer;
  causes own = set_causes_aside(writer);
  if (is_new) name_origin(writer, from); else writer->cause = 0;
  uint64_t word = (is_new ? from->number << 20 : 0) | template;
  vv_emit_word(writer, gate, task_created, payload_made, 0, vv_task_number(task), 0, word);
  put_causes_back(writer, own);
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

static inline bool is_scheduled(const vv_task_state *state, uint32_t gate) {
  return state->scheduled && state->scheduled_session == gate >> 8;
}

// Records that the next run of a task is scheduled.
static void schedule(void *task, vv_task_state *state, vv_thread *thread, uint32_t gate,
                     const origin *from) {
  dependency on = dependency_of(task);
  state->scheduler = vv_task_executor(on.kind == await_executor ? on.on : NULL, gate);
  state->stack = from->stack;
  state->hop = vv_hop_next(thread);
  if (varve_hop_scheduled)
    state->way = from->cause ? from->hop << 1 | 1 : vv_way_from_here(thread);
  vv_writer *writer = &thread->writer;
  causes own = set_causes_aside(writer);
  name_origin(writer, from);
  // The last cause tells whose run it is.
  bool is_own = from->cause && from->cause == state->suspended_at;
  if (!is_own && vv_reference_is_known(state->suspended_at))
    vv_cause_add_far(writer, state->suspended_at);
  uint64_t word = (uint64_t)from->stack | from->hop << 20;
  bool is_told = vv_emit_word(writer, gate, hop_scheduled, payload_cause, state->scheduler,
                              state->hop, 0, word);
  state->scheduled = is_told ? vv_reference(writer->ring_id, writer->sequence) : 0;
  state->scheduled_ticks = writer->last;
  state->scheduled_session = gate >> 8;
  state->resumer = 0;
  put_causes_back(writer, own);
}

void vv_task_is_enqueued(void *task, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  if (!gate) return;
  vv_task_state *state = state_of(task);
  // Several functions tell of the same enqueuing.
  if (state && state->session == gate >> 8 && is_scheduled(state, gate)) return;
  vv_thread *thread = vv_thread_current();
  origin from = origin_here(thread, state, gate, frame);
  if (!state || state->session != gate >> 8)
    state = meet(task, state, thread, gate, &from, state == NULL);
  if (!state) return;
  schedule(task, state, thread, gate, &from);
}

void vv_task_is_resumed(void *task) {
  if (!vv_gate_load()) return;
  vv_task_state *state = state_of(task);
  if (state)
    __atomic_store_n(&state->resumer, vv_cause_reference(&vv_thread_current()->writer),
                     __ATOMIC_RELAXED);
}

// MARK: Runs

void vv_task_has_entered(void *task, uintptr_t caller, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  vv_task_state *state = state_of(task);
  if (!gate) {
    if (state) state->scheduled = 0;
    return;
  }
  vv_thread *thread = vv_thread_current();
  vv_writer *writer = &thread->writer;
  thread->task_after.hop = 0;
  if (!state || state->session != gate >> 8) {
    // A task that another one starts at once, or the program's first.
    origin from = {0, thread->hop, thread->task_number, 0};
    bool is_new = !state && vv_task_number(task) > thread->task_number;
    if (is_new && (gate & wish_stacks)) from.stack = vv_stack_capture_from(frame);
    vv_stack_define(from.stack, gate);
    state = meet(task, state, thread, gate, &from, is_new);
    if (!state) return;
  }
  // What runs a task at once schedules it.
  if (thread->hop && !is_scheduled(state, gate) && !state->resumer) {
    origin here = {0, thread->hop, thread->task_number, 0};
    schedule(task, state, thread, gate, &here);
  }
  causes own = set_causes_aside(writer);
  bool was_scheduled = is_scheduled(state, gate);
  uint64_t resumer = state->resumer;
  if (!was_scheduled) {
    dependency on = dependency_of(task);
    state->scheduler = vv_task_executor(on.kind == await_executor ? on.on : NULL, gate);
    state->hop = vv_hop_next(thread);
    state->stack = 0;
    state->way = 0;
  }
  if (was_scheduled)
    name_cause(writer, state->scheduled);
  else if (resumer && vv_reference_is_known(resumer))
    name_cause(writer, resumer);
  uint64_t run = vv_task_number(task) << 8 | (vv_task_half(task, vv_task_flags) >> 8 & 0xff);
  bool is_told = vv_emit_word(writer, gate, hop_began, payload_task, state->scheduler, state->hop,
                              was_scheduled ? state->scheduled_ticks : 0, run);
  writer->far_count = 0;
  state->scheduled = 0;
  state->resumer = 0;
  state->run_session = is_told ? gate >> 8 : 0;
  state->began = is_told ? vv_reference(writer->ring_id, writer->sequence) : 0;
  writer->cause = is_told ? writer->sequence : 0;
  state->outer_cause = own.cause ? vv_reference(own.ring_id, own.cause) : 0;
  state->outer_hop = thread->hop;
  state->outer_number = thread->task_number;
  state->outer = thread->task;
  state->frame = frame;
  thread->task = state;
  thread->task_number = vv_task_number(task);
  thread->task_caller = caller;
  thread->task_frame = frame;
  thread->hop = state->hop;
  if (varve_hop_scheduled)
    state->before = vv_hop_begin(thread, &state->node, state->way, state->hop, state->scheduler,
                                 state->stack);
  state->way = 0;
}

void vv_task_forget_beginning(vv_thread *thread) {
  vv_task_state *state = thread->task;
  if (state && state->began && vv_cause_reference(&thread->writer) == state->began)
    thread->writer.cause = 0;
}

// Ends the run of the task that runs here.
static void end_run(vv_thread *thread, vv_task_state *state, uint64_t number, uint64_t awaited,
                    uint32_t gate) {
  vv_writer *writer = &thread->writer;
  if (varve_hop_scheduled) vv_hop_end(thread, state->before);
  uint64_t reference = 0;
  writer->far_count = 0;
  if (gate && state->run_session == gate >> 8) {
    name_cause(writer, state->began);
    if (vv_emit_word(writer, gate, hop_ended, payload_awaited, state->scheduler, state->hop, 0,
                     awaited))
      reference = vv_reference(writer->ring_id, writer->sequence);
  }
  state->suspended_at = reference;
  writer->far_count = 0;
  writer->cause = state->outer_cause >> 40 == writer->ring_id
                      ? state->outer_cause & 0xffffffffffull : 0;
  thread->task_after =
      (vv_task_after){reference, reference ? state->hop : 0, number, state->frame, state};
  thread->hop = state->outer_hop;
  thread->task = state->outer;
  thread->task_number = state->outer_number;
  thread->task_frame = state->outer ? state->outer->frame : 0;
}

// The stack of a suspended task: where it resumes, and the functions that await that.
static uint32_t suspended_stack(const void *task) {
  uintptr_t addresses[VV_STACK_FRAMES];
  int count = 0;
  uintptr_t resume = vv_task_word(task, vv_task_resume);
  const uintptr_t *context = (const uintptr_t *)vv_task_word(task, vv_task_context);
  if (resume < 4096) return 0;
  // The context of a continuation names the same place once more.
  if (!context || context[1] != resume) addresses[count++] = resume | VV_RESUMPTION;
  for (; context && count < VV_STACK_FRAMES; context = (const uintptr_t *)context[0]) {
    if (context[1] < 4096) break;
    addresses[count++] = context[1] | VV_RESUMPTION;
  }
  return vv_stack_intern(addresses, (uint32_t)count);
}

void vv_task_suspends(void *task) {
  vv_thread *thread = vv_thread_current();
  vv_task_state *state = thread->task;
  if (!state || state != state_of(task)) return;
  uint32_t gate = vv_gate_load();
  uint64_t awaited = 0;
  if (gate && state->run_session == gate >> 8) {
    dependency on = dependency_of(task);
    uint64_t number = 0;
    if (on.kind == 1 && on.on) number = vv_task_number(on.on);
    if (on.kind == await_executor) number = vv_task_executor(on.on, gate);
    state->suspended = gate & wish_stacks ? suspended_stack(task) : 0;
    vv_stack_define(state->suspended, gate);
    awaited = state->suspended | (uint64_t)(on.kind < await_nothing ? on.kind : 0) << 20 |
              number << 24;
  }
  end_run(thread, state, vv_task_number(task), awaited, gate);
}

void vv_task_has_ended(void *task) {
  vv_task_state *state = state_of(task);
  if (!state) return;
  vv_thread *thread = vv_thread_current();
  if (thread->task == state)
    end_run(thread, state, vv_task_number(task), (uint64_t)await_nothing << 20, vv_gate_load());
  keep_state(task, NULL);
  vv_way_release(state->way);
  deallocate(thread, state);
}

// MARK: Cancelled

void vv_task_is_cancelled(void *task, uintptr_t frame) {
  uint32_t gate = vv_gate_load();
  if (!gate) return;
  vv_thread *thread = vv_thread_current();
  origin from = origin_here(thread, NULL, gate, frame);
  vv_writer *writer = &thread->writer;
  causes own = set_causes_aside(writer);
  name_origin(writer, &from);
  uint64_t word = (uint64_t)from.stack | from.hop << 20;
  vv_emit_word(writer, gate, task_cancelled, payload_cause, 0, vv_task_number(task), 0, word);
  put_causes_back(writer, own);
}
