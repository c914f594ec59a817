#include "varve_pool.h"

#include <pthread.h>
#include <sched.h>

#include "varve_crash.h"
#include "varve_emit.h"
#include "varve_hop.h"
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
  uint32_t expected;
  vv_late_start start;
} pool = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

void vv_pool_open(uint32_t session, vv_policy policy) {
  pthread_mutex_lock(&pool.mutex);
  pool.policy = policy;
  // Ids go on from recording to recording, while there are enough.
  if (pool.ring_ids > VV_RING_IDS / 2) __atomic_store_n(&pool.ring_ids, 0, __ATOMIC_RELAXED);
  vv_oldest_ring_store(__atomic_load_n(&pool.ring_ids, __ATOMIC_RELAXED) + 1);
  pool.state.misses = 0;
  pool.is_starved = false;
  __atomic_store_n(&pool.expected, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&pool.first, session, __ATOMIC_RELAXED);
  __atomic_store_n(&pool.session, session, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&pool.mutex);
}

void vv_pool_renew(uint32_t session) {
  pthread_mutex_lock(&pool.mutex);
  if (pool.session) __atomic_store_n(&pool.session, session, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&pool.mutex);
}

// Whether a number of a session is one of the present recording's.
static bool belongs(uint32_t session) {
  uint32_t latest = __atomic_load_n(&pool.session, __ATOMIC_ACQUIRE);
  uint32_t first = __atomic_load_n(&pool.first, __ATOMIC_RELAXED);
  return latest && session && ((session - first) & 0xffffff) <= ((latest - first) & 0xffffff);
}

void vv_pool_close(void) {
  pthread_mutex_lock(&pool.mutex);
  __atomic_store_n(&pool.session, 0, __ATOMIC_RELEASE);
  pthread_cond_broadcast(&pool.changed);
  pthread_mutex_unlock(&pool.mutex);
}

void vv_pool_add(vv_slot *slot) {
  pthread_mutex_lock(&pool.mutex);
  slot->next = pool.spare;
  pool.spare = slot;
  pool.state.spare++;
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

void vv_pool_expect(uint32_t session, vv_late_start start) {
  pthread_mutex_lock(&pool.mutex);
  pool.start = start;
  __atomic_store_n(&pool.expected, session, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&pool.mutex);
}

void vv_pool_forget(void) {
  pthread_mutex_init(&pool.mutex, NULL);
  pthread_cond_init(&pool.changed, NULL);
  pool.spare = NULL;
  pool.session = pool.expected = 0;
  pool.is_starved = false;
  pool.state = (vv_pool_state){0, 0, 0};
}

// MARK: The lobby

static struct {
  int32_t taken;  // how many places are
  uint32_t used;  // no place from here on has ever been taken
} lobby;

void vv_lobby_empty(void) {
  __atomic_store_n(&lobby.taken, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&lobby.used, 0, __ATOMIC_RELAXED);
}

uint32_t vv_lobby_used(void) { return __atomic_load_n(&lobby.used, __ATOMIC_ACQUIRE); }

void vv_guest_told(vv_guest *guest, bool done) {
  if (done) __atomic_sub_fetch(&lobby.taken, 1, __ATOMIC_RELAXED);
  vv_loss_told(&guest->loss, done);
}

// Held while many threads add to one run; few get here, and who holds it may have lost its processor
// to those who wait.
static bool hold_crowd(vv_loss *crowd) {
  for (uint32_t waits = 1;; waits++) {
    uint64_t state = __atomic_load_n(&crowd->state, __ATOMIC_RELAXED);
    if (state == vv_loss_open) {
      if (waits % 64) vv_pause();
      else sched_yield();
      continue;
    }
    if (__atomic_compare_exchange_n(&crowd->state, &state, vv_loss_open, false, __ATOMIC_ACQUIRE,
                                    __ATOMIC_RELAXED))
      return state == vv_loss_none;
  }
}

static void count_in_crowd(vv_loss *crowd) {
  bool was_none = hold_crowd(crowd);
  uint64_t tick = vv_clock_ticks();
  if (was_none) crowd->first = tick, crowd->count = 0;
  crowd->last = tick;
  crowd->count++;
  __atomic_store_n(&crowd->state, vv_loss_closed, __ATOMIC_RELEASE);
}

bool vv_crowd_look(vv_loss *crowd, vv_loss *seen) {
  if (__atomic_load_n(&crowd->state, __ATOMIC_ACQUIRE) == vv_loss_none) return false;
  hold_crowd(crowd);
  *seen = *crowd;
  __atomic_store_n(&crowd->state, vv_loss_closed, __ATOMIC_RELEASE);
  return true;
}

void vv_crowd_told(vv_loss *crowd, const vv_loss *seen) {
  hold_crowd(crowd);
  crowd->count -= seen->count;
  crowd->first = seen->last + 1;
  uint64_t state = crowd->count ? vv_loss_closed : vv_loss_none;
  __atomic_store_n(&crowd->state, state, __ATOMIC_RELEASE);
}

// A thread too many for a reference to tell apart bears the last number, as all that follow it.
static uint32_t new_ring_id(void) {
  uint32_t id = __atomic_add_fetch(&pool.ring_ids, 1, __ATOMIC_RELAXED);
  return id < VV_RING_IDS ? id : VV_RING_IDS;
}

static bool is_guest(const vv_writer *writer, uint32_t session) {
  return writer->guest && (writer->guest_session == session || (belongs(writer->guest_session) &&
                                                                belongs(session)));
}

static void note_place(uint32_t index) {
  __atomic_add_fetch(&lobby.taken, 1, __ATOMIC_RELAXED);
  uint32_t used = __atomic_load_n(&lobby.used, __ATOMIC_RELAXED);
  while (used <= index && !__atomic_compare_exchange_n(&lobby.used, &used, index + 1, false,
                                                       __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

// The first free place, as one that nobody tells of before it is open; its number is noted.
static vv_guest *take_place(vv_sidecar *sidecar, uint32_t *number) {
  // Whoever finds the lobby full does so with every record.
  if (__atomic_load_n(&lobby.taken, __ATOMIC_RELAXED) >= VV_SIDECAR_GUESTS) return NULL;
  for (uint32_t index = 0; index < VV_SIDECAR_GUESTS; index++) {
    vv_guest *guest = vv_sidecar_guest(sidecar, index);
    uint64_t state = __atomic_load_n(&guest->loss.state, __ATOMIC_RELAXED);
    if (state != vv_loss_none ||
        !__atomic_compare_exchange_n(&guest->loss.state, &state, vv_loss_telling, false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
      continue;
    note_place(index);
    *number = index + 1;
    return guest;
  }
  return NULL;
}

// What the thread loses bears the id of the ring that it will get.
static vv_guest *enter_lobby(vv_sidecar *sidecar, vv_writer *writer, uint32_t session) {
  uint32_t number;
  vv_guest *guest = take_place(sidecar, &number);
  if (!guest) return NULL;
  guest->loss.count = 0;
  guest->loss.first = guest->loss.last = vv_clock_ticks();
  guest->thread_id = vv_thread_system_id();
  guest->ring_id = writer->ring_id = new_ring_id();
  vv_thread_name(guest->name, sizeof guest->name);
  __atomic_store_n(&guest->loss.state, vv_loss_open, __ATOMIC_RELEASE);
  writer->guest = number;
  writer->guest_session = session;
  vv_thread_watch_end();
  return guest;
}

static void lose_in_lobby(vv_writer *writer, uint32_t session) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  vv_guest *guest = is_guest(writer, session)
                        ? vv_sidecar_guest(sidecar, writer->guest - 1)
                        : enter_lobby(sidecar, writer, session);
  if (!guest) {
    count_in_crowd(&sidecar->crowd);
    return;
  }
  __atomic_store_n(&guest->loss.last, vv_clock_ticks(), __ATOMIC_RELAXED);
  __atomic_store_n(&guest->loss.count, guest->loss.count + 1, __ATOMIC_RELEASE);
}

static void leave_lobby(vv_writer *writer) {
  if (is_guest(writer, __atomic_load_n(&pool.session, __ATOMIC_ACQUIRE))) {
    vv_guest *guest = vv_sidecar_guest(vv_sidecar_mapped(), writer->guest - 1);
    uint64_t open = vv_loss_open;
    __atomic_compare_exchange_n(&guest->loss.state, &open, vv_loss_closed, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
  }
  writer->guest = 0;
}

// MARK: Getting a ring

static bool is_over(uint32_t session) { return !belongs(session); }

static bool may_wait(uint32_t session) {
  return pool.policy == vv_policy_block && !pool.is_starved && !is_over(session) &&
         !__atomic_load_n(&vv_drain_is_failing, __ATOMIC_ACQUIRE);
}

static bool get_ring(vv_writer *writer, uint32_t session) {
  pthread_mutex_lock(&pool.mutex);
  if (is_over(session)) {
    pthread_mutex_unlock(&pool.mutex);
    return false;
  }
  vv_slot *slot = remove_first();
  if (!slot) pool.state.misses++;
  pool.state.waiting++;
  while (!slot && may_wait(session)) {
    vv_bell_ring(&vv_drain_bell);
    pthread_cond_wait(&pool.changed, &pool.mutex);
    slot = is_over(session) ? NULL : remove_first();
  }
  pool.state.waiting--;
  if (slot) __atomic_add_fetch(&slot->owners, 1, __ATOMIC_ACQ_REL);
  bool over = is_over(session), is_starved = pool.is_starved;
  // Before another recording can begin, whose ids are higher.
  uint32_t ring_id = !slot ? 0 : is_guest(writer, session) ? writer->ring_id : new_ring_id();
  pthread_mutex_unlock(&pool.mutex);

  // A spare ring is gone, or none was there; where none can be made, the drain thread knows it.
  if (!is_starved) vv_drain_call_to_write();
  if (slot) {
    leave_lobby(writer);
    vv_slot_take(slot, writer, session, ring_id);
  } else if (!over) {
    lose_in_lobby(writer, session);
  }
  return slot != NULL;
}

bool vv_recorder_make_room(vv_writer *writer, uint32_t session, uint32_t bytes) {
  vv_crash_take_back();
  if (writer->session == session) return vv_slot_make_room(writer, bytes);
  if (__atomic_load_n(&pool.expected, __ATOMIC_ACQUIRE) == session) pool.start(session);
  if (!belongs(session)) return false;
  if (belongs(writer->session)) {
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

static void thread_ends(void *thread) {
  vv_crash_take_back();
  vv_writer *writer = &((vv_thread *)thread)->writer;
  leave_lobby(writer);
  vv_slot_leave(writer);
  vv_crash_leave_thread();
  vv_hop_leave_thread(thread);
  vv_drain_call_to_write();
}

static void make_end_key(void) { pthread_key_create(&end_key, thread_ends); }

void vv_thread_watch_end(void) {
  pthread_once(&end_key_once, make_end_key);
  pthread_setspecific(end_key, vv_thread_current());
}
