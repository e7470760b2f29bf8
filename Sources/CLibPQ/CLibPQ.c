#include "CLibPQ.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// A pointer for each function, which `load` sets, and a function that calls through it.

static int (*lib_libVersion)(void);
static CPQoption *(*lib_conninfoParse)(const char *, char **);
static CPQoption *(*lib_conndefaults)(void);
static CPQoption *(*lib_conninfo)(PGconn *);
static void (*lib_conninfoFree)(CPQoption *);
static void (*lib_freemem)(void *);
static PGconn *(*lib_connectdbParams)(const char *const *, const char *const *, int);
static void (*lib_finish)(PGconn *);
static void *(*lib_setNoticeReceiver)(PGconn *, void (*)(void *, const PGresult *), void *);
static int (*lib_status)(const PGconn *);
static char *(*lib_errorMessage)(const PGconn *);
static int (*lib_socket)(const PGconn *);
static int (*lib_serverVersion)(const PGconn *);
static int (*lib_backendPID)(const PGconn *);
static const char *(*lib_parameterStatus)(const PGconn *, const char *);
static int (*lib_sslInUse)(PGconn *);
static const char *(*lib_sslAttribute)(PGconn *, const char *);
static char *(*lib_host)(const PGconn *);
static char *(*lib_hostaddr)(const PGconn *);
static char *(*lib_port)(const PGconn *);
static char *(*lib_user)(const PGconn *);
static char *(*lib_db)(const PGconn *);
static int (*lib_setnonblocking)(PGconn *, int);
static int (*lib_sendQueryParams)(
    PGconn *, const char *, int, const unsigned *, const char *const *, const int *, const int *,
    int);
static int (*lib_sendPrepare)(PGconn *, const char *, const char *, int, const unsigned *);
static int (*lib_sendQueryPrepared)(
    PGconn *, const char *, int, const char *const *, const int *, const int *, int);
static int (*lib_sendQuery)(PGconn *, const char *);
static int (*lib_enterPipelineMode)(PGconn *);
static int (*lib_exitPipelineMode)(PGconn *);
static int (*lib_pipelineSync)(PGconn *);
static int (*lib_flush)(PGconn *);
static int (*lib_consumeInput)(PGconn *);
static int (*lib_isBusy)(PGconn *);
static PGresult *(*lib_getResult)(PGconn *);
static CPQnotify *(*lib_notifies)(PGconn *);
static int (*lib_resultStatus)(const PGresult *);
static char *(*lib_resultErrorField)(const PGresult *, int);
static char *(*lib_resultErrorMessage)(const PGresult *);
static void (*lib_clear)(PGresult *);
static int (*lib_ntuples)(const PGresult *);
static int (*lib_nfields)(const PGresult *);
static char *(*lib_getvalue)(const PGresult *, int, int);
static int (*lib_getlength)(const PGresult *, int, int);
static int (*lib_getisnull)(const PGresult *, int, int);

static const struct {
    const char *name;
    void **function;
} functions[] = {
    {"PQlibVersion", (void **)&lib_libVersion},
    {"PQconninfoParse", (void **)&lib_conninfoParse},
    {"PQconndefaults", (void **)&lib_conndefaults},
    {"PQconninfo", (void **)&lib_conninfo},
    {"PQconninfoFree", (void **)&lib_conninfoFree},
    {"PQfreemem", (void **)&lib_freemem},
    {"PQconnectdbParams", (void **)&lib_connectdbParams},
    {"PQsetNoticeReceiver", (void **)&lib_setNoticeReceiver},
    {"PQfinish", (void **)&lib_finish},
    {"PQstatus", (void **)&lib_status},
    {"PQerrorMessage", (void **)&lib_errorMessage},
    {"PQsocket", (void **)&lib_socket},
    {"PQserverVersion", (void **)&lib_serverVersion},
    {"PQbackendPID", (void **)&lib_backendPID},
    {"PQparameterStatus", (void **)&lib_parameterStatus},
    {"PQsslInUse", (void **)&lib_sslInUse},
    {"PQsslAttribute", (void **)&lib_sslAttribute},
    {"PQhost", (void **)&lib_host},
    {"PQhostaddr", (void **)&lib_hostaddr},
    {"PQport", (void **)&lib_port},
    {"PQuser", (void **)&lib_user},
    {"PQdb", (void **)&lib_db},
    {"PQsetnonblocking", (void **)&lib_setnonblocking},
    {"PQsendQueryParams", (void **)&lib_sendQueryParams},
    {"PQsendPrepare", (void **)&lib_sendPrepare},
    {"PQsendQueryPrepared", (void **)&lib_sendQueryPrepared},
    {"PQsendQuery", (void **)&lib_sendQuery},
    {"PQenterPipelineMode", (void **)&lib_enterPipelineMode},
    {"PQexitPipelineMode", (void **)&lib_exitPipelineMode},
    {"PQpipelineSync", (void **)&lib_pipelineSync},
    {"PQflush", (void **)&lib_flush},
    {"PQconsumeInput", (void **)&lib_consumeInput},
    {"PQisBusy", (void **)&lib_isBusy},
    {"PQgetResult", (void **)&lib_getResult},
    {"PQnotifies", (void **)&lib_notifies},
    {"PQresultStatus", (void **)&lib_resultStatus},
    {"PQresultErrorField", (void **)&lib_resultErrorField},
    {"PQresultErrorMessage", (void **)&lib_resultErrorMessage},
    {"PQclear", (void **)&lib_clear},
    {"PQntuples", (void **)&lib_ntuples},
    {"PQnfields", (void **)&lib_nfields},
    {"PQgetvalue", (void **)&lib_getvalue},
    {"PQgetlength", (void **)&lib_getlength},
    {"PQgetisnull", (void **)&lib_getisnull},
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem;

static void load(void) {
    // The library is never unloaded, because libraries that it uses keep registered callbacks.
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        problem = "libpq.so.5 is not there";
        return;
    }
    for (size_t index = 0; index < sizeof functions / sizeof *functions; index++) {
        *functions[index].function = dlsym(library, functions[index].name);
        if (!*functions[index].function) {
            problem = "libpq.so.5 is too old";
            return;
        }
    }
}

const char *CPQload(void) {
    pthread_once(&once, load);
    return problem;
}

int CPQlibVersion(void) {
    return lib_libVersion();
}

CPQoption *CPQconninfoParse(const char *info, char **error) {
    return lib_conninfoParse(info, error);
}

CPQoption *CPQconndefaults(void) {
    return lib_conndefaults();
}

CPQoption *CPQconninfo(PGconn *connection) {
    return lib_conninfo(connection);
}

void CPQconninfoFree(CPQoption *options) {
    lib_conninfoFree(options);
}

void CPQfreemem(void *memory) {
    lib_freemem(memory);
}

static pthread_once_t sink_once = PTHREAD_ONCE_INIT;
static FILE *sink;

static void open_sink(void) {
    sink = fopen("/dev/null", "we");
}

/// Discards the output of libraries to `stderr` from a call with 1 to the matching call with -1.
static void silence(int change) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static FILE *own;
    static int count;
    pthread_once(&sink_once, open_sink);
    if (!sink) return;
    pthread_mutex_lock(&lock);
    if (count == 0) {
        own = stderr;
        stderr = sink;
    }
    count += change;
    if (count == 0) stderr = own;
    pthread_mutex_unlock(&lock);
}

PGconn *CPQconnectdbParams(const char *const *keywords, const char *const *values, int expands) {
    silence(1);
    PGconn *connection = lib_connectdbParams(keywords, values, expands);
    silence(-1);
    return connection;
}

static void receive(void *context, const PGresult *notice) {
    const char *function = lib_resultErrorField(notice, CPQ_DIAG_SOURCE_FUNCTION);
    if (function && strcmp(function, "SyncRepWaitForLSN") == 0) *(bool *)context = true;
}

void CPQwatchNotices(PGconn *connection, bool *missesStandby) {
    lib_setNoticeReceiver(connection, receive, missesStandby);
}

void CPQfinish(PGconn *connection) {
    lib_finish(connection);
}

int CPQstatus(const PGconn *connection) {
    return lib_status(connection);
}

char *CPQerrorMessage(const PGconn *connection) {
    return lib_errorMessage(connection);
}

int CPQsocket(const PGconn *connection) {
    return lib_socket(connection);
}

int CPQserverVersion(const PGconn *connection) {
    return lib_serverVersion(connection);
}

int CPQbackendPID(const PGconn *connection) {
    return lib_backendPID(connection);
}

const char *CPQparameterStatus(const PGconn *connection, const char *name) {
    return lib_parameterStatus(connection, name);
}

int CPQsslInUse(PGconn *connection) {
    return lib_sslInUse(connection);
}

const char *CPQsslAttribute(PGconn *connection, const char *name) {
    return lib_sslAttribute(connection, name);
}

char *CPQhostaddr(const PGconn *connection) {
    return lib_hostaddr(connection);
}

char *CPQhost(const PGconn *connection) {
    return lib_host(connection);
}

char *CPQport(const PGconn *connection) {
    return lib_port(connection);
}

char *CPQuser(const PGconn *connection) {
    return lib_user(connection);
}

char *CPQdb(const PGconn *connection) {
    return lib_db(connection);
}

int CPQsetnonblocking(PGconn *connection, int isNonblocking) {
    return lib_setnonblocking(connection, isNonblocking);
}

int CPQsendQueryParams(
    PGconn *connection, const char *command, int count, const unsigned *types,
    const char *const *values, const int *lengths, const int *formats, int resultFormat) {
    return lib_sendQueryParams(
        connection, command, count, types, values, lengths, formats, resultFormat);
}

int CPQsendPrepare(
    PGconn *connection, const char *name, const char *command, int count, const unsigned *types) {
    return lib_sendPrepare(connection, name, command, count, types);
}

int CPQsendQueryPrepared(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths,
    const int *formats, int resultFormat) {
    return lib_sendQueryPrepared(connection, name, count, values, lengths, formats, resultFormat);
}

int CPQsendQuery(PGconn *connection, const char *command) {
    return lib_sendQuery(connection, command);
}

int CPQenterPipelineMode(PGconn *connection) {
    return lib_enterPipelineMode(connection);
}

int CPQexitPipelineMode(PGconn *connection) {
    return lib_exitPipelineMode(connection);
}

int CPQpipelineSync(PGconn *connection) {
    return lib_pipelineSync(connection);
}

int CPQflush(PGconn *connection) {
    return lib_flush(connection);
}

int CPQconsumeInput(PGconn *connection) {
    return lib_consumeInput(connection);
}

int CPQisBusy(PGconn *connection) {
    return lib_isBusy(connection);
}

PGresult *CPQgetResult(PGconn *connection) {
    return lib_getResult(connection);
}

CPQnotify *CPQnotifies(PGconn *connection) {
    return lib_notifies(connection);
}

int CPQresultStatus(const PGresult *result) {
    return lib_resultStatus(result);
}

char *CPQresultErrorField(const PGresult *result, int field) {
    return lib_resultErrorField(result, field);
}

char *CPQresultErrorMessage(const PGresult *result) {
    return lib_resultErrorMessage(result);
}

void CPQclear(PGresult *result) {
    lib_clear(result);
}

int CPQntuples(const PGresult *result) {
    return lib_ntuples(result);
}

int CPQnfields(const PGresult *result) {
    return lib_nfields(result);
}

char *CPQgetvalue(const PGresult *result, int row, int column) {
    return lib_getvalue(result, row, column);
}

int CPQgetlength(const PGresult *result, int row, int column) {
    return lib_getlength(result, row, column);
}

int CPQgetisnull(const PGresult *result, int row, int column) {
    return lib_getisnull(result, row, column);
}
