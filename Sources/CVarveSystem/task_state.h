#pragma once
// What is known of a living task, and how its records are written: what the files that follow tasks
// share. Each run of a task passes through here several times, so all of it is inline, and what a
// run needs of its task lies in two lines of the cache.
#include <string.h>
#include "varve_emit.h"
#include "varve_follow.h"
#include "varve_task.h"

/// What is known of a living task. The task points to it.
typedef struct __attribute__((aligned(64))) vv_task_state {
  uint32_t session;            // the recording that knows the task
  uint32_t scheduled_session;  // that of the next three
  uint64_t scheduled;          // the record that schedules the next run; 0 if none is scheduled
  uint64_t scheduled_ticks;
  uint64_t hop;                // the id of the scheduled or current run
  uint64_t suspended_at;       // the record of the last suspension, or 0
  uint64_t resumer;            // what resumed the task's continuation last, or 0
  uint32_t scheduler, stack;   // of the scheduled or current run
  uint32_t suspended;          // the stack of the functions that were last suspended
  // While the task runs:
  uint32_t run_session;        // the recording that knows the run
  uint64_t began;              // the record of its beginning
  uint64_t outer_cause, outer_hop, outer_number;
  struct vv_task_state *outer;
  uintptr_t frame;             // of the function that runs it
  uint64_t noted;              // what the task last received from an `await`, or 0 (task.c)
  vv_way way;
  vv_hop *before;
  vv_hop node;
  struct vv_task_state *next, *next_batch;  // while free
} vv_task_state;

/// Returns a new state; null if there is no memory.
vv_task_state *vv_task_state_make(vv_thread *thread);
void vv_task_state_free(vv_thread *thread, vv_task_state *state);

static inline vv_task_state *state_of(const void *task) {
  return (vv_task_state *)vv_task_word(task, vv_task_reserved);
}

static inline void keep_state(void *task, vv_task_state *state) {
  *(vv_task_state **)((char *)task + vv_task_reserved) = state;
}

/// Whether the recording knows that the task's next run is scheduled: several functions of the
/// runtime tell of the same enqueuing.
static inline bool is_scheduled(const vv_task_state *state, uint32_t gate) {
  return state->scheduled && state->scheduled_session == gate >> 8;
}

// MARK: What happens to tasks

// What the calls of the runtime lead to, without a detour over the table of what libraries share.
VV_HERE void vv_task_is_enqueued(void *task, uint32_t gate, uintptr_t frame);
VV_HERE void vv_task_is_resumed(void *task, uintptr_t frame);
VV_HERE void vv_task_has_entered(void *task, uintptr_t caller, uintptr_t frame);
VV_HERE void vv_task_suspends(void *task);
VV_HERE void vv_task_has_ended(void *task);
VV_HERE void vv_task_is_cancelled(void *task, uintptr_t frame);
VV_HERE void vv_task_has_failed(void *task, void *error, uint32_t gate, uintptr_t frame);
VV_HERE void vv_task_failure_is_read(void *task, uintptr_t frame);
/// From now on, errors that code throws are recorded (task_errors.c).
VV_HERE void vv_errors_follow(void);
VV_HERE void vv_stack_define_now(uint32_t stack, uint32_t gate);
VV_HERE uint32_t vv_task_executor(const void *identity, uint32_t gate);
VV_HERE uint32_t vv_task_template_find(uint8_t making, uint8_t priority, const char *name,
                                       uint32_t stack, uint32_t gate);

// MARK: The calling thread

#if defined(__linux__)
/// The distance from the thread pointer to a word that the library VarveTasks has for each thread.
/// Being preloaded, it has its thread-local variables where one instruction reads them; those of a
/// library that is opened later take a call.
extern VV_HERE intptr_t vv_task_thread_word;

__attribute__((noinline, cold)) VV_HERE vv_thread *vv_task_thread_slowly(void);

/// `vv_thread_current`, once tasks are followed.
static inline vv_thread *thread_here(void) {
  vv_thread *thread =
      *(vv_thread **)((char *)__builtin_thread_pointer() + vv_task_thread_word);
  return __builtin_expect(thread != NULL, 1) ? thread : vv_task_thread_slowly();
}
#else
static inline vv_thread *thread_here(void) { return vv_thread_current(); }
#endif

// MARK: Records

/// What a record names as its causes: one in the thread's own ring, by its number, and one anywhere,
/// by its reference; 0 for none.
typedef struct {
  uint64_t near, far;
} task_cause;

static inline task_cause cause_of(const vv_writer *writer, uint64_t reference) {
  if (reference >> 40 == writer->ring_id) return (task_cause){reference & 0xffffffffffull, 0};
  return (task_cause){0, reference && vv_reference_is_known(reference) ? reference : 0};
}

/// Writes a record that needs room in its ring, or has a far cause, which is stored behind the word.
__attribute__((noinline)) VV_HERE bool vv_task_emit_slowly(
    vv_writer *writer, uint32_t gate, uint64_t kinds, uint64_t subject, uint64_t floor,
    uint64_t word, task_cause cause);

/// The value of `floor` for a record of the same moment as the thread's last one, for which the clock
/// is not read again.
#define SAME_MOMENT UINT64_MAX

static inline __attribute__((always_inline)) uint64_t task_ticks(const vv_writer *writer,
                                                                 uint64_t floor) {
  uint64_t least = writer->last;
  if (floor == SAME_MOMENT) return least + 1;
  uint64_t ticks = vv_clock_ticks();
  if (floor > least) least = floor;
  return ticks > least ? ticks : least + 1;
}

/// Fills a record with eight bytes of payload at the writer's position, and publishes it. `is_far` says
/// whether it has a far cause: where that is a constant, nothing is left of the other case.
static inline __attribute__((always_inline)) void task_fill(
    vv_writer *writer, uint64_t kinds, uint64_t subject, uint64_t ticks, uint64_t word,
    task_cause cause, bool is_far) {
  uint32_t far = is_far, whole = VV_RECORD_HEAD_BYTES + 8 + far * 8;
  uint64_t head = writer->head, sequence = writer->sequence + 1;
  uint8_t *at = writer->data + (head & writer->mask);
  vv_ring *ring = writer->ring;
  head += whole;
  writer->head = head;
  writer->last = ticks;
  writer->sequence = sequence;
  uint64_t words[5] = {
      kinds | (uint64_t)(whole / 8) | (uint64_t)far << 24, ticks,
      (uint32_t)sequence | vv_emit_back(sequence, cause.near, far) << 32, subject, word};
  memcpy(at, words, sizeof words);
  if (is_far) memcpy(at + sizeof words, &cause.far, 8);
  __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
}

/// Whether a record of some bytes has a ring of this recording with room for it.
static inline bool has_room(const vv_writer *writer, uint32_t gate, uint32_t whole) {
  return !((writer->session != gate >> 8) | (writer->head + whole > writer->limit));
}

static inline uint64_t task_kinds(uint8_t kind, uint8_t payload, uint32_t stream) {
  return (uint64_t)kind << 8 | (uint64_t)payload << 16 | (uint64_t)stream << 32;
}

/// Writes a record with eight bytes of payload, as `vv_emit_word` does, but with the given causes: those
/// that the thread's next record would name stay as they are. Returns false if the record is lost.
static inline __attribute__((always_inline)) bool task_emit(
    vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload, uint32_t stream,
    uint64_t subject, uint64_t floor, uint64_t word, task_cause cause) {
  uint64_t kinds = task_kinds(kind, payload, stream);
  if (__builtin_expect((cause.far != 0) | !has_room(writer, gate, VV_RECORD_HEAD_BYTES + 8), 0))
    return vv_task_emit_slowly(writer, gate, kinds, subject, floor, word, cause);
  task_fill(writer, kinds, subject, task_ticks(writer, floor), word, cause, false);
  return true;
}

/// Likewise, where far causes are frequent: what is resumed was suspended on another thread.
static inline __attribute__((always_inline)) bool task_emit_far(
    vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload, uint32_t stream,
    uint64_t subject, uint64_t floor, uint64_t word, task_cause cause) {
  if (!cause.far | !has_room(writer, gate, VV_RECORD_HEAD_BYTES + 16))
    return task_emit(writer, gate, kind, payload, stream, subject, floor, word, cause);
  task_fill(writer, task_kinds(kind, payload, stream), subject, task_ticks(writer, floor), word,
            cause, true);
  return true;
}

/// The reference of the record that the thread has just written.
static inline uint64_t last_record(const vv_writer *writer) {
  return vv_reference(writer->ring_id, writer->sequence);
}

// MARK: Definitions

/// The session in which the global executor was last recorded.
extern VV_HERE uint32_t vv_task_global_session;

/// `vv_task_executor`; most tasks run on the global executor.
static inline uint32_t executor_of(const void *identity, uint32_t gate) {
  if (!identity &&
      __atomic_load_n(&vv_task_global_session, __ATOMIC_ACQUIRE) == gate >> 8)
    return VV_EXECUTORS_FROM;
  return vv_task_executor(identity, gate);
}
