// What the samples of ExploreSeam's documentation comments take for granted.
import ExploreSeam

actor Engine { func append(_ line: String) throws {} }
let engine = Engine()
struct Disconnected: Error {}
