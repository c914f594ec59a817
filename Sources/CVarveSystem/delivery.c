#include "varve_delivery.h"

_Thread_local const void *vv_delivery_innermost;
