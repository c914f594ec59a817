// The system's zlib, as Debian's zlib1g-dev and Apple's SDKs install it.
#include <zlib.h>
