"""HTTP and JSON to the nodes, on the standard library."""

from __future__ import annotations

import http.client
import io
import json
import logging
import os
import random
import re
import socket
import ssl
import threading
import time
import urllib.parse
import weakref
from collections.abc import Callable, Mapping
from typing import Any

from .errors import ApiError, KairosError, NodesUnavailableError, TokenError, api_error

LOG = logging.getLogger("kairos_client")

#: Of one answer; a larger one is not read.
MOST_ANSWER_BYTES = 128 << 20
_ATTEMPTS = 6
_FIRST_REST, _LONGEST_REST = 0.1, 2.0
#: A node closes connections that are idle for longer, and a call on one of these would be lost.
_LONGEST_IDLE = 5.0
#: When no node may be called for longer, the call fails at once.
_LONGEST_WAIT = 10.0

Token = str | Callable[[], str]


class Address:
    """A node: host:port, http://host:port or https://host:port."""

    def __init__(self, text: str):
        parts = urllib.parse.urlsplit(text if "//" in text else "http://" + text)
        try:
            port = parts.port
        except ValueError:
            port = None
        if parts.scheme not in ("http", "https") or not parts.hostname or port is None or parts.path not in ("", "/"):
            raise ValueError(f"address {text!r}: must be host:port, http://host:port or https://host:port")
        self.host, self.port, self.tls = parts.hostname, port, parts.scheme == "https"
        self.failures = 0
        self.rests_until = 0.0
        self.idle: list[tuple[http.client.HTTPConnection, float]] = []

    def __str__(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.host}:{self.port}"


def addresses_of(given: tuple[str, ...]) -> list[Address]:
    """Takes what was given, or KAIROS_ADDRESS, or the default; each may be several, separated by commas."""
    texts = given or (os.environ.get("KAIROS_ADDRESS", "127.0.0.1:7070"),)
    return [Address(one.strip()) for text in texts for one in text.split(",")]


class Credentials:
    """Token and certificates. A token in a file is read again when the file changes."""

    def __init__(
        self,
        token: Token | None = None,
        token_file: str | os.PathLike[str] | None = None,
        ca_file: str | os.PathLike[str] | None = None,
        certificate_file: str | os.PathLike[str] | None = None,
        key_file: str | os.PathLike[str] | None = None,
    ):
        if token is not None and token_file is not None:
            raise ValueError("token and token_file: give one of them")
        if (certificate_file is None) != (key_file is None):
            raise ValueError("certificate_file and key_file: give both or neither")
        if token is None and token_file is None:
            token = os.environ.get("KAIROS_TOKEN")
        self._token = token if token is None or callable(token) else _sendable_token(token)
        self._token_file = token_file
        self._read: tuple[float, str] = (-1.0, "")
        for name, file in (
            ("token_file", token_file),
            ("ca_file", ca_file),
            ("certificate_file", certificate_file),
            ("key_file", key_file),
        ):
            if file is not None and not os.access(file, os.R_OK):
                raise ValueError(f"{name}: {os.fspath(file)} cannot be read")
        try:
            self.ssl = ssl.create_default_context(cafile=ca_file)
        except (ssl.SSLError, OSError) as e:
            raise ValueError(f"ca_file: {ca_file} has no certificates in PEM: {e}") from e
        if certificate_file is not None and key_file is not None:
            try:
                self.ssl.load_cert_chain(certificate_file, key_file)
            except (ssl.SSLError, OSError) as e:
                raise ValueError(
                    f"certificate_file {certificate_file} and key_file {key_file} cannot be used: {e}"
                ) from e

    def token(self) -> str | None:
        """Raises TokenError. While the file cannot be read or is empty, the token that was read last stays."""
        if self._token_file is not None:
            return self._token_of_file(self._token_file)
        if not callable(self._token):
            return self._token
        try:
            token = self._token()
        except Exception as e:
            raise TokenError(f"token: its function failed with {type(e).__name__}") from e
        return _sendable_token(token)

    def _token_of_file(self, file: str | os.PathLike[str]) -> str:
        changed, token = self._read
        try:
            now = os.stat(file).st_mtime
            if now != changed:
                with open(file, encoding="utf-8") as opened:
                    token = _sendable_token(opened.read()) or token
                self._read = (now, token)
        except (OSError, UnicodeError) as e:
            if changed < 0:
                raise TokenError(f"token_file: {os.fspath(file)} cannot be read: {type(e).__name__}") from None
            LOG.debug("the token file %s cannot be read, the last token stays: %s", file, type(e).__name__)
        return token


class Nodes:
    """Chooses the node of each call, in turn. One that failed rests, longer after each failure. Thread-safe."""

    def __init__(self, addresses: list[Address]):
        self._nodes = addresses
        self._turn = random.randrange(len(addresses))
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._nodes)

    def next(self) -> tuple[Address, float]:
        """The next node that does not rest, or the one whose rest ends first; and the seconds left of that."""
        with self._lock:
            self._turn += 1
            order = [self._nodes[(self._turn + i) % len(self._nodes)] for i in range(len(self._nodes))]
            now = time.monotonic()
            node = next((one for one in order if one.rests_until <= now), None) or min(
                order, key=lambda one: one.rests_until
            )
            return node, max(0.0, node.rests_until - now)

    def failed(self, node: Address, error: KairosError | None = None) -> bool:
        """Lets the node rest; True when it is the first failure in a row."""
        with self._lock:
            node.rests_until = time.monotonic() + _rest(node.failures, error)
            node.failures += 1
            return node.failures == 1

    def works(self, node: Address) -> None:
        node.failures, node.rests_until = 0, 0.0


def _rest(failures: int, error: KairosError | None) -> float:
    """Seconds until the next call: longer after each failure, and at least what the node asks for."""
    rest = min(_LONGEST_REST, _FIRST_REST * 2 ** min(failures, 10)) * random.uniform(0.5, 1)
    return max(rest, (error.retry_after if error is not None else None) or 0.0)


class _TimedReads(io.RawIOBase):
    """Reads from a socket until a moment, however many reads that takes: the timeout of a socket is that of each."""

    def __init__(self, sock: socket.socket, until: float):
        self._sock, self._until = sock, until
        self._raw = sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> int | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._raw.readinto(into)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Timed:
    """The response to one call, whose reads all end before a moment. Is as much of a socket as a response uses."""

    def __init__(self, until: float):
        self._until = until
        self._reader: io.BufferedReader | None = None

    def response(self, sock: socket.socket, *words: Any, **named: Any) -> http.client.HTTPResponse:
        self._sock = sock
        timed: Any = self
        return http.client.HTTPResponse(timed, *words, **named)

    def makefile(self, _mode: str) -> io.BufferedReader:
        self._reader = io.BufferedReader(_TimedReads(self._sock, self._until))
        return self._reader

    def close(self) -> None:
        if self._reader is not None:
            self._reader.close()


#: By which a connection ends that the node had closed while it was idle.
_STALE = (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError, ConnectionAbortedError)


class Transport:
    """Calls nodes. Thread-safe: each call under way has a connection of its own. A process that was forked opens
    connections of its own."""

    def __init__(self, addresses: list[Address], credentials: Credentials):
        self.nodes = Nodes(addresses)
        self.addresses = addresses
        self._credentials = credentials
        self._lock = threading.Lock()
        self._closed = False
        _TRANSPORTS.add(self)

    def _forked(self) -> None:
        """In the child: another thread of the parent may have held a lock, and both would read the same sockets."""
        self._lock = threading.Lock()
        self.nodes._lock = threading.Lock()
        for node in self.addresses:
            self._forget_idle(node)  # closes the child's handles alone

    def call(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        idempotent: bool,
        timeout: float,
    ) -> dict[str, Any]:
        """Calls one node after the other, until one has answered, six times at most. After a failure by which the call
        may have taken effect only an idempotent call is repeated. A refusal with 429 makes this call wait, and no
        other; when nodes ask for a longer wait than _LONGEST_WAIT, the call fails at once."""
        failure: KairosError | None = None
        pause = 0.0
        for attempt in range(_ATTEMPTS):
            node, rest = self.nodes.next()
            if max(rest, pause) > _LONGEST_WAIT:
                failure = failure or NodesUnavailableError(
                    f"{node} has asked not to be called for {rest:.0f} more seconds, and there is no other node",
                    may_have_taken_effect=False,
                    retry_after=rest,
                )
                break
            time.sleep(max(rest, pause))
            pause = 0.0
            try:
                answer = self.once(node, method, path, body, query, timeout=timeout, idempotent=idempotent)
                self.nodes.works(node)
                return answer
            except ApiError as e:
                failure = e
                if e.status not in (429, 500, 502, 503, 504):
                    self.nodes.works(node)
                    raise
                if not e.nothing_done and not (idempotent and e.status != 429):
                    raise
                if e.status == 429:
                    self.nodes.works(node)
                    pause = _rest(attempt, e)
                else:
                    self.nodes.failed(node, e)
            except NodesUnavailableError as e:
                failure = e
                self.nodes.failed(node, e)
                if e.may_have_taken_effect and not idempotent:
                    raise
        assert failure is not None
        raise failure

    def once(
        self,
        node: Address,
        method: str,
        path: str,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, Any] | None = None,
        *,
        timeout: float,
        idempotent: bool = True,
    ) -> dict[str, Any]:
        """One call of one node, within the timeout as a whole. An idempotent call is made on a new connection when the
        node had closed the one that was idle."""
        if query:
            pairs = [(k, v) for k, v in query.items() if v is not None]
            path += "?" + urllib.parse.urlencode(pairs, doseq=True) if pairs else ""
        headers = {"Accept": "application/json"}
        data = None
        if body is not None or method != "GET":
            headers["Content-Type"] = "application/json"
            data = json.dumps(body or {}, separators=(",", ":"), allow_nan=False).encode()
        token = self._credentials.token()
        if token:
            headers["Authorization"] = "Bearer " + token
        until = time.monotonic() + timeout
        connection = self._take(node)
        used = connection.sock is not None
        timed = _Timed(until)
        sent = False
        try:
            connection.timeout = timeout
            if not used:
                connection.connect()
            connection.sock.settimeout(max(0.01, until - time.monotonic()))
            connection.response_class = timed.response  # type: ignore[assignment]
            sent = True
            connection.request(method, path, data, headers)
            response = connection.getresponse()
            content = response.read(MOST_ANSWER_BYTES + 1)
            if len(content) > MOST_ANSWER_BYTES:
                raise http.client.HTTPException(f"the answer has more than {MOST_ANSWER_BYTES} bytes")
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            timed.close()
            left = until - time.monotonic()
            if used and idempotent and isinstance(e, _STALE) and left > 0:
                self._forget_idle(node)
                return self.once(node, method, path, body, timeout=left, idempotent=False)  # the path has the query
            reason = "no answer in time" if isinstance(e, TimeoutError) else str(e) or type(e).__name__
            raise NodesUnavailableError(f"{node}: {reason}", may_have_taken_effect=sent) from e
        except BaseException:
            connection.close()
            timed.close()
            raise
        with self._lock:
            if self._closed or response.will_close:
                connection.close()
            else:
                node.idle.append((connection, time.monotonic()))
        return _answer(node, response, content)

    def _forget_idle(self, node: Address) -> None:
        with self._lock:
            idle, node.idle = node.idle, []
        for connection, _ in idle:
            connection.close()

    def _take(self, node: Address) -> http.client.HTTPConnection:
        with self._lock:
            while node.idle:
                connection, since = node.idle.pop()
                if time.monotonic() - since < _LONGEST_IDLE:
                    return connection
                connection.close()
        if node.tls:
            return http.client.HTTPSConnection(node.host, node.port, context=self._credentials.ssl)
        return http.client.HTTPConnection(node.host, node.port)

    def close(self) -> None:
        with self._lock:
            self._closed = True
        for node in self.addresses:
            self._forget_idle(node)


_TRANSPORTS: weakref.WeakSet[Transport] = weakref.WeakSet()


def _after_fork() -> None:
    for one in list(_TRANSPORTS):
        one._forked()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _sendable_token(token: Any) -> str:
    """Without the blanks around it. No text quotes the token."""
    if not isinstance(token, str):
        raise TokenError(f"token: must be a str, not {type(token).__name__}")
    token = token.strip()
    if re.fullmatch(r"[\x20-\x7e]*", token) is None:
        raise TokenError("token: has a control character, or one beyond ASCII, which no header can have")
    return token


def _answer(node: Address, response: http.client.HTTPResponse, content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content) if content else {}
    except (ValueError, RecursionError):
        value = None
    if response.status // 100 != 2:
        problem = (
            value
            if isinstance(value, dict)
            else {"detail": f"{node} answered HTTP {response.status} {response.reason}"}
        )
        raise api_error(response.status, problem, _retry_after(response.getheader("Retry-After")))
    if not isinstance(value, dict):
        raise NodesUnavailableError(
            f"{node} answered something that is not a JSON object: is it a node of Kairos?", may_have_taken_effect=True
        )
    return value


def _retry_after(header: str | None) -> float | None:
    try:
        return min(3600.0, max(0.0, float(header))) if header else None
    except ValueError:
        return None
