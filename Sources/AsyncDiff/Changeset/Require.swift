/// Traps with a message if a condition is false, even in release builds, in which `precondition` prints no message.
@inlinable
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  if !condition { fatalError(message()) }
}

/// Traps if a value, such as NaN, is not equal to itself.
@inlinable
func requireIdentity(_ id: some Hashable) {
  require(
    id == id,
    """
    diffIdentifier: needs an identifier that is equal to itself; got \(id). Use an identifier or a section key \
    that cannot be NaN.
    """)
}
