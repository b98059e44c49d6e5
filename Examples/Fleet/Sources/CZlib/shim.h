#include <zlib.h>

// Calls a macro that Swift does not import, because the macro contains a cast.
static inline int fleet_deflate_init(z_stream *stream) {
  return deflateInit2(stream, 5, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
