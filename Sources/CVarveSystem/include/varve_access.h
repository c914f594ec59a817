#pragma once
// Who may use a file, beyond what its mode says.
#include <stdbool.h>

/// Whether a file has an access control list of which its mode shows only a part: the bits of its
/// group are then a mask for all whom the list names, and not what the group may do (POSIX 1003.1e,
/// draft 17, as Linux has it). A link is not followed. Of files on an NFSv4 server nothing is known.
bool vv_file_has_masked_mode(const char *path);
