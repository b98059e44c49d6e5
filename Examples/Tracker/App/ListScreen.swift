import AsyncDiff
import AsyncOptical

/// A screen that shows the ledger, the search and the rates as one list, grouped by month.
///
/// Closing the screen ends its tasks and those of the search.
actor ListScreen {
  private let bag = TaskBag()
  private let source: DiffableDataSource<Month>
  private let (ledger, search, rates): (Ledger, Search, Rates)

  init(
    _ ledger: Ledger, _ search: Search, _ rates: Rates, on surface: some CollectionSurface<Month>
  ) {
    (self.ledger, self.search, self.rates) = (ledger, search, rates)
    source = DiffableDataSource(surface: surface)
  }

  func open() {
    states(of: ledger, search, rates).pipe(to: source, in: bag) { ledger, search, rates in
      DiffableSnapshot(sections: months(of: ledger, found: search.found, rates: rates))
    }
  }

  func close() async {
    await bag.cancelAndWait()
    search.knot.bag.cancel()
  }
}
