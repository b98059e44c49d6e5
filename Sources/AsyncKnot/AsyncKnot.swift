// AsyncKnot
