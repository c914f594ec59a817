#pragma once
// For functions that look at what frames hold, which is anybody's, without asking their owner.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNCHECKED __attribute__((no_sanitize("address", "thread")))
#endif
#endif
#ifndef UNCHECKED
#define UNCHECKED
#endif
