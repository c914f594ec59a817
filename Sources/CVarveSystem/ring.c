#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#include "varve_pool.h"
#include "varve_samples.h"

#include <stdlib.h>
#include "varve_emit.h"
#include "varve_file.h"
#include "varve_signal.h"

// MARK: The gate and the hot path

uint32_t vv_gate = 0;
uint32_t vv_reads_wanted = 0;
uint32_t vv_oldest_ring = 0;

// The slow path while nothing is recorded.
static bool no_room(vv_writer *writer, uint32_t session, uint32_t bytes) {
  (void)writer, (void)session, (void)bytes;
  return false;
}

vv_make_room_function vv_make_room = no_room;

// Drops causes from earlier recordings, since values may be held for any length of time.
static uint32_t keep_own(uint64_t *far, uint32_t count) {
  uint32_t oldest = __atomic_load_n(&vv_oldest_ring, __ATOMIC_ACQUIRE), kept = 0;
  for (uint32_t index = 0; index < count; index++)
    if (far[index] >> 40 >= oldest) far[kept++] = far[index];
  return kept;
}

VV_SELDOM uint8_t *vv_emit_begin_slowly(
    vv_writer *writer, uint32_t gate, uint32_t bytes, uint8_t kind, uint8_t payload,
    uint32_t stream, uint64_t subscription, uint64_t floor) {
  uint32_t far = writer->far_count;
  uint32_t whole = bytes + far * 8;
  writer->far_count = 0;
  if (writer->session != gate >> 8 || writer->head + whole > writer->limit) {
    vv_make_room_function make_room = __atomic_load_n(&vv_make_room, __ATOMIC_ACQUIRE);
    if (!make_room(writer, gate >> 8, whole)) return NULL;
  }
  // Computed only now, since making room may have given the thread another ring.
  far = keep_own(writer->far, far);
  whole = bytes + far * 8;
  uint8_t *at = vv_emit_head(writer, writer->head, whole, kind, payload, far, stream, subscription,
                             floor);
  memcpy(at + bytes, writer->far, far * 8);
  return at + VV_RECORD_HEAD_BYTES;
}

uint32_t vv_session_number(void) {
  static uint32_t sessions = 0;
  return __atomic_add_fetch(&sessions, 1, __ATOMIC_RELAXED) & 0xffffff;
}

_Static_assert(offsetof(vv_writer, session) % 8 == 0 &&
                   offsetof(vv_writer, far_count) == offsetof(vv_writer, session) + 4,
               "the hot path loads both as one word");
_Static_assert(sizeof(vv_record) == VV_RECORD_HEAD_BYTES, "a record's head is 32 bytes");
_Static_assert(sizeof(vv_region) == 40, "a region's head is documented byte by byte");
_Static_assert(sizeof(vv_ring) == 1408, "the ring's header is documented byte by byte");
_Static_assert(offsetof(vv_ring, head) == 128, "the writer has a cache line of its own");
_Static_assert(offsetof(vv_ring, tail) == 256, "the reader has a cache line of its own");
_Static_assert(offsetof(vv_ring, losses) == 384, "losses lie behind the lines that are busy");

// MARK: Slots

vv_slot *vv_slot_make(void *base, uint64_t capacity, uint64_t offset, vv_policy policy) {
  vv_slot *slot = calloc(1, sizeof *slot);
  if (!slot) return NULL;
  slot->ring = base;
  slot->data = (uint8_t *)base + VV_RING_HEADER_BYTES;
  slot->capacity = capacity;
  slot->quantum = capacity / 2 < VV_QUANTUM_LARGEST ? capacity / 2 : VV_QUANTUM_LARGEST;
  slot->offset = offset;
  slot->policy = policy;
  slot->owners = 1;
  vv_bell_make(&slot->room);
  return slot;
}

void vv_slot_release(vv_slot *slot) {
  if (__atomic_sub_fetch(&slot->owners, 1, __ATOMIC_ACQ_REL)) return;
  vv_ring_unmap(slot->ring, slot->capacity);
  vv_bell_destroy(&slot->room);
  free(slot);
}

void vv_slot_close(vv_slot *slot) {
  __atomic_store_n(&slot->closed, 1, __ATOMIC_SEQ_CST);
  vv_slot_room_made(slot);
}

void vv_slot_retire(vv_slot *slot) {
  vv_slot_close(slot);
  vv_ring_detach(slot->ring, slot->capacity);
}

void vv_slot_take(vv_slot *slot, vv_writer *writer, uint32_t session, uint32_t ring_id) {
  vv_ring *ring = slot->ring;
  ring->thread_id = vv_thread_system_id();
  ring->ring_id = ring_id;
  ring->session = session;
  vv_thread_name(ring->thread_name, sizeof ring->thread_name);
  __atomic_store_n(&ring->state, vv_ring_live, __ATOMIC_RELEASE);
  writer->data = slot->data;
  writer->head = ring->head;
  writer->limit = ring->head + slot->quantum;
  writer->mask = slot->capacity - 1;
  writer->ring = ring;
  writer->sequence = 0;
  writer->last = 0;
  writer->cause = 0;
  writer->session = session;
  writer->ring_id = ring_id;
  writer->losing = writer->latest = 0;
  writer->slot = slot;
  vv_thread_watch_end();
  vv_samples_watch();
  vv_crash_prepare_thread();
}

void vv_slot_leave(vv_writer *writer) {
  vv_slot *slot = writer->slot;
  writer->session = 0;
  writer->ring = NULL;
  writer->limit = writer->head;
  writer->slot = NULL;
  if (!slot) return;
  __atomic_store_n(&slot->ring->state, vv_ring_ended, __ATOMIC_RELEASE);
  vv_slot_release(slot);
}

// The entry for the next run of losses.
static vv_loss *next_run(const vv_writer *writer) {
  return &writer->ring->losses[writer->latest % VV_RING_LOSSES];
}

// Begins a run of losses. Its entry is free, because the previous run does not end before it is.
static void begin_run(vv_writer *writer, uint64_t tick) {
  vv_loss *run = next_run(writer);
  __atomic_add_fetch(&writer->slot->runs, 1, __ATOMIC_RELEASE);
  __atomic_store_n(&run->count, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&run->first, tick, __ATOMIC_RELAXED);
  __atomic_store_n(&run->last, tick, __ATOMIC_RELAXED);
  __atomic_store_n(&run->state, vv_loss_open, __ATOMIC_RELEASE);
  writer->losing = writer->latest = writer->latest % VV_RING_LOSSES + 1;
}

static void lose(vv_writer *writer) {
  uint64_t tick = vv_clock_ticks();
  if (tick <= writer->last) tick = writer->last + 1;
  writer->last = tick;
  if (!writer->losing) begin_run(writer, tick);
  vv_loss *run = &writer->ring->losses[writer->losing - 1];
  __atomic_store_n(&run->last, tick, __ATOMIC_RELAXED);
  __atomic_store_n(&run->count, __atomic_load_n(&run->count, __ATOMIC_RELAXED) + 1,
                   __ATOMIC_RELEASE);
  writer->limit = writer->head;  // The next record takes the slow path, however short it is.
}

static void end_run(vv_writer *writer) {
  if (!writer->losing) return;
  vv_loss *run = &writer->ring->losses[writer->losing - 1];
  uint64_t open = vv_loss_open;
  __atomic_compare_exchange_n(&run->state, &open, vv_loss_closed, false, __ATOMIC_RELEASE,
                              __ATOMIC_RELAXED);
  writer->losing = 0;
}

static bool has_room(vv_writer *writer, uint32_t bytes) {
  vv_slot *slot = writer->slot;
  uint64_t tail = __atomic_load_n(&writer->ring->tail, __ATOMIC_SEQ_CST);
  uint64_t used = writer->head - tail;
  // A run of losses ends only when there is room for the largest record, not for a short one: so a
  // gap stays one gap. It also does not end before the next run has a free entry, so that no record
  // lies within a run's interval.
  uint32_t wanted = writer->losing && bytes < VV_RECORD_LARGEST ? VV_RECORD_LARGEST : bytes;
  if (used + wanted > slot->capacity) return false;
  if (writer->losing && __atomic_load_n(&next_run(writer)->state, __ATOMIC_SEQ_CST)) return false;
  if (used >= slot->quantum) {
    // The drain thread takes what it finds and sleeps again, so it is called for each further
    // quantum of a large ring.
    uint64_t end = tail + slot->capacity, next = writer->head + bytes + slot->quantum;
    writer->limit = next < end ? next : end;
    vv_drain_call_to_write();
  } else {
    // The record that crosses the limit is not published yet: the drain thread would find too
    // little and sleep again. The next record calls it.
    uint64_t next = writer->head + bytes, due = tail + slot->quantum;
    writer->limit = next > due ? next : due;
  }
  return true;
}

// The maximum wait under the policy `hesitate`, in nanoseconds: long enough for a working drain
// thread on a busy machine, and short enough for a disk that hangs.
static const uint64_t hesitation = 100000000;

static bool may_wait(vv_slot *slot) {
  return (slot->policy == vv_policy_block || slot->policy == vv_policy_hesitate) &&
         !__atomic_load_n(&slot->closed, __ATOMIC_SEQ_CST) &&
         !__atomic_load_n(&vv_drain_is_failing, __ATOMIC_SEQ_CST);
}

// Waits for the bell as long as the policy allows; returns false once the time is up.
static bool wait_for_bell(vv_slot *slot, uint64_t since) {
  if (slot->policy == vv_policy_block) {
    vv_bell_wait(&slot->room, VV_FOREVER);
    return true;
  }
  uint64_t waited = vv_clock_monotonic() - since;
  if (waited >= hesitation) return false;
  vv_bell_wait(&slot->room, hesitation - waited);
  return true;
}

static bool wait_for_room(vv_writer *writer, uint32_t bytes) {
  vv_slot *slot = writer->slot;
  uint64_t since = vv_clock_monotonic();
  bool roomy;
  // This thread announces its wait and then checks for room again; the drain thread advances the
  // tail and then checks for a waiting thread. So at least one of them sees the other.
  __atomic_store_n(&slot->waiting, 1, __ATOMIC_SEQ_CST);
  while (!(roomy = has_room(writer, bytes)) && may_wait(slot) && wait_for_bell(slot, since)) {
  }
  __atomic_store_n(&slot->waiting, 0, __ATOMIC_RELEASE);
  return roomy;
}

// Gives up the oldest records, more than needed now, so that the next records find room. Reading
// the records' lengths is safe because only this thread writes them.
static bool overwrite(vv_writer *writer, uint32_t bytes) {
  vv_slot *slot = writer->slot;
  if (slot->policy != vv_policy_overwrite) return false;
  uint64_t goal = slot->capacity / 16 + bytes;
  uint64_t tail = __atomic_load_n(&writer->ring->tail, __ATOMIC_SEQ_CST);
  uint64_t end;
  do {
    // The drain thread may have made room in the meantime.
    if (writer->head - tail + bytes <= slot->capacity) break;
    end = tail;
    while (end - tail < goal) {
      uint64_t size = (uint64_t)slot->data[end & writer->mask] * 8;
      if (size < VV_RECORD_HEAD_BYTES || size > writer->head - end) return false;
      end += size;
    }
  } while (!__atomic_compare_exchange_n(&writer->ring->tail, &tail, end, false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST));
  // A reader that sees anything written there from now on also sees the new tail.
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return has_room(writer, bytes);
}

bool vv_slot_find_room(vv_writer *writer, uint32_t bytes) {
  if (has_room(writer, bytes) || overwrite(writer, bytes)) return true;
  vv_drain_call_to_write();
  return may_wait(writer->slot) && wait_for_room(writer, bytes);
}

bool vv_slot_make_room(vv_writer *writer, uint32_t bytes) {
  bool roomy = vv_slot_find_room(writer, bytes);
  if (roomy)
    end_run(writer);
  else
    lose(writer);
  return roomy;
}

bool vv_slot_room_made(vv_slot *slot) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!__atomic_load_n(&slot->waiting, __ATOMIC_SEQ_CST)) return false;
  vv_bell_ring(&slot->room);
  return true;
}

// The race with the writer is intended: bytes that may be torn are discarded afterwards.
__attribute__((no_sanitize("thread"))) uint64_t vv_ring_copy(const vv_slot *slot, uint64_t from,
                                                             uint64_t to, uint8_t *copy) {
  const volatile uint64_t *source =
      (const volatile uint64_t *)(slot->data + (from & (slot->capacity - 1)));
  uint64_t *target = (uint64_t *)copy;
  for (uint64_t word = 0; word < (to - from) / 8; word++) target[word] = source[word];
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  uint64_t tail = __atomic_load_n(&slot->ring->tail, __ATOMIC_ACQUIRE);
  return tail <= from ? 0 : tail < to ? tail - from : to - from;
}

static void read_loss(const vv_loss *loss, vv_loss *seen) {
  // The last tick is written before the count that includes it.
  seen->count = __atomic_load_n(&loss->count, __ATOMIC_ACQUIRE);
  seen->first = __atomic_load_n(&loss->first, __ATOMIC_RELAXED);
  seen->last = __atomic_load_n(&loss->last, __ATOMIC_RELAXED);
}

bool vv_loss_look(const vv_loss *loss, vv_loss *seen) {
  seen->state = __atomic_load_n(&loss->state, __ATOMIC_ACQUIRE);
  if (seen->state != vv_loss_open) return false;
  read_loss(loss, seen);
  return true;
}

bool vv_loss_take(vv_loss *loss, bool whole, vv_loss *taken) {
  uint64_t state = __atomic_load_n(&loss->state, __ATOMIC_ACQUIRE);
  if (state != vv_loss_closed && !(whole && state == vv_loss_open)) return false;
  if (!__atomic_compare_exchange_n(&loss->state, &state, vv_loss_taken, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED))
    return false;
  taken->state = vv_loss_taken;
  read_loss(loss, taken);
  return true;
}

void vv_loss_settle(vv_loss *loss, bool written) {
  __atomic_store_n(&loss->state, written ? vv_loss_none : vv_loss_closed, __ATOMIC_RELEASE);
}

uint64_t vv_records_find(const uint8_t *records, uint64_t bytes, uint64_t kinds) {
  uint64_t passed = 0;
  while (vv_record_is_whole(records + passed, bytes - passed)) {
    if (kinds >> (records[passed + 1] & 63) & 1) return passed;
    passed += (uint64_t)records[passed] * 8;
  }
  return bytes;
}
