#pragma once
// The gate, and the hot path from a probe into the calling thread's ring.
#include <string.h>
#include "varve_thread.h"

// Where the linker does not see by itself that the gate lies in this image, every look at it would
// cost an instruction more, which fetches its address.
#if defined(__ELF__)
#define VV_HERE __attribute__((visibility("hidden")))
#else
#define VV_HERE
#endif

/// Closed when 0. Else the recording session in the upper 24 bits and what it wants to be told in
/// the lower 8 (VarveProbe.Wish).
extern VV_HERE uint32_t vv_gate;

static inline uint32_t vv_gate_load(void) { return __atomic_load_n(&vv_gate, __ATOMIC_RELAXED); }
static inline void vv_gate_store(uint32_t gate) { __atomic_store_n(&vv_gate, gate, __ATOMIC_RELEASE); }

/// The least id that a ring of the recording has: those of earlier recordings are below it, so that what
/// one recording wrote is no cause in the next.
extern uint32_t vv_oldest_ring;

static inline void vv_oldest_ring_store(uint32_t id) {
  __atomic_store_n(&vv_oldest_ring, id, __ATOMIC_RELEASE);
}

/// A number for a recording session, from 1, that no other has in this process.
uint32_t vv_session_number(void);

/// Sets the slow path, then opens the gate.
static inline void vv_gate_open(uint32_t gate, vv_make_room_function make_room) {
  __atomic_store_n(&vv_make_room, make_room, __ATOMIC_RELEASE);
  vv_gate_store(gate);
}

/// `vv_emit_begin` when something is out of the ordinary: there is no ring of this session, no room
/// in it, or a cause that lies far away.
uint8_t *vv_emit_begin_slowly(vv_writer *writer, uint32_t gate, uint32_t bytes, uint8_t kind,
                              uint8_t payload, uint32_t stream, uint64_t subscription,
                              uint64_t floor);

/// Fills the head of a record of `whole` bytes, of which `far` times eight are far causes; returns
/// where it begins.
static inline __attribute__((always_inline)) uint8_t *vv_emit_head(
    vv_writer *writer, uint32_t whole, uint8_t kind, uint8_t payload, uint32_t far,
    uint32_t stream, uint64_t subscription, uint64_t floor) {
  uint64_t head = writer->head, cause = writer->cause, sequence = writer->sequence + 1;
  uint64_t least = writer->last > floor ? writer->last : floor;
  uint8_t *at = writer->data + (head & writer->mask);
  uint64_t ticks = vv_clock_ticks();
  if (ticks <= least) ticks = least + 1;
  uint64_t back = cause ? sequence - cause : 0;
  if (__builtin_expect(back >= VV_CAUSE_IS_FAR, 0)) back = 0;
  if (far != 0 && back == 0) back = VV_CAUSE_IS_FAR;
  writer->head = head + whole;
  writer->last = ticks;
  writer->sequence = sequence;
  uint64_t words[4] = {
      (uint64_t)(whole / 8) | (uint64_t)kind << 8 | (uint64_t)payload << 16 |
          (uint64_t)far << 24 | (uint64_t)stream << 32,
      ticks, (uint64_t)(uint32_t)sequence | back << 32, subscription};
  memcpy(at, words, sizeof words);
  return at;
}

/// Begins a record of `bytes` (head, payload and all, a multiple of 8) and fills its head; returns
/// where the payload goes, or null when the record is lost. `vv_emit_commit` publishes it.
/// Ticks are hybrid-logical: never before `floor`, always after the thread's last.
static inline __attribute__((always_inline)) uint8_t *vv_emit_begin(
    vv_writer *writer, uint32_t gate, uint32_t bytes, uint8_t kind, uint8_t payload,
    uint32_t stream, uint64_t subscription, uint64_t floor) {
  // One branch for all that is out of the ordinary.
  if (__builtin_expect((writer->session != gate >> 8) | (writer->head + bytes > writer->limit) |
                           (writer->far_count != 0), 0))
    return vv_emit_begin_slowly(writer, gate, bytes, kind, payload, stream, subscription, floor);
  return vv_emit_head(writer, bytes, kind, payload, 0, stream, subscription, floor) +
         VV_RECORD_HEAD_BYTES;
}

/// Publishes what was written since.
static inline __attribute__((always_inline)) void vv_emit_commit(vv_writer *writer) {
  __atomic_store_n(&writer->ring->head, writer->head, __ATOMIC_RELEASE);
}

/// A record with no payload. Returns false when it is lost.
static inline bool vv_emit(vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload,
                           uint32_t stream, uint64_t subscription, uint64_t floor) {
  if (!vv_emit_begin(writer, gate, VV_RECORD_HEAD_BYTES, kind, payload, stream, subscription, floor))
    return false;
  vv_emit_commit(writer);
  return true;
}

/// A record with eight bytes of payload. Returns false when it is lost.
static inline __attribute__((always_inline)) bool vv_emit_word(
    vv_writer *writer, uint32_t gate, uint8_t kind, uint8_t payload, uint32_t stream,
    uint64_t subscription, uint64_t floor, uint64_t word) {
  uint8_t *at = vv_emit_begin(writer, gate, VV_RECORD_HEAD_BYTES + 8, kind, payload, stream,
                              subscription, floor);
  if (!at) return false;
  memcpy(at, &word, 8);
  vv_emit_commit(writer);
  return true;
}

/// Copies bytes; in line where they are few, because a call costs more than the copy.
static inline void vv_copy_few(uint8_t *to, const uint8_t *from, uint32_t count) {
  if (count > 64 || count < 8) {
    memcpy(to, from, count);
    return;
  }
  // The last eight overlap those before.
  for (uint32_t at = 0; at + 8 < count; at += 8) __builtin_memcpy(to + at, from + at, 8);
  __builtin_memcpy(to + count - 8, from + count - 8, 8);
}

/// A record with text or bytes: a word with the length it had and the length that is kept, then the
/// kept bytes, padded with zeros to eight. Returns false when it is lost.
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
    memcpy(at + room, &zero, 8);  // the last eight; at + 8 + (room - 8)
    vv_copy_few(at + 8, bytes, kept);
  }
  vv_emit_commit(writer);
  return true;
}

/// The record being delivered on this thread, as a reference; 0 when there is none.
static inline uint64_t vv_cause_reference(const vv_writer *writer) {
  return writer->cause ? vv_reference(writer->ring_id, writer->cause) : 0;
}

/// Lets the next record of this thread name a cause that lies in another ring or further back.
static inline void vv_cause_add_far(vv_writer *writer, uint64_t reference) {
  if (reference && writer->far_count < VV_FAR_LARGEST) writer->far[writer->far_count++] = reference;
}
