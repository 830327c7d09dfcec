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
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from kairos_client import (
    After,
    CancelOutcome,
    ConflictError,
    FatalFailure,
    Idempotency,
    IdempotencyKeyTakenError,
    InvalidRequestError,
    KairosClient,
    NodesUnavailableError,
    NotFoundError,
    OnConflict,
    OnFailure,
    RetryLater,
    RetryPolicy,
    StillRunningError,
    TaskContext,
    TaskFailedError,
    TaskRequest,
    TaskResult,
    TaskState,
    UnauthenticatedError,
    Window,
    Worker,
)

LATER = timedelta(hours=1)


@dataclass
class Order:
    number: int
    name: str


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


STUBBORN = """
import sys, time
from kairos_client import Worker
worker = Worker(sys.argv[1], on_lost_lease=sys.argv[2])
worker.handler("x", lambda task: time.sleep(3))
worker.run()
"""


class LostLeaseTest(unittest.TestCase):
    """A handler that goes on although its lease is lost, at a double of a node that says so."""

    def setUp(self) -> None:
        self.calls: queue.Queue[str] = queue.Queue()
        self.work = [{"id": "1", "fence": "7", "handler": "x", "attempt": 1}]
        test = self

        class Node(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.rfile.read(int(self.headers["Content-Length"]))
                test.calls.put(self.path)
                terms = {"lease": "2s", "heartbeatInterval": "0.400s"}
                if self.path == "/v1/work:next":
                    answer = terms | {"work": [test.work.pop()] if test.work else []}
                else:
                    answer = {"answers": [{"verdict": "LOST", "accepted": False}]}
                body = json.dumps(answer).encode()
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        node = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Node)
        node.handle_error = lambda *_: None  # a process that was ended closes its connections
        threading.Thread(target=node.serve_forever, daemon=True).start()
        self.addCleanup(node.server_close)
        self.addCleanup(node.shutdown)
        self.address = f"127.0.0.1:{node.server_port}"

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
        self.assertGreater(time.monotonic() - begun, 1.5)


if __name__ == "__main__":
    unittest.main()
