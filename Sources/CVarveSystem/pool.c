#include "varve_pool.h"

#include <pthread.h>
#include "varve_emit.h"
#include "varve_file.h"
#include "varve_signal.h"

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  vv_slot *spare;
  uint32_t session;  // the recording's latest session number; 0 while there is no recording
  uint32_t first;    // the recording's first session number
  uint32_t policy;
  uint32_t ring_ids;  // assigned so far, in all recordings
  vv_pool_state state;
  bool is_starved;  // no ring can be created at present
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void vv_pool_open(uint32_t session, vv_policy policy) {
  pthread_mutex_lock(&pool.mutex);
  pool.policy = policy;
  // Ids continue from recording to recording while there are enough.
  if (pool.ring_ids > VV_RING_IDS / 2) __atomic_store_n(&pool.ring_ids, 0, __ATOMIC_RELAXED);
  vv_oldest_ring_store(__atomic_load_n(&pool.ring_ids, __ATOMIC_RELAXED) + 1);
  pool.state.misses = 0;
  pool.is_starved = false;
  __atomic_store_n(&pool.first, session, __ATOMIC_RELAXED);
  __atomic_store_n(&pool.session, session, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&pool.mutex);
}

void vv_pool_renew(uint32_t session) {
  pthread_mutex_lock(&pool.mutex);
  if (pool.session) __atomic_store_n(&pool.session, session, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&pool.mutex);
}

// Whether a session number belongs to the current recording.
static bool is_present(uint32_t session) {
  uint32_t latest = __atomic_load_n(&pool.session, __ATOMIC_ACQUIRE);
  uint32_t first = __atomic_load_n(&pool.first, __ATOMIC_RELAXED);
  return latest && session && ((session - first) & 0xffffff) <= ((latest - first) & 0xffffff);
}

static bool has_ring_ids(void) {
  return __atomic_load_n(&pool.ring_ids, __ATOMIC_RELAXED) < VV_RING_IDS;
}

// Returns a new id for a thread's ring, from 1; 0 if all ids that a reference can hold are used.
static uint32_t new_ring_id(void) {
  uint32_t last = __atomic_load_n(&pool.ring_ids, __ATOMIC_RELAXED);
  do {
    if (last >= VV_RING_IDS) return 0;
  } while (!__atomic_compare_exchange_n(&pool.ring_ids, &last, last + 1, true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED));
  return last + 1;
}

void vv_pool_pass_ring_ids(uint32_t last) {
  __atomic_store_n(&pool.ring_ids, last, __ATOMIC_RELAXED);
}

void vv_pool_close(void) {
  pthread_mutex_lock(&pool.mutex);
  __atomic_store_n(&pool.session, 0, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

static void put(vv_slot *slot) {
  slot->next = pool.spare;
  pool.spare = slot;
  pool.state.spare++;
}

void vv_pool_add(vv_slot *slot) {
  pthread_mutex_lock(&pool.mutex);
  put(slot);
  pthread_cond_signal(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

static vv_slot *remove_first(void) {
  vv_slot *slot = pool.spare;
  if (!slot) return NULL;
  pool.spare = slot->next;
  pool.state.spare--;
  return slot;
}

vv_slot *vv_pool_remove(void) {
  pthread_mutex_lock(&pool.mutex);
  vv_slot *slot = remove_first();
  pthread_mutex_unlock(&pool.mutex);
  return slot;
}

void vv_pool_wake(void) {
  pthread_mutex_lock(&pool.mutex);
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

void vv_pool_starve(bool is_starved) {
  pthread_mutex_lock(&pool.mutex);
  pool.is_starved = is_starved;
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

vv_pool_state vv_pool_look(void) {
  pthread_mutex_lock(&pool.mutex);
  vv_pool_state state = pool.state;
  pthread_mutex_unlock(&pool.mutex);
  return state;
}

void vv_pool_forget(void) {
  pthread_mutex_init(&pool.mutex, NULL);
  pthread_cond_init(&pool.changed, NULL);
  pool.spare = NULL;
  pool.session = 0;
  pool.is_starved = false;
  pool.state = (vv_pool_state){0, 0, 0};
}

static bool may_wait(uint32_t session) {
  return pool.policy == vv_policy_block && !pool.is_starved && is_present(session) &&
         !__atomic_load_n(&vv_drain_is_failing, __ATOMIC_ACQUIRE);
}

// Returns a ring for the calling thread, waiting for one if the policy allows; null if there is
// none. The pool is locked.
static vv_slot *wait_for_ring(uint32_t session) {
  vv_slot *slot = remove_first();
  if (!slot) pool.state.misses++;
  pool.state.waiting++;
  while (!slot && may_wait(session)) {
    vv_drain_call();
    pthread_cond_wait(&pool.changed, &pool.mutex);
    slot = !is_present(session) ? NULL : remove_first();
  }
  pool.state.waiting--;
  return slot;
}

// MARK: Threads without a ring

// Threads that get no ring count their losses in the sidecar's header: the first ones of a
// recording separately, all others together. These counts survive the program's end.

// Returns the calling thread's entry; null if it has none.
static vv_ringless *ringless_of(const vv_writer *writer, uint32_t session) {
  if (!writer->ringless || (writer->ringless_session != session &&
                            !(is_present(writer->ringless_session) && is_present(session))))
    return NULL;
  return vv_sidecar_ringless(vv_sidecar_mapped(), writer->ringless - 1);
}

// Gives the calling thread the next entry. Its losses have the id of the ring that it will get.
static vv_ringless *begin_ringless(vv_writer *writer, uint32_t session) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  if (vv_sidecar_ringless_count(sidecar) == VV_SIDECAR_RINGLESS || !has_ring_ids()) return NULL;
  uint32_t ring_id = new_ring_id();
  uint32_t index = __atomic_fetch_add(&sidecar->ringless, 1, __ATOMIC_ACQ_REL);
  if (!ring_id || index >= VV_SIDECAR_RINGLESS) return NULL;
  vv_ringless *place = vv_sidecar_ringless(sidecar, index);
  place->loss.first = place->loss.last = vv_clock_ticks();
  place->thread_id = vv_thread_system_id();
  place->ring_id = writer->ring_id = ring_id;
  vv_thread_name(place->name, sizeof place->name);
  __atomic_store_n(&place->loss.state, vv_loss_open, __ATOMIC_RELEASE);
  writer->ringless = index + 1;
  writer->ringless_session = session;
  vv_thread_watch_end();
  return place;
}

static void count_among_others(vv_loss *others) {
  uint64_t none = 0, tick = vv_clock_ticks();
  __atomic_compare_exchange_n(&others->first, &none, tick, false, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
  __atomic_store_n(&others->last, tick, __ATOMIC_RELAXED);
  __atomic_store_n(&others->state, vv_loss_open, __ATOMIC_RELAXED);
  __atomic_add_fetch(&others->count, 1, __ATOMIC_RELEASE);
}

static void lose_without_ring(vv_writer *writer, uint32_t session) {
  vv_ringless *place = ringless_of(writer, session);
  if (!place) place = begin_ringless(writer, session);
  if (!place) return count_among_others(&vv_sidecar_mapped()->others);
  __atomic_store_n(&place->loss.last, vv_clock_ticks(), __ATOMIC_RELAXED);
  __atomic_store_n(&place->loss.count, place->loss.count + 1, __ATOMIC_RELEASE);
}

// Closes the entry, because the thread now has a ring, or ends.
static void end_ringless(vv_writer *writer) {
  vv_ringless *place = ringless_of(writer, __atomic_load_n(&pool.session, __ATOMIC_ACQUIRE));
  uint64_t open = vv_loss_open;
  if (place)
    __atomic_compare_exchange_n(&place->loss.state, &open, vv_loss_closed, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
  writer->ringless = 0;
}

// MARK: The slow path

static bool get_ring(vv_writer *writer, uint32_t session) {
  pthread_mutex_lock(&pool.mutex);
  if (!is_present(session)) {
    pthread_mutex_unlock(&pool.mutex);
    return false;
  }
  // Readers would confuse two rings with the same id, and so the records of two threads. A thread
  // that finds all ids used therefore loses its records.
  bool has_id = ringless_of(writer, session) != NULL, is_full = !has_id && !has_ring_ids();
  vv_slot *slot = is_full ? NULL : wait_for_ring(session);
  // Assigned under the lock, before another recording, with higher ids, can begin.
  uint32_t ring_id = !slot ? 0 : has_id ? writer->ring_id : new_ring_id();
  if (slot && !ring_id) {
    put(slot);
    slot = NULL;
  }
  if (slot) __atomic_add_fetch(&slot->owners, 1, __ATOMIC_ACQ_REL);
  bool over = !is_present(session), is_starved = pool.is_starved;
  pthread_mutex_unlock(&pool.mutex);

  // A spare ring was taken, or there was none, so the drain thread has to create another. If none
  // can be created, it knows that already.
  if (!is_starved && !is_full) vv_drain_call_to_write();
  if (slot) {
    end_ringless(writer);
    vv_slot_take(slot, writer, session, ring_id);
  } else if (!over) {
    lose_without_ring(writer, session);
  }
  return slot != NULL;
}

bool vv_recorder_make_room(vv_writer *writer, uint32_t session, uint32_t bytes) {
  vv_crash_note_survival();
  if (writer->session == session) return vv_slot_make_room(writer, bytes);
  if (!is_present(session)) return false;
  if (is_present(writer->session)) {
    // The same recording under another number: a sender may not have seen the latest one yet.
    writer->session = session;
    return vv_slot_make_room(writer, bytes);
  }
  vv_slot_leave(writer);
  return get_ring(writer, session) && vv_slot_make_room(writer, bytes);
}

static void leave_thread(vv_thread *thread) {
  vv_crash_note_survival();
  end_ringless(&thread->writer);
  vv_slot_leave(&thread->writer);
  vv_drain_call_to_write();
}

__attribute__((constructor(101))) static void watch_threads(void) { vv_thread_at_end(leave_thread); }
