// The two tracepoints of the comparison: an integer, and a text.
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER varve_peer

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./peer_events.h"

#if !defined(PEER_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PEER_EVENTS_H
#include <lttng/tracepoint.h>
#include <stdint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    varve_peer, integer, LTTNG_UST_TP_ARGS(uint32_t, stream, uint8_t, kind, int64_t, value),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, stream, stream)
                            lttng_ust_field_integer(uint8_t, kind, kind)
                                lttng_ust_field_integer(int64_t, value, value)))

LTTNG_UST_TRACEPOINT_EVENT(
    varve_peer, text, LTTNG_UST_TP_ARGS(uint32_t, stream, uint8_t, kind, const char *, value),
    LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(uint32_t, stream, stream)
                            lttng_ust_field_integer(uint8_t, kind, kind)
                                lttng_ust_field_string(value, value)))
#endif
#include <lttng/tracepoint-event.h>
