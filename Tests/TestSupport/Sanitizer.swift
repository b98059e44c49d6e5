import Foundation

/// Whether the process runs under a sanitizer, which slows it down and uses extra memory.
package let isSanitized =
  dlsym(nil, "__tsan_init") != nil || dlsym(nil, "__asan_init") != nil
