/// The jobs of a run that may be chosen, and those that wait behind another job of their place.
struct ReadyList {
  private(set) var jobs: [ReadyJob] = []
  /// The places that have a queuing job among those that may be chosen.
  private var fronts: [Place] = []
  /// The queuing jobs that wait behind that one, in the order in which they came.
  private var waiting: [ReadyJob] = []

  var isEmpty: Bool { jobs.isEmpty }
  var count: Int { jobs.count }

  subscript(index: Int) -> ReadyJob { jobs[index] }

  mutating func append(_ job: ReadyJob) {
    guard job.queues else { return jobs.append(job) }
    guard !fronts.contains(job.place) else { return waiting.append(job) }
    fronts.append(job.place)
    jobs.append(job)
  }

  /// Takes a job out.
  ///
  /// The last job moves to its index, and the job that waited behind it is added at the end.
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
