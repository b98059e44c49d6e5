// AsyncKnotTesting
