"""What cellmesh.py does with workers that misbehave; `python3 -m unittest cellmesh_test` in this directory."""

import decimal
import functools
import json
import os
import pathlib
import re
import resource
import socket
import struct
import threading
import time
import unittest
import uuid
from urllib.parse import parse_qs, urlsplit

import cellmesh

ROW = "6f9619ff-8b86-d011-b42d-00cf4fc964ff"
POSITION = "dc1:AbCdEfGh:3:17"
SERVER = "Cellmesh-Served-By: c1/master/h:3306"


class Request:
    def __init__(self, method, target, headers, body):
        self.method = method
        self.path = urlsplit(target).path
        self.query = parse_qs(urlsplit(target).query)
        self.headers = headers
        self.body = body


class Worker:
    """A server that does to each request what a test says, down to the connection."""

    def __init__(self, manner, port=0):
        self.manner = manner
        self.probe = lambda request: answer(503, {})
        self.requests = []
        self.probes = []
        self._server = socket.create_server(("127.0.0.1", port), backlog=200)
        self.url = "http://127.0.0.1:%d" % self._server.getsockname()[1]
        self._open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self):
        # Its thread would go on to accept, and after a pause what comes to a later server on the same descriptor.
        for connection in [self._server, *self._open]:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self._server.close()

    def _accept(self):
        try:
            while True:
                connection, _ = self._server.accept()
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()
        except OSError:
            pass

    def _serve(self, connection):
        try:
            with connection, connection.makefile("rb") as incoming:
                while True:
                    line = incoming.readline().decode().split()
                    if not line:
                        return
                    headers = {}
                    for name, value in iter(lambda: incoming.readline().decode().strip().partition(": ")[::2], ("", "")):
                        headers[name.lower()] = value
                    body = incoming.read(int(headers.get("content-length", 0)))
                    request = Request(line[0], line[1], headers, body)
                    probe = request.path == "/readyz"
                    (self.probes if probe else self.requests).append(request)
                    deed = (self.probe if probe else self.manner)(request)
                    if deed(connection) == "end":
                        return
        except OSError:
            pass


def raw(status, kind, content, *headers, sent=None):
    content = content.encode()

    def deed(connection):
        head = [f"HTTP/1.1 {status} Said", f"Content-Type: {kind}", f"Content-Length: {len(content)}", *headers, "", ""]
        connection.sendall("\r\n".join(head).encode() + content[:sent])
        return "end" if sent is not None else None

    return deed


def answer(status, content, *headers, **more):
    kind = "application/json" if status < 400 else "application/problem+json"
    return raw(status, kind, content if isinstance(content, str) else json.dumps(content), *headers, **more)


def problem(status, detail, *headers, **more):
    return answer(status, {"type": "about:blank", "title": "Title", "status": status, "detail": detail, **more}, *headers)


def cell(column="BASE", ref=1, row=ROW, body=12.5):
    return {"v": 1, "row_key": row, "column_name": column, "ref_key": ref, "body": body, "origin": "dc1",
            "origin_id": 7, "shard": 16, "added_id": 7, "created_at": "2026-01-31T12:00:00.120000Z"}


def found(content=None, *headers):
    return answer(200, cell() if content is None else content, SERVER, *headers)


def visible(position=POSITION):
    return answer(200, {"status": 200, "state": "visible"}, f"Cellmesh-Position: {position}")


def resets(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return "end"


def hangs_up(connection):
    return "end"


def hangs(connection):
    connection.recv(1)
    return "end"


def drips(connection):
    for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n" + b" " * 900:
        connection.sendall(bytes([byte]))
        time.sleep(0.02)
    return "end"


def drips_and_hangs(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n")
    for _ in range(8):
        connection.sendall(b" ")
        time.sleep(0.02)
    return hangs(connection)


def after(seconds, deed):
    def later(connection):
        time.sleep(seconds)
        return deed(connection)

    return later


def in_turn(*deeds):
    left = list(deeds)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


class CellmeshTest(unittest.TestCase):
    def worker(self, manner):
        worker = Worker(manner if callable(manner) else in_turn(*manner))
        self.addCleanup(worker.close)
        return worker

    def session(self, *workers, **more):
        return self.client(*workers, **more).session()

    def client(self, *workers, deadline=20, **more):
        client = cellmesh.Client("trips", [worker.url for worker in workers], deadline=deadline, **more)
        self.addCleanup(client.close)
        return client

    def always(self, deed):
        return self.worker(lambda request: deed)

    def once(self, tried):
        """Tries until it holds: a machine that is busy otherwise is late again and again, but not for so long."""
        end = time.monotonic() + 30
        while True:
            try:
                return tried()
            except (AssertionError, cellmesh.CellmeshError):
                if time.monotonic() > end:
                    raise


class Answers(CellmeshTest):
    def test_a_write_is_told_how_far_it_came(self):
        down = {"cluster": "c1", "master": "h:3306", "since": "2026-01-31T12:00:00Z"}
        for state in ("accepted", "secured", "buffered", "visible", "replicated"):
            told = {"status": 202, "state": state, "down": down}
            session = self.session(self.always(answer(202, told, f"Cellmesh-Position: {POSITION}")))
            written = session.put(ROW, "BASE", 1, {"fare": 12.95})
            self.assertEqual((written.state, written.position, written.down), (state, POSITION, down))

    def test_a_conflict_shows_both_digests_and_a_rejected_cell_its_reason(self):
        session = self.session(self.always(problem(409, "other", kept="aa", refused="bb", final=True)))
        written = session.put(ROW, "BASE", 1, 1)
        self.assertEqual((written.state, written.kept, written.refused, written.final), ("conflict", "aa", "bb", True))
        session = self.session(self.always(problem(422, "too long")))
        self.assertEqual(session.put(ROW, "BASE", 1, 1)[::6], ("rejected", "too long"))

    def test_what_breaks_a_rule_is_an_exception_and_asked_for_once(self):
        worker = self.always(problem(400, "ref = \"x\": no integer\u001b", field="ref", rule="no integer"))
        with self.assertRaises(cellmesh.CellmeshError) as caught:
            self.session(worker).row(ROW)
        self.assertEqual((caught.exception.status, caught.exception.field), (400, "ref"))
        self.assertEqual(str(caught.exception), worker.url + ': 400 Title: ref = "x": no integer\\x1b')
        self.assertEqual(len(worker.requests), 1)

    def test_a_cell_is_absent_when_a_server_says_so_and_not_when_nobody_knows_the_instance(self):
        self.assertIsNone(self.session(self.always(problem(404, "none", SERVER))).get(ROW, "BASE", 1).cell)
        with self.assertRaisesRegex(cellmesh.CellmeshError, "404 Title: no instance"):
            self.session(self.always(problem(404, "no instance"))).get(ROW, "BASE", 1)

    def test_an_answer_says_how_stale_it_can_be(self):
        for told, bound in (("0.25", 0.25), ("unknown", None), ("soon", None), ("-1", None), ("inf", None)):
            session = self.session(self.always(found(None, f"Cellmesh-Stale-Up-To: {told}")))
            self.assertEqual(session.latest(ROW, "BASE").stale_up_to, bound)
        self.assertEqual(self.session(self.always(found())).latest(ROW, "BASE").stale_up_to, 0)

    def test_decimals_stay_exact_if_wanted(self):
        number = "123456789012345678901234567890.125"
        content = json.dumps(cell(body=None)).replace("null", number)
        loads = functools.partial(json.loads, parse_float=decimal.Decimal)
        session = self.session(self.always(found(content)), loads=loads)
        self.assertEqual(session.latest(ROW, "BASE").cell["body"], decimal.Decimal(number))

    def test_a_page_has_entries_and_a_cursor(self):
        entries = [{"row_key": ROW, "fields": {"fare": None}, "cells": [cell()]}]
        page = self.session(self.always(found({"entries": entries, "next": "more"}))).query("by_driver", "d1")
        self.assertEqual((page.entries, page.next), (entries, "more"))


class Requests(CellmeshTest):
    def test_a_write_says_what_it_waits_for(self):
        worker = self.always(visible())
        self.session(worker).put(uuid.UUID(ROW), "Größe +1?", -5, {"a": 1}, wait="secured", deadline=7, priority="low")
        request = worker.requests[0]
        self.assertEqual((request.method, request.path), ("PUT", f"/v1/trips/cells/{ROW}/Gr%C3%B6%C3%9Fe%20%2B1%3F/-5"))
        self.assertEqual(request.query["wait"], ["secured"])
        self.assertTrue(1 <= int(request.query["deadline"][0]) <= 6900)
        self.assertEqual(request.headers["cellmesh-priority"], "low")
        self.assertEqual(request.body, b'{"a": 1}')

    def test_a_column_that_a_path_does_not_carry_goes_in_a_body(self):
        for column in ("a/b", "..", "50%", "a;b", "a\\b", "a\nb"):
            worker = self.worker([
                answer(200, {"results": [{"status": 200, "state": "visible", "position": POSITION}]}),
                answer(200, {"results": [{"status": 200, "served_by": "s", "cells": [cell(column)]}]}),
            ])
            session = self.session(worker)
            self.assertEqual(session.put(ROW, column, 1, 12.95).state, "visible")
            self.assertEqual(session.latest(ROW, column).cell["column_name"], column)
            self.assertEqual([request.path for request in worker.requests], ["/v1/trips/cells:put", "/v1/trips/cells:get"])
            put = json.loads(worker.requests[0].body)["cells"][0]
            self.assertEqual(put, {"row_key": ROW, "column_name": column, "ref_key": 1, "body": 12.95})
            self.assertEqual(json.loads(worker.requests[1].body)["keys"], [{"row_key": ROW, "column_name": column}])

    def test_a_question_to_an_index_carries_all_its_parts(self):
        worker = self.always(found({"entries": []}))
        self.session(worker).query(
            "by_driver", "d 1&2", [("fare", "ge", 10), ("city", "in", ["Köln", "Ulm"])], [("fare", "desc")],
            ["fare", "city"], "*", 20, "c1", read="minion")
        query = worker.requests[0].query
        query.pop("deadline")
        self.assertEqual(query, {
            "shard_field": ["d 1&2"], "filter": ["fare:ge:10", "city:in:Köln,Ulm"], "order": ["fare:desc"],
            "fields": ["fare,city"], "columns": ["*"], "limit": ["20"], "cursor": ["c1"], "read": ["minion"]})
        with self.assertRaisesRegex(ValueError, "can't have a comma"):
            self.session(worker).query("by_driver", "d1", [("city", "in", ["a,b"])])

    def test_several_values_of_the_shard_field_are_asked_for_at_once(self):
        servers = ["Cellmesh-Served-By: c1/master/a:1, c2/minion/b:1"]
        worker = self.worker([
            answer(200, {"entries": []}, *servers, "Cellmesh-Stale-Up-To: unknown"),
            answer(200, {"entries": []}, *servers, "Cellmesh-Stale-Up-To: 1.25")])
        session = self.session(worker)
        page = session.query("by_driver", ["d1,d2", "d3"])
        self.assertEqual(worker.requests[0].query["shard_field"], ["d1,d2", "d3"])
        self.assertEqual(page, ([], None, ["c1/master/a:1", "c2/minion/b:1"], None))
        self.assertEqual(session.query("by_driver", "d1").stale_up_to, 1.25)
        for values in ([], ["d"] * 51):
            with self.assertRaisesRegex(ValueError, "values are not 1..50"):
                session.query("by_driver", values)

    def test_a_token_goes_with_each_request_and_not_in_the_clear(self):
        worker = self.always(found())
        self.session(worker, token=lambda: "s3cret").latest(ROW, "BASE")
        self.assertEqual(worker.requests[0].headers["authorization"], "Bearer s3cret")
        with self.assertRaisesRegex(ValueError, "a token goes over https"):
            cellmesh.Client("trips", ["http://w1"], token=lambda: "s3cret")

    def test_a_token_may_be_a_text_and_one_that_is_none_is_not_shown(self):
        worker = self.always(found())
        self.session(worker, token="s3cret").latest(ROW, "BASE")
        self.assertEqual(worker.requests[0].headers["authorization"], "Bearer s3cret")
        for token in ("s3cret\n", "s3cret x", "s3crét", ""):
            with self.assertRaisesRegex(ValueError, "the token is empty, or has a blank") as raised:
                self.session(worker, token=token).latest(ROW, "BASE")
            self.assertNotIn("s3cr", str(raised.exception))

    def test_a_missing_right_is_told_at_once_and_asked_of_no_other_host(self):
        for status in (401, 403):
            workers = [self.always(problem(status, "no right")) for _ in range(2)]
            client = self.client(*workers)
            with self.assertRaisesRegex(cellmesh.CellmeshError, "no right"):
                client.session().latest(ROW, "BASE")
            self.assertEqual(sum(len(worker.requests) for worker in workers), 1)

    def test_bad_settings_are_named(self):
        for host in ("w1:8090", "ftp://w1", "https://u:p@w1"):
            with self.assertRaisesRegex(ValueError, "host = "):
                cellmesh.Client("trips", [host])
        with self.assertRaisesRegex(ValueError, "deadline: 61 s"):
            self.session(self.always(found())).row(ROW, deadline=61)
        with self.assertRaisesRegex(ValueError, "batch: 501"):
            self.session(self.always(found())).get_all([{"row_key": ROW}] * 501)

    def test_connections_are_used_again_and_one_that_ended_is_not(self):
        worker = self.always(found())
        client = self.client(worker)
        session = client.session()
        for _ in range(5):
            session.latest(ROW, "BASE")
        self.assertEqual(len(worker._open), 1)
        client._budget._saved = 0  # so that it must be seen before it is used
        worker._open[0].shutdown(socket.SHUT_RDWR)
        time.sleep(0.05)
        session.latest(ROW, "BASE")
        self.assertEqual((len(worker._open), len(worker.requests)), (2, 6))

    def test_connections_are_used_again_where_a_thousand_files_are_open(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (4096 if hard == resource.RLIM_INFINITY else hard, hard))
        for _ in range(1024):
            self.addCleanup(os.close, os.open(os.devnull, os.O_RDONLY))
        worker = self.always(found())
        session = self.session(worker)
        for _ in range(3):
            session.latest(ROW, "BASE")
        self.assertEqual((len(worker._open), len(worker.requests)), (1, 3))

    def test_a_connection_in_use_while_the_client_is_closed_is_closed_after_it(self):
        asked, closed = threading.Event(), threading.Event()

        def late(connection):
            asked.set()
            closed.wait(10)
            found()(connection)

        client = self.client(self.always(late))
        reader = threading.Thread(target=lambda: client.session().latest(ROW, "BASE"))
        reader.start()
        asked.wait(10)
        client.close()
        closed.set()
        reader.join()
        self.assertEqual(client._hosts.all[0]._idle, [])


class MisbehavingHosts(CellmeshTest):
    FAILURES = {
        "reset": resets,
        "hangs up": hangs_up,
        "dies within": answer(200, cell(), SERVER, sent=50),
        "hangs": hangs,
        "drips": drips,
        "no HTTP": lambda connection: connection.sendall(b"\0" * 100),
        "page of a proxy": raw(200, "text/html", "<html>"),
        "gateway": raw(502, "text/html", "<html>"),
        "elsewhere": raw(302, "text/html", "", "Location: /login"),
        "another JSON": answer(200, {"ok": True}, SERVER),
        "a list": answer(200, [1], SERVER),
        "cut JSON": found('{"v":1,"row_key":'),
        "another row": found(cell(row=str(uuid.UUID(int=0)))),
        "another cell": found(cell(ref=2)),
        "no server": answer(200, cell()),
        "fault": problem(500, "oops"),
        "ends": problem(503, "about to end"),
        "too busy": problem(429, "full", "Retry-After: 0"),
    }

    def test_a_read_is_answered_by_the_other(self):
        for name, deed in self.FAILURES.items():
            def answered():
                bad, good = self.always(deed), self.always(found())
                session = self.session(bad, good, deadline=1)
                for _ in range(4):
                    self.assertIsNotNone(session.get(ROW, "BASE", 1).cell)
                self.assertGreater(len(bad.requests), 0)
                self.assertEqual(len(good.requests), 4)

            with self.subTest(name):
                self.once(answered)

    def test_a_write_is_told_by_the_other(self):
        more = {
            "no state": answer(200, {"status": 200}),
            "unknown state": answer(200, {"status": 200, "state": "gone"}),
            "no master": answer(202, {"status": 202, "state": "buffered"}),
            "no position": answer(200, {"status": 200, "state": "visible"}, "Cellmesh-Position: here"),
            "no digests": problem(409, "other"),
        }
        common = {name: deed for name, deed in list(self.FAILURES.items())[:10] if not name.startswith("another")}
        for name, deed in {**common, **more}.items():
            def told():
                bad, good = self.always(deed), self.always(visible())
                session = self.session(bad, good, deadline=1)
                for _ in range(4):
                    self.assertEqual(session.put(ROW, "BASE", 1, 1).state, "visible")
                self.assertGreater(len(bad.requests), 0)

            with self.subTest(name):
                self.once(told)

    def test_a_host_that_failed_gets_no_calls_until_it_says_that_it_is_well(self):
        def left():
            bad, good = self.always(resets), self.always(found())
            session = self.session(bad, good)
            for _ in range(10):
                session.latest(ROW, "BASE")
            self.assertEqual((len(bad.requests), len(bad.probes)), (1, 0))
            return bad, session

        bad, session = self.once(left)
        bad.manner = lambda request: found()
        self.until(lambda: session.latest(ROW, "BASE") and bad.probes)
        self.assertEqual(len(bad.requests), 1)
        bad.probe = lambda request: answer(200, {})
        self.until(lambda: session.latest(ROW, "BASE") and len(bad.requests) > 1)

    def test_a_worker_that_is_about_to_end_is_left_soon(self):
        bad, good = self.always(problem(503, "about to end", "Retry-After: 1")), self.always(found())
        session = self.session(bad, good)
        for _ in range(50):
            session.latest(ROW, "BASE")
        # Those that come before it has said that it is not ready are few.
        self.assertIn(len(bad.requests), range(1, 6))
        self.assertEqual(len(good.requests), 50)

    def test_a_worker_that_did_not_serve_one_call_is_well_for_others(self):
        def are_well():
            workers = [self.always(problem(503, "down", "Retry-After: 30")) for _ in range(2)]
            session = self.session(*workers)
            for worker in workers:
                worker.probe = lambda request: answer(200, {})
            for _ in range(4):
                with self.assertRaises(cellmesh.CellmeshError):
                    session.latest(ROW, "BASE")
                time.sleep(0.05)
            self.assertEqual([len(worker.requests) for worker in workers], [2, 2])

        self.once(are_well)

    def test_nobody_comes_back_before_he_was_asked_to(self):
        worker = self.worker([problem(503, "down", "Retry-After: 1"), found()])
        start = time.monotonic()
        self.session(worker).latest(ROW, "BASE")
        self.assertTrue(1 <= time.monotonic() - start < 10)

    def test_who_would_have_to_wait_beyond_the_deadline_is_told_at_once(self):
        worker = self.always(problem(429, "full", "Retry-After: 30"))
        with self.assertRaises(cellmesh.CellmeshError) as caught:
            self.session(worker).latest(ROW, "BASE")
        self.assertEqual((caught.exception.status, caught.exception.retry_after), (429, 30))
        self.assertEqual(len(worker.requests), 1)

    def test_at_most_a_fifth_of_the_calls_is_repeated(self):
        for deed in (problem(503, "down", "Retry-After: 0"), resets, problem(500, "oops")):
            one, two = self.always(deed), self.always(deed)
            session = self.session(one, two)
            for _ in range(200):
                with self.assertRaises(cellmesh.CellmeshError):
                    session.latest(ROW, "BASE")
            requests = len(one.requests) + len(two.requests)
            self.assertTrue(230 <= requests <= 200 + 40 + 10, requests)

    def test_a_host_that_dies_under_load_costs_no_caller_an_error(self):
        bad, good = self.always(found()), self.always(found())
        session = self.session(bad, good)
        for _ in range(250):
            session.latest(ROW, "BASE")
        for worker in (bad, good):
            worker.requests.clear()
            worker.manner = lambda request: after(0.3, found())
        failures = []

        def call():
            try:
                session.latest(ROW, "BASE")
            except cellmesh.CellmeshError as e:
                failures.append(e)

        callers = [threading.Thread(target=call) for _ in range(60)]
        for caller in callers:
            caller.start()
        self.until(lambda: len(bad.requests) + len(good.requests) >= 60)
        self.assertGreater(len(bad.requests), 20)
        bad.close()
        for caller in callers:
            caller.join()
        self.assertEqual(failures, [])

    def test_a_deadline_is_kept_with_all_that_is_repeated(self):
        for deed in (hangs, drips, drips_and_hangs, after(1, found()), after(0.15, problem(500, "oops")), problem(500, "oops")):
            for workers in ([self.always(deed)], [self.always(deed), self.always(deed)]):
                session = self.session(*workers)

                def kept():
                    start = time.monotonic()
                    with self.assertRaises(cellmesh.CellmeshError):
                        session.latest(ROW, "BASE", deadline=0.4)
                    self.assertLess(time.monotonic() - start, 0.5)

                self.once(kept)

    def test_each_attempt_tells_the_worker_what_is_left(self):
        worker = self.worker([after(0.15, problem(500, "oops")), found()])
        self.session(worker).latest(ROW, "BASE", deadline=20)
        told = [int(request.query["deadline"][0]) for request in worker.requests]
        self.assertTrue(told[0] <= 19900 and 1 <= told[1] <= told[0] - 150, told)

    def until(self, condition):
        end = time.monotonic() + 30
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)


class Sessions(CellmeshTest):
    def test_a_session_reads_its_writes_from_every_host(self):
        written = [0]

        def manner(request):
            if request.method == "PUT":
                written[0] += 1
                return visible(f"dc1:AbCdEfGh:3:{written[0]}")
            asked = int(request.query.get("not-before", ["::3:-1"])[0].split(":")[3])
            return found(cell(ref=max(asked, written[0] - 1)))

        workers = [self.worker(manner) for _ in range(3)]
        session = self.session(*workers)
        for ref in range(1, 101):
            session.put(ROW, "BASE", ref, ref)
            self.assertEqual(session.latest(ROW, "BASE", read="any").cell["ref_key"], ref)
        for worker in workers:
            self.assertGreater(len(worker.requests), 30)

    def test_it_remembers_the_latest_position_of_each_partition(self):
        places = ("dc1:AbCdEfGh:3:17", "dc1:AbCdEfGh:3:16", "dc1:AbCdEfGh:1:9", "dc1:AbCdEfGh:1:10")
        worker = self.worker([*map(visible, places), found()])
        session = self.session(worker)
        for _ in places:
            session.put(ROW, "BASE", 1, 1)
        self.assertEqual(session.positions, "dc1:AbCdEfGh:1:10,dc1:AbCdEfGh:3:17")
        session.latest(ROW, "BASE")
        self.assertEqual(worker.requests[4].query["not-before"], [session.positions])

    def test_it_goes_on_in_another_process_and_with_another_topic(self):
        worker = self.always(visible("dc1:XbCdEfGh:3:1"))
        session = self.client(worker).session("dc1:AbCdEfGh:1:10,dc1:AbCdEfGh:3:17")
        self.assertEqual(session.positions, "dc1:AbCdEfGh:1:10,dc1:AbCdEfGh:3:17")
        session.put(ROW, "BASE", 1, 1)
        self.assertEqual(session.positions, "dc1:XbCdEfGh:3:1")


class Batches(CellmeshTest):
    DOWN = {"status": 503, "problem": {"title": "Unavailable", "detail": "c1 is down"}}

    def results(self, fails):
        def manner(request):
            refs = [key["ref_key"] for key in json.loads(request.body)["keys"]]
            good = [{"status": 200, "served_by": "s", "cells": [cell(ref=ref)]} for ref in refs]
            return answer(200, {"results": [self.DOWN if fails(ref) else one for ref, one in zip(refs, good)]})

        return self.worker(manner)

    def keys(self, count):
        return [{"row_key": ROW, "column_name": "BASE", "ref_key": ref} for ref in range(count)]

    def test_results_stand_in_the_order_of_the_keys(self):
        results = self.session(self.results(lambda ref: False)).get_all(self.keys(500))
        self.assertEqual([result.cell["ref_key"] for result in results], list(range(500)))

    def test_what_failed_in_passing_is_asked_for_again_without_the_rest(self):
        worker = self.results(lambda ref: ref % 3 == 0 and len(worker.requests) == 1)
        results = self.session(worker).get_all(self.keys(10))
        self.assertEqual([result.cell["ref_key"] for result in results], list(range(10)))
        again = json.loads(worker.requests[1].body)["keys"]
        self.assertEqual([key["ref_key"] for key in again], [0, 3, 6, 9])
        self.assertEqual(len(worker.requests), 2)

    def test_one_part_fails_and_the_others_do_not(self):
        session = self.session(self.results(lambda ref: ref == 1))
        results = self.once(lambda: session.get_all(self.keys(3), deadline=0.3))
        self.assertEqual(results[2].cell["ref_key"], 2)
        self.assertEqual(results[1].status, 503)
        self.assertEqual(str(results[1]), f"{ROW}/BASE/1: 503 Unavailable: c1 is down")

    def test_each_write_has_a_result_of_its_own(self):
        worker = self.always(answer(200, {"results": [
            {"status": 200, "state": "visible", "position": "dc1:AbCdEfGh:3:17"},
            {"status": 409, "position": "dc1:AbCdEfGh:3:18", "problem": {"kept": "a", "refused": "b", "final": True}},
            {"status": 422, "problem": {"detail": "too long", "position": "dc1:AbCdEfGh:3:19"}},
        ]}))
        session = self.session(worker)
        results = session.put_all([(ROW, "BASE", 1, 1), (ROW, "BASE", 2, 2), (ROW, "C", 3, 3)])
        self.assertEqual([result.state for result in results], ["visible", "conflict", "rejected"])
        self.assertEqual(session.positions, "dc1:AbCdEfGh:3:19")


class Page(CellmeshTest):
    def test_the_examples_of_the_page_run(self):
        page = pathlib.Path(__file__).parents[2].joinpath("docs", "client.md").read_text(encoding="utf-8")
        examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        self.assertGreater(len(examples), 0)

        def manner(request):
            if request.path.endswith(":put"):
                told = [{"status": 200, "state": "visible"} for _ in json.loads(request.body)["cells"]]
                return answer(200, {"results": told})
            if "/indexes/" in request.path:
                return found({"entries": []})
            return visible() if request.method == "PUT" else found(cell(row=request.path.split("/")[4]))

        worker = self.worker(manner)
        for example in examples:
            names = {"row": ROW, "read_secret": lambda: "s3cret"}
            exec(re.sub(r"https://w\d:8090", worker.url, example), names)
            names["client"].close()
        self.assertGreater(len(worker.requests), 3)


if __name__ == "__main__":
    unittest.main()
