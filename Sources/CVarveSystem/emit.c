#include "varve_emit.h"

uint32_t vv_gate = 0;
uint32_t vv_oldest_ring = 0;

// Nobody records: whoever asks for room after the gate was closed gets none.
static bool no_room(vv_writer *writer, uint32_t session, uint32_t bytes) {
  (void)writer, (void)session, (void)bytes;
  return false;
}

vv_make_room_function vv_make_room = no_room;

// Drops causes that an earlier recording wrote: values may be held for any time.
static uint32_t keep_own(uint64_t *far, uint32_t count) {
  uint32_t oldest = __atomic_load_n(&vv_oldest_ring, __ATOMIC_ACQUIRE), kept = 0;
  for (uint32_t index = 0; index < count; index++)
    if (far[index] >> 40 >= oldest) far[kept++] = far[index];
  return kept;
}

VV_SELDOM uint8_t *vv_emit_begin_slowly(
    vv_writer *writer, uint32_t gate, uint32_t bytes, uint8_t kind, uint8_t payload,
    uint32_t stream, uint64_t subscription, uint64_t floor) {
  uint32_t far = writer->far_count;
  uint32_t whole = bytes + far * 8;
  writer->far_count = 0;
  if (writer->session != gate >> 8 || writer->head + whole > writer->limit) {
    vv_make_room_function make_room = __atomic_load_n(&vv_make_room, __ATOMIC_ACQUIRE);
    if (!make_room(writer, gate >> 8, whole)) return NULL;
  }
  // Known only now: making room may have given the thread another ring.
  far = keep_own(writer->far, far);
  whole = bytes + far * 8;
  uint8_t *at = vv_emit_head(writer, writer->head, whole, kind, payload, far, stream, subscription,
                             floor);
  memcpy(at + bytes, writer->far, far * 8);
  return at + VV_RECORD_HEAD_BYTES;
}

uint32_t vv_session_number(void) {
  static uint32_t sessions = 0;
  return __atomic_add_fetch(&sessions, 1, __ATOMIC_RELAXED) & 0xffffff;
}

_Static_assert(offsetof(vv_writer, session) % 8 == 0 &&
                   offsetof(vv_writer, far_count) == offsetof(vv_writer, session) + 4,
               "the hot path loads both as one word");
_Static_assert(sizeof(vv_record) == VV_RECORD_HEAD_BYTES, "a record's head is 32 bytes");
_Static_assert(sizeof(vv_region) == 40, "a region's head is documented byte by byte");
_Static_assert(sizeof(vv_ring) == 1408, "the ring's header is documented byte by byte");
_Static_assert(offsetof(vv_ring, head) == 128, "the writer has a cache line of its own");
_Static_assert(offsetof(vv_ring, tail) == 256, "the reader has a cache line of its own");
_Static_assert(offsetof(vv_ring, losses) == 384, "losses lie behind the lines that are busy");
