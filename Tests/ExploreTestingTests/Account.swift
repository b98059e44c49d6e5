/// An account that is overdrawn if two withdrawals read the balance before either of them changes it.
actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}
