/// Traps with a message in every build, unlike a precondition, which prints no message in release builds.
@inlinable
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Traps if a value, such as NaN, is not equal to itself.
@inlinable
func requireIdentity(_ id: some Hashable) {
  require(
    id == id, "an identifier must be equal to itself, or its row cannot be found again; got \(id)")
}
