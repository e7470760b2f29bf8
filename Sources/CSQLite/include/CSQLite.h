// SQLite, and the functions of it that Swift cannot call.
#ifndef SHEAF_CSQLITE_H
#define SHEAF_CSQLITE_H

#include <sqlite3.h>

// Prevents code and settings stored in a database from running on this connection: no trigger, no
// view, no function in its schema that is not known to be harmless, and no SQL that writes to
// SQLite's own tables. Closing the connection does not checkpoint, so a WAL stays as it is. Returns
// SQLite's result code. Exists because sqlite3_db_config is variadic, which Swift does not import.
int csq_harden(struct sqlite3 *connection);

// Prevents all connections of this process from opening a journal or WAL that may_play rejects.
// may_play is called with the path of the file after it has been opened, and returns 0 to reject
// it. Call this function once, before all others. Returns SQLite's result code. Exists because
// SQLite opens these files by itself, and only a layer below it sees each one.
int csq_guard_journals(int (*may_play)(const char *path));

#endif
