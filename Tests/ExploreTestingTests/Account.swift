/// Is overdrawn where two withdrawals both look at the balance before either has changed it.
actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}
