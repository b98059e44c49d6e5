import AsyncDiff
import AsyncKnot

/// A subject that has not arrived yet, and the day it belongs to.
struct News: Equatable, Sendable {
  let day: String
  let subject: Subject
}

/// The state of the feed, from which the screen is drawn.
struct FeedState: KnotState, Equatable {
  var banner: Banner?
  var isBannerShown = true
  var days: [Day] = []
  var news: [News] = []
  /// The number of handled events.
  var handled = 0

  static func defaultState() -> FeedState { FeedState() }

  var snapshot: DiffableSnapshot<FeedSection> {
    let banner = isBannerShown ? banner.map(FeedSection.banner) : nil
    return DiffableSnapshot(sections: [banner].compactMap(\.self) + days.map(FeedSection.day))
  }

  /// Marks a selected article as read and moves it to the end of its day.
  mutating func handle(_ event: NodeEvent<Article>) {
    handled += 1
    guard event.action == .didSelect else { return }
    moveToEnd(event.model.title) { subject in
      guard case .article(var article) = subject else { return }
      article.isRead = true
      subject = .article(article)
    }
  }

  /// Moves a selected poll to the end of its day and counts a vote.
  mutating func handle(_ event: NodeEvent<Poll>) {
    handled += 1
    if event.action == .didSelect { moveToEnd(event.model.title) }
    guard let vote = event.action.payload(as: Poll.Vote.self),
      let (day, place) = find(event.model.title),
      case .poll(var poll) = days[day].subjects[place], poll.options.indices.contains(vote.option)
    else { return }
    poll.options[vote.option].votes += 1
    days[day].subjects[place] = .poll(poll)
  }

  /// Hides a selected banner until the user brings it back.
  mutating func handle(_ event: NodeEvent<Banner>) {
    handled += 1
    if event.action == .didSelect { isBannerShown = false }
  }

  /// Moves a dragged subject to the position where it was dropped.
  ///
  /// The banner does not move.
  ///
  /// A refused drag is put back, because the next snapshot has the old order.
  mutating func handle(_ drag: ReorderTransaction<FeedSection>) {
    handled += 1
    let (from, to) = (drag.move.from.section, drag.move.to.section)
    guard case .day(let source) = drag.before.sections[from].diffIdentifier,
      case .day(let target) = drag.after.sections[to].diffIdentifier,
      let old = days.firstIndex(where: { $0.name == source }),
      let new = days.firstIndex(where: { $0.name == target }),
      days[old].subjects.indices.contains(drag.move.from.item)
    else { return }
    let subject = days[old].subjects.remove(at: drag.move.from.item)
    days[new].subjects.insert(subject, at: min(drag.move.to.item, days[new].subjects.count))
  }

  /// Hides the subjects of a day, or shows them again.
  mutating func toggle(_ name: String) {
    guard let day = days.firstIndex(where: { $0.name == name }) else { return }
    days[day].isCollapsed.toggle()
  }

  /// Inserts the next news entry as the first subject of its day, and adds the day if it does not exist.
  mutating func bringNews() {
    guard !news.isEmpty else { return }
    let next = news.removeFirst()
    if let day = days.firstIndex(where: { $0.name == next.day }) {
      days[day].subjects.insert(next.subject, at: 0)
    } else {
      days.insert(Day(name: next.day, subjects: [next.subject]), at: 0)
    }
  }

  private mutating func moveToEnd(_ title: String, _ change: (inout Subject) -> Void = { _ in }) {
    guard let (day, place) = find(title) else { return }
    var subject = days[day].subjects.remove(at: place)
    change(&subject)
    days[day].subjects.append(subject)
  }

  private func find(_ title: String) -> (day: Int, place: Int)? {
    for day in days.indices {
      let place = days[day].subjects.firstIndex { $0.title == title }
      if let place { return (day, place) }
    }
    return nil
  }
}
