#pragma once
// The numbers of the pool's recording, for the lobby.
#include <stdbool.h>
#include <stdint.h>

// The latest number of the present recording; 0 while there is none.
uint32_t vv_pool_session(void);

// Whether a number of a session is one of the present recording's.
bool vv_pool_has(uint32_t session);

// An id for a thread's ring, from 1; 0 when all that references can tell apart were given out.
uint32_t vv_pool_new_ring_id(void);
