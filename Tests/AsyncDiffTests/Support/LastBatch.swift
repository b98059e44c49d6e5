extension StrictSurface {
  /// The batch that the last call was to carry out; nil if it was a reload.
  var lastBatch: BatchUpdates<Section>? {
    guard case .batch(let batch, _)? = calls.last else { return nil }
    return batch
  }
}
