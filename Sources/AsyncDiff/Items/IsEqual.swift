/// Whether two values of types unknown here have one type and are equal.
func isEqual<Value: Equatable>(_ lhs: Value, _ rhs: any Equatable) -> Bool {
  guard let rhs = rhs as? Value else { return false }
  return lhs == rhs
}
