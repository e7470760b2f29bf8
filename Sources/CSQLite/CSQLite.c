#include "CSQLite.h"

#include <stddef.h>

static sqlite3_vfs guarded;
static int (*open_unguarded)(sqlite3_vfs *, const char *, sqlite3_file *, int, int *);
static int (*may_play)(const char *);

static int open_guarded(
    sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *given
) {
    int code = open_unguarded(vfs, path, file, flags, given);
    if (code != SQLITE_OK || !(flags & (SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_WAL))) return code;
    if (may_play(path)) return code;
    file->pMethods->xClose(file);
    file->pMethods = NULL;
    return SQLITE_CANTOPEN;
}

int csq_guard_journals(int (*judge)(const char *path)) {
    const sqlite3_vfs *present = sqlite3_vfs_find(NULL);
    if (present == NULL) return SQLITE_ERROR;
    guarded = *present;
    open_unguarded = guarded.xOpen;
    may_play = judge;
    guarded.zName = "sheaf-guarded";
    guarded.xOpen = open_guarded;
    return sqlite3_vfs_register(&guarded, 1);
}

int csq_harden(struct sqlite3 *connection) {
    const struct {
        int setting, value;
    } locks[] = {
        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
        {SQLITE_DBCONFIG_DEFENSIVE, 1},
        {SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1},
    };
    for (size_t i = 0; i < sizeof locks / sizeof *locks; i++) {
        int code = sqlite3_db_config(connection, locks[i].setting, locks[i].value, NULL);
        if (code != SQLITE_OK) return code;
    }
    return SQLITE_OK;
}
