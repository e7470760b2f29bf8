#include "CCommit.h"

/* Package.swift defines it. */
const char *ccommit_name(void) {
    return SHEAF_COMMIT;
}
