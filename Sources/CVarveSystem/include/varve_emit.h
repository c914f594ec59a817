#pragma once
// The gate, and the hot path from a probe to the calling thread's ring.
#include <string.h>
#include "varve_thread.h"

/// 0 while the gate is closed. Otherwise, the recording session in the upper 24 bits, and what it
/// records in the lower 8 (VarveProbe.Wish).
extern VV_HERE uint32_t vv_gate;

static inline uint32_t vv_gate_load(void) { return __atomic_load_n(&vv_gate, __ATOMIC_RELAXED); }
static inline void vv_gate_store(uint32_t gate) { __atomic_store_n(&vv_gate, gate, __ATOMIC_RELEASE); }

/// Whether reads of properties are recorded.
extern VV_HERE uint32_t vv_reads_wanted;

static inline bool vv_reads_are_wanted(void) {
  return __builtin_expect(__atomic_load_n(&vv_reads_wanted, __ATOMIC_RELAXED) != 0, 0);
}

static inline void vv_reads_want(bool wanted) {
  __atomic_store_n(&vv_reads_wanted, wanted, __ATOMIC_RELAXED);
}

/// The lowest ring id of the current recording. Ids of earlier recordings are below it, so that a
/// record of one recording is not a cause in the next.
extern uint32_t vv_oldest_ring;

static inline void vv_oldest_ring_store(uint32_t id) {
  __atomic_store_n(&vv_oldest_ring, id, __ATOMIC_RELEASE);
}

/// Whether a reference names a record of the current recording.
static inline int vv_reference_is_known(uint64_t reference) {
  return (reference >> 40) >= __atomic_load_n(&vv_oldest_ring, __ATOMIC_RELAXED);
}

/// Returns a new number for a recording session, from 1, unique in this process.
uint32_t vv_session_number(void);

/// Sets the slow path, and then opens the gate.
static inline void vv_gate_open(uint32_t gate, vv_make_room_function make_room) {
  __atomic_store_n(&vv_make_room, make_room, __ATOMIC_RELEASE);
  vv_gate_store(gate);
}

/// The slow path of `vv_emit_begin`: the thread has no ring of this session, the ring has no room,
/// or the record has a far cause.
VV_SELDOM uint8_t *vv_emit_begin_slowly(
    vv_writer *writer, uint32_t gate, uint32_t bytes, uint8_t kind, uint8_t payload,
    uint32_t stream, uint64_t subscription, uint64_t floor);

/// The distance to the cause in records, as stored in a record; 0 if it cannot be expressed.
static inline uint64_t vv_emit_back(uint64_t sequence, uint64_t cause, uint32_t far) {
  uint64_t back = cause ? sequence - cause : 0;
  if (__builtin_expect(back >= VV_CAUSE_IS_FAR, 0)) back = 0;
  return far != 0 && back == 0 ? VV_CAUSE_IS_FAR : back;
}

/// Fills the head of a record of `whole` bytes at `head`, the writer's position; `far` times eight
/// of the bytes are far causes. Returns the beginning of the record.
static inline __attribute__((always_inline)) uint8_t *vv_emit_head(
    vv_writer *writer, uint64_t head, uint32_t whole, uint8_t kind, uint8_t payload, uint32_t far,
    uint32_t stream, uint64_t subscription, uint64_t floor) {
  // First, while the registers that it needs are still free.
  uint64_t ticks = vv_clock_ticks();
  uint64_t least = writer->last > floor ? writer->last : floor;
  if (ticks <= least) ticks = least + 1;
  uint8_t *at = writer->data + (head & writer->mask);
  uint64_t sequence = writer->sequence + 1;
  uint64_t number = (uint32_t)sequence;
  if ((writer->cause | far) != 0) number |= vv_emit_back(sequence, writer->cause, far) << 32;
  uint64_t words[4] = {
      (uint64_t)(whole / 8) | (uint64_t)kind << 8 | (uint64_t)payload << 16 |
          (uint64_t)far << 24 | (uint64_t)stream << 32,
      ticks, number, subscription};
  memcpy(at, words, sizeof words);
  // After the record: the compiler cannot know that the record does not overlap the writer, and
  // would load these fields again.
  writer->head = head + whole;
  writer->last = ticks;
  writer->sequence = sequence;
  return at;
}

/// Begins a record of `bytes` bytes in total (a multiple of 8) and fills its head. Returns the
/// address of the payload, or null if the record is lost. `vv_emit_commit` publishes the record.
/// Ticks are hybrid-logical: always after `floor` and after the thread's last tick.
static inline __attribute__((always_inline)) uint8_t *vv_emit_begin(
    vv_writer *writer, uint32_t gate, uint32_t bytes, uint8_t kind, uint8_t payload,
    uint32_t stream, uint64_t subscription, uint64_t floor) {
  uint64_t head = writer->head;
  if (__builtin_expect((vv_writer_state(writer) != gate >> 8) |
                           (head + bytes > writer->limit), 0))
    return vv_emit_begin_slowly(writer, gate, bytes, kind, payload, stream, subscription, floor);
  return vv_emit_head(writer, head, bytes, kind, payload, 0, stream, subscription, floor) +
         VV_RECORD_HEAD_BYTES;
}

/// Publishes everything written since the last commit.
static inline __attribute__((always_inline)) void vv_emit_commit(vv_writer *writer) {
  __atomic_store_n(&writer->ring->head, writer->head, __ATOMIC_RELEASE);
}

/// Writes a record without a payload. Returns false if it is lost.
static inline bool vv_emit(vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload,
                           uint32_t stream, uint64_t subscription, uint64_t floor) {
  if (!vv_emit_begin(writer, gate, VV_RECORD_HEAD_BYTES, kind, payload, stream, subscription, floor))
    return false;
  vv_emit_commit(writer);
  return true;
}

/// Writes a record with eight bytes of payload. Returns false if it is lost.
static inline __attribute__((always_inline)) bool vv_emit_word(
    vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload, uint32_t stream,
    uint64_t subscription, uint64_t floor, uint64_t word) {
  uint8_t *at = vv_emit_begin(writer, gate, VV_RECORD_HEAD_BYTES + 8, kind, payload, stream,
                              subscription, floor);
  if (!at) return false;
  // Loaded before the payload is stored, for the same reason as in `vv_emit_head`.
  uint64_t head = writer->head;
  vv_ring *ring = writer->ring;
  memcpy(at, &word, 8);
  __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
  return true;
}

/// Copies bytes; inline if they are few, because a call would cost more than the copy.
static inline void vv_copy_few(uint8_t *to, const uint8_t *from, uint32_t count) {
  if (count > 64 || count < 8) {
    memcpy(to, from, count);
    return;
  }
  // The last eight bytes may overlap the ones before.
  for (uint32_t at = 0; at + 8 < count; at += 8) __builtin_memcpy(to + at, from + at, 8);
  __builtin_memcpy(to + count - 8, from + count - 8, 8);
}

/// Writes a record with text or bytes: a word with the original length and the kept length, then
/// the kept bytes, padded with zeros to a multiple of eight. Returns false if it is lost.
static inline bool vv_emit_bytes(vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload,
                                 uint32_t stream, uint64_t subscription, uint64_t floor,
                                 const uint8_t *bytes, uint32_t kept, uint32_t original) {
  uint32_t room = (kept + 7) & ~7u;
  uint8_t *at = vv_emit_begin(writer, gate, VV_RECORD_HEAD_BYTES + 8 + room, kind, payload, stream,
                              subscription, floor);
  if (!at) return false;
  uint64_t lengths = (uint64_t)original | (uint64_t)kept << 32;
  memcpy(at, &lengths, 8);
  if (room) {
    uint64_t zero = 0;
    memcpy(at + room, &zero, 8);  // the last eight bytes: at + 8 + (room - 8)
    vv_copy_few(at + 8, bytes, kept);
  }
  vv_emit_commit(writer);
  return true;
}

/// A reference to the record that is being delivered on this thread; 0 if there is none.
static inline uint64_t vv_cause_reference(const vv_writer *writer) {
  return writer->cause ? vv_reference(writer->ring_id, writer->cause) : 0;
}

/// Drops far causes that no record has named. Usually there are none, and the check costs less than
/// a store: the next record loads both halves of the state as one word, and would wait for the
/// store.
static inline void vv_cause_drop_far(vv_writer *writer) {
  if (__builtin_expect(writer->far_count != 0, 0)) writer->far_count = 0;
}

/// Adds a cause that is in another ring, or too far back in this one, to this thread's next record.
static inline void vv_cause_add_far(vv_writer *writer, uint64_t reference) {
  if (reference && writer->far_count < VV_FAR_LARGEST) writer->far[writer->far_count++] = reference;
}
