/// The jobs of a run that may be chosen, and the jobs that are waiting behind another one for the same actor.
struct ReadyList {
  private(set) var jobs: [ReadyJob] = []
  /// The actors that have a queued job in `jobs`.
  private var fronts: [Place] = []
  /// The queued jobs that are waiting behind a job in `jobs`, in the order in which they arrived.
  private var waiting: [ReadyJob] = []

  /// The jobs that may be chosen, and those that are waiting.
  var all: [ReadyJob] { jobs + waiting }
  var isEmpty: Bool { jobs.isEmpty }
  var count: Int { jobs.count }

  subscript(index: Int) -> ReadyJob { jobs[index] }

  mutating func append(_ job: ReadyJob) {
    guard job.queues else { return jobs.append(job) }
    guard !fronts.contains(job.place) else { return waiting.append(job) }
    fronts.append(job.place)
    jobs.append(job)
  }

  /// Removes and returns a job.
  ///
  /// The last job moves to the index of the removed one. The next job queued for the same actor is appended.
  mutating func take(_ index: Int) -> ReadyJob {
    let job = jobs[index]
    let last = jobs.removeLast()
    if index < jobs.count { jobs[index] = last }
    guard job.queues else { return job }
    if let next = waiting.firstIndex(where: { $0.place == job.place }) {
      jobs.append(waiting.remove(at: next))
    } else {
      fronts.removeAll { $0 == job.place }
    }
    return job
  }

  mutating func removeAll() { self = ReadyList() }
}
