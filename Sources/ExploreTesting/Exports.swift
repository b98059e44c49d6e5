// Functions of the kit have a default source location, which a macro of the testing library creates. The calling file finds
// that macro only if it imports the testing library.
@_exported public import Testing

// `fault` and `choose` are in a separate module, because code that ships calls them.
@_exported public import ExploreSeam
