// SQLite, and what Swift cannot call of it.
#ifndef SHEAF_CSQLITE_H
#define SHEAF_CSQLITE_H

#include <sqlite3.h>

// Has nothing that a database brings along run on this connection: no trigger, no view, no function
// in its schema that is not known to be harmless, no SQL that writes to SQLite's own tables. The
// end of the connection writes nothing either: a WAL stays as it is. Returns SQLite's result code.
// Exists because sqlite3_db_config is variadic, which Swift does not import.
int csq_harden(struct sqlite3 *connection);

// From now on no connection of this process opens a journal or WAL of which may_play, asked for its
// path once it is open, says 0. To be called once, before all others. Returns SQLite's result code.
// Exists because SQLite opens these files by itself, and only what lies below it sees each one.
int csq_guard_journals(int (*may_play)(const char *path));

#endif
