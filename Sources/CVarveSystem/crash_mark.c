#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "crash_mark.h"

#include "struck.h"
#include "unchecked.h"
#include "varve_crash.h"
#include "varve_mapping.h"
#include "varve_thread.h"

// A program may survive what looks like its end: an earlier handler leaves by `siglongjmp`, and
// nobody tells ours. So a mark lasts only as long as the thread that set it is in its handler, which
// its stack pointer says. It is taken back by that thread when it comes by a slow path, struck again
// or at its end, else by the drain thread.
//
// The header's state is a mark's number (from 0, in this process) in the upper 56 bits, and how far
// it is in the lower 8. Marks are taken back by their number, so nobody takes back another one that
// was set meanwhile.
enum { is_nothing = 0, is_being_written = 1, is_complete = 2 };

static uint64_t marks = 0;

// The part of its stack on which the thread that set the mark is once it has left the handler; empty
// when it cannot leave any more. Read in doubt: who acts on it compares the mark's number.
static uintptr_t left_low = 0, left_high = 0;

static unsigned progress(uint64_t state) { return state & 0xff; }

// Empty first, so that no part reaches from the beginning of one to the end of another. Who sees what
// is stored here for a mark sees the state, too, that the mark has been given before.
static void note_left(uintptr_t low, uintptr_t high) {
  __atomic_store_n(&left_high, 0, __ATOMIC_RELEASE);
  __atomic_store_n(&left_low, low, __ATOMIC_RELEASE);
  __atomic_store_n(&left_high, high, __ATOMIC_RELEASE);
}

static bool is_left(uintptr_t stack_pointer) {
  return stack_pointer < __atomic_load_n(&left_high, __ATOMIC_ACQUIRE) &&
         stack_pointer >= __atomic_load_n(&left_low, __ATOMIC_ACQUIRE);
}

// The handler has a stack of its own, most often. Else it lies below what it has struck, and a
// thread that goes on even deeper is taken to be in it.
static void note_where_left(const vv_strike *strike, const vv_thread *thread) {
  uintptr_t low, high;
  if (thread && vv_thread_knows_stack(thread)) {
    low = thread->stack_low;
    high = thread->stack_high;
  } else {
    // A thread that has not recorded; its bounds cannot be asked for in a handler.
    uintptr_t struck = struck_stack_pointer(strike->context);
    const uintptr_t below = 64 << 10, above = 8 << 20;
    low = struck > below ? struck - below : 0;
    high = struck < UINTPTR_MAX - above ? struck + above : UINTPTR_MAX;
  }
  bool is_shared = strike->handler >= low && strike->handler < high;
  note_left(is_shared ? strike->handler : low, high);
}

// Keeps where the struck code was called from. What lies between the stack pointer and the stack's
// end is mapped: a frame pointer that leads elsewhere ends the walk.
UNCHECKED static void keep_stack(vv_crash_stack *stack, const void *context,
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

// Whether the mark that stands is of this thread, which has left that handler by a jump since.
static bool is_survived_here(const vv_crash *crash, uintptr_t stack_pointer) {
  return __atomic_load_n(&crash->thread_id, __ATOMIC_RELAXED) == vv_thread_system_id() &&
         is_left(stack_pointer);
}

// Gets the right to write the mark with this number.
static bool claim(vv_crash *crash, uint64_t number, uintptr_t stack_pointer) {
  uint64_t state = __atomic_load_n(&crash->state, __ATOMIC_ACQUIRE);
  do {
    if (progress(state) == is_being_written) return false;
    if (progress(state) == is_complete && !is_survived_here(crash, stack_pointer)) return false;
  } while (!__atomic_compare_exchange_n(&crash->state, &state, number | is_being_written, false,
                                        __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  return true;
}

uint64_t vv_crash_mark(const vv_strike *strike) {
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
  note_where_left(strike, thread);
  __atomic_store_n(&sidecar->stack.count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&crash->state, number | is_complete, __ATOMIC_RELEASE);
  keep_stack(&sidecar->stack, strike->context, thread);
  return number | is_complete;
}

static void take_back(vv_crash *crash, uint64_t mark) {
  __atomic_compare_exchange_n(&crash->state, &mark, is_nothing, false, __ATOMIC_ACQ_REL,
                              __ATOMIC_RELAXED);
}

void vv_crash_unmark(uint64_t mark) {
  if (mark) take_back(&vv_sidecar_mapped()->crash, mark);
}

void vv_crash_settle(uint64_t mark) {
  if (mark && __atomic_load_n(&vv_sidecar_mapped()->crash.state, __ATOMIC_ACQUIRE) == mark)
    note_left(UINTPTR_MAX, 0);  // Empty with either end of the part that was there.
}

// MARK: Who survives

// The header's mark, or 0 when there is none that is complete.
static uint64_t mark_of(vv_sidecar *sidecar) {
  uint64_t state = sidecar ? __atomic_load_n(&sidecar->crash.state, __ATOMIC_ACQUIRE) : 0;
  return progress(state) == is_complete ? state : 0;
}

void vv_crash_take_back(void) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  uint64_t mark = mark_of(sidecar);
  if (__builtin_expect(mark != 0, 0) && is_survived_here(&sidecar->crash, vv_frame_address()))
    take_back(&sidecar->crash, mark);
}

void vv_crash_look_after(void) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  uint64_t mark = mark_of(sidecar);
  if (!mark) return;
  uint64_t thread_id = __atomic_load_n(&sidecar->crash.thread_id, __ATOMIC_RELAXED);
  uintptr_t stack_pointer = 0;
  vv_whereabouts found = vv_thread_find_stack_pointer(thread_id, &stack_pointer);
  bool has_left = found == vv_whereabouts_known && is_left(stack_pointer);
  if (has_left || found == vv_whereabouts_gone) take_back(&sidecar->crash, mark);
}
