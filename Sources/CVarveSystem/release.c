#include "varve_release.h"

_Thread_local vv_release vv_this_release;
