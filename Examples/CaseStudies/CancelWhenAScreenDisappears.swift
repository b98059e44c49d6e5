import AsyncKnot
import AsyncKnotTesting

private actor Download: StateActor {
  let knot = Knot(0)
}

/// A screen that shows the progress of a download.
///
/// The screen's loop ends when the screen is released, because `with: self` holds the screen weakly, and the bag is released with
/// the screen.
@MainActor private final class ProgressScreen {
  private(set) var percent = 0
  private let bag = TaskBag()

  init(showing download: Download) {
    download.states.live(with: self, in: bag) { screen, percent in screen.percent = percent }
  }
}

@Test func closedScreenIsReleasedAndStopsObserving() async {
  await explore(seeds: 500) { @MainActor in
    let download = Download()
    var screen: ProgressScreen? = ProgressScreen(showing: download)
    let left = screen.map { LifetimeProbe($0) }
    let other = ProgressScreen(showing: download)
    let loading = Task {
      for percent in 1...3 {
        await download.sink(percent)
        await Task.yield()
      }
    }
    await Task.yield()
    sometimes("the screen is closed during the download", download.state == 2)
    screen = nil
    await loading.value
    await untilIdle()
    #expect(left?.isReleased == true)
    #expect(LifetimeProbe(download).registeredObservers == 1)
    #expect(other.percent == 3)
  }
}
