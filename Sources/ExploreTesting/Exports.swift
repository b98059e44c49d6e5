// The calls of the kit have a source location, which a macro of the testing library makes. Without its import the
// compiler would find no macro of that name in the file that calls.
@_exported public import Testing

// What code that ships uses is a module of its own.
@_exported public import ExploreSeam
