#pragma once
// Signals by which somebody calls for the recorder's attention.
#include <stdbool.h>

/// Has this signal, beside others, call the drain thread from now on; whoever handled it before
/// still does. Returns false when the system refuses.
bool vv_attention_watch(int signal);

/// No signal calls any more. Puts the earlier handlers back, unless somebody has installed one above
/// ours.
void vv_attention_unwatch(void);

/// Whether one of the signals has come since this was last asked.
bool vv_attention_take(void);
