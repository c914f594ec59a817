#pragma once
// The ring: holds a thread's records until the drain thread writes them to the file, laid out so
// that a reader finds them in the mapped file after the process has died.
//
// A ring's region of the sidecar consists of a header and `capacity` bytes of data (a power of two,
// a multiple of the page size). In memory, the beginning of the data is mapped a second time behind
// its end, so that no record is ever split. `head` and `tail` count bytes since the region was
// created and never decrease, even when the ring passes from a thread that has ended to another.
//
//   writer   fills a record at head, then publishes it: head = head + size (release)
//   reader   reads head (acquire), takes records from tail on, writes their block to the file, and
//            only then frees their space: tail = tail + size (release)
//
// So every published record is in the file or in the ring, at whatever moment the process dies.
//
// In a flight recorder, the writer does not wait for the reader: if there is no room, it advances
// the tail itself past the oldest whole records, and then overwrites them. The reader first copies
// records and then reads the tail again: copies of records that the tail has passed are invalid.
// The numbers of the records show how many are missing.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "varve_clock.h"

/// "varvregn", little-endian.
#define VV_REGION_MAGIC 0x6e67657276726176ull
/// The size of a ring's header, in bytes. Header and data are aligned to pages of 4 or 16 KiB.
#define VV_RING_HEADER_BYTES 16384
/// The maximum capacity of a ring, in bytes.
#define VV_RING_LARGEST (64u << 20)

/// The kind of a region of the sidecar. Readers skip unknown kinds.
typedef enum vv_region_kind {
  vv_region_ring = 1,         // a thread's records
  vv_region_definitions = 2,  // definitions, one after the other, of all threads
} vv_region_kind;

/// The head of every region of the sidecar. Constant once the sidecar's `extent` covers it.
typedef struct vv_region {
  uint64_t magic;       //  0  VV_REGION_MAGIC
  uint64_t trace_low;   //  8  the trace's id, to detect regions of another trace
  uint64_t trace_high;  // 16
  uint64_t bytes;       // 24  size of the region, including its header; the next one follows
  uint32_t kind;        // 32  vv_region_kind
  uint32_t reserved;    // 36
} vv_region;            // 40

typedef enum vv_loss_state {
  vv_loss_none = 0,     // the entry is free
  vv_loss_open = 1,     // the run is in progress
  vv_loss_closed = 2,   // a record has followed it
  vv_loss_taken = 3,    // the drain thread is writing it to the file
} vv_loss_state;

/// A run of records that were lost because a thread had no room. The writer opens, extends and
/// closes it; the drain thread writes it to the file and frees the entry.
typedef struct vv_loss {
  uint64_t state;  //  0  vv_loss_state
  uint64_t count;  //  8  records lost
  uint64_t first;  // 16  tick of the first: no two runs of a ring share it
  uint64_t last;   // 24  tick of the last
} vv_loss;         // 32

/// The number of runs of losses that a ring can hold. While all entries are in use, the latest run
/// continues: the thread records nothing until the drain thread has written another run.
#define VV_RING_LOSSES 32

/// A ring's header. Fields written by different threads are on different cache lines.
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
  // The records that were overwritten before they were drained, while they are being reported:
  uint64_t gap_until;              //  272  number of the last; at most `drained` if there are none
  uint64_t gap_count;              //  280  how many
  uint64_t gap_first;              //  288  a tick before that of the first
  uint64_t gap_last;               //  296  a tick after that of the last
  uint64_t padding_r[10];          //  304
  vv_loss losses[VV_RING_LOSSES];  //  384
} vv_ring;                         // 1408

typedef enum vv_ring_state {
  vv_ring_free = 0,   // has no thread
  vv_ring_live = 1,   // its thread may write
  vv_ring_ended = 2,  // its thread has ended; its records may still have to be drained
} vv_ring_state;

/// The size of a record's head, before its payload, in bytes.
#define VV_RECORD_HEAD_BYTES 32
/// The maximum size of a record, in bytes: one byte holds its length in units of eight bytes.
#define VV_RECORD_LARGEST 2040
/// A value of a record's `back`: the cause is the first of the far causes at the record's end
/// rather than a record of this ring.
#define VV_CAUSE_IS_FAR 0xffffffffu
/// The maximum number of far causes of one record.
#define VV_FAR_LARGEST 8

/// The head of a record in the ring, aligned to eight bytes.
typedef struct vv_record {
  uint8_t eights;         //  0  size of the whole record in units of eight bytes
  uint8_t kind;           //  1  VarveProbe.RecordKind
  uint8_t payload;        //  2  VarveProbe.PayloadKind
  uint8_t far_causes;     //  3  number of 8-byte far causes at the record's end
  uint32_t stream;        //  4  stream id, or scheduler id for hops
  uint64_t ticks;         //  8
  uint32_t sequence;      // 16  low half of the record's number in its ring, from 1
  uint32_t back;          // 20  distance in records to the cause in this ring; 0 if there is none
  uint64_t subscription;  // 24  the subscription that feeds the stream, or the hop's id
  // payload, padded to eight bytes, and then the far causes
} vv_record;

/// Whether the bytes at `at` can begin with a whole record, according to the record's size.
static inline bool vv_record_is_whole(const uint8_t *at, uint64_t bytes) {
  uint64_t size = bytes < VV_RECORD_HEAD_BYTES ? 0 : (uint64_t)at[0] * 8;
  return size >= VV_RECORD_HEAD_BYTES && size <= bytes;
}

/// The full number of the record at `at`, which stores the lower half: the first matching number
/// that is at most as many records before `near` as a ring can hold. It may be far after `near`,
/// since a writer that overwrites continues while the file cannot be written.
static inline uint64_t vv_record_sequence(const uint8_t *at, uint64_t near) {
  uint32_t low;
  __builtin_memcpy(&low, at + 16, sizeof low);
  uint64_t least = near - VV_RING_LARGEST / VV_RECORD_HEAD_BYTES;
  return least + (uint32_t)(low - (uint32_t)least);
}

/// The maximum ring id.
#define VV_RING_IDS 0xffffffu

/// A reference to any record of the trace: ring id in the upper 24 bits, sequence in the lower 40.
static inline uint64_t vv_reference(uint32_t ring_id, uint64_t sequence) {
  return (uint64_t)ring_id << 40 | (sequence & 0xffffffffffull);
}

/// The state of a thread's writing. Used only by its thread.
typedef struct vv_writer {
  uint8_t *data;      // the first of the two mappings
  uint64_t head;      // bytes written; the published copy is ring->head
  uint64_t limit;     // head may not pass it without the slow path: tail + capacity, as last
                      // seen, or less if the drain thread is to be woken
  uint64_t mask;      // capacity - 1
  vv_ring *ring;      // null while the thread has no ring
  uint64_t sequence;  // number of the last record written
  uint64_t last;      // tick of the last record written
  uint64_t cause;     // number of the record that is being delivered on this thread, or 0
  uint32_t session;    // the gate's session that the ring belongs to; 0 while there is no ring
  uint32_t far_count;  // number of far causes of the next record
  uint32_t ring_id;
  uint32_t losing;     // 1 + the index in ring->losses of the run in progress, or 0
  uint32_t latest;     // 1 + the index of the latest run
  uint32_t ringless;   // 1 + the index of the thread's entry among the ringless, or 0
  uint32_t ringless_session;  // the session that this entry belongs to
  uint32_t reserved;
  uint64_t far[VV_FAR_LARGEST];
  struct vv_slot *slot;  // the recorder's side of the ring; null if there is none
} vv_writer;

/// The session and, in the upper half, the number of far causes; the hot path compares them as one.
static inline uint64_t vv_writer_state(const vv_writer *writer) {
  uint64_t state;
  __builtin_memcpy(&state, (const uint8_t *)writer + offsetof(vv_writer, session), sizeof state);
  return state;
}

/// The slow path, set by the recorder before it opens the gate. Makes room for `bytes` bytes in a
/// ring of `session` for the calling thread and returns true, or counts a loss and returns false.
typedef bool (*vv_make_room_function)(vv_writer *writer, uint32_t session, uint32_t bytes);
extern vv_make_room_function vv_make_room;
