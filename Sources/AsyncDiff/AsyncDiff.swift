// AsyncDiff
