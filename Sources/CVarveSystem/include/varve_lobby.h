#pragma once
// The lobby of the sidecar, where threads that have no ring count what they lose.
#include "varve_slot.h"

/// Forgets who was in the lobby, before another sidecar is mapped.
void vv_lobby_empty(void);

/// No place of the lobby from this number on has been taken.
uint32_t vv_lobby_used(void);

/// Whether the thread has a place in the lobby of the recording with this number.
bool vv_lobby_has(const vv_writer *writer, uint32_t session);

/// Counts a record that the thread loses, at a place of its own, or in the crowd when all are taken.
void vv_lobby_lose(vv_writer *writer, uint32_t session);

/// The thread got a ring, or ends: its place is free as soon as its losses are told of.
void vv_lobby_leave(vv_writer *writer);

/// Whether somebody has the place, or had it and nobody has told of it; who it is may be asked then.
/// A place that somebody is about to take is nobody's yet.
static inline bool vv_guest_is_there(const vv_guest *guest) {
  uint64_t state = __atomic_load_n(&guest->loss.state, __ATOMIC_ACQUIRE);
  return state == vv_loss_open || state == vv_loss_closed;
}

/// Frees the place of a thread whose losses were taken and told of, or puts them back for another
/// try.
void vv_guest_told(vv_guest *guest, bool done);

/// Reads the losses that the lobby's crowd has in common; false when there are none.
bool vv_crowd_look(vv_loss *crowd, vv_loss *seen);

/// Takes off the crowd's losses what the file tells of now.
void vv_crowd_told(vv_loss *crowd, const vv_loss *seen);
