#pragma once
// The ring: where a thread leaves its records until the drain thread puts them into the file, laid
// out so that a reader finds them in the mapped file after the process has died.
//
// A ring's region of the sidecar is a header and then `capacity` bytes of data (a power of two, a
// multiple of the page size). In memory the beginning of the data is mapped once more behind
// its end, so that no record is ever split. `head` and `tail` count bytes since the region was made
// and are never reduced, also when the ring passes from a thread that has ended to another.
//
//   writer   fills a record at head, then publishes it: head = head + size (release)
//   reader   sees head (acquire), takes records from tail on, writes their block to the file, and
//            only then frees their place: tail = tail + size (release)
//
// So every published record is in the file or in the ring, whatever moment the process dies at.
//
// A flight recorder's writer does not wait for the reader: when there is no room, it advances the
// tail itself past the oldest whole records, and then writes over them. The reader copies records
// first and then looks at the tail again: what the tail has passed is no copy of anything. The
// numbers of the records tell how many are missing.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "varve_clock.h"

/// "varvregn", little-endian.
#define VV_REGION_MAGIC 0x6e67657276726176ull
/// Bytes before a region's data. Both must begin on a page, and pages have 4 or 16 KiB.
#define VV_RING_HEADER_BYTES 16384
/// The most bytes of data that a ring has.
#define VV_RING_LARGEST (64u << 20)

/// What a region of the sidecar holds. Readers pass over what they do not know.
typedef enum vv_region_kind {
  vv_region_ring = 1,         // a thread's records
  vv_region_definitions = 2,  // definitions, one after the other, of all threads
} vv_region_kind;

/// How every region of the sidecar begins. It does not change once the sidecar's `extent` covers it.
typedef struct vv_region {
  uint64_t magic;       //  0  VV_REGION_MAGIC
  uint64_t trace_low;   //  8  the trace's id, so that another trace's region is not believed
  uint64_t trace_high;  // 16
  uint64_t bytes;       // 24  of the region, its header included; the next one follows
  uint32_t kind;        // 32  vv_region_kind
  uint32_t reserved;    // 36
} vv_region;            // 40

typedef enum vv_loss_state {
  vv_loss_none = 0,     // the entry is free
  vv_loss_open = 1,     // the run goes on
  vv_loss_closed = 2,   // a record has followed it
  vv_loss_telling = 3,  // the drain thread is writing it into the file
} vv_loss_state;

/// A run of records that a thread had no room for. The writer opens, extends and closes it; the
/// drain thread tells the file of it and frees the entry.
typedef struct vv_loss {
  uint64_t state;  //  0  vv_loss_state
  uint64_t count;  //  8  records lost
  uint64_t first;  // 16  tick of the first: no two runs of a ring share it
  uint64_t last;   // 24  tick of the last
} vv_loss;         // 32

/// Runs of losses that a ring can hold before the file says so. While all are taken, the latest one
/// goes on: its thread records nothing before the drain thread has written another.
#define VV_RING_LOSSES 32

/// A ring's header. Fields written by different threads lie on different cache lines.
typedef struct vv_ring {
  vv_region region;                //    0
  uint64_t capacity;               //   40  bytes of data
  uint64_t thread_id;              //   48  the system's thread id
  uint32_t ring_id;                //   56  this thread incarnation, from 1; unique in the trace
  uint32_t session;                //   60  the gate's session that the ring belongs to
  char thread_name[64];            //   64  UTF-8, zero-terminated
  uint64_t head;                   //  128  bytes published by the writer
  uint64_t state;                  //  136  vv_ring_state
  uint64_t padding_w[14];          //  144
  uint64_t tail;                   //  256  bytes whose records are in the file
  uint64_t drained;                //  264  number of the last record before tail; written before it
  // Records that were overwritten before they were in the file, while that is being written:
  uint64_t gap_until;              //  272  number of the last; not above `drained` when there are none
  uint64_t gap_count;              //  280  how many
  uint64_t gap_first;              //  288  a tick before that of the first
  uint64_t gap_last;               //  296  a tick behind that of the last
  uint64_t padding_r[10];          //  304
  vv_loss losses[VV_RING_LOSSES];  //  384
} vv_ring;                         // 1408

typedef enum vv_ring_state {
  vv_ring_free = 0,   // no thread's
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
  uint64_t subscription;  // 24  the subscription that feeds the stream, or the hop's id
  // payload, padded to eight bytes, and then the far causes
} vv_record;

/// Whether the first of `bytes` can be a whole record's: what a record's own size says of it.
static inline bool vv_record_is_whole(const uint8_t *at, uint64_t bytes) {
  uint64_t size = bytes < VV_RECORD_HEAD_BYTES ? 0 : (uint64_t)at[0] * 8;
  return size >= VV_RECORD_HEAD_BYTES && size <= bytes;
}

/// The number of the record at `at`, which bears the lower half of it: the first such number that is
/// not farther before `near` than a ring holds records. It may be far behind, since a writer that
/// overwrites goes on while the file cannot be written.
static inline uint64_t vv_record_sequence(const uint8_t *at, uint64_t near) {
  uint32_t low;
  __builtin_memcpy(&low, at + 16, sizeof low);
  uint64_t least = near - VV_RING_LARGEST / VV_RECORD_HEAD_BYTES;
  return least + (uint32_t)(low - (uint32_t)least);
}

/// The highest id of a ring.
#define VV_RING_IDS 0xffffffu

/// A record anywhere in the trace: ring id in the upper 24 bits, sequence in the lower 40.
static inline uint64_t vv_reference(uint32_t ring_id, uint64_t sequence) {
  return (uint64_t)ring_id << 40 | (sequence & 0xffffffffffull);
}

/// What a thread needs at hand to write. Private to its thread.
typedef struct vv_writer {
  uint8_t *data;      // the first of the two mappings
  uint64_t head;      // bytes written; the published copy is ring->head
  uint64_t limit;     // head must not pass it without asking: tail + capacity, as last seen, or
                      // less where the drain thread is to be woken
  uint64_t mask;      // capacity - 1
  vv_ring *ring;      // null while the thread has none
  uint64_t sequence;  // of the last record written
  uint64_t last;      // its tick
  uint64_t cause;     // sequence of the record that is being delivered on this thread, else 0
  uint32_t session;    // the gate's session that the ring serves; 0 while there is none
  uint32_t far_count;  // far causes that the next record names
  uint32_t ring_id;
  uint32_t losing;     // 1 + the index in ring->losses of the run of losses that goes on, else 0
  uint32_t latest;     // that index of the latest run
  uint32_t ringless;   // 1 + the index of its sidecar->ringless while it has no ring, else 0
  uint32_t ringless_session;  // the session that this index belongs to
  uint32_t reserved;
  uint64_t far[VV_FAR_LARGEST];
  struct vv_slot *slot;  // the recorder's side of the ring; null while it has none of a recorder's
} vv_writer;

/// The session, and the number of far causes in the upper half: the hot path compares both at once.
static inline uint64_t vv_writer_state(const vv_writer *writer) {
  uint64_t state;
  __builtin_memcpy(&state, (const uint8_t *)writer + offsetof(vv_writer, session), sizeof state);
  return state;
}

/// The slow path, set by the recorder before it opens the gate: gives the calling thread room for
/// `bytes` in a ring of `session` and returns true, or counts a loss and returns false.
typedef bool (*vv_make_room_function)(vv_writer *writer, uint32_t session, uint32_t bytes);
extern vv_make_room_function vv_make_room;
