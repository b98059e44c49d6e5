// Calls of the variadic functions of libmicrohttpd, which Swift cannot call, and the callbacks that they need.
#include <microhttpd.h>

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

struct livetop_limits {
  unsigned int connections;
  unsigned int connections_of_one;
  unsigned int idle_seconds;
  size_t connection_memory;
};

// Returns the mark that replaces a request whose request line was cut.
static inline void *livetop_cut_line(void) {
  static char mark;
  return &mark;
}

// Decodes %XX. %00 becomes SUB, because a NUL would end the C string, and the rest of the text would be lost.
static inline size_t livetop_unescape(
    void *context, struct MHD_Connection *connection, char *text) {
  (void)context, (void)connection;
  for (char *nul = text; (nul = strstr(nul, "%00")) != NULL; nul += 3) memcpy(nul, "%1A", 3);
  return MHD_http_unescape(text);
}

// The library cuts a request line at a bare NUL. This function detects that the version does not follow the address.
static inline void *livetop_look(
    void *context, const char *address, struct MHD_Connection *connection) {
  (void)context, (void)connection;
  return strncmp(address + strlen(address) + 1, "HTTP/", 5) == 0 ? NULL : livetop_cut_line();
}

static inline struct MHD_Daemon *livetop_start(
    const struct sockaddr *address, struct livetop_limits limits, MHD_AccessHandlerCallback access,
    MHD_RequestCompletedCallback completed, MHD_NotifyConnectionCallback connected, void *context) {
  unsigned int flags = MHD_USE_AUTO_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  if (address->sa_family == AF_INET6) flags |= MHD_USE_IPv6;
  return MHD_start_daemon(
      flags, 0, NULL, NULL, access, context,
      MHD_OPTION_SOCK_ADDR, address,
      MHD_OPTION_CONNECTION_LIMIT, limits.connections,
      MHD_OPTION_PER_IP_CONNECTION_LIMIT, limits.connections_of_one,
      MHD_OPTION_CONNECTION_TIMEOUT, limits.idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits.connection_memory,
      MHD_OPTION_LISTEN_BACKLOG_SIZE, 511u,
      MHD_OPTION_UNESCAPE_CALLBACK, livetop_unescape, NULL,
      MHD_OPTION_URI_LOG_CALLBACK, livetop_look, NULL,
      MHD_OPTION_NOTIFY_COMPLETED, completed, context,
      MHD_OPTION_NOTIFY_CONNECTION, connected, context,
      MHD_OPTION_END);
}

// Returns the port, which the system chooses if 0 was requested; 0 if the port is not known.
static inline unsigned int livetop_port(struct MHD_Daemon *daemon) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info == NULL ? 0 : info->port;
}

static inline int livetop_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}
