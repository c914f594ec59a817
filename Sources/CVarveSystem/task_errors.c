#include "task_state.h"

#include <stddef.h>

// The runtime calls one of two functions for each error that code throws, before it looks for who
// catches it: the one if the code may throw any error, the other if its type is declared. Test
// libraries set them, too, so whoever is there already is called as before.
typedef void (*throw_call)(void *error);
typedef void (*typed_throw_call)(const void *value, const void *type, const void *conformance);

static throw_call next_throw;
static typed_throw_call next_typed_throw;

static void record(vv_type_name name, uintptr_t frame, uint32_t gate) {
  enum { sent = 16, thrown = 25, payload_type = 10, payload_cause = 14, wish_stacks = 1 << 4 };
  vv_thread *thread = thread_here();
  // The recorder handles its own errors.
  if (thread->drains) return;
  vv_writer *writer = &thread->writer;
  uint32_t kept = name.count < VV_TASK_NAME_LARGEST ? (uint32_t)name.count : VV_TASK_NAME_LARGEST;
  if (!vv_emit_bytes(writer, gate, thrown, payload_type, 0, thread->task_number, 0,
                     (const uint8_t *)name.bytes, kept, (uint32_t)name.count) ||
      !(gate & wish_stacks))
    return;
  uint64_t here = last_record(writer);
  if (thread->task_frame && vv_await_may_be_learned())
    vv_await_learn_from(frame, thread->task_frame, thread->task_caller);
  uint32_t stack = vv_stack_capture_until(thread, frame, thread->task_frame);
  vv_stack_define(stack, gate);
  task_emit(writer, gate, sent, payload_cause, 0, 0, SAME_MOMENT, stack | thread->hop << 20,
            cause_of(writer, here));
}

static void throws(void *error) {
  uint32_t gate = vv_gate_load();
  if (gate && vv_tasks_are_followed())
    record(vv_task_error_type(error), (uintptr_t)__builtin_frame_address(0), gate);
  if (next_throw) next_throw(error);
}

static void throws_typed(const void *value, const void *type, const void *conformance) {
  uint32_t gate = vv_gate_load();
  if (gate && vv_tasks_are_followed())
    record(vv_type_name_of(type), (uintptr_t)__builtin_frame_address(0), gate);
  if (next_typed_throw) next_typed_throw(value, type, conformance);
}

void vv_errors_follow(void) {
  throw_call *any = vv_tasks_find("_swift_willThrow");
  typed_throw_call *typed = vv_tasks_find("_swift_willThrowTypedImpl");
  if (any) next_throw = __atomic_exchange_n(any, throws, __ATOMIC_ACQ_REL);
  if (typed) next_typed_throw = __atomic_exchange_n(typed, throws_typed, __ATOMIC_ACQ_REL);
}
