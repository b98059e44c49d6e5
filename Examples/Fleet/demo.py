#!/usr/bin/env python3
"""Runs Fleet on this machine until Ctrl-C: demo.py PROGRAM"""
import contextlib
import signal
import sys

from fleet import Database, Gateway, Publisher

program = sys.argv[1]
with contextlib.ExitStack() as stack:
    database = stack.enter_context(Database())
    for name, seed in (("athens", 4), ("berlin", 9)):
        stack.enter_context(Publisher(program, database, name, "--simulate", seed, quiet=False))
    stack.enter_context(Publisher(program, database, "here", quiet=False))
    gateways = [stack.enter_context(Gateway(program, database, quiet=False)) for _ in range(2)]
    print("\nTwo gateways serve the same page:", *(f"  {gateway.address}/" for gateway in gateways),
          "\nCtrl-C stops everything.", sep="\n", flush=True)
    # Block the signals only now, because started programs inherit blocked signals.
    ends = {signal.SIGINT, signal.SIGTERM}
    signal.pthread_sigmask(signal.SIG_BLOCK, ends)
    signal.sigwait(ends)
