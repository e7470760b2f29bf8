#ifndef CLIBPQ_H
#define CLIBPQ_H

#include <stdbool.h>
#include <stddef.h>

/// The client library of PostgreSQL, loaded on first use. A program that uses no server neither
/// needs it nor pays for it.
///
/// The declarations match libpq 14 and later, whose binary interface only grows, so building needs
/// no part of libpq. Each function is the libpq function of the same name, with `C` in front. None
/// may be called before `CPQload` has returned NULL.

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

/// The documented members of `PGnotify`.
typedef struct CPQnotify {
    char *channel;
    int process;
    char *payload;
} CPQnotify;

/// The layout of `PQconninfoOption`.
typedef struct CPQoption {
    char *keyword;
    char *envvar;
    char *compiled;
    char *val;
    char *label;
    char *dispchar;
    int dispsize;
} CPQoption;

enum { CPQ_CONNECTION_OK = 0 };
enum {
    CPQ_EMPTY_QUERY = 0,
    CPQ_COMMAND_OK = 1,
    CPQ_TUPLES_OK = 2,
    CPQ_PIPELINE_SYNC = 10,
    CPQ_PIPELINE_ABORTED = 11,
};
enum { CPQ_DIAG_SQLSTATE = 'C', CPQ_DIAG_MESSAGE_PRIMARY = 'M', CPQ_DIAG_SOURCE_FUNCTION = 'R' };

/// Loads the library on the first call. Callable from any thread.
///
/// - Returns: NULL, or the reason why it cannot be loaded.
const char *CPQload(void);

int CPQlibVersion(void);
CPQoption *CPQconninfoParse(const char *info, char **error);
/// Returns all parameters that libpq knows, or NULL if there is no memory.
CPQoption *CPQconndefaults(void);
/// Returns the values of all parameters of a connection, including one that failed. If the
/// connection's service is not defined, no parameter has a value. Returns NULL if there is no
/// memory.
CPQoption *CPQconninfo(PGconn *connection);
void CPQconninfoFree(CPQoption *options);
void CPQfreemem(void *memory);
/// Connects to a server. While libpq connects, its output to `stderr` is discarded, such as
/// warnings about a password file that is open to others or a collation of another version. It
/// would overwrite the screen, and libpq accepts no other destination before the connection exists.
/// Output to the file descriptor itself is not affected.
PGconn *CPQconnectdbParams(const char *const *keywords, const char *const *values, int expands);
/// Keeps notices of the server off standard error, and sets `*missesStandby` if one of them reports
/// that a commit no longer waits for the standby. The server translates such a notice, and gives it
/// the SQLSTATE of any warning (01000). So this function identifies it by the server function that
/// sends it, `SyncRepWaitForLSN` (PostgreSQL 9.1 and later).
void CPQwatchNotices(PGconn *connection, bool *missesStandby);

void CPQfinish(PGconn *connection);
int CPQstatus(const PGconn *connection);
char *CPQerrorMessage(const PGconn *connection);
int CPQsocket(const PGconn *connection);
int CPQserverVersion(const PGconn *connection);
int CPQbackendPID(const PGconn *connection);
const char *CPQparameterStatus(const PGconn *connection, const char *name);
int CPQsslInUse(PGconn *connection);
const char *CPQsslAttribute(PGconn *connection, const char *name);
char *CPQhost(const PGconn *connection);
char *CPQhostaddr(const PGconn *connection);
char *CPQport(const PGconn *connection);
char *CPQuser(const PGconn *connection);
char *CPQdb(const PGconn *connection);
int CPQsetnonblocking(PGconn *connection, int isNonblocking);
int CPQsendQueryParams(
    PGconn *connection, const char *command, int count, const unsigned *types,
    const char *const *values, const int *lengths, const int *formats, int resultFormat);
int CPQsendPrepare(
    PGconn *connection, const char *name, const char *command, int count, const unsigned *types);
int CPQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat);
int CPQsendQuery(PGconn *connection, const char *command);
int CPQenterPipelineMode(PGconn *connection);
int CPQexitPipelineMode(PGconn *connection);
int CPQpipelineSync(PGconn *connection);
int CPQflush(PGconn *connection);
int CPQconsumeInput(PGconn *connection);
int CPQisBusy(PGconn *connection);
PGresult *CPQgetResult(PGconn *connection);
CPQnotify *CPQnotifies(PGconn *connection);
int CPQresultStatus(const PGresult *result);
char *CPQresultErrorField(const PGresult *result, int field);
char *CPQresultErrorMessage(const PGresult *result);
void CPQclear(PGresult *result);
int CPQntuples(const PGresult *result);
int CPQnfields(const PGresult *result);
char *CPQgetvalue(const PGresult *result, int row, int column);
int CPQgetlength(const PGresult *result, int row, int column);
int CPQgetisnull(const PGresult *result, int row, int column);

#endif
