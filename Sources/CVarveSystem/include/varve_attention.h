#pragma once
// A signal by which somebody calls for the recorder's attention.
#include <stdbool.h>

/// Has this signal call the drain thread from now on; whoever handled it before still does. Returns
/// false when the system refuses.
bool vv_attention_watch(int signal);

/// Puts the earlier handler back, unless somebody has installed one above ours.
void vv_attention_unwatch(void);

/// Whether the signal has come since this was last asked.
bool vv_attention_take(void);
