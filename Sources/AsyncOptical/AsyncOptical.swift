// AsyncOptical
