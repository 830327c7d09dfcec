"""HTTP and JSON to the nodes, on the standard library."""

from __future__ import annotations

import http.client
import json
import os
import random
import ssl
import threading
import time
import urllib.parse
from collections.abc import Callable, Mapping
from typing import Any

from .errors import ApiError, KairosError, NodesUnavailableError, api_error

#: Of one answer; a larger one is not read.
MOST_ANSWER_BYTES = 128 << 20
_ATTEMPTS = 6
_FIRST_REST, _LONGEST_REST = 0.1, 2.0
#: A node closes connections that are idle for longer, and a call on one of these would be lost.
_LONGEST_IDLE = 5.0
#: A node that asks for more is believed, and the caller is told at once.
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
        self._token, self._token_file = token, token_file
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
        if self._token_file is None:
            return self._token() if callable(self._token) else self._token
        changed = os.stat(self._token_file).st_mtime
        if changed != self._read[0]:
            with open(self._token_file, encoding="utf-8") as file:
                self._read = (changed, file.read().strip())
        return self._read[1]


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
            rest = min(_LONGEST_REST, _FIRST_REST * 2 ** min(node.failures, 10)) * random.uniform(0.5, 1)
            asked = error.retry_after if error is not None else None
            node.rests_until = time.monotonic() + max(rest, asked or 0.0)
            node.failures += 1
            return node.failures == 1

    def works(self, node: Address) -> None:
        node.failures, node.rests_until = 0, 0.0


class Transport:
    """Calls nodes. Thread-safe: each call under way has a connection of its own."""

    def __init__(self, addresses: list[Address], credentials: Credentials):
        self.nodes = Nodes(addresses)
        self.addresses = addresses
        self._credentials = credentials
        self._lock = threading.Lock()
        self._closed = False

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
        may have taken effect only an idempotent call is repeated."""
        failure: KairosError | None = None
        for _ in range(_ATTEMPTS):
            node, rest = self.nodes.next()
            if rest > _LONGEST_WAIT and failure is not None:
                break
            time.sleep(rest)
            try:
                answer = self.once(node, method, path, body, query, timeout=timeout)
                self.nodes.works(node)
                return answer
            except ApiError as e:
                failure = e
                if e.status not in (429, 500, 502, 503, 504):
                    self.nodes.works(node)
                    raise
                if not e.nothing_done and not (idempotent and e.status != 429):
                    raise
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
    ) -> dict[str, Any]:
        """One call of one node."""
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
        connection = self._take(node)
        sent = False
        try:
            until = time.monotonic() + timeout
            connection.timeout = timeout
            if connection.sock is None:
                connection.connect()
            connection.sock.settimeout(max(0.01, until - time.monotonic()))
            sent = True
            connection.request(method, path, data, headers)
            response = connection.getresponse()
            content = response.read(MOST_ANSWER_BYTES + 1)
            if len(content) > MOST_ANSWER_BYTES:
                raise http.client.HTTPException(f"the answer has more than {MOST_ANSWER_BYTES} bytes")
        except (OSError, http.client.HTTPException) as e:
            connection.close()
            reason = "no answer in time" if isinstance(e, TimeoutError) else str(e) or type(e).__name__
            raise NodesUnavailableError(f"{node}: {reason}", may_have_taken_effect=sent) from e
        except BaseException:
            connection.close()
            raise
        with self._lock:
            if self._closed or response.will_close:
                connection.close()
            else:
                node.idle.append((connection, time.monotonic()))
        return _answer(node, response, content)

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
                for connection, _ in node.idle:
                    connection.close()
                node.idle.clear()


def _answer(node: Address, response: http.client.HTTPResponse, content: bytes) -> dict[str, Any]:
    try:
        value = json.loads(content) if content else {}
    except ValueError:
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
