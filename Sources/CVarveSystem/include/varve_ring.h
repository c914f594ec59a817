#pragma once
// The ring: where a thread leaves its records until the drain thread puts them into the file, laid
// out so that a reader finds them in the mapped file after the process has died.
//
// A ring's file region is one header page and then `capacity` bytes of data (a power of two, a
// multiple of the page size). The data is mapped twice in a row, so that no record is ever split.
// `head` and `tail` count bytes since the ring was made and are never reduced.
//
//   writer   fills a record at head, then publishes it: head = head + size (release)
//   reader   sees head (acquire), takes records from tail on, writes their block to the file, and
//            only then frees their place: tail = tail + size (release)
//
// So every published record is in the file or in the ring, whatever moment the process dies at.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "varve_clock.h"

/// "varvring", little-endian.
#define VV_RING_MAGIC 0x676e697265767261ull
/// Bytes before a ring's data; a page everywhere we run is a divisor of it or equal.
#define VV_RING_HEADER_BYTES 4096

/// A ring's first page. Fields written by different threads lie on different cache lines.
typedef struct vv_ring {
  uint64_t magic;           //   0  VV_RING_MAGIC once the ring is ready for use
  uint64_t trace_low;       //   8  the trace's id, so that a stranger's sidecar is not believed
  uint64_t trace_high;      //  16
  uint32_t ring_id;         //  24  this thread incarnation, from 1; unique in the trace
  uint32_t session;         //  28  the gate's session that the ring belongs to
  uint64_t thread_id;       //  32  the system's thread id
  uint64_t capacity;        //  40  bytes of data
  uint64_t state;           //  48  vv_ring_state
  char thread_name[64];     //  56  UTF-8, zero-terminated
  uint64_t reserved[1];     // 120
  uint64_t head;            // 128  bytes published by the writer
  uint64_t first_sequence;  // 136  of the first record ever written here
  uint64_t dropped;         // 144  records the writer had no room for
  uint64_t dropped_first;   // 152  tick of the first of the current run of losses; 0 when none
  uint64_t dropped_last;    // 160  tick of the last
  uint64_t padding_w[11];   // 168
  uint64_t tail;            // 256  bytes whose records are in the file
  uint64_t told;            // 264  of `dropped`, how many the file tells of
  uint64_t padding_r[14];   // 272
} vv_ring;                  // 384

typedef enum vv_ring_state {
  vv_ring_free = 0,   // nobody's
  vv_ring_live = 1,   // its thread may write
  vv_ring_ended = 2,  // its thread has ended; what it holds is still to be drained
} vv_ring_state;

/// Bytes of a record before its payload.
#define VV_RECORD_HEAD_BYTES 32
/// A record's largest size in bytes: its length is counted in eights in one byte.
#define VV_RECORD_LARGEST 2040
/// In a record's `back`: the cause is the first of the far causes at the record's end, not a
/// record of this ring.
#define VV_CAUSE_IS_FAR 0xffffffffu
/// The most far causes that one record names.
#define VV_FAR_LARGEST 8

/// A record as it lies in the ring, aligned to eight bytes.
typedef struct vv_record {
  uint8_t eights;         //  0  size of the whole record in units of eight bytes
  uint8_t kind;           //  1  VarveProbe.RecordKind
  uint8_t payload;        //  2  VarveProbe.PayloadKind
  uint8_t far_causes;     //  3  how many 8-byte far causes end the record
  uint32_t stream;        //  4  stream id, or scheduler id for hops
  uint64_t ticks;         //  8
  uint32_t sequence;      // 16  low half of the record's number in its ring, from 1
  uint32_t back;          // 20  the cause: so many records back in this ring; 0 none
  uint64_t subscription;  // 24  the edge that feeds the stream, or the hop's id
  // payload, padded to eight bytes, and then the far causes
} vv_record;

/// A record anywhere in the trace: ring id in the upper 24 bits, sequence in the lower 40.
static inline uint64_t vv_reference(uint32_t ring_id, uint64_t sequence) {
  return (uint64_t)ring_id << 40 | (sequence & 0xffffffffffull);
}

/// What a thread needs at hand to write. Private to its thread.
typedef struct vv_writer {
  uint8_t *data;      // the first of the two mappings
  uint64_t head;      // bytes written; the published copy is ring->head
  uint64_t limit;     // head must not pass it without asking: tail + capacity, as last seen
  uint64_t mask;      // capacity - 1
  vv_ring *ring;      // null while the thread has none
  uint64_t sequence;  // of the last record written
  uint64_t last;      // its tick
  uint64_t cause;     // sequence of the record that is being delivered on this thread, else 0
  uint32_t session;   // the gate's session that the ring serves; 0 while there is none
  uint32_t ring_id;
  uint32_t far_count;  // far causes that the next record names
  uint32_t losing;     // inside a run of losses
  uint64_t far[VV_FAR_LARGEST];
} vv_writer;

/// The slow path, set by the recorder before it opens the gate: gives the calling thread room for
/// `bytes` in a ring of `session` and returns true, or counts a loss and returns false.
typedef bool (*vv_make_room_function)(vv_writer *writer, uint32_t session, uint32_t bytes);
extern vv_make_room_function vv_make_room;
