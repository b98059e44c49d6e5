// The declarations that the samples of ExploreSeam's documentation comments use without showing them.
import ExploreSeam

actor Engine { func append(_ line: String) throws {} }
let engine = Engine()
struct Disconnected: Error {}
