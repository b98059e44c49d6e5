/// Stops the program with a message in every build; a precondition prints none in release builds.
@inlinable
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Stops the program if a value is not equal to itself, such as NaN.
@inlinable
func requireIdentity(_ id: some Hashable) {
  require(
    id == id, "an identifier must be equal to itself, or its row is never found again; got \(id)")
}
