#pragma once
// The recorder's side of the rings: a slot for each ring, in private memory, with the slow path of
// the writing thread (taken once per quantum, and whenever there is no room); and the pool of spare
// rings, from which threads get theirs, or count their losses while there is none. Threads that
// record allocate nothing here.
#include "varve_drain.h"
#include "varve_sidecar.h"
#include "varve_thread.h"

typedef enum vv_policy {
  vv_policy_drop = 0,   // count the record as lost and go on
  vv_policy_block = 1,  // wait for the drain thread
  vv_policy_overwrite = 2,  // overwrite the oldest records
  vv_policy_hesitate = 3,   // wait for the drain thread, but only briefly
} vv_policy;

/// The drain thread is woken when half a ring is waiting, but at the latest at this number of
/// bytes: as many of the shortest records as a block has events.
#define VV_QUANTUM_LARGEST (512u << 10)

typedef struct vv_slot {
  vv_ring *ring;         // the whole region, mapped
  uint8_t *data;
  uint64_t capacity;
  uint64_t quantum;      // the number of waiting bytes at which the drain thread is woken
  uint64_t offset;       // the region's offset in the sidecar
  uint32_t policy;       // vv_policy
  uint32_t owners;       // the recording and the thread; the last one to release frees the slot
  uint32_t waiting;      // nonzero while the thread waits for `room`
  uint32_t closed;       // no more room will be made
  uint32_t runs;         // the number of runs of losses begun so far
  vv_bell room;          // signaled when the drain thread has made room for the waiting thread
  struct vv_slot *next;  // the next spare slot
} vv_slot;

/// Creates a slot, with one owner, for a mapped ring; returns null if there is no memory.
vv_slot *vv_slot_make(void *base, uint64_t capacity, uint64_t offset, vv_policy policy);

/// Removes an owner. The last one frees the slot and its mapping.
void vv_slot_release(vv_slot *slot);

/// Replaces the mapping of the sidecar with private memory, since the slot's thread may be writing
/// at this moment, and ends the thread's waiting. Called by the recording before `vv_slot_release`.
void vv_slot_retire(vv_slot *slot);

/// Makes the calling thread the writer of an empty ring that has no thread.
void vv_slot_take(vv_slot *slot, vv_writer *writer, uint32_t session, uint32_t ring_id);

/// Gives up the thread's ring, whose records will still be drained. Does nothing if there is none.
void vv_slot_leave(vv_writer *writer);

/// Makes room in the thread's ring according to its policy; counts a loss if that fails.
bool vv_slot_make_room(vv_writer *writer, uint32_t bytes);

/// Like `vv_slot_make_room`, but counts no losses. For the log of definitions.
bool vv_slot_find_room(vv_writer *writer, uint32_t bytes);

/// Wakes the waiting thread, after its tail was advanced or its losses were written. Returns
/// whether a thread was waiting.
bool vv_slot_room_made(vv_slot *slot);

/// Takes a run of losses in order to write it to the file; with `whole`, even one in progress.
bool vv_loss_take(vv_loss *loss, bool whole, vv_loss *taken);

/// Reads a run of losses that is in progress, and leaves it to its thread. Returns false if it is
/// not in progress.
bool vv_loss_look(const vv_loss *loss, vv_loss *seen);

/// Frees the entry of a run that was taken and written, or puts the run back for another attempt.
void vv_loss_settle(vv_loss *loss, bool written);

// MARK: The drain thread's view

/// The number of bytes that the writer has published. All bytes before are then visible.
static inline uint64_t vv_ring_published(const vv_ring *ring) {
  return __atomic_load_n(&ring->head, __ATOMIC_ACQUIRE);
}

/// The position of the oldest record. If the writer overwrites, the tail may already have advanced.
static inline uint64_t vv_ring_tail(const vv_ring *ring) {
  return __atomic_load_n(&ring->tail, __ATOMIC_ACQUIRE);
}

/// Frees the space of records that are now in the file: all before `tail`, the last of which has
/// the number `drained`. A writer that overwrites may have advanced the tail further.
static inline void vv_ring_pass(vv_ring *ring, uint64_t tail, uint64_t drained) {
  __atomic_store_n(&ring->drained, drained, __ATOMIC_RELEASE);
  uint64_t before = __atomic_load_n(&ring->tail, __ATOMIC_RELAXED);
  while (before < tail && !__atomic_compare_exchange_n(&ring->tail, &before, tail, false,
                                                       __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
}

/// Copies the bytes between two positions, at most half a ring, while the writer may be overwriting
/// them. Returns the number of bytes to discard from the beginning of the copy.
uint64_t vv_ring_copy(const vv_slot *slot, uint64_t from, uint64_t to, uint8_t *copy);

/// Notes in the ring that overwritten records are about to be reported in the file.
static inline void vv_ring_open_gap(vv_ring *ring, uint64_t until, uint64_t count, uint64_t first,
                                    uint64_t last) {
  __atomic_store_n(&ring->gap_count, count, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->gap_first, first, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->gap_last, last, __ATOMIC_RELAXED);
  __atomic_store_n(&ring->gap_until, until, __ATOMIC_RELEASE);
}

/// Notes that the overwritten records have been reported in the file.
static inline void vv_ring_close_gap(vv_ring *ring) {
  __atomic_store_n(&ring->drained, ring->gap_until, __ATOMIC_RELEASE);
}

/// Publishes bytes that are not a thread's records: definitions.
static inline void vv_ring_publish(vv_ring *ring, uint64_t head) {
  __atomic_store_n(&ring->head, head, __ATOMIC_RELEASE);
}

/// The id of the thread incarnation that writes, or has written, to the ring; 0 if there is none.
static inline uint32_t vv_slot_ring_id(const vv_slot *slot) {
  bool is_free = __atomic_load_n(&slot->ring->state, __ATOMIC_ACQUIRE) == vv_ring_free;
  return is_free ? 0 : slot->ring->ring_id;
}

/// Whether the ring's thread has given it up, so that nothing will be added.
static inline bool vv_slot_is_left(const vv_slot *slot) {
  return __atomic_load_n(&slot->ring->state, __ATOMIC_ACQUIRE) == vv_ring_ended &&
         __atomic_load_n(&slot->owners, __ATOMIC_ACQUIRE) == 1;
}

/// Whether the ring's thread is waiting for room.
static inline bool vv_slot_is_waiting(const vv_slot *slot) {
  return __atomic_load_n(&slot->waiting, __ATOMIC_ACQUIRE) != 0;
}

/// The number of runs of losses that the ring's threads have begun.
static inline uint32_t vv_slot_runs(const vv_slot *slot) {
  return __atomic_load_n(&slot->runs, __ATOMIC_ACQUIRE);
}

/// The entry of a run of losses; `index` is below VV_RING_LOSSES.
static inline vv_loss *vv_ring_loss(vv_ring *ring, uint32_t index) { return &ring->losses[index]; }

/// Whether the ring has losses that are not in the file yet.
static inline bool vv_slot_has_losses(const vv_slot *slot) {
  for (uint32_t index = 0; index < VV_RING_LOSSES; index++)
    if (__atomic_load_n(&slot->ring->losses[index].state, __ATOMIC_ACQUIRE)) return true;
  return false;
}

/// Frees an empty ring that was given up, for another thread.
static inline void vv_slot_recycle(vv_slot *slot) {
  __atomic_store_n(&slot->ring->gap_until, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->ring->drained, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->ring->state, vv_ring_free, __ATOMIC_RELEASE);
}

/// Ends all waiting for room in this ring.
void vv_slot_close(vv_slot *slot);

/// The number of bytes before the first record whose kind is in the bit set `kinds`; `bytes` if
/// there is none.
uint64_t vv_records_find(const uint8_t *records, uint64_t bytes, uint64_t kinds);

// MARK: The pool

/// Opens the pool for a recording. The sidecar's header must be mapped.
void vv_pool_open(uint32_t session, vv_policy policy);

/// Continues the recording under another session number. Threads keep their rings.
void vv_pool_renew(uint32_t session);

/// Closes the pool: no thread gets a ring, or waits for one, any more.
void vv_pool_close(void);

/// Adds an empty ring that has no thread.
void vv_pool_add(vv_slot *slot);

/// Takes a spare ring out of the pool; returns null if there is none.
vv_slot *vv_pool_remove(void);

/// Makes threads that wait for a ring check again whether they may wait.
void vv_pool_wake(void);

/// Sets whether no ring can currently be created; in that case, no thread waits for one.
void vv_pool_starve(bool is_starved);

/// The number of spare rings, of waiting threads, and of times that a thread found no ring.
typedef struct vv_pool_state {
  uint32_t spare;
  uint32_t waiting;  // threads that are waiting for a ring
  uint64_t misses;
} vv_pool_state;
vv_pool_state vv_pool_look(void);

/// The recorder's `vv_make_room`.
bool vv_recorder_make_room(vv_writer *writer, uint32_t session, uint32_t bytes);

/// Continues as if ring ids up to `last` had been assigned. For tests, to avoid so many threads.
void vv_pool_pass_ring_ids(uint32_t last);

/// Resets the pool in the child of a fork, which has no other threads.
void vv_pool_forget(void);
