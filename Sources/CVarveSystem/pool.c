#include "varve_pool.h"

#include <pthread.h>

#include "pool_session.h"
#include "varve_crash.h"
#include "varve_emit.h"
#include "varve_hop.h"
#include "varve_lobby.h"
#include "varve_mapping.h"

static struct {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  vv_slot *spare;
  uint32_t session;  // the latest of the recording's numbers; 0 while there is none
  uint32_t first;    // the first of them
  uint32_t policy;
  uint32_t ring_ids;  // given out so far, in all recordings
  vv_pool_state state;
  bool is_starved;  // no ring can be made at present
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void vv_pool_open(uint32_t session, vv_policy policy) {
  pthread_mutex_lock(&pool.mutex);
  pool.policy = policy;
  // Ids go on from recording to recording, while there are enough.
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

uint32_t vv_pool_session(void) { return __atomic_load_n(&pool.session, __ATOMIC_ACQUIRE); }

bool vv_pool_has(uint32_t session) {
  uint32_t latest = vv_pool_session();
  uint32_t first = __atomic_load_n(&pool.first, __ATOMIC_RELAXED);
  return latest && session && ((session - first) & 0xffffff) <= ((latest - first) & 0xffffff);
}

static bool has_ring_ids(void) {
  return __atomic_load_n(&pool.ring_ids, __ATOMIC_RELAXED) < VV_RING_IDS;
}

uint32_t vv_pool_new_ring_id(void) {
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

static bool is_over(uint32_t session) { return !vv_pool_has(session); }

static bool may_wait(uint32_t session) {
  return pool.policy == vv_policy_block && !pool.is_starved && !is_over(session) &&
         !__atomic_load_n(&vv_drain_is_failing, __ATOMIC_ACQUIRE);
}

// A ring for the calling thread, which waits for one if it may; null when there is none. The pool is
// locked.
static vv_slot *wait_for_ring(uint32_t session) {
  vv_slot *slot = remove_first();
  if (!slot) pool.state.misses++;
  pool.state.waiting++;
  while (!slot && may_wait(session)) {
    vv_bell_ring(&vv_drain_bell);
    pthread_cond_wait(&pool.changed, &pool.mutex);
    slot = is_over(session) ? NULL : remove_first();
  }
  pool.state.waiting--;
  return slot;
}

static bool get_ring(vv_writer *writer, uint32_t session) {
  pthread_mutex_lock(&pool.mutex);
  if (is_over(session)) {
    pthread_mutex_unlock(&pool.mutex);
    return false;
  }
  // Two rings of one id would be one to readers, who would take records of one thread for those of
  // another. So the threads of a recording that has had too many count in the crowd what they lose.
  bool has_id = vv_lobby_has(writer, session), is_full = !has_id && !has_ring_ids();
  vv_slot *slot = is_full ? NULL : wait_for_ring(session);
  // Before another recording can begin, whose ids are higher.
  uint32_t ring_id = !slot ? 0 : has_id ? writer->ring_id : vv_pool_new_ring_id();
  if (slot && !ring_id) {
    put(slot);
    slot = NULL;
  }
  if (slot) __atomic_add_fetch(&slot->owners, 1, __ATOMIC_ACQ_REL);
  bool over = is_over(session), is_starved = pool.is_starved;
  pthread_mutex_unlock(&pool.mutex);

  // A spare ring is gone, or none was there; where none can be made, the drain thread knows it.
  if (!is_starved && !is_full) vv_drain_call_to_write();
  if (slot) {
    vv_lobby_leave(writer);
    vv_slot_take(slot, writer, session, ring_id);
  } else if (!over) {
    vv_lobby_lose(writer, session);
  }
  return slot != NULL;
}

bool vv_recorder_make_room(vv_writer *writer, uint32_t session, uint32_t bytes) {
  vv_crash_take_back();
  if (writer->session == session) return vv_slot_make_room(writer, bytes);
  if (!vv_pool_has(session)) return false;
  if (vv_pool_has(writer->session)) {
    // The same recording under another number; a sender may not have seen the latest yet.
    writer->session = session;
    return vv_slot_make_room(writer, bytes);
  }
  vv_slot_leave(writer);
  return get_ring(writer, session) && vv_slot_make_room(writer, bytes);
}

// MARK: The end of a thread

static pthread_key_t end_key;
static pthread_once_t end_key_once = PTHREAD_ONCE_INIT;
static uint32_t has_end_key = 0;

static void thread_ends(void *thread) {
  vv_crash_take_back();
  vv_writer *writer = &((vv_thread *)thread)->writer;
  vv_lobby_leave(writer);
  vv_slot_leave(writer);
  vv_crash_leave_thread();
  vv_hop_leave_thread(thread);
  vv_drain_call_to_write();
}

static void make_end_key(void) {
  bool is_made = pthread_key_create(&end_key, thread_ends) == 0;
  __atomic_store_n(&has_end_key, is_made, __ATOMIC_RELEASE);
}

void vv_thread_watch_end(void) {
  pthread_once(&end_key_once, make_end_key);
  if (has_end_key) pthread_setspecific(end_key, vv_thread_current());
}

// Reading such a value allocates nothing, with all libraries that there are.
vv_thread *vv_thread_if_known(void) {
  return __atomic_load_n(&has_end_key, __ATOMIC_ACQUIRE) ? pthread_getspecific(end_key) : NULL;
}
