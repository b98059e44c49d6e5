#include <zlib.h>

// A macro with a cast, which Swift does not see.
static inline int fleet_deflate_init(z_stream *stream) {
  return deflateInit2(stream, 5, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
}
