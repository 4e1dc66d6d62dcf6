"""Cells and indexes of Cellmesh through its workers. One file, the standard library alone, Python 3.9 or later.

    client = cellmesh.Client("trips", ["https://w1:8090", "https://w2:8090"])
    session = client.session()
    session.put(row, "BASE", 1, {"fare": 12.95})
    session.latest(row, "BASE").cell["body"]

A call is repeated at another host until its deadline, as far as the budget of retries lets it: cells are
immutable, so that doing a call twice does what doing it once does.
"""

import http.client
import io
import itertools
import json
import random
import re
import select
import threading
import time
import uuid
from collections import namedtuple
from email.utils import parsedate_to_datetime
from urllib.parse import quote, urlencode, urlsplit

MAX_BATCH = 500
MAX_DEADLINE = 60.0
MAX_SHARD_FIELDS = 50

_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
_LOOPBACK = ("localhost", "127.0.0.1", "::1")
_STATES = ("accepted", "secured", "buffered", "visible", "replicated")
_UNSAFE_IN_A_PATH = frozenset("/\\%;") | {chr(c) for c in (*range(32), *range(127, 160))}


class Written(namedtuple("Written", "state position down kept refused final reason")):
    """What became of a write: state is accepted, secured, buffered, visible, replicated, conflict or rejected.

    down names the master that it waits for (cluster, master, since); kept and refused are the digests of a
    conflict, final whether no promotion can change that any more; reason is that of a rejected cell."""

    __slots__ = ()


class Found(namedtuple("Found", "cells served_by stale_up_to")):
    """Cells as the log carries them. What the master has for longer than stale_up_to seconds is in the answer: 0
    for the master's own, None if nobody can tell."""

    __slots__ = ()

    @property
    def cell(self):
        """The cell, of a read that asks for one; None if there is none."""
        return self.cells[0] if self.cells else None


class Page(namedtuple("Page", "entries next served_by stale_up_to")):
    """Entries of an index, and the cursor of the next page, None behind the last. served_by lists the MySQL servers
    that answered. What the cells have said for longer than stale_up_to seconds is in it: None if nobody can tell."""

    __slots__ = ()


class CellmeshError(Exception):
    """A call without a result. status is 0 if no worker gave an answer; a write may have been accepted all the
    same, unless it was refused with a status from 400 to 428, and may be repeated."""

    def __init__(self, subject, status, problem=None, retry_after=None):
        problem = problem if isinstance(problem, dict) else {}
        self.status = status
        self.type = problem.get("type", "about:blank")
        self.title = problem.get("title", "")
        self.detail = problem.get("detail", "")
        self.field = problem.get("field")
        self.rule = problem.get("rule")
        self.retry_after = retry_after
        said = ": ".join(part for part in (f"{status or ''} {self.title}".strip(), self.detail) if part)
        super().__init__(f"{subject}: {_shown(said)}")


class Client:
    """An application's access to the workers of an instance. Make one and keep it: its sessions share
    connections, what is known of hosts, and the budget of retries. Safe for several threads.

    hosts     the workers of one data centre, http://HOST:PORT, with a path if they are behind another server
    deadline  seconds that a call may take, with all that is repeated
    token     the bearer token, or what gives that of each request; over http only to this machine's loopback
    ssl_context  certificates, ours and those that are trusted
    loads, dumps  read and write JSON; give others to keep decimals exact
    """

    def __init__(
        self, instance, hosts, deadline=5.0, token=None, ssl_context=None, loads=json.loads, dumps=json.dumps
    ):
        if not hosts:
            raise ValueError("hosts: none is given")
        self._base = f"/v1/{quote(instance, safe='')}"
        self._deadline = _checked_deadline(deadline)
        self._token = token
        self._loads = loads
        self._dumps = dumps
        self._hosts = _Hosts([_Host(url, token is not None, ssl_context) for url in hosts], self._probe)
        self._budget = _Budget()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Closes the connections that are idle; the garbage collector would do so, too."""
        for host in self._hosts.all:
            host.close()

    def session(self, positions=""):
        """Begins a session, which also reads what another one wrote if that one's positions are given."""
        return Session(self, positions)

    def _call(self, request, read, deadline, repeated=False):
        """Makes a call; gives what read makes of an answer, or raises CellmeshError by the deadline."""
        if not repeated:
            self._budget.deposit()
        end = time.monotonic() + deadline
        tried = []
        last = None
        while True:
            host = self._hosts.choose(tried)
            tried.append(host)
            asked = time.monotonic()
            left = end - time.monotonic()
            # A first host that hangs must leave time for a second.
            patience = left / 2 if len(tried) == 1 and len(self._hosts.all) > 1 and self._budget.has_one() else left
            try:
                answer = self._send(host, request, left, min(end, time.monotonic() + patience))
                result = _judged(host, answer, read)
            except _Again as again:
                last = again.failure
                if again.host_failed:
                    self._hosts.failed(host)
                elif again.failure.status == 503:
                    self._hosts.doubted(host)
                else:
                    self._hosts.answered(host, asked)
                wait = _delay(len(tried) - 1) + (again.after or 0)
                # Nobody has got it yet, so to send it to one more host adds nothing.
                free = again.unsent and len(set(tried)) < len(self._hosts.all)
            except CellmeshError:
                self._hosts.answered(host, asked)
                raise
            else:
                self._hosts.answered(host, asked)
                return result
            left = end - time.monotonic()
            if left <= 0:
                late = {"detail": f"no answer within {deadline * 1000:.0f} ms; last: {last}"}
                raise CellmeshError(self._base, 0, late, last.retry_after) from last
            if wait >= left or not (free or self._budget.withdraw()):
                raise last
            time.sleep(wait)

    def _send(self, host, request, left, end):
        method, path, query, body, priority = request
        told = max(1, int((left - min(left / 10, 0.1)) * 1000))
        headers = {"Cellmesh-Priority": priority, "User-Agent": "cellmesh-python", "Accept": "application/json"}
        if body is not None:
            headers["Content-Type"] = "application/json"
        headers.update(self._authorization())
        target = f"{path}?{urlencode([*query, ('deadline', told)], quote_via=quote)}"
        return self._received(host, method, target, body, headers, end)

    def _authorization(self):
        if self._token is None:
            return {}
        token = self._token() if callable(self._token) else self._token
        # Or http.client would say that no header can have it, and show it.
        if not _TOKEN.fullmatch(token):
            raise ValueError("the token is empty, or has a blank or another character that no token has")
        return {"Authorization": f"Bearer {token}"}

    def _received(self, host, method, target, body, headers, end):
        try:
            status, fields, content = host.exchange(method, target, body, headers, end)
            if "json" not in fields.get("Content-Type", ""):
                return status, fields, None
            return status, fields, self._loads(content.decode()) if content else None
        except (OSError, http.client.HTTPException) as e:
            failure = CellmeshError(host, 0, {"detail": str(e) or type(e).__name__})
            raise _Again(failure, host_failed=True, unsent=isinstance(e, ConnectionRefusedError)) from e
        except ValueError as e:
            raise _wrong(host, "not JSON, or cut short") from e

    def _probe(self, host):
        try:
            headers = self._authorization()
            return host.exchange("GET", "/readyz", None, headers, time.monotonic() + 1)[0] < 500
        except (OSError, http.client.HTTPException):
            return False


class Session:
    """Writes and reads, such that a read finds what the session wrote before, whichever server answers. It
    remembers one position for each partition that it wrote to. Safe for several threads.

    deadline is in seconds; priority is high, normal or low; read is master, minion or any."""

    def __init__(self, client, positions=""):
        self._client = client
        self._positions = {}
        self._lock = threading.Lock()
        for position in positions.split(",") if positions else ():
            self._remember(position)

    @property
    def positions(self):
        """What the session remembers, for a session in another process; empty if it wrote nothing."""
        with self._lock:
            return ",".join(":".join(map(str, place)) for _, place in sorted(self._positions.items()))

    def put(self, row, column, ref, body, wait="visible", deadline=None, priority="normal"):
        """Writes a cell and waits until it is accepted, secured, visible or replicated. Gives how far it came by
        the deadline, or the conflict or rejection. The same cell again is a success."""
        if not _fits_path(column):
            return _only(self.put_all([(row, column, ref, body)], wait, deadline, priority))
        path = f"{self._client._base}/cells/{_row(row)}/{quote(column, safe='')}/{int(ref)}"
        content = self._client._dumps(body).encode()
        return self._call("PUT", path, [("wait", wait)], content, priority, self._written, deadline)

    def put_all(self, cells, wait="visible", deadline=None, priority="normal"):
        """Writes many cells, each (row, column, ref, body). Gives a Written or a CellmeshError for each, in their
        order; nothing is written if one of them breaks a rule."""

        def request(some):
            texts = (
                '{"row_key":%s,"column_name":%s,"ref_key":%d,"body":%s}'
                % (json.dumps(_row(row)), json.dumps(column), ref, self._client._dumps(body))
                for row, column, ref, body in some
            )
            content = '{"cells":[%s]}' % ",".join(texts)
            return ("POST", f"{self._client._base}/cells:put", [("wait", wait)], content.encode(), priority)

        return self._batch(cells, request, lambda cell, part: self._written(part["status"], {}, part), deadline)

    def get(self, row, column, ref, read="master", deadline=None, priority="normal"):
        """Reads one cell."""
        return self._get({"row_key": _row(row), "column_name": column, "ref_key": int(ref)}, read, deadline, priority)

    def latest(self, row, column, at_most=None, read="master", deadline=None, priority="normal"):
        """Reads the cell with the highest ref_key of a column, up to at_most if given."""
        key = {"row_key": _row(row), "column_name": column}
        if at_most is not None:
            key["at_most"] = int(at_most)
        return self._get(key, read, deadline, priority)

    def row(self, row, read="master", deadline=None, priority="normal"):
        """Reads all cells of a row, by column and ref_key."""
        return self._get({"row_key": _row(row)}, read, deadline, priority)

    def get_all(self, keys, read="master", deadline=None, priority="normal"):
        """Reads many: each key is a dict of row_key and, if it is not the whole row, column_name and, if it is not
        the latest, ref_key or at_most. Gives a Found or a CellmeshError for each, in their order."""

        def request(some):
            content = json.dumps({"keys": some}).encode()
            return ("POST", f"{self._client._base}/cells:get", self._reading(read), content, priority)

        return self._batch([{**key, "row_key": _row(key["row_key"])} for key in keys], request, _part, deadline)

    def query(
        self,
        index,
        shard_field,
        filters=(),
        order=(),
        fields=(),
        columns=(),
        limit=None,
        cursor=None,
        read="master",
        deadline=None,
        priority="normal",
    ):
        """Reads a page of an index, which follows the cells: it may not have what was just written.

        shard_field is a value of the index's shard field, or a list of up to 50, whose entries come in one order;
        filters are (field, operator, value), of a list of values for in and between; order is (field, "asc" or
        "desc"); columns are those whose latest cells come with each entry, "*" for all."""
        values = shard_field if isinstance(shard_field, (list, tuple)) else [shard_field]
        if not 1 <= len(values) <= MAX_SHARD_FIELDS:
            raise ValueError(f"shard_field: {len(values)} values are not 1..{MAX_SHARD_FIELDS}")
        query = [("shard_field", value) for value in values] + [("read", read)]
        query += [("filter", f"{field}:{operator}:{_listed(value)}") for field, operator, value in filters]
        query += [("order", f"{field}:{direction}") for field, direction in order]
        query += [("fields", _listed(list(fields)))] if fields else []
        query += [("columns", columns if columns == "*" else _listed(list(columns)))] if columns else []
        query += [(name, value) for name, value in (("limit", limit), ("cursor", cursor)) if value is not None]
        path = f"{self._client._base}/indexes/{quote(index, safe='')}"
        return self._call("GET", path, query, None, priority, _page, deadline)

    def _get(self, key, read, deadline, priority):
        if not _fits_path(key.get("column_name", "row")):
            return _only(self.get_all([key], read, deadline, priority))
        path = f"{self._client._base}/cells/{key['row_key']}"
        for part in ("column_name", "ref_key"):
            path += f"/{quote(str(key[part]), safe='')}" if part in key else ""
        query = self._reading(read)
        if "at_most" in key:
            query.append(("at-most", key["at_most"]))
        return self._call("GET", path, query, None, priority, lambda *answer: _found(key, *answer), deadline)

    def _call(self, method, path, query, body, priority, read, deadline):
        deadline = self._client._deadline if deadline is None else _checked_deadline(deadline)
        return self._client._call((method, path, query, body, priority), read, deadline)

    def _batch(self, parts, request, read, deadline):
        """Asks again for the parts that failed in passing, without the others."""
        if not 1 <= len(parts) <= MAX_BATCH:
            raise ValueError(f"batch: {len(parts)} is not in 1..{MAX_BATCH}")
        deadline = self._client._deadline if deadline is None else _checked_deadline(deadline)
        end = time.monotonic() + deadline
        results = [None] * len(parts)
        places = range(len(parts))
        for turn in itertools.count():
            some = [parts[place] for place in places]
            try:
                told = self._client._call(
                    request(some), lambda *answer: _parts(some, read, *answer), end - time.monotonic(), turn > 0
                )
            except CellmeshError:
                if turn == 0:
                    raise
                break
            for place, result in zip(places, told):
                results[place] = result
            places = [i for i, result in enumerate(results) if getattr(result, "status", 0) in (429, 503)]
            wait = _delay(turn)
            if not places or wait >= end - time.monotonic() or not self._client._budget.withdraw():
                break
            time.sleep(wait)
        return results

    def _reading(self, read):
        positions = self.positions
        return [("read", read)] + ([("not-before", positions)] if positions else [])

    def _written(self, status, headers, json):
        if status not in (200, 202, 409, 422):
            return None
        told = json if status < 400 else json.get("problem", json)
        position = headers.get("Cellmesh-Position") or json.get("position") or told.get("position")
        if position is not None:
            self._remember(position)
        if status == 409:
            return Written("conflict", position, None, told["kept"], told["refused"], told.get("final", False), None)
        if status == 422:
            return Written("rejected", position, None, None, None, None, told.get("detail", ""))
        if json["state"] not in _STATES or json["state"] == "buffered" and "down" not in json:
            raise KeyError("state")
        return Written(json["state"], position, json.get("down"), None, None, None, None)

    def _remember(self, position):
        """Keeps the latest of each partition. One of another topic replaces all: the ingest topic was made again, and
        workers refuse positions of the old one."""
        datacenter, topic, partition, offset = position.split(":")
        place = (datacenter, topic, int(partition), int(offset))
        with self._lock:
            if any(old[:2] != place[:2] for old in self._positions.values()):
                self._positions.clear()
            old = self._positions.get(place[2])
            if old is None or old[3] < place[3]:
                self._positions[place[2]] = place


class _Again(Exception):
    """The call may do better at another host, and after a time if one is told."""

    def __init__(self, failure, after=None, host_failed=False, unsent=False):
        super().__init__(failure)
        self.failure = failure
        self.after = after
        self.host_failed = host_failed
        self.unsent = unsent


class _Host:
    """A worker's address, connections to it that are idle, and what was seen of it."""

    MOST_IDLE = 8

    def __init__(self, url, secret, ssl_context):
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"host = {url!r}: not http://HOST:PORT or https://HOST:PORT")
        if parts.username or parts.query or parts.fragment:
            raise ValueError(f"host = {parts.hostname!r}: a user, a query or a fragment has no place in it")
        if secret and parts.scheme == "http" and parts.hostname not in _LOOPBACK:
            raise ValueError(f"host = {parts.hostname!r}: a token goes over https, or over http to the loopback")
        self.url = url.rstrip("/")
        self.failures = 0
        self.aside_since = 0.0
        self.aside_until = 0.0
        self.doubted_until = 0.0
        self.probed = False
        self._address = (parts.hostname, parts.port)
        self._prefix = parts.path.rstrip("/")
        self._secure = parts.scheme == "https"
        self._ssl_context = ssl_context
        self._idle = []
        self._most_idle = self.MOST_IDLE
        self._lock = threading.Lock()

    def __str__(self):
        return self.url

    def exchange(self, method, target, body, headers, end):
        """Sends a request once, and gives status, headers and content, all of it by the end."""
        connection = self._connection(end)
        try:
            connection.response_class = lambda sock, **more: _Response(end, sock, **more)
            connection.request(method, self._prefix + target, body, headers)
            response = connection.getresponse()
            content = response.read()
        except BaseException:
            connection.close()
            raise
        if connection.sock is not None:
            with self._lock:
                if len(self._idle) < self._most_idle:
                    self._idle.append(connection)
                    connection = None
        if connection is not None:
            connection.close()
        return response.status, response.headers, content

    def close(self):
        """Closes connections that are idle, and lets those in use, by a probe for one, be closed after it."""
        with self._lock:
            idle, self._idle = self._idle, []
            self._most_idle = 0
        for connection in idle:
            connection.close()

    def _connection(self, end):
        left = max(0.001, end - time.monotonic())
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                break
            # One that can be read from has been ended by the other side.
            if not _is_readable(connection.sock):
                connection.sock.settimeout(left)
                return connection
            connection.close()
        if self._secure:
            return http.client.HTTPSConnection(*self._address, timeout=left, context=self._ssl_context)
        return http.client.HTTPConnection(*self._address, timeout=left)


def _is_readable(sock):
    # select() takes no descriptor beyond 1023; Windows has nothing else, and there it takes any.
    if not hasattr(select, "poll"):
        return bool(select.select([sock], [], [], 0)[0])
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return bool(poll.poll(0))


class _Response(http.client.HTTPResponse):
    """An answer that comes to its end by a moment, however little of it comes at a time."""

    def __init__(self, end, sock, **more):
        super().__init__(sock, **more)
        self.fp = io.BufferedReader(_Timed(self.fp.detach(), sock, end))


class _Timed(io.RawIOBase):
    def __init__(self, raw, sock, end):
        super().__init__()
        self._raw = raw
        self._sock = sock
        self._end = end

    def readable(self):
        return True

    def readinto(self, buffer):
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("timed out")
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self):
        if not self.closed:
            self._raw.close()
        super().close()


class _Hosts:
    """Chooses the host of each request: in turn, and one that failed only where no other is left. That one is
    asked in the background whether it is well, so no call is risked on it."""

    SHORTEST_ASIDE = 0.5
    LONGEST_ASIDE = 10.0

    def __init__(self, hosts, probe):
        self.all = hosts
        self._probe = probe
        self._turn = random.randrange(len(hosts))
        self._lock = threading.Lock()

    def choose(self, tried):
        with self._lock:
            for host in self.all:
                if host.failures and host.aside_until <= time.monotonic():
                    self._ask(host)
            self._turn = (self._turn + 1) % len(self.all)
            in_turn = self.all[self._turn :] + self.all[: self._turn]
            return min(in_turn, key=lambda host: (host.failures > 0, host in tried))

    def answered(self, host, asked):
        """What was asked before the host failed says nothing of it since."""
        with self._lock:
            if asked >= host.aside_since:
                host.failures = 0

    def failed(self, host):
        with self._lock:
            now = time.monotonic()
            if host.failures and host.aside_until > now:
                return
            longest = min(self.LONGEST_ASIDE, self.SHORTEST_ASIDE * 2 ** min(host.failures, 5))
            host.failures += 1
            host.aside_since = now
            host.aside_until = now + random.uniform(longest / 2, longest)

    def doubted(self, host):
        """Asks a host whether it is well that did not serve a call, since it may be about to end."""
        with self._lock:
            now = time.monotonic()
            if not host.failures and host.doubted_until <= now:
                host.doubted_until = now + self.SHORTEST_ASIDE
                self._ask(host)

    def _ask(self, host):
        if not host.probed:
            host.probed = True
            threading.Thread(target=self._asked, args=(host, time.monotonic()), daemon=True).start()

    def _asked(self, host, asked):
        well = False
        try:
            well = self._probe(host)
        finally:
            host.probed = False
            if well:
                self.answered(host, asked)
            else:
                self.failed(host)


class _Budget:
    """Lets one call in five be repeated, over and above the first ten: an outage must not double the load on
    those that are left. Up to a hundred retries are saved up, for all that were under way at a host that dies."""

    AT_FIRST = 10
    AT_ONCE = 100
    CALLS_A_RETRY = 5

    def __init__(self):
        self._saved = self.AT_FIRST * self.CALLS_A_RETRY
        self._lock = threading.Lock()

    def deposit(self):
        with self._lock:
            self._saved = min(self.AT_ONCE * self.CALLS_A_RETRY, self._saved + 1)

    def has_one(self):
        return self._saved >= self.CALLS_A_RETRY

    def withdraw(self):
        with self._lock:
            if not self.has_one():
                return False
            self._saved -= self.CALLS_A_RETRY
            return True


def _judged(host, answer, read):
    """The result of an answer, or why there is none."""
    status, headers, content = answer
    try:
        result = read(status, headers, content)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as e:
        raise _wrong(host, f"{status} with another content") from e
    if result is not None:
        return result
    after = _retry_after(headers.get("Retry-After"))
    failure = CellmeshError(host, status, content, after)
    if 400 <= status < 500 and status not in (408, 425, 429):
        raise failure
    raise _Again(failure, after, status < 400 or status in (502, 504))


def _wrong(host, detail):
    return _Again(CellmeshError(host, 0, {"detail": detail}), host_failed=True)


def _found(key, status, headers, content):
    """That a cell is absent is said by a server, whose name comes with it; an instance that is absent has none."""
    server = headers.get("Cellmesh-Served-By")
    if status == 404 and server is not None:
        return Found([], server, _seconds(headers.get("Cellmesh-Stale-Up-To")))
    if status != 200:
        return None
    if server is None:
        raise ValueError("Cellmesh-Served-By")
    cells = [content] if "column_name" in key else content["cells"]
    return Found(_asked(key, cells), server, _seconds(headers.get("Cellmesh-Stale-Up-To")))


def _part(key, part):
    if part["status"] == 404 and "served_by" in part:
        return Found([], part["served_by"], _seconds(part.get("stale_up_to")))
    if part["status"] != 200:
        return None
    return Found(_asked(key, part["cells"]), part.get("served_by"), _seconds(part.get("stale_up_to")))


def _parts(asked, read, status, headers, content):
    if status != 200:
        return None
    told = content["results"]
    if len(told) != len(asked):
        raise ValueError("results")
    results = []
    for one, part in zip(asked, told):
        result = read(one, part)
        name = "/".join(map(str, one.values() if isinstance(one, dict) else one[:3]))
        results.append(CellmeshError(_shown(name), part["status"], part.get("problem")) if result is None else result)
    return results


def _page(status, headers, content):
    if status != 200:
        return None
    for entry in content["entries"]:
        if "row_key" not in entry or "fields" not in entry:
            raise ValueError("entries")
    servers = headers.get("Cellmesh-Served-By")
    stale = _seconds(headers.get("Cellmesh-Stale-Up-To", "unknown"))
    return Page(content["entries"], content.get("next"), servers.split(", ") if servers else [], stale)


def _asked(key, cells):
    """The cells, all of which are among those that were asked for."""
    for cell in cells:
        named = all(cell[name] == key.get(name, cell[name]) for name in ("row_key", "column_name", "ref_key"))
        if not named or cell["ref_key"] > key.get("at_most", cell["ref_key"]):
            raise ValueError("a cell that was not asked for")
        if "body" not in cell:
            raise ValueError("body")
    return cells


def _only(results):
    if isinstance(results[0], CellmeshError):
        raise results[0]
    return results[0]


def _row(row):
    return str(row if isinstance(row, uuid.UUID) else uuid.UUID(row))


def _fits_path(column):
    return column not in ("", ".", "..") and not _UNSAFE_IN_A_PATH.intersection(column)


def _listed(value):
    """A list is told with commas, so a part can't have one."""
    if not isinstance(value, (list, tuple)):
        return value
    for part in value:
        if "," in str(part):
            raise ValueError(f"{part!r}: one of several can't have a comma")
    return ",".join(map(str, value))


def _checked_deadline(seconds):
    if not 0.001 <= seconds <= MAX_DEADLINE:
        raise ValueError(f"deadline: {seconds} s is not in 0.001..{MAX_DEADLINE:.0f}")
    return seconds


def _delay(retry):
    """Anything between nothing and a bound that doubles, so that those who failed together don't come back together."""
    return random.uniform(0, min(1.0, 0.02 * 2 ** min(retry, 6)))


def _retry_after(text):
    """Seconds, of a number or a date; None if it is neither."""
    if text is None:
        return None
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return None


def _seconds(bound):
    """0 if no bound is told, as with the master's answer; None if nobody can tell."""
    try:
        seconds = float(bound or 0)
    except ValueError:
        return None
    return seconds if 0 <= seconds < float("inf") else None


def _shown(text):
    """Fit for a terminal or a log, and shortened."""
    text = text if len(text) <= 300 else text[:300] + "…"
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
