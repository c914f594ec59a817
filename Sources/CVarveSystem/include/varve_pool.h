#pragma once
// The recorder's side of the rings: a slot for each, in the program's own memory, with the slow path of
// the thread that writes into it (once for every half ring, and whenever there is no room); and the pool
// of spare ones from which threads get theirs, or count what they lose while there is none. Nothing here
// allocates.
#include "varve_drain.h"
#include "varve_sidecar.h"
#include "varve_thread.h"

typedef enum vv_policy {
  vv_policy_drop = 0,   // count the record as lost and go on
  vv_policy_block = 1,  // wait for the drain thread
  vv_policy_overwrite = 2,  // give up the oldest records instead
  vv_policy_hesitate = 3,   // wait for the drain thread, but not for long
} vv_policy;

/// The drain thread is woken when half a ring waits for it, or so much of a large one: as many of
/// the shortest records as a block has events.
#define VV_QUANTUM_LARGEST (512u << 10)

typedef struct vv_slot {
  vv_ring *ring;         // the whole region, mapped
  uint8_t *data;
  uint64_t capacity;
  uint64_t quantum;      // the drain thread is woken when so much waits for it
  uint64_t offset;       // of the region in the sidecar
  uint32_t policy;       // vv_policy
  uint32_t owners;       // the recording and the thread; the last to go frees the slot
  uint32_t waiting;      // the thread waits for `room`
  uint32_t closed;       // no room will be made any more
  uint32_t runs;         // of losses, begun so far
  vv_bell room;          // rung when the drain thread has made room for a thread that waits
  struct vv_slot *next;  // among the spare ones
} vv_slot;

/// Gives a mapped ring to a recording: a slot with one owner, or null when memory is short.
vv_slot *vv_slot_make(void *base, uint64_t capacity, uint64_t offset, vv_policy policy);

/// One owner less; the last one frees the slot and its mapping.
void vv_slot_release(vv_slot *slot);

/// Puts private memory where the sidecar was mapped, since its thread may be writing at this
/// moment, and lets the thread wait no more. The recording's last act before `vv_slot_release`.
void vv_slot_retire(vv_slot *slot);

/// Makes the calling thread the writer of an empty ring that is no thread's.
void vv_slot_take(vv_slot *slot, vv_writer *writer, uint32_t session, uint32_t ring_id);

/// The thread gives its ring back; what it holds is drained in time. Harmless when it has none.
void vv_slot_leave(vv_writer *writer);

/// Makes room in the ring that the thread has, by the ring's policy; else counts a loss.
bool vv_slot_make_room(vv_writer *writer, uint32_t bytes);

/// The same, where losses are not counted: in the log of definitions.
bool vv_slot_find_room(vv_writer *writer, uint32_t bytes);

/// Lets a thread that waits go on, after its tail was advanced or its losses were written. Returns
/// whether one was waiting.
bool vv_slot_room_made(vv_slot *slot);

/// Takes a run of losses in order to write it into the file; `whole` takes also one that goes on.
bool vv_loss_take(vv_loss *loss, bool whole, vv_loss *taken);

/// Reads a run of losses that goes on, and leaves it to its thread; false when it does not.
bool vv_loss_look(const vv_loss *loss, vv_loss *seen);

/// Frees a run that was taken and written, or puts it back for another try.
void vv_loss_told(vv_loss *loss, bool done);

// MARK: The drain thread's view

/// Bytes that the writer has published; what lies before is visible then.
static inline uint64_t vv_ring_published(const vv_ring *ring) {
  return __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
}

/// Where the oldest record begins. Of a ring whose writer overwrites, it may be further already.
static inline uint64_t vv_ring_tail(const vv_ring *ring) {
  return __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
}

/// Frees the place of records that are in the file now: all before `tail`, the last of which has
/// the number `drained`. A writer that overwrites may have gone further.
static inline void vv_ring_pass(vv_ring *ring, uint64_t tail, uint64_t drained) {
  __atomic_store_n(&ring->drained, drained, __ATOMIC_RELEASE);
  uint64_t before = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
  while (before < tail && !__atomic_compare_exchange_n(&ring->tail, &before, tail, false,
                                                       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
}

/// Copies what lies between two positions, at most half a ring, though its writer may be writing
/// over it. Returns how many bytes of the copy, from its beginning, are to be left out.
uint64_t vv_ring_copy(const vv_slot *slot, uint64_t from, uint64_t to, uint8_t *copy);

/// Notes in the ring that the file is about to say which records were overwritten.
static inline void vv_ring_open_gap(vv_ring *ring, uint64_t until, uint64_t count, uint64_t first,
                                    uint64_t last) {
  __atomic_store_n(&ring->gap_count, count, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->gap_first, first, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->gap_last, last, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->gap_until, until, __ATOMIC_RELEASE);
}

/// The file says so.
static inline void vv_ring_close_gap(vv_ring *ring) {
  __atomic_store_n(&ring->drained, ring->gap_until, __ATOMIC_RELEASE);
}

/// Publishes bytes that are no records of a thread: definitions.
static inline void vv_ring_publish(vv_ring *ring, uint64_t head) {
  __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
}

/// The thread incarnation that writes, or has written, into the ring; 0 when there is none.
static inline uint32_t vv_slot_ring_id(const vv_slot *slot) {
  bool is_free = __atomic_load_n(&slot->ring->state, __ATOMIC_ACQUIRE) == vv_ring_free;
  return is_free ? 0 : slot->ring->ring_id;
}

/// Whether the ring's thread has left it for good: nothing is added to it any more.
static inline bool vv_slot_is_left(const vv_slot *slot) {
  return __atomic_load_n(&slot->ring->state, __ATOMIC_ACQUIRE) == vv_ring_ended &&
         __atomic_load_n(&slot->owners, __ATOMIC_ACQUIRE) == 1;
}

/// Whether the ring's thread waits for room.
static inline bool vv_slot_is_waiting(const vv_slot *slot) {
  return __atomic_load_n(&slot->waiting, __ATOMIC_ACQUIRE) != 0;
}

/// How many runs of losses the ring's threads have begun.
static inline uint32_t vv_slot_runs(const vv_slot *slot) {
  return __atomic_load_n(&slot->runs, __ATOMIC_ACQUIRE);
}

/// An entry for a run of losses; `index` is below VV_RING_LOSSES.
static inline vv_loss *vv_ring_loss(vv_ring *ring, uint32_t index) { return &ring->losses[index]; }

/// Whether there are losses that are not in the file yet.
static inline bool vv_slot_has_losses(const vv_slot *slot) {
  for (uint32_t index = 0; index < VV_RING_LOSSES; index++)
    if (__atomic_load_n(&slot->ring->losses[index].state, __ATOMIC_ACQUIRE)) return true;
  return false;
}

/// Makes a ring that was left, and is empty, free.
static inline void vv_slot_recycle(vv_slot *slot) {
  __atomic_store_n(&slot->ring->gap_until, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->ring->drained, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->ring->state, vv_ring_free, __ATOMIC_RELEASE);
}

/// No thread waits for room in this ring any more.
void vv_slot_close(vv_slot *slot);

/// Bytes before the first record whose kind's bit is set in `kinds`; `bytes` when there is none.
uint64_t vv_records_find(const uint8_t *records, uint64_t bytes, uint64_t kinds);

// MARK: The pool

/// Opens the pool for a recording. The sidecar's header is mapped already.
void vv_pool_open(uint32_t session, vv_policy policy);

/// The recording goes on under another number; rings and threads keep each other.
void vv_pool_renew(uint32_t session);

/// No thread gets a ring of this recording any more, and none waits for one.
void vv_pool_close(void);

/// Adds a ring that is empty and no thread's.
void vv_pool_add(vv_slot *slot);

/// Takes a spare ring back, or returns null when there is none.
vv_slot *vv_pool_remove(void);

/// Has threads that wait for a ring look again whether they may.
void vv_pool_wake(void);

/// Says whether rings can be made at present; while they cannot, no thread waits for one.
void vv_pool_starve(bool is_starved);

/// How many rings are spare, and how often there was none when a thread needed one.
typedef struct vv_pool_state {
  uint32_t spare;
  uint32_t waiting;  // threads that wait for one now
  uint64_t misses;
} vv_pool_state;
vv_pool_state vv_pool_look(void);

/// The recorder's `vv_make_room`.
bool vv_recorder_make_room(vv_writer *writer, uint32_t session, uint32_t bytes);

/// Goes on as if so many ids of rings had been given out. For tests: no program makes so many threads.
void vv_pool_pass_ring_ids(uint32_t last);

/// Makes the pool usable in the child of a fork, where no other thread is left.
void vv_pool_forget(void);
