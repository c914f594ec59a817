#include "varve_lobby.h"

#include "pool_session.h"
#include "varve_mapping.h"
#include "varve_pool.h"

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

// Held while many threads add to one run; few get here.
static bool hold_crowd(vv_loss *crowd) {
  uint32_t turns = 0;
  while (true) {
    uint64_t state = __atomic_load_n(&crowd->state, __ATOMIC_RELAXED);
    if (state == vv_loss_open) {
      vv_wait_a_turn(&turns);
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

bool vv_lobby_has(const vv_writer *writer, uint32_t session) {
  return writer->guest && (writer->guest_session == session || (vv_pool_has(writer->guest_session) &&
                                                                vv_pool_has(session)));
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
  uint32_t ring_id = vv_pool_new_ring_id();
  if (!ring_id) {
    // What the thread loses would be another's, and of no thread is the crowd's.
    vv_guest_told(guest, true);
    return NULL;
  }
  guest->loss.count = 0;
  guest->loss.first = guest->loss.last = vv_clock_ticks();
  guest->thread_id = vv_thread_system_id();
  guest->ring_id = writer->ring_id = ring_id;
  vv_thread_name(guest->name, sizeof guest->name);
  __atomic_store_n(&guest->loss.state, vv_loss_open, __ATOMIC_RELEASE);
  writer->guest = number;
  writer->guest_session = session;
  vv_thread_watch_end();
  return guest;
}

void vv_lobby_lose(vv_writer *writer, uint32_t session) {
  vv_sidecar *sidecar = vv_sidecar_mapped();
  vv_guest *guest = vv_lobby_has(writer, session)
                        ? vv_sidecar_guest(sidecar, writer->guest - 1)
                        : enter_lobby(sidecar, writer, session);
  if (!guest) {
    count_in_crowd(&sidecar->crowd);
    return;
  }
  __atomic_store_n(&guest->loss.last, vv_clock_ticks(), __ATOMIC_RELAXED);
  __atomic_store_n(&guest->loss.count, guest->loss.count + 1, __ATOMIC_RELEASE);
}

void vv_lobby_leave(vv_writer *writer) {
  if (vv_lobby_has(writer, vv_pool_session())) {
    vv_guest *guest = vv_sidecar_guest(vv_sidecar_mapped(), writer->guest - 1);
    uint64_t open = vv_loss_open;
    __atomic_compare_exchange_n(&guest->loss.state, &open, vv_loss_closed, false, __ATOMIC_RELEASE,
                                __ATOMIC_RELAXED);
  }
  writer->guest = 0;
}
