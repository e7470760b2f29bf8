#include "CSQLiteShims.h"

#include <sqlite3.h>
#include <stddef.h>

int csq_harden(struct sqlite3 *connection) {
    const struct {
        int setting, value;
    } locks[] = {
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
    };
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        int code = sqlite3_db_config(connection, locks[i].setting, locks[i].value, NULL);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}
