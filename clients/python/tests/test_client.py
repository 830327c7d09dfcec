"""The Python client on real nodes.

KAIROS_ADDRESS names a node; TLS_ADDRESS one that wants a certificate and a token, TLS_FOLDER their files.
"""

import http.server
import json
import os
import queue
import subprocess
import sys
import threading
import time
import unittest
import uuid
import warnings
from base64 import b64decode, b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch

from kairos_client import (
    After,
    CancelOutcome,
    CancelReason,
    ConflictError,
    ExhaustedError,
    FatalFailure,
    Idempotency,
    IdempotencyKeyTakenError,
    InvalidRequestError,
    KairosClient,
    NodesUnavailableError,
    NotFoundError,
    OnConflict,
    OnFailure,
    Period,
    RetryLater,
    RetryPolicy,
    Snooze,
    StillRunningError,
    TaskContext,
    TaskFailedError,
    TaskRequest,
    TaskResult,
    TaskState,
    TokenError,
    TopicTarget,
    UnauthenticatedError,
    UnavailableError,
    Window,
    Worker,
)

LATER = timedelta(hours=1)


@dataclass
class Order:
    number: int
    name: str


class Speechless(FatalFailure):
    def __str__(self) -> str:
        raise RuntimeError("no text")


class ClientTest(unittest.TestCase):
    def setUp(self) -> None:
        self.handler = "py-" + uuid.uuid4().hex[:8]
        self.kairos = KairosClient()
        self.addCleanup(self.kairos.close)

    def work(self, **handlers) -> Worker:
        worker = Worker(concurrency=4, drain=1)
        for name, function in handlers.items():
            worker.handler(f"{self.handler}.{name}", function)
        worker.start()
        self.addCleanup(worker.close)
        return worker

    def to(self, behaviour: str, **options) -> TaskRequest:
        return TaskRequest(f"{self.handler}.{behaviour}", **options)

    def test_every_option_of_a_task_arrives(self) -> None:
        batch = self.kairos.create_batch(f"{self.handler}.x", "all")
        first = self.kairos.schedule(self.to("x", delay=LATER))
        due = datetime.now(UTC) + LATER
        one = self.kairos.schedule(
            self.to(
                "x",
                json={"größe": [1, 2.5, None]},
                run_at=due,
                priority=70,
                collection="spring",
                fairness_key="acme",
                fairness_weight=3,
                limits=["api:stripe", "tenant:acme"],
                retry_policy=RetryPolicy(3, timedelta(seconds=1.5), 2, 60),
                execution_timeout=30,
                start_deadline=due + LATER,
                idempotency=Idempotency("k", window=Window.FOREVER),
                after=[After(first.id, on_failure=OnFailure.CONTINUE)],
                batch=batch.id,
                traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            )
        )
        task = self.kairos.get(one.id)
        self.assertEqual(task.payload, '{"größe":[1,2.5,null]}'.encode())
        self.assertEqual(
            (task.priority, task.state, task.collection, task.fairness_key, task.batch),
            (70, TaskState.AWAITING, "spring", "acme", batch.id),
        )
        self.assertEqual(task.run_at, due)
        self.assertEqual(task.fields["retryPolicy"]["initialBackoff"], "1.500s")
        self.assertEqual(task.fields["fairnessWeight"], 3)
        self.assertEqual(task.fields["limits"], ["api:stripe", "tenant:acme"])
        self.assertNotIn("größe", repr(task))
        self.assertNotIn("secret", repr(self.to("x", text="secret")))

    def test_a_task_is_scheduled_once(self) -> None:
        request = self.to("x", delay=LATER, idempotency=Idempotency("once", duration=LATER))
        first, again = self.kairos.schedule(request), self.kairos.schedule(request)
        self.assertEqual((again.id, first.duplicate, again.duplicate), (first.id, False, True))
        with self.assertRaises(IdempotencyKeyTakenError) as taken:
            self.kairos.schedule(
                self.to("x", idempotency=Idempotency("once", duration=LATER, on_conflict=OnConflict.ERROR))
            )
        self.assertEqual(taken.exception.task, first.id)

    def test_many_are_scheduled_together_and_wait_for_each_other(self) -> None:
        seen = []

        def last(task: TaskContext) -> TaskResult:
            seen.extend(
                (one.handler, one.state, one.result and one.result.json(lambda fields: Order(**fields)))
                for one in task.predecessors
            )
            return TaskResult(b"end", "text/x")

        self.work(first=lambda task: Order(7, "a"), last=last)
        _, end = self.kairos.schedule_all([self.to("first"), self.to("last", after=[After(index=0)])])
        result = self.kairos.result(end.id, 30)
        self.assertEqual((result.value, result.content_type), (b"end", "text/x"))
        self.assertEqual(seen, [(f"{self.handler}.first", TaskState.SUCCEEDED, Order(7, "a"))])

    def test_what_a_handler_does_is_what_the_caller_gets(self) -> None:
        async def waits(task: TaskContext) -> str:
            return "async " + task.text()

        def order(task: TaskContext) -> dict[str, int]:
            return {"next": task.json(lambda fields: Order(**fields)).number + 1}

        def later(task: TaskContext) -> None:
            if task.attempt == 1:
                raise RetryLater("not yet", delay=0)

        def chain(task: TaskContext) -> None:
            try:
                raise OSError("disk")
            except OSError as e:
                raise FatalFailure("no room") from e

        self.work(waits=waits, order=order, later=later, chain=chain, set=lambda task: {1, 2})
        self.assertEqual(self.kairos.result(self.kairos.schedule(self.to("waits", text="x")).id, 30).text(), "async x")
        number = self.kairos.schedule(self.to("order", json={"number": 1, "name": "a"}))
        self.assertEqual(self.kairos.result(number.id, 30).json(), {"next": 2})
        for payload in (b"{no", b"\xff", b'{"number": 1}'):
            bad = self.kairos.await_task(self.kairos.schedule(self.to("order", payload=payload)).id, 30)
            self.assertEqual((bad.state, bad.attempt), (TaskState.FAILED, 1))
            self.assertIn("the payload is not", bad.failures[0].error)
        late = self.kairos.await_task(self.kairos.schedule(self.to("later")).id, 30)
        self.assertEqual((late.state, late.attempt, late.failures[0].error), (TaskState.SUCCEEDED, 2, "not yet"))
        with self.assertRaises(TaskFailedError) as failed:
            self.kairos.result(self.kairos.schedule(self.to("chain")).id, 30)
        last = failed.exception.task.failures[0]
        self.assertEqual((last.error, last.error_class), ("no room", "OSError"))
        self.assertIn("disk", last.stack)
        no_json = self.kairos.await_task(self.kairos.schedule(self.to("set")).id, 30)
        self.assertEqual((no_json.state, no_json.failures[0].error_class), (TaskState.FAILED, "result not JSON"))

    def test_a_handler_that_raises_nonsense_is_reported_and_the_worker_goes_on(self) -> None:
        def raising(error: BaseException) -> Callable[[TaskContext], None]:
            def perform(task: TaskContext) -> None:
                raise error

            return perform

        self.work(
            later=raising(RetryLater("x", delay="5s")),  # type: ignore[arg-type]
            snooze=raising(Snooze(float("nan"))),
            speechless=raising(Speechless("x")),
            exit=raising(SystemExit(1)),
        )
        for behaviour, state, text in (
            ("later", TaskState.DEAD, "RetryLater.*delay: must be seconds"),
            ("snooze", TaskState.DEAD, "Snooze.*delay: must be seconds"),
            ("speechless", TaskState.FAILED, "Speechless.*RuntimeError"),
            ("exit", TaskState.DEAD, "SystemExit"),
        ):
            ended = self.kairos.await_task(self.kairos.schedule(self.to(behaviour, retry_policy=RetryPolicy(1))).id, 30)
            self.assertEqual(ended.state, state)
            self.assertRegex(ended.failures[0].error, text)

    def test_an_async_handler_is_cancelled_and_a_timeout_ends_an_attempt(self) -> None:
        begun = threading.Event()

        async def waits(task: TaskContext) -> None:
            import asyncio

            begun.set()
            await asyncio.sleep(60)

        self.work(waits=waits)
        task = self.kairos.schedule(self.to("waits"))
        self.assertTrue(begun.wait(30))
        self.assertEqual(self.kairos.cancel(task.id), CancelOutcome.REQUESTED)
        self.assertEqual(self.kairos.await_task(task.id, 30).state, TaskState.CANCELLED)
        late = self.kairos.schedule(self.to("waits", execution_timeout=1, retry_policy=RetryPolicy(1)))
        ended = self.kairos.await_task(late.id, 30)
        self.assertEqual((ended.state, ended.failures[0].error), (TaskState.DEAD, "execution timeout"))

    def test_tasks_are_cancelled_moved_listed_and_awaited(self) -> None:
        ids = [one.id for one in self.kairos.schedule_all([self.to("x", delay=LATER, key="k") for _ in range(5)])]
        self.assertEqual(self.kairos.cancel(ids[0]), CancelOutcome.CANCELLED)
        self.assertEqual(self.kairos.cancel(ids[0]), CancelOutcome.TOO_LATE)
        moved = self.kairos.reschedule(ids[1], run_at=datetime(2100, 1, 1, tzinfo=UTC))
        self.assertEqual(moved.run_at, datetime(2100, 1, 1, tzinfo=UTC))
        listed = list(
            self.kairos.list(handler=f"{self.handler}.x", states=[TaskState.NEW, TaskState.BLOCKED], page_size=2)
        )
        self.assertEqual({one.id for one in listed}, set(ids[1:]))
        with self.assertRaises(StillRunningError):
            self.kairos.await_task(ids[2], 0.2)
        with self.assertRaises(ConflictError):
            self.kairos.reschedule(ids[0], delay=1)

    def test_a_batch_counts_its_tasks(self) -> None:
        batch = self.kairos.create_batch(f"{self.handler}.x")
        self.kairos.schedule_all([self.to("x", delay=LATER, batch=batch.id) for _ in range(3)])
        self.assertEqual(self.kairos.close_batch(batch.id).total, 3)
        self.assertEqual(self.kairos.cancel_batch(batch.id), 3)
        self.assertEqual(self.kairos.get_batch(batch.id).cancelled, 3)
        self.assertEqual([one.id for one in self.kairos.list_batches(f"{self.handler}.x")], [batch.id])

    def test_errors_name_what_was_wrong(self) -> None:
        with self.assertRaises(InvalidRequestError) as invalid:
            self.kairos.schedule(self.to("x", priority=101))
        self.assertEqual(invalid.exception.field, "priority")
        with self.assertRaises(NotFoundError):
            self.kairos.get("019b76da-a800-7000-8000-000000000004")
        for wrong, named in (
            (lambda: TaskRequest(), "handler"),
            (lambda: TaskRequest("x", text="a", payload=b"b"), "payload"),
            (lambda: TaskRequest("x", payload="text"), "payload"),
            (lambda: TaskRequest("x", json=object()).to_json(), "json"),
            (lambda: TaskRequest("x", run_at=datetime(2100, 1, 1)).to_json(), "run_at"),
            (lambda: TaskRequest("x", delay="5s").to_json(), "delay"),
            (lambda: KairosClient("node1"), "address"),
            (lambda: KairosClient("ftp://node1:1"), "address"),
            (lambda: KairosClient(ca_file="/none"), "ca_file"),
            (lambda: KairosClient(certificate_file=__file__), "key_file"),
            (lambda: Worker(concurrency=0), "concurrency"),
            (lambda: TaskRequest("x", delay=float("nan")).to_json(), "delay"),
            (lambda: TaskResult("text"), "value"),  # type: ignore[arg-type]
        ):
            with self.assertRaisesRegex((ValueError, TypeError), named):
                wrong()
        with self.assertRaisesRegex(RuntimeError, "handler"):
            Worker().start()
        worker = Worker()
        worker.handler("no such name!", lambda task: None)
        worker.start()
        with self.assertRaisesRegex(InvalidRequestError, "handlers"):
            worker.join(30)

    def test_a_node_that_is_away_is_said_to_be(self) -> None:
        with KairosClient("127.0.0.1:1") as nobody, self.assertRaises(NodesUnavailableError) as away:
            nobody.schedule(self.to("x"))
        self.assertFalse(away.exception.may_have_taken_effect)
        with KairosClient("127.0.0.1:1", os.environ["KAIROS_ADDRESS"]) as some:
            some.schedule(self.to("x", delay=LATER))

    def test_certificates_and_a_token_in_a_file(self) -> None:
        def file(name: str) -> str:
            return os.path.join(os.environ["TLS_FOLDER"], name)

        address = "https://" + os.environ["TLS_ADDRESS"]
        given = {"ca_file": file("node.crt"), "certificate_file": file("client.crt"), "key_file": file("client.key")}
        with KairosClient(address, token="wrong", **given) as stranger, self.assertRaises(UnauthenticatedError):
            stranger.schedule(self.to("x"))
        with (
            KairosClient(address, token_file=file("token")) as distrusting,
            self.assertRaisesRegex(NodesUnavailableError, "certificate"),
        ):
            distrusting.schedule(self.to("x"))
        worker = Worker(address, token_file=file("token"), **given)
        worker.handler(f"{self.handler}.x", lambda task: "by TLS")
        with worker, KairosClient(address, token_file=file("token"), **given) as kairos:
            self.assertEqual(kairos.result(kairos.schedule(self.to("x")).id, 30).text(), "by TLS")


Answer = Callable[[str, dict[str, Any]], tuple[int, dict[str, str], Any]]


class Node:
    """A double of a node: answers each call as the test says, by status, headers and body."""

    def __init__(self, test: unittest.TestCase, answer: Answer):
        #: Paths of calls, and the ports from which they came.
        self.calls: queue.Queue[str] = queue.Queue()
        self.ports: list[int] = []
        #: Ends each connection after an answer, without a word.
        self.hangs_up = False
        node = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.do_POST()

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                node.calls.put(self.path)
                node.ports.append(self.client_address[1])
                status, headers, value = answer(self.path, body)
                content = value if isinstance(value, bytes) else json.dumps(value).encode()
                self.send_response(status)
                for name, each in ({"Content-Length": str(len(content))} | headers).items():
                    self.send_header(name, each)
                self.end_headers()
                for i in range(0, len(content), 10):
                    self.wfile.write(content[i : i + 10])
                    time.sleep(0.02 if "X-Slow" in headers else 0)
                self.close_connection = node.hangs_up

            def log_message(self, *_: object) -> None:
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        # A process that was ended closes its connections.
        server.handle_error = lambda *_: None  # type: ignore[method-assign]
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        test.addCleanup(server.server_close)
        test.addCleanup(server.shutdown)
        self.address = f"127.0.0.1:{server.server_port}"


TASK = {"id": "1", "fence": "7", "handler": "x", "attempt": 1}
TERMS = {"lease": "2s", "heartbeatInterval": "0.400s"}


class CallTest(unittest.TestCase):
    """What the client does when nodes refuse, hang up and are slow."""

    def client(self, node: Node, **options: Any) -> KairosClient:
        client = KairosClient(node.address, **options)
        self.addCleanup(client.close)
        return client

    def test_a_long_wait_is_told_at_once(self) -> None:
        away = {"reason": "NOTHING_DONE", "detail": "as the test wants it"}
        status = 503
        node = Node(self, lambda *_: (status, {"Retry-After": "60"} if status != 200 else {}, away))
        client = self.client(node)
        begun = time.monotonic()
        with self.assertRaises(UnavailableError) as refused:
            client.call("GET", "/x")
        self.assertEqual(refused.exception.retry_after, 60)
        with self.assertRaisesRegex(NodesUnavailableError, "not to be called for 60 more") as rests:
            client.call("GET", "/x")
        self.assertGreater(rests.exception.retry_after or 0, 50)
        other = self.client(node)
        status = 429
        with self.assertRaises(ExhaustedError):
            other.call("GET", "/x")
        status = 200
        other.call("GET", "/x")  # only the call that was refused waits
        self.assertLess(time.monotonic() - begun, 10)
        self.assertEqual(node.calls.qsize(), 3)

    def test_a_schedule_call_whose_answer_was_lost_is_repeated_when_that_is_safe(self) -> None:
        for request, repeated in (
            (TaskRequest("x"), False),
            (TaskRequest("x", idempotency=Idempotency("k")), False),
            (TaskRequest("x", idempotency=Idempotency("k", period=Period())), False),
            (TaskRequest(topic=TopicTarget("x"), idempotency=Idempotency("k")), False),
            (TaskRequest("x", idempotency=Idempotency("k", duration=60, on_conflict=OnConflict.REPLACE)), False),
            (TaskRequest("x", idempotency=Idempotency.of_call()), True),
            (TaskRequest("x", idempotency=Idempotency("k", window=Window.FOREVER)), True),
        ):
            statuses = [200, 503]
            node = Node(self, lambda *_: (statuses.pop(), {}, {"id": "1"}))
            if repeated:
                self.assertEqual(self.client(node).schedule(request).id, "1")
            else:
                with self.assertRaises(UnavailableError):
                    self.client(node).schedule(request)

    def test_a_connection_that_was_closed_while_idle_is_replaced(self) -> None:
        node = Node(self, lambda *_: (200, {}, {}))
        node.hangs_up = True
        client = self.client(node)
        for _ in range(3):
            client.call("GET", "/x")
        self.assertEqual(client._wire.addresses[0].failures, 0)
        self.assertEqual(len(set(node.ports)), 3)

    def test_an_answer_has_one_deadline_however_slowly_it_comes(self) -> None:
        node = Node(self, lambda *_: (200, {"X-Slow": "yes"}, {"text": "x" * 10_000}))
        begun = time.monotonic()
        with self.assertRaisesRegex(NodesUnavailableError, "no answer in time"):
            wire = self.client(node)._wire
            wire.once(wire.addresses[0], "GET", "/x", timeout=0.2)
        self.assertLess(time.monotonic() - begun, 1.5)

    @unittest.skipUnless(hasattr(os, "fork"), "processes are forked")
    def test_a_process_that_was_forked_has_connections_of_its_own(self) -> None:
        node = Node(self, lambda *_: (200, {}, {}))
        client = self.client(node)
        worker = Worker(node.address)
        client.call("GET", "/x")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads; the child calls and ends
            child = os.fork()
        if child == 0:
            try:
                client.call("GET", "/x")
            finally:
                os._exit(0)
        os.waitpid(child, 0)
        client.call("GET", "/x")
        worker.close()
        parent, forked, again = node.ports[:3]
        self.assertEqual((parent == again, parent == forked), (True, False))

    def test_a_token_that_no_header_can_have_is_refused_and_never_shown(self) -> None:
        node = Node(self, lambda *_: (200, {}, {}))
        for wrong in ("secret-token\nX-Other: 1", "secret-token\0", "secret-token-\u20ac"):
            for given in (wrong, lambda: wrong):
                with self.assertRaisesRegex(TokenError, "token") as refused:
                    self.client(node, token=given).call("GET", "/x")
                self.assertNotIn("secret-token", str(refused.exception))
        self.client(node, token=" secret-token\r\n").call("GET", "/x")
        self.assertEqual(node.calls.qsize(), 1)


class LeaseTest(unittest.TestCase):
    """A worker at a double of a node."""

    def test_a_task_that_came_too_late_is_not_begun(self) -> None:
        worker = Worker("127.0.0.1:1")
        begun = threading.Event()
        worker.handler("x", lambda task: begun.set())
        for age, reported in ((1.5, [{"notBegun": {}}]), (2.5, [])):
            worker._outbox.clear()
            worker._claim(worker._attempt(TASK, time.monotonic() - age, 2.0, 0.4))
            self.assertEqual([result for _, result in worker._outbox], reported)
            self.assertEqual(worker._places, 1)
        self.assertFalse(begun.is_set())
        worker._claim(worker._attempt(TASK, time.monotonic(), 60.0, 10.0))
        self.assertTrue(begun.wait(30))

    def test_a_worker_goes_on_after_answers_that_make_no_sense(self) -> None:
        work = [TASK | {"id": str(i)} for i in range(2)]
        results = queue.Queue()  # type: ignore[var-annotated]
        nonsense = [{"answers": 7}]

        def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
            if path == "/v1/work:next":
                return 200, {}, TERMS | {"work": [work.pop()] if work else []}
            if path == "/v1/work:result":
                results.put([one["id"] for one in body["results"]])
                return 200, {}, nonsense.pop() if nonsense else {"answers": [{"accepted": True}]}
            return 200, {}, {"answers": 7}

        worker = Worker(Node(self, answer).address)
        worker.handler("x", lambda task: None)
        lost = queue.Queue()  # type: ignore[var-annotated]

        def waits(task: TaskContext) -> None:
            try:
                task.sleep(30)
            finally:
                lost.put(task.cancel_reason)

        worker.handler("waits", waits)
        with self.assertLogs("kairos_client", "ERROR"), worker:
            self.assertEqual([results.get(timeout=30), results.get(timeout=30)], [["1"], ["0"]])
            # A heartbeat with such an answer is one that failed: three of them end the attempt.
            work.append(TASK | {"id": "2", "handler": "waits"})
            self.assertEqual(lost.get(timeout=30), CancelReason.LEASE_LOST)

    def test_a_worker_goes_on_after_work_that_makes_no_sense(self) -> None:
        nonsense: list[Any] = [
            {"lease": 5},
            TERMS | {"work": None},
            TERMS | {"work": "abc"},
            TERMS | {"work": [{"fence": "1"}]},
            TERMS | {"work": [TASK | {"fence": "x"}]},
            TERMS | {"work": [TASK | {"id": []}]},
            b"[" * 100_000,
        ]
        work = [TASK]

        def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
            if path == "/v1/work:next":
                return 200, {}, nonsense.pop() if nonsense else TERMS | {"work": [work.pop()] if work else []}
            return 200, {}, {}

        begun = threading.Event()
        worker = Worker(Node(self, answer).address)
        worker.handler("x", lambda task: begun.set())
        with worker:
            self.assertTrue(begun.wait(30))

    def test_work_that_makes_no_sense_does_not_hold_up_the_others(self) -> None:
        worker = Worker("127.0.0.1:1")
        attempts = worker._attempts([{"id": "1"}, 7, TASK], time.monotonic(), 60.0, 10.0)
        self.assertEqual([one.context.id for one in attempts], [TASK["id"]])

    def test_a_thread_that_cannot_be_started_gives_its_task_back(self) -> None:
        worker = Worker("127.0.0.1:1")
        worker.handler("x", lambda task: None)
        with patch.object(threading.Thread, "start", side_effect=RuntimeError("can't start new thread")):
            worker._claim(worker._attempt(TASK, time.monotonic(), 60.0, 10.0))
        self.assertEqual([result for _, result in worker._outbox], [{"notBegun": {}}])
        self.assertEqual(worker._room(), 1)

    def test_a_function_with_yield_is_no_handler(self) -> None:
        def handler(task: TaskContext) -> Any:
            yield 1

        with self.assertRaisesRegex(TypeError, "yield"):
            Worker("127.0.0.1:1").handler("x", handler)

    def test_an_async_function_may_be_wrapped(self) -> None:
        async def told(task: TaskContext) -> str:
            return "told"

        class Called:
            async def __call__(self, task: TaskContext) -> str:
                return "called"

        worker = Worker("127.0.0.1:1")
        for handler, result in ((lambda task: told(task), "told"), (Called(), "called")):
            worker._handlers["x"] = handler
            outcome = worker._outcome(worker._attempt(TASK, time.monotonic(), 60.0, 10.0))
            self.assertEqual(b64decode(outcome["success"]["result"]["value"]).decode(), result)

    def test_a_payload_of_another_shape_fails_for_good(self) -> None:
        worker = Worker("127.0.0.1:1")

        class OfALibrary(Exception):
            pass

        def refuse(value: Any) -> Any:
            raise OfALibrary()

        for decode in (lambda value: value[0].name, refuse):
            worker._handlers["x"] = lambda task, decode=decode: task.json(decode)
            for payload in (b"[" * 100_000, b"[]", b"[1]", b"{}", b"1"):
                work = TASK | {"payload": b64encode(payload).decode()}
                outcome = worker._outcome(worker._attempt(work, time.monotonic(), 60.0, 10.0))
                self.assertIn("the payload is not", outcome["fatal"]["error"])


STUBBORN = """
import sys, time
from kairos_client import Worker
worker = Worker(sys.argv[1], on_lost_lease=sys.argv[2])
worker.handler("x", lambda task: time.sleep(2))
worker.run()
"""


class LostLeaseTest(unittest.TestCase):
    """A handler that goes on although its lease is lost, at a double of a node that says so."""

    def setUp(self) -> None:
        work = [TASK]

        def answer(path: str, body: dict[str, Any]) -> tuple[int, dict[str, str], Any]:
            if path == "/v1/work:next":
                return 200, {}, TERMS | {"work": [work.pop()] if work else []}
            return 200, {}, {"answers": [{"verdict": "LOST", "accepted": False}]}

        node = Node(self, answer)
        self.calls, self.address = node.calls, node.address

    def start(self, on_lost_lease: str) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", STUBBORN, self.address, on_lost_lease]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_ends_the_process_on_request(self) -> None:
        self.assertEqual(self.start("exit").wait(30), 70)
        self.assertNotIn("/v1/work:result", list(self.calls.queue))

    def test_keeps_its_place_and_its_result_is_not_sent(self) -> None:
        self.start("abandon")
        self.assertEqual(self.calls.get(timeout=30), "/v1/work:next")
        self.assertEqual(self.calls.get(timeout=30), "/v1/work:heartbeat")
        begun = time.monotonic()
        self.assertEqual(self.calls.get(timeout=30), "/v1/work:next")
        self.assertGreater(time.monotonic() - begun, 1)


if __name__ == "__main__":
    unittest.main()
