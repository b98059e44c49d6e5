#!/usr/bin/env python3
"""Breaks Fleet in many ways, and checks that it recovers: check.py PROGRAM [--long] [--pictures FOLDER]

PostgreSQL runs in a temporary directory, on the loopback interface. --seed determines the random choices, but not the interleaving
of the processes.
"""
import argparse
import contextlib
import json
import pathlib
import random
import signal
import subprocess
import time

from fleet import Database, Gateway, Publisher
from follower import Recorder, Tab, digest
from fuzz import fuzz
from browser import Browser, check, ok, wait_for
from serving import Proxy
from strangers import crowd

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--long", action="store_true", help="repeat each failure more often, and for longer")
parser.add_argument("--pictures", type=pathlib.Path)
parser.add_argument("--edits", type=int, help="the number of edits that the tabs follow; default: 1,500, or 100,000 with --long")
parser.add_argument("--seed", type=int, default=23)
parser.add_argument("--only", help="run only the test with this name")
options = parser.parse_args()
program = options.program
chance = random.Random(options.seed)


def no_problems(problems, what):
    check(not problems, f"{what} has {len(problems)} problems, the first of which are: {problems[:3]}")


# A trigger that records every appended message, in the order of commits within each log.
JUDGE = """
  CREATE TABLE IF NOT EXISTS judge (seq bigserial, log text, epoch bigint, number bigint);
  CREATE OR REPLACE FUNCTION judge() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN INSERT INTO judge (log, epoch, number) VALUES (NEW.log, NEW.epoch, NEW.number); RETURN NEW; END';
  CREATE OR REPLACE TRIGGER judge AFTER INSERT ON fleet_message FOR EACH ROW EXECUTE FUNCTION judge();
"""


def judged(database, log):
    """Returns the last number of each epoch. Fails if a number is missing, is repeated, or follows a newer epoch."""
    epochs, last = [], {}
    for epoch, number in database.ask(f"SELECT epoch, number FROM judge WHERE log = '{log}' ORDER BY seq"):
        if epoch not in epochs:
            epochs.append(epoch)
        check(epoch == epochs[-1], f"{log}: {epoch}-{number} was appended after epoch {epochs[-1]} had begun")
        check(int(number) == last.get(epoch, 0) + 1, f"{log}: {epoch}-{number} was appended after number {last.get(epoch, 0)}")
        last[epoch] = int(number)
    return last


def prepare(database):
    """Lets a publisher create the tables, and creates the trigger."""
    with Publisher(program, database, "first", "--simulate", 1) as first:
        wait_for("tables", lambda: first.says("writing"))
        wait_for("a message", lambda: database.ask("SELECT 1 FROM fleet_message"))
        first.end()
    database.ask("DELETE FROM fleet_message; DELETE FROM fleet_log;" + JUDGE)


def killed_between_commit_and_reply(database):
    """A publisher is killed between its commit and the reply, or its connection is closed at that moment or earlier."""
    times = 200 if options.long else 24
    hits, killed, publisher = [], set(), None

    class Cut(Exception):
        pass

    def make():
        state = {"isAppending": False, "left": chance.randint(1, 4)}

        def asked(data):
            isAppend = b"INSERT INTO fleet_message" in data
            if isAppend and state["left"] == 1 and len(hits) < times and chance.random() < 0.3:
                hits.append("lost")
                raise Cut()
            state["isAppending"] |= isAppend
            return data

        def answered(data):
            if not state["isAppending"]:
                return data
            state["isAppending"] = False
            state["left"] -= 1
            if state["left"] > 0 or len(hits) >= times:
                return data
            # The server has replied, so it has committed the append, even if the publisher was already killed.
            if publisher.process.pid not in killed:
                hits.append("kill" if chance.random() < 0.5 else "cut")
                if hits[-1] == "kill":
                    killed.add(publisher.process.pid)
                    publisher.process.kill()
            raise Cut()
        return asked, answered

    pairs = []

    def asked():
        pairs.append(make())
        return pairs[-1][0]

    recorder = Recorder()
    with Gateway(program, database) as gateway, Proxy(
            lambda: database.port, asked, lambda: pairs[-1][1]) as proxy:
        tab = Tab(gateway.port)
        deadline = time.monotonic() + times * 3
        while len(hits) < times and time.monotonic() < deadline:
            if publisher is None or not publisher.is_running():
                publisher = Publisher(
                    program, database, "A", "--simulate", 1, "--processes", 28, "--every", 0.02, "--lease", 0.2,
                    port=proxy.port)
            time.sleep(0.01)
        check(len(hits) == times, f"only {len(hits)} of {times} failures happened in time")
        if not publisher.is_running():
            publisher = Publisher(program, database, "A", "--simulate", 1, "--lease", 0.2)
        wait_for("the next message", lambda: "writing" in str(publisher.said))
        publisher.end()
        kept = judged(database, "A")
        wait_for("the tab has all messages", lambda: {
            (str(mirror.epoch), mirror.number) for mirror in tab.lists.values()} == {list(kept.items())[-1]})
        tab.end()
        no_problems(tab.problems, "the tab")
        kills = hits.count("kill")
        check(kills and hits.count("cut") and hits.count("lost"), str(hits))
        check(len(kept) == kills + 1,
              f"a publisher that was only disconnected should keep its epoch: {len(kept)} epochs, {kills} kills")
    ok(f"{times} publishers were killed ({kills}) or disconnected around a commit: {sum(kept.values())} messages in "
       f"{len(kept)} epochs, none of them missing or repeated")


def stopped_beyond_its_lease(database):
    """A publisher is suspended with SIGSTOP, and a standby takes over."""
    rounds = 10 if options.long else 2
    with contextlib.ExitStack() as stack:
        def start():
            return stack.enter_context(Publisher(
                program, database, "B", "--simulate", 2, "--processes", 28, "--every", 0.02, "--lease", 0.5))
        gateway = stack.enter_context(Gateway(program, database))
        tab = Tab(gateway.port)
        writer = start()
        wait_for("a writer", lambda: writer.says("writing"))
        standby = start()
        wait_for("the standby waits", lambda: standby.says("another process writes this log"))
        for _ in range(rounds):
            time.sleep(chance.uniform(0.1, 0.4))
            begun = len([line for line in standby.said if "writing" in line])
            writer.send(signal.SIGSTOP)
            wait_for("the standby takes over",
                     lambda: len([line for line in standby.said if "writing" in line]) > begun)
            time.sleep(0.3)
            lost = len([line for line in writer.said if "taken over" in line])
            writer.send(signal.SIGCONT)
            wait_for("the suspended writer is refused",
                     lambda: len([line for line in writer.said if "taken over" in line]) > lost)
            writer, standby = standby, writer
        kept = judged(database, "B")
        check(len(kept) == rounds + 1, f"{len(kept)} epochs")
        tab.end()
        no_problems(tab.problems, "the tab")
    ok(f"a writer was suspended for longer than its lease {rounds} times: its next append was refused, and {len(kept)} epochs are "
       "in order")


def takes_the_number_outside(database):
    """The gateway and the trigger notice a log in which message n + 1 is visible before message n."""
    with Publisher(program, database, "C", "--simulate", 3, "--every", 0.05, "--lease", 1) as publisher:
        wait_for("messages", lambda: len(database.ask("SELECT 1 FROM fleet_message WHERE log = 'C'")) > 5)
        publisher.end()
    with Gateway(program, database) as gateway:
        wait_for("the list", lambda: "C" in gateway.json("/lists"))
        # A writer that takes its number in a separate transaction can commit the later number first.
        database.ask("""
          INSERT INTO fleet_message SELECT log, epoch, number + 2, false, format,
              replace(replace(body, '"to":' || number, '"to":' || number + 2),
                '"from":' || number - 1, '"from":' || number + 1)
            FROM fleet_message WHERE log = 'C' ORDER BY number DESC LIMIT 1;
          UPDATE fleet_log SET number = number + 2 WHERE name = 'C';
          NOTIFY fleet, 'C'""")
        wait_for("the gateway reports it", lambda: gateway.says("ask for the changes since"))
    try:
        judged(database, "C")
    except AssertionError:
        ok("a message that became visible before the previous one was noticed by the gateway and by the trigger")
    else:
        check(False, "the trigger did not notice that a number is missing")


def crashed_and_restored():
    """A log is shorter than its followers expect, after a crash that loses commits and after restoring a copy."""
    recorder = Recorder()
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(Database(
            "synchronous_commit = off", "wal_writer_delay = 10000ms", "wal_writer_flush_after = 0"))
        proxy = stack.enter_context(Proxy(lambda: database.port, recorder.reader))
        publisher = stack.enter_context(Publisher(
            program, database, "D", "--simulate", 4, "--processes", 40, "--every", 0.02, "--lease", 1,
            port=proxy.port))
        gateway = stack.enter_context(Gateway(program, database))
        tab = Tab(gateway.port)

        def forward(count=10):
            """Waits until the tab has received `count` more messages."""
            start = len(tab.history)
            wait_for("the tab continues", lambda: len(tab.history) >= start + count, 30)
        forward(3)
        copy = database.copy()
        forward(8)
        for _ in range(5 if options.long else 2):
            database.stop("immediate")
            database.start()
            forward(5)

        def begun():
            return len([line for line in publisher.said if "writing" in line])
        before = begun()
        database.restore(copy)
        # Whether the copy ends in the current epoch or in an older one, it lacks steps, so the publisher starts a new epoch.
        wait_for("the publisher starts a new epoch", lambda: begun() > before, 30)
        forward(5)
        publisher.end()
        wait_for("the end", lambda: gateway.json("/lists")["D"]["to"] == tab.lists["D"].number)
        tab.end()
        no_problems(recorder.judge(tab), "the tab")
        epochs = list(dict.fromkeys(entry[1] for entry in tab.history))
        check(len(epochs) == begun() > 1, f"{epochs}: {publisher.said}")
    ok(f"after crashes and a restored copy, the log was shorter than its followers expected {len(epochs) - 1} times, "
       f"and they followed the new epoch; none of {len(tab.history)} states was wrong")


def connections_come_and_go(database):
    """Backends are terminated, a listener never reads, messages are large, and the server is down for a while."""
    away = 60 if options.long else 4
    with contextlib.ExitStack() as stack:
        wedged = subprocess.Popen(
            ["psql", "-Xq", "-d", database.options, "-c", "LISTEN fleet", "-c", "SELECT pg_sleep(1000)"],
            env=database.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(wedged.wait)
        stack.callback(wedged.kill)
        publisher = stack.enter_context(Publisher(
            program, database, "E", "--simulate", 5, "--processes", 9_000, "--every", 0.5, "--lease", 3))
        gateways = [stack.enter_context(Gateway(program, database)) for _ in range(2)]
        tabs = [Tab(gateway.port) for gateway in gateways]
        wait_for("large messages", lambda: database.ask(
            "SELECT 1 FROM fleet_message WHERE log = 'E' AND NOT is_full AND octet_length(body) > 500000"), 60)
        for _ in range(40 if options.long else 8):
            database.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                         "WHERE pid <> pg_backend_pid() AND query NOT LIKE '%pg_sleep%' AND backend_type = 'client backend'")
            time.sleep(chance.uniform(0, 0.4))
        database.stop()
        gone = time.monotonic()
        wait_for("the gateways report it", lambda: all(gateway.json("/status").get("trouble") for gateway in gateways))
        time.sleep(max(0, away - (time.monotonic() - gone)))
        database.start()
        reading = max(tab.lists["E"].sections[0]["content"]["reading"] for tab in tabs)
        wait_for("all tabs continue", lambda: all(
            tab.lists["E"].sections[0]["content"]["reading"] > reading + 1 for tab in tabs), 60)
        publisher.end()
        wait_for("all tabs equal the log", lambda: all(
            tab.lists["E"].number == int(database.ask("SELECT number FROM fleet_log WHERE name = 'E'")[0][0])
            and digest(tab.lists["E"].sections) == digest(gateways[0].json("/lists")["E"]["sections"])
            for tab in tabs), 60, pause=0.5)
        for tab in tabs:
            tab.end()
            no_problems(tab.problems, "a tab")
        size = database.ask("SELECT max(octet_length(body)) FROM fleet_message WHERE log = 'E'")[0][0]
        judged(database, "E")
    ok(f"all tabs continued after terminated backends, a listener that never reads, messages of {int(size) >> 10} KiB, and {away} s "
       "without a server")


def tabs_change_gateways(database):
    """Tabs switch gateways at random, through a network that closes their connections."""
    edits = options.edits or (100_000 if options.long else 1_500)
    recorder = Recorder()
    with contextlib.ExitStack() as stack:
        way = stack.enter_context(Proxy(lambda: database.port, recorder.reader))
        gateways = [stack.enter_context(Gateway(program, database)) for _ in range(3)]

        def answered():
            left = [chance.randint(1, 400_000)]

            def pass_on(data):
                left[0] -= len(data)
                if left[0] < 0:
                    raise ConnectionError("closed in the middle of a message")
                return data
            return pass_on
        bad = stack.enter_context(Proxy(lambda: chance.choice(gateways).port, None, answered))
        tabs = [Tab(bad.port) for _ in range(5)]
        publishers = [
            stack.enter_context(Publisher(
                program, database, f"F{number}", "--simulate", number, "--processes", 28, "--every", 0.01,
                "--lease", 2, port=way.port))
            for number in range(4)]

        def cuts():
            time.sleep(0.2)
            if chance.random() < 0.1:
                bad.cut()
            return len(recorder.sent) >= edits
        wait_for(f"{edits} edits", cuts, 3_000)
        for publisher in publishers:
            check(publisher.end() == 0, "a publisher should exit with 0")
        heads = {log: (int(epoch), int(number)) for log, epoch, number in database.ask(
            "SELECT name, epoch, number FROM fleet_log WHERE name LIKE 'F%'")}

        def are_equal():
            lists = gateways[0].json("/lists")
            return all(
                (mirror := tab.lists.get(log)) and (mirror.epoch, mirror.number) == head
                and digest(mirror.sections) == digest(lists[log]["sections"])
                for tab in tabs for log, head in heads.items())
        wait_for("all tabs equal the log", are_equal, 60, pause=0.5)
        for tab in tabs:
            tab.end()
            no_problems(recorder.judge(tab), "a tab")
        connections = sum(tab.connections for tab in tabs)
        resumed = sum(tab.resumed for tab in tabs)
        check(resumed > connections / 2, f"only {resumed} lists were resumed with a patch, in {connections} connections")
    ok(f"{len(recorder.sent)} edits, {connections} connections to 3 random gateways, {resumed} lists resumed with one patch, "
       f"{sum(tab.snapshots for tab in tabs)} full snapshots: all tabs showed states in the log's order, and ended with its lists")


class Hand:
    """A publisher that the test controls, and that can write messages of any version."""

    def __init__(self, database, log):
        self.database, self.log, self.number = database, log, 0
        self.epoch = chance.randrange(1, 1 << 53)
        database.ask(f"INSERT INTO fleet_log VALUES ('{log}', {self.epoch}, 0, '1 hour', clock_timestamp())")

    def put(self, body, isFull, form=1):
        self.number += 1
        self.database.ask(
            f"""WITH l AS (UPDATE fleet_log SET number = {self.number}, heartbeat = clock_timestamp() WHERE name = '{self.log}'
                  RETURNING name)
                INSERT INTO fleet_message SELECT name, {self.epoch}, {self.number}, {isFull}, {form}, $x${body}$x$ FROM l;
                NOTIFY fleet, '{self.log}'""")
        return f"{self.epoch}-{self.number}"

    def full(self, sections, form=1):
        return self.put(json.dumps({
            "kind": "snapshot", "epoch": self.epoch, "to": self.number + 1, "sections": sections}), True, form)

    def patch(self, stages):
        return self.put(json.dumps({
            "kind": "patch", "epoch": self.epoch, "from": self.number, "to": self.number + 1, "stages": stages}), False)


def section(names, **more):
    return [{
        "diffIdentifier": "machine", "items": [
            {"id": f"{number}.1", "name": name, "user": "ada", "command": name, "cpu": 1, "memory": 2, **more}
            for number, name in enumerate(names)],
        "content": {"reading": 1, "processes": len(names), "cores": 2, "cpu": [5], "memoryUsed": 1, "memoryTotal": 2,
                    "load": 3, **more}}]


def names(gateway, log):
    lists = gateway.json("/lists")
    return log in lists and [item["name"] for item in lists[log]["sections"][0]["items"]]


def trouble(gateway, log):
    return next((machine.get("trouble", "") for machine in gateway.json("/status")["machines"]
                 if machine["name"] == log), None)


def upgraded(database, gateway):
    """A publisher of another version writes messages."""
    newer = Hand(database, "G")
    newer.full(section(["init", "new"], threads=7))
    wait_for("an additional field in a snapshot is ignored", lambda: names(gateway, "G") == ["init", "new"])
    item = section(["vim"], threads=9)[0]["items"][0]
    newer.patch([{"itemInserts": [{"at": [0, 2], "value": {**item, "id": "9.9"}}]}])
    wait_for("an additional field in a patch is ignored", lambda: names(gateway, "G") == ["init", "new", "vim"])
    old = section(["sh"])
    del old[0]["items"][0]["user"]
    revision = newer.full(old)
    wait_for("a missing field is reported", lambda: "“user”" in (trouble(gateway, "G") or ""))
    check(revision in trouble(gateway, "G"), trouble(gateway, "G"))
    check(names(gateway, "G") == ["init", "new", "vim"], "the shown list should stay")
    newer.full(section(["again"]))
    wait_for("the next full snapshot is read", lambda: names(gateway, "G") == ["again"] and not trouble(gateway, "G"))
    ok("an additional field is ignored; a missing field is reported, and reading continues with the next full snapshot")


def bad_input(database, gateway):
    """A message in a log is damaged, too long, or of another type or version."""
    hand = Hand(database, "H")
    whole = section(["init", "one"])
    hand.full(whole)
    other = Hand(database, "I")
    other.full(whole)
    wait_for("the list", lambda: names(gateway, "H") == ["init", "one"])
    tab = Tab(gateway.port)
    wait_for("the tab", lambda: {"H", "I"} <= set(tab.lists))
    text = json.dumps({"kind": "snapshot", "epoch": hand.epoch, "to": 99, "sections": whole})
    bad = {
        "truncated": (lambda: hand.put(text[:len(text) // 2], False), "not a message"),
        "of another type": (lambda: hand.put('{"kind": "weather", "epoch": 1, "to": 2}', False), "weather"),
        "not an object": (lambda: hand.put("[1, 2]", False), ""),
        "another revision": (lambda: hand.put(text, True), "its content has the revision"),
        "10 MB": (lambda: hand.put("x" * 10_000_000, True), "it takes 10000000 bytes, but the limit is 4194304"),
        "an unknown version": (lambda: hand.full(whole, 2), "its format is 2, but this program reads 1"),
        "does not fit": (lambda: hand.patch([{"itemDeletes": [[0, 77]]}]), "[0, 77]"),
    }
    for number, (what, (put, words)) in enumerate(bad.items()):
        revision = put()
        wait_for(f"the message '{what}' is reported", lambda: revision in (trouble(gateway, "H") or ""))
        said = trouble(gateway, "H")
        check("log H" in said and words in said, f"{what}: {said}")
        hand.patch([])
        hand.full(section(["init", what]))
        wait_for(f"the log continues after the message '{what}'",
                 lambda: names(gateway, "H") == ["init", what] and not trouble(gateway, "H"))
        # The other log has a message without a change. Waiting for a change of this log must not delay other lists.
        other.patch([])
        wait_for("the tab continues", lambda: tab.lists["H"].number == hand.number)
    check(gateway.is_running(), "the gateway should still be running")
    tab.end()
    no_problems(tab.problems, "the tab")
    ok(f"each bad message was reported with its log and number, and the next full snapshot was read: {', '.join(bad)}")


def dirty_rows(database):
    """An invalid row stops its own log, and no other log."""
    rows = {
        "epoch": ("-1, 3, '5 s', now()", "epoch and number"), "number": ("1, -1, '5 s', now()", "got 1 and -1"),
        "large": (f"{1 << 53}, 1, '5 s', now()", str(1 << 53)),
        "lease": ("1, 1, '200000 years', now()", "200000 years"), "minus": ("1, 1, '-1 s', now()", "-00:00:01"),
        "before": ("1, 1, '5 s', '-infinity'", "-infinity"), "old": ("1, 1, '5 s', '1999-12-31'", "1999-12-31"), "no name": ("-1, -1, '200000 years', 'infinity'", None),
        # This interval compares as zero, because a month counts as 30 days; added to a time, it is out of range.
        "months": ("1, 1, '1000000 years -360000000 days', now()", "1000000 years")}
    for name, (values, _) in rows.items():
        database.ask(f"INSERT INTO fleet_log VALUES ('{name}', {values})")
    with Gateway(program, database) as gateway:
        hand = Hand(database, "J")
        hand.full(section(["init"]))
        wait_for("another log is read", lambda: names(gateway, "J") == ["init"])
        for name, (_, words) in rows.items():
            said = trouble(gateway, name)
            check(said is None if words is None else words in (said or ""), f"{name}: {said}")
        tab = Tab(gateway.port)
        wait_for("a tab shows the reasons", lambda: {
            row["name"] for row in (tab.fleet.sections or [{"items": []}])[0]["items"] if "trouble" in row
        } == set(rows) - {"no name"} and "J" in tab.lists)
        # A log that stops because its row is invalid continues when the row is valid again.
        database.ask(f"UPDATE fleet_log SET lease = '200000 years' WHERE name = 'J'")
        wait_for("a valid log stops when its row becomes invalid", lambda: trouble(gateway, "J"))
        check(names(gateway, "J") == ["init"], "the shown list should stay")
        database.ask(f"UPDATE fleet_log SET lease = '1 hour' WHERE name = 'J'")
        hand.full(section(["again"]))
        wait_for("the log continues when its row is valid again",
                 lambda: names(gateway, "J") == ["again"] and not trouble(gateway, "J"))
        with contextlib.ExitStack() as stack:
            for name in ("epoch", "lease", "months", "before"):
                stack.enter_context(Publisher(program, database, name, "--simulate", 1))
            wait_for("publishers replace the invalid rows", lambda: all(
                names(gateway, name) and not trouble(gateway, name) for name in ("epoch", "lease", "months", "before")))
        tab.end()
        no_problems(tab.problems, "the tab")
    ok(f"{len(rows)} invalid rows were reported with their names, no other log stopped, and publishers replaced them")


def set_back(database):
    """The server's clock was set back, so heartbeats are in the future. Leases restart when a client notices this."""
    far = "'294276-12-31'::timestamptz"
    with contextlib.ExitStack() as stack:
        gateway = stack.enter_context(Gateway(program, database))

        def gone(name):
            return any(row["name"] == name and "gone" in row for row in gateway.json("/status")["machines"])

        def start():
            return stack.enter_context(Publisher(
                program, database, "back", "--simulate", 2, "--processes", 28, "--every", 0.2, "--lease", 2))
        writer = start()
        wait_for("a writer", lambda: writer.says("writing"))
        standby = start()
        wait_for("a standby", lambda: standby.says("another process writes"))
        writer.kill()
        # The first two logs have no writer. The writer of the third is alive and sends its next heartbeat within the hour.
        for name, lease in (("dead", "1 s"), ("never", "1 s"), ("alive", "1 hour")):
            hand = Hand(database, name)
            hand.full(section(["init"]))
            database.ask(f"UPDATE fleet_log SET lease = '{lease}' WHERE name = '{name}'")
        database.ask(f"""
          UPDATE fleet_log SET heartbeat = clock_timestamp() + interval '20 hours' WHERE name <> 'never';
          UPDATE fleet_log SET heartbeat = 'infinity' WHERE name = 'never';
          INSERT INTO fleet_log VALUES ('far', 1, 0, '1 s', {far})""")
        start_of_wait = time.monotonic()
        wait_for("the dead machines are shown as gone", lambda: gone("dead") and gone("never") and gone("far"), 20)
        wait_for("the standby writes", lambda: standby.says("writing"), 20)
        seconds = time.monotonic() - start_of_wait
        check(not gone("alive"), "a live machine should not be shown as gone")
        # The killed writer's lease may end before the standby takes over; the machine is then gone until the first message.
        wait_for("the standby's machine is not gone", lambda: not gone("back"))
        check(not any(trouble(gateway, name) for name in ("dead", "never", "far", "alive", "back")), "no machine should report a problem")
        # A live writer keeps its claim, although there is another standby.
        other = start()
        wait_for("another standby", lambda: other.says("another process writes"))
        database.ask("UPDATE fleet_log SET heartbeat = clock_timestamp() + interval '20 hours' WHERE name = 'back'")
        number = int(database.ask("SELECT number FROM fleet_log WHERE name = 'back'")[0][0])
        wait_for("the writer continues", lambda: int(
            database.ask("SELECT number FROM fleet_log WHERE name = 'back'")[0][0]) > number + 20)
        check(not standby.says("taken over") and not other.says("writing"), f"{standby.said}, {other.said}")
    ok(f"after the clock was set back by 20 hours or more, dead writers were gone and replaced within {seconds:.0f} s, "
       "and live writers kept their claims")


def reasons(database):
    """The current reason is shown, and a publisher or a gateway reports why nothing arrives."""
    def full(is_full):
        database.ask("""
          CREATE OR REPLACE FUNCTION no_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            RAISE 'could not extend file "base/5/16384": No space left on device' USING ERRCODE = '53100'; END $$;
          CREATE TRIGGER no_room BEFORE INSERT ON fleet_message FOR EACH ROW EXECUTE FUNCTION no_room()
        """ if is_full else "DROP TRIGGER no_room ON fleet_message")

    def row(gateway, name):
        return next((row for row in gateway.json("/status")["machines"] if row["name"] == name), {})

    with contextlib.ExitStack() as stack:
        # The gateway connects through this proxy, which the test can point at no server or at a wrong server.
        target = [database.port]
        way = stack.enter_context(Proxy(lambda: target[0]))
        gateway = stack.enter_context(Gateway(program, database, port=way.port))
        publisher = stack.enter_context(Publisher(
            program, database, "disk", "--simulate", 1, "--processes", 28, "--every", 0.1, "--lease", 1))
        wait_for("the machine", lambda: row(gateway, "disk") and "gone" not in row(gateway, "disk"))
        full(True)
        try:
            wait_for("the publisher's reason at the gateway", lambda: "gone" in row(gateway, "disk")
                     and "No space left on device" in row(gateway, "disk").get("trouble", ""), 20)
            check(publisher.says("No space left on device"), "the publisher should also print the reason")
            # A gateway that starts now also shows the reason.
            with Gateway(program, database) as other:
                wait_for("the reason at another gateway", lambda: "No space left" in row(other, "disk").get("trouble", ""), 20)
        finally:
            full(False)
        wait_for("the problem is no longer shown", lambda: row(gateway, "disk") == {"name": "disk"}, 20)
        publisher.end()
        # One log gets three problems in turn: a bad message, a report of its writer, and a bad row. Each replaces the reason that
        # was shown before.
        hand = Hand(database, "W")
        hand.full(section(["init"]))
        hand.put("no message", False)
        wait_for("a message's reason", lambda: "not a message" in (trouble(gateway, "W") or ""))
        database.ask("UPDATE fleet_log SET trouble = 'the list takes 9 bytes' WHERE name = 'W'")
        wait_for("its writer's reason", lambda: "the list takes 9 bytes" in (trouble(gateway, "W") or ""))
        database.ask("UPDATE fleet_log SET lease = '-1 s', trouble = NULL WHERE name = 'W'")
        wait_for("the row's reason", lambda: "needs a lease" in (trouble(gateway, "W") or ""))
        database.ask("UPDATE fleet_log SET lease = '1 hour' WHERE name = 'W'")
        wait_for("the message's reason again", lambda: "not a message" in (trouble(gateway, "W") or ""))
        hand.put("another one", False)
        hand.full(section(["again"]))
        wait_for("no trouble", lambda: names(gateway, "W") == ["again"] and not trouble(gateway, "W"))
        # The logs cannot be reached, for one reason and then for another.
        for port, words in ((1, "server closed the connection"), (gateway.port, "has not completed the request within 5")):
            target[0] = port
            way.cut()
            wait_for(words, lambda: words in gateway.json("/status").get("trouble", ""), 20)
            check(gateway.says(words), f"{words}: {gateway.said}")
        target[0] = database.port
        wait_for("no trouble", lambda: "trouble" not in gateway.json("/status"), 20)
    ok("the reason is shown while it applies: a full disk, a list that is too long, a bad row, a bad message, a missing server")


def extremes(database):
    """Extreme numbers and texts, the order by load, and a log that the server itself cannot read."""
    least, most = -(1 << 63), (1 << 63) - 1
    with Gateway(program, database) as gateway:
        hands = {name: Hand(database, name) for name in ("P", "Q", "R", "S")}
        for name, number in (("P", least), ("Q", most), ("R", 0)):
            whole = section(["init"], cpu=number, memory=number)
            whole[0]["content"] = {
                key: number for key in ("reading", "processes", "cores", "memoryUsed", "memoryTotal", "load")
            } | {"cpu": [number, number]}
            hands[name].full(whole)
        wait_for("the lists", lambda: {"P", "Q", "R"} <= set(gateway.json("/lists")))
        def by_load():
            one = Tab(gateway.port, query="?order=load")
            wait_for("a page that orders by load", lambda: {"P", "Q", "R"} <= set(one.lists))
            one.end()
            return [entry[0] for entry in one.history[:3]]
        # A busy gateway may send some lists later.
        wait_for("the order by load", lambda: by_load() == ["Q", "R", "P"])
        tab = Tab(gateway.port)
        # The reason why a message cannot be read is a short line of safe text, even if the message is long.
        hands["S"].put(json.dumps({"kind": "\x1b[2J" + "weather" * 100_000, "epoch": 1, "to": 2}), True)
        said = wait_for("a problem", lambda: trouble(gateway, "S"))
        check("weather" in said and len(said) < 1_000 and "\x1b" not in said, f"{len(said)}: {said[:300]}")
        # The end of a log is missing, after more messages than one query reads. Later messages are read.
        end = Hand(database, "T")
        end.full(section(["init"]))
        for _ in range(19):
            end.patch([{"itemUpdates": [{"at": [0, 0], "value": section([f"init {end.number}"])[0]["items"][0]}]}])
        wait_for("the existing messages", lambda: names(gateway, "T") == ["init 19"])
        database.ask("UPDATE fleet_log SET number = 25 WHERE name = 'T'; NOTIFY fleet")
        wait_for("the report of the missing message", lambda: f"{end.epoch}-25: it is missing" in (trouble(gateway, "T") or ""))
        hands["R"].full(section(["other"]))
        wait_for("another log continues", lambda: names(gateway, "R") == ["other"])
        end.number = 25
        end.full(section(["again"]))
        wait_for("the later messages", lambda: names(gateway, "T") == ["again"] and not trouble(gateway, "T"))
        # A page of the table is damaged, so reading that body gives a server error.
        database.ask("""
          ALTER TABLE fleet_message RENAME TO kept;
          CREATE FUNCTION damaged() RETURNS text LANGUAGE plpgsql AS
            $$ BEGIN RAISE 'missing chunk number 0 for toast value 16' USING ERRCODE = 'XX001'; END $$;
          CREATE VIEW fleet_message AS SELECT log, epoch, number, is_full, format,
            CASE WHEN log = 'P' THEN damaged() ELSE body END AS body FROM kept""")
        try:
            hands["P"].number += 1
            database.ask("UPDATE fleet_log SET number = number + 1 WHERE name = 'P'; "
                         "INSERT INTO kept SELECT log, epoch, number + 1, is_full, format, body FROM kept WHERE log = 'P'")
            wait_for("the server's reason", lambda: "missing chunk number 0" in (trouble(gateway, "P") or ""))
            database.ask("""
              UPDATE fleet_log SET number = 3 WHERE name = 'R';
              INSERT INTO kept SELECT log, epoch, 3, true, format,
                replace(replace(body, '"to": 2', '"to": 3'), '"load": 3', '"load": 7') FROM kept WHERE log = 'R' AND number = 2;
              NOTIFY fleet""")
            wait_for("another log continues", lambda: tab.lists["R"].sections[0]["content"]["load"] == 7)
            check(not trouble(gateway, "R") and "trouble" not in gateway.json("/status"), "no other log should stop")
        finally:
            database.ask("DROP VIEW fleet_message; DROP FUNCTION damaged; ALTER TABLE kept RENAME TO fleet_message")
        wait_for("the log is read again", lambda: not trouble(gateway, "P") or "its content has" in trouble(gateway, "P"))
        tab.end()
        no_problems(tab.problems, "the tab")
    ok("extreme numbers, the order by load, a bad message of 700 kB, a log without its end, and a damaged page of the table do "
       "not stop other logs")


def forgotten(database):
    """Logs that are dead, deleted or invalid disappear from tabs, from new tabs, and from the database."""
    def forget(name):
        return subprocess.run([program, "forget", name, "--log", database.options], env=database.environment,
                              capture_output=True, text=True)

    def kept():
        return {row[0] for row in database.ask("SELECT name FROM fleet_log UNION SELECT log FROM fleet_message")}

    hands = {name: Hand(database, name) for name in ("K", "L", "M", "N", "O")}
    for hand in hands.values():
        hand.full(section(["init"]))
    database.ask("INSERT INTO fleet_log VALUES ('nonsense', -1, -1, '200000 years', 'infinity')")
    with contextlib.ExitStack() as stack:
        gateway = stack.enter_context(Gateway(program, database))
        tab = Tab(gateway.port)
        wait_for("the tab", lambda: set(hands) <= set(tab.lists))
        database.ask("DELETE FROM fleet_log WHERE name = 'K'")
        wait_for("the deleted log disappears", lambda: "K" not in tab.lists and trouble(gateway, "K") is None)
        done = forget("L")
        check(done.returncode == 1 and "L: the log is in use" in done.stderr, done.stderr)
        done = forget("Q")
        check(done.returncode == 1 and "no such log" in done.stderr, done.stderr)
        database.ask("UPDATE fleet_log SET lease = '0' WHERE name IN ('L', 'M')")
        wait_for("the machine is gone", lambda: any(
            row["name"] == "L" and "gone" in row for row in tab.fleet.sections[0]["items"]))
        for name in ("L", "nonsense"):
            check(forget(name).returncode == 0, f"`Fleet forget {name}` should succeed")
        wait_for("the forgotten logs disappear", lambda: set(tab.lists) == {"M", "N", "O"})
        # M has been dead for a moment, N for two days, and O is alive.
        database.ask("UPDATE fleet_log SET lease = '1 s', heartbeat = now() - interval '2 days' WHERE name = 'N'")
        others = [stack.enter_context(Gateway(program, database, "--keep", 1)) for _ in range(3)]
        wait_for("the dead log disappears", lambda: set(tab.lists) == {"M", "O"})
        # K was deleted by hand; its messages are also deleted.
        wait_for("no rows of deleted logs remain", lambda: kept() == {"M", "O"})
        said = [line for other in others for line in other.said]
        check(len(said) == 1 and "log N: deleted" in said[0], f"exactly one gateway should delete the log: {said}")
        new = Tab(others[0].port)
        wait_for("a new tab", lambda: set(new.lists) == {"M", "O"})
        hands["N"].epoch += 1
        for one in (tab, new):
            one.end()
            no_problems(one.problems, "a tab")
    ok("logs that were deleted, forgotten or dead for too long disappear from tabs and database; live logs stay")


def crowded(database):
    """A single address cannot use all connections, whether with half-open requests or with pages."""
    longest = crowd(lambda *words: Gateway(program, database, *words), lambda number: "/events")
    ok(f"during 1,200 half-open requests of one address, another address waited at most {1000 * longest:.0f} ms; one address got 15 "
       "of 20 pages, and all of them with --of-one 56")


def fuzzed(database):
    """Random rows and requests. Examples/Fleet/fuzz.py sends them for ten minutes."""
    ok("random rows and requests did not end a gateway or stop another log: "
       + fuzz(program, database, 120 if options.long else 15, options.seed))


def passwords(database):
    """A password in an argument is refused, and does not appear in the message."""
    done = subprocess.run(
        [program, "show", "--log", "postgresql://fleet:sesame@127.0.0.1/postgres"], capture_output=True, text=True)
    check(done.returncode == 1 and "password" in done.stderr and "sesame" not in done.stderr, done.stderr)
    done = subprocess.run([program, "show", "--log", "nonsense=1"], capture_output=True, text=True)
    check(done.returncode == 1 and "nonsense" in done.stderr, done.stderr)
    ok("a password in an argument is refused")


def encrypted(database):
    """TLS: with `sslmode=verify-full`, a client sends data only to a server that proves its identity."""
    certificate, key = database.data / "server.crt", database.data / "server.key"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
         "-subj", "/CN=fleet", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True)
    for file in (certificate, key):
        database.write(file, file.read_text())
    database.ask("ALTER SYSTEM SET ssl = on")
    database.ask("SELECT pg_reload_conf()")
    verified = {"PGSSLMODE": "verify-full", "PGSSLROOTCERT": str(certificate)}
    plain, database.environment = database.environment, {**database.environment, **verified}
    with Publisher(program, database, "T", "--simulate", 3) as publisher, Gateway(program, database) as gateway:
        wait_for("a list through TLS", lambda: "T" in gateway.json("/lists"))
        check(database.ask("SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) "
                           "WHERE backend_type = 'client backend'") == [["t"]], "every connection should be encrypted")
        publisher.end()
    database.environment = {**plain, **verified, "PGSSLROOTCERT": "/etc/hostname"}
    with Publisher(program, database, "T", "--simulate", 3) as publisher:
        wait_for("a server with an unknown certificate is refused", lambda: publisher.says("certificate"))
    database.environment = plain
    ok("TLS: all connections are encrypted, and a server with an unknown certificate is refused")


SHOWN = """
  return [...document.querySelectorAll(".card:not(.one)")].map((card) => [
    card.dataset.machine, card.classList.contains("gone"), card.querySelector(".heartbeat").textContent,
    Number(card.dataset.reading)]);
"""


# Finds text that is cut off, has no room, is wrapped, or overlaps other text.
WRONG = """
  const all = (name) => [...document.querySelectorAll(name)].filter((node) => node.checkVisibility() && node.textContent);
  const lines = (node) => new Set([...node.children].filter((each) => each.checkVisibility())
    .map((each) => Math.round(each.getBoundingClientRect().top))).size;
  const over = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const field = ".name, .command, .number, .value, .machine";
  const pen = document.createElement("canvas").getContext("2d"), filter = document.getElementById("filter");
  pen.font = getComputedStyle(filter).font;
  const room = filter.clientWidth - parseFloat(getComputedStyle(filter).paddingLeft)
    - parseFloat(getComputedStyle(filter).paddingRight);
  return [
    ...all(`.row :is(${field}), .figures b, .card h2, .heartbeat, #count, .choice button`).filter((node) => {
      const box = node.getBoundingClientRect();
      return node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline"
        || box.left < 0 || box.right > innerWidth || box.width === 0;
    }).map((node) => `cut: ${node.className} ${node.textContent}`),
    ...all(".row").filter((row) => row.querySelector(".command").getBoundingClientRect().width === 0)
      .map((row) => `no user: ${row.textContent}`),
    ...all(".figures span, .row > *").filter((node) =>
      node.getBoundingClientRect().right > node.closest(".card").getBoundingClientRect().right - 2)
      .map((node) => `over the edge: ${node.textContent}`.slice(0, 80)),
    ...all(".figures").filter((node) => lines(node) > 1).map((node) => `wrapped: ${node.textContent}`),
    ...all(".row").filter((row) => {
      const boxes = [...row.querySelectorAll(field)].filter((node) => node.checkVisibility())
        .map((node) => node.getBoundingClientRect());
      return boxes.some((one, at) => boxes.slice(at + 1).some((other) => over(one, other)));
    }).map((row) => `over one another: ${row.textContent}`),
    ...(document.documentElement.scrollWidth > innerWidth ? ["the page is too wide"] : []),
    ...(pen.measureText(filter.placeholder).width > room ? ["the filter's hint is cut"] : []),
  ];
"""


def page(database):
    """A gateway is killed, and a machine disappears and returns, while a browser shows the page."""
    with contextlib.ExitStack() as stack:
        machines = {
            name: stack.enter_context(Publisher(
                program, database, name, "--simulate", seed, "--every", 0.1, "--lease", 1))
            for seed, name in enumerate(["paris", "quito", "rome"])}
        gateways = [stack.enter_context(Gateway(program, database)) for _ in range(2)]
        target = [gateways[0]]
        proxy = stack.enter_context(Proxy(lambda: target[0].port))
        browser = stack.enter_context(Browser(1240, 900, still=True))
        browser.open(f"http://127.0.0.1:{proxy.port}")

        def shown():
            return {name: (isGone, heartbeat, reading) for name, isGone, heartbeat, reading in browser.run(SHOWN)
                    if name in machines}
        wait_for("three machines", lambda: len(shown()) == 3)

        def state():
            return browser.run("return document.getElementById('state').dataset.state")

        def picture(name):
            if options.pictures:
                options.pictures.mkdir(exist_ok=True)
                browser.picture(options.pictures / f"{name}.png")

        def look(name):
            """Checks that nothing is cut off, wrapped or drawn over something else, in each color scheme and grouping."""
            for by in ("machine", "none"):
                browser.run("document.querySelector(`[data-by=${arguments[0]}]`).click()", by)
                wait_for("rows", lambda: browser.run(
                    "return document.querySelectorAll(arguments[0]).length >= 16", ".card.one .row" if by == "none" else ".row"))
                for scheme in ("light", "dark"):
                    browser.media(scheme)
                    wrong = browser.run(WRONG)
                    check(wrong == [], f"{name}, {scheme}, by {by}: {wrong[:5]}")
                    picture(f"{name}-{scheme}-{by}")
            browser.media("light")
            browser.run("document.querySelector('[data-by=machine]').click()")
            wait_for("the cards", lambda: len(shown()) == 3)

        for width in (320, 390, 1280):
            browser.resize(width, 900, width < 600)
            look(width)
        for name, width, isMobile in (("desktop", 1240, False), ("phone", 400, True)):
            browser.resize(width, 900, isMobile)
            wait_for("live", lambda: state() == "live")
            check(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{name}: too wide")
            picture(f"{name}-live")
            # The gateway is killed, and another one takes its place.
            before = shown()
            old, taken = target[0], browser.run("return {...fleet.taken}")
            target[0] = next(gateway for gateway in gateways if gateway is not old)
            old.kill()
            wait_for("the page continues with another gateway", lambda: state() == "live" and all(
                shown()[name][2] > before[name][2] + 3 for name in machines))
            now = browser.run("return {...fleet.taken}")
            check(now["snapshot"] == taken["snapshot"] and now["patch"] > taken["patch"],
                  f"{name}: the page should have continued with patches: {taken}, {now}")
            gateways.append(stack.enter_context(Gateway(program, database)))
            gateways.remove(old)
            # A killed machine turns gray in its place, and a new publisher brings it back there.
            machines["quito"].kill()
            wait_for("the machine is gray", lambda: shown()["quito"][0] and "last seen" in shown()["quito"][1])
            check(list(shown()) == sorted(machines), "the machine should stay in its place")
            picture(f"{name}-gone")
            last = shown()["quito"][2]
            machines["quito"] = stack.enter_context(Publisher(
                program, database, "quito", "--simulate", 7, "--every", 0.1, "--lease", 1))
            wait_for("the machine is back", lambda: not shown()["quito"][0] and shown()["quito"][2] < last)
            check(list(shown()) == sorted(machines), "the machine should return to its place")
            # Ranking and filtering across machines.
            browser.run("document.querySelector('[data-by=none]').click()")
            wait_for("one ranked list", lambda: browser.run("""
              const rows = [...document.querySelectorAll(".card.one .row")];
              const cpu = rows.map((row) => parseInt(row.querySelector(".cpu").textContent));
              return rows.length > 20 && cpu.every((value, at) => at === 0 || value <= cpu[at - 1])
                && new Set(rows.map((row) => row.querySelector(".machine").textContent)).size > 1;"""))
            picture(f"{name}-one")
            browser.run("document.querySelector('[data-by=machine]').click()")
            browser.run("""
              const filter = document.getElementById("filter");
              filter.value = "postgres";
              filter.dispatchEvent(new Event("input"));""")
            wait_for("the filtered rows", lambda: browser.run("""
              const rows = [...document.querySelectorAll(".row")];
              return rows.length > 0 && rows.every((row) => row.textContent.includes("postgres"))"""))
            browser.run("""
              const filter = document.getElementById("filter");
              filter.value = "";
              filter.dispatchEvent(new Event("input"));""")
        # While there is no gateway, requests fail; the console must not show any other error.
        browser.assert_no_errors(is_network_down=True)
    ok("in a browser, wide and narrow: the page moves from a killed gateway to another one with patches, and a killed machine turns "
       "gray and returns")


def publish(database, count, number):
    """Publishes a message for each of thousands of machines: number 1 is a full snapshot of 28 processes, and number 2 is a patch."""
    content = {"reading": number, "processes": 28, "cores": 8, "cpu": [20, 40][:number], "memoryUsed": 5_000,
               "memoryTotal": 32_768, "load": "LOAD"}
    items = [{"id": f"{300 + row}.1", "name": f"program-{row}", "user": "ada", "command": f"program-{row} --all",
              "cpu": (row * 37 + number) % 90, "memory": 100 + row} for row in range(28)]
    message = {"epoch": "EPOCH", "to": number, **(
        {"kind": "snapshot", "sections": [{"diffIdentifier": "machine", "content": content, "items": items}]} if number == 1
        else {"kind": "patch", "from": number - 1, "stages": [{
            "sectionUpdates": [{"at": 0, "value": content}],
            "itemUpdates": [{"at": [0, row], "value": items[row]} for row in range(9)]}]})}
    body = json.dumps(message).replace('"LOAD"', "LOAD").replace('"EPOCH"', "EPOCH")
    database.ask(f"""
      INSERT INTO fleet_message SELECT 'box-' || n, 1000 + n, {number}, {number == 1}, 1,
        replace(replace($x${body}$x$, 'EPOCH', (1000 + n)::text), 'LOAD', (n * 7 % 1000)::text) FROM generate_series(1, {count}) AS n;
      INSERT INTO fleet_log SELECT 'box-' || n, 1000 + n, {number}, '1 hour', clock_timestamp() FROM generate_series(1, {count}) AS n
        ON CONFLICT (name) DO UPDATE SET number = excluded.number;
      NOTIFY fleet""")


def thousands(database):
    """A browser follows thousands of machines, draws the visible ones, and reconnects when its gateway restarts."""
    count = 2_000
    with contextlib.ExitStack() as stack:
        publish(database, count, 1)
        first = stack.enter_context(Gateway(program, database, "--tabs", 8, "--of-one", 24))
        wait_for("the gateway has all lists", lambda: first.json("/status")["lists"] == count, 60)
        # Missing lists arrive in the order that the page wants.
        tab = Tab(first.port, query="?order=load&first=box-1999,box-7")
        wait_for("its first lists", lambda: len(tab.history) > 60)
        tab.end()
        order = [entry[0] for entry in tab.history[:60]]
        check(order[:2] == ["box-1999", "box-7"], f"the requested lists should come first: {order[:4]}")
        loads = [int(name[4:]) * 7 % 1000 for name in order[2:]]
        check(loads[0] == 999 and loads == sorted(loads, reverse=True), f"the other lists should be sorted by load: {loads}")
        browser = stack.enter_context(Browser(1280, 900, still=True))
        browser.open(first.address)
        # The number of lists that had arrived when all visible cards had their rows.
        early = wait_for("the visible cards", lambda: browser.run("""
          const inSight = [...document.querySelectorAll(".card")].filter(
            (card) => card.getBoundingClientRect().top < innerHeight);
          return inSight.length >= 6 && inSight.every((card) => card.querySelectorAll(".row").length === 8)
            && fleet.lists.size;"""), pause=0.01)

        def has_all():
            return browser.run("return fleet.lists.size") == count + 1
        wait_for("all lists", has_all, 60)

        def reading():
            return browser.run("""
              return [...fleet.lists.entries()].filter(([name]) => name !== "*")
                .reduce((sum, [, list]) => sum + list.sections[0].content.reading, 0)""")

        def picture(name):
            if options.pictures:
                options.pictures.mkdir(exist_ok=True)
                browser.picture(options.pictures / f"thousands-{name}.png")
        picture("wide")
        nodes = browser.run("return document.querySelectorAll('#machines *').length")
        check(browser.run("return document.querySelectorAll('.card').length") < 60, "only visible machines should have cards")
        # When the user scrolls to the end, the page draws the cards there.
        browser.run("scrollTo(0, document.body.scrollHeight)")
        wait_for("the last card", lambda: browser.run("""
          return document.querySelector(".slot:last-child .row") !== null
            && document.querySelector(".slot").childElementCount === 0"""))
        browser.run("scrollTo(0, 0)")
        # The gateway is restarted at the same address.
        port, taken = first.port, browser.run("return {...fleet.taken}")
        check(reading() == count, "each machine should have one reading")
        first.kill()
        publish(database, count, 2)
        wait_for("the lost connection", lambda: browser.run("return document.getElementById('state').dataset.state") == "lost")
        stack.enter_context(Gateway(program, database, "--tabs", 8, "--of-one", 24, listen=port))
        wait_for("the new connection", lambda: browser.run("return document.getElementById('state').dataset.state") == "live", 60)
        wait_for("the page continues", lambda: reading() == 2 * count, 60)
        now = browser.run("return {...fleet.taken}")
        check(now["snapshot"] == taken["snapshot"], f"the page should have continued with patches: {taken}, {now}")
        # Sorting by load, and filtering by name.
        browser.run("document.querySelector('[data-by=load]').click()")
        wait_for("the order by load", lambda: browser.run("""
          const loads = [...document.querySelectorAll(".card .load b")].slice(0, 6).map((each) => Number(each.textContent));
          return loads.length === 6 && loads.every((load) => load > 9.96);"""))
        picture("load")
        browser.run("""
          const filter = document.getElementById("filter");
          filter.value = "box-1999";
          filter.dispatchEvent(new Event("input"));""")
        wait_for("one machine", lambda: browser.run("return document.querySelectorAll('.slot').length") == 1)
        browser.run("""
          const filter = document.getElementById("filter");
          filter.value = "";
          filter.dispatchEvent(new Event("input"));""")
        wait_for("all machines", lambda: browser.run("return document.querySelectorAll('.slot').length") == count)
        for width in (1280, 390):
            browser.resize(width, 900, width < 600)
            wait_for("cards", lambda: browser.run("return document.querySelectorAll('.row').length") >= 16)
            cut = browser.run("""
              const isCut = (node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== "inline";
              return [...document.querySelectorAll("#count, .row .value, .row .number, .name, .choice button")]
                .filter((node) => isCut(node) && node.textContent.length <= 16)
                .map((node) => node.textContent).slice(0, 5);""")
            check(cut == [], f"cut off at {width} px: {cut}")
            check(browser.run("return document.documentElement.scrollWidth <= innerWidth"), f"{width} px: too wide")
            picture(str(width))
        check(browser.run("return getComputedStyle(document.querySelector('#filter-box kbd')).display") == "none",
              "a phone should not show the key /")
        browser.assert_no_errors(is_network_down=True)
    ok(f"{count:,} machines in a browser: visible cards were complete after {early:,} lists, the page had {nodes:,} nodes, it "
       "continued with patches after its gateway restarted, and it sorted and filtered at 1,280 and 390 px")


def main():
    wanted = [
        ("kill", killed_between_commit_and_reply), ("stop", stopped_beyond_its_lease),
        ("outside", takes_the_number_outside), ("connections", connections_come_and_go),
        ("tabs", tabs_change_gateways), ("passwords", passwords), ("dirty", dirty_rows), ("back", set_back), ("reasons", reasons), ("extremes", extremes),
        ("forgotten", forgotten),
        ("crowded", crowded), ("encrypted", encrypted), ("fuzz", fuzzed), ("page", page), ("thousands", thousands)]
    wanted = [(name, test) for name, test in wanted if options.only in (None, name)]
    if wanted or options.only in ("upgrade", "bad"):
        with Database() as database:
            prepare(database)
            for _, test in wanted:
                test(database)
                database.ask("DELETE FROM fleet_message; DELETE FROM fleet_log")
            if options.only in (None, "upgrade", "bad"):
                with Gateway(program, database) as gateway:
                    if options.only != "bad":
                        upgraded(database, gateway)
                    if options.only != "upgrade":
                        bad_input(database, gateway)
    if options.only in (None, "crash"):
        crashed_and_restored()


main()
