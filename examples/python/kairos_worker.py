"""A Kairos worker in Python, written against the protos alone.

It asks a node for tasks with NextWork, performs them on threads, keeps their leases with a heartbeat on a thread and a
connection of its own, and reports with SetResult. When three heartbeats in a row fail, when a lease has run out, or when a
handler goes on although its task is somebody else's, the process ends at once: another worker may begin the same task.

Needs python3-grpcio, python3-protobuf, and the protos as one file, which protoset.py makes.
"""

import os
import sys
import threading
import time

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

ANSWER_SECONDS = 5.0
GRACE_SECONDS = 0.5
FAILURES_THAT_STOP = 3
EXTENDED, CANCEL_REQUESTED, LOST = 1, 2, 3


class Fatal(Exception):
    """Raised by a handler: no other attempt will help. Every other exception means: try again later."""


class Snooze(Exception):
    """Raised by a handler: the task is put off by so many seconds, which is no failure."""

    def __init__(self, seconds):
        super().__init__(f"put off by {seconds} s")
        self.seconds = seconds


class Wire:
    """The calls of kairos.v1.WorkerService, on one connection."""

    def __init__(self, protoset, address, token=None):
        files = descriptor_pb2.FileDescriptorSet()
        with open(protoset, "rb") as file:
            files.ParseFromString(file.read())
        self._pool = descriptor_pool.DescriptorPool()
        for proto in files.file:
            self._pool.Add(proto)
        self._channel = grpc.insecure_channel(address)
        self._metadata = [("authorization", "Bearer " + token)] if token else []
        self._calls = {}
        service = self._pool.FindServiceByName("kairos.v1.WorkerService")
        for method in service.methods:
            self._calls[method.name] = self._channel.unary_unary(
                "/kairos.v1.WorkerService/" + method.name,
                request_serializer=lambda request: request.SerializeToString(),
                response_deserializer=self._type(method.output_type).FromString,
            )

    def _type(self, descriptor):
        if hasattr(message_factory, "GetMessageClass"):
            return message_factory.GetMessageClass(descriptor)
        return message_factory.MessageFactory(self._pool).GetPrototype(descriptor)

    def message(self, name):
        return self._type(self._pool.FindMessageTypeByName("kairos.v1." + name))()

    def call(self, method, request, timeout):
        return self._calls[method](request, timeout=timeout, metadata=self._metadata)


class Task:
    """What a handler is given."""

    def __init__(self, work, asked_at, lease):
        self.id = work.id
        self.fence = work.fence
        self.handler = work.handler
        self.attempt = work.attempt
        self.payload = work.payload
        self.traceparent = work.traceparent
        self.cancelled = threading.Event()  # the handler is to end soon
        self.extended_at = asked_at  # sending of the last claim or heartbeat that was acknowledged
        self.lease = lease

    def is_expired(self):
        return time.monotonic() - self.extended_at >= self.lease


class Worker:
    def __init__(self, protoset, address, handlers, name, concurrency=1, token=None):
        self._wire = Wire(protoset, address, token)
        self._heartbeat_wire = Wire(protoset, address, token)
        self._handlers = handlers
        self._name = name
        self._free = threading.Semaphore(concurrency)
        self._lock = threading.Lock()
        self._held = {}
        self._interval = 0.25  # until a node says it
        self._poll_seconds = 1.0
        self._stopping = threading.Event()

    def run(self):
        """Performs tasks until stop() is called, then lets those that run end."""
        threading.Thread(target=self._heartbeats, daemon=True).start()
        while not self._stopping.is_set():
            if self._free.acquire(timeout=0.2):
                if not self._next():
                    self._free.release()
        while self._held:
            time.sleep(0.05)

    def stop(self):
        self._stopping.set()

    def _next(self):
        """Begins one task; false when there was none."""
        request = self._wire.message("NextWorkRequest")
        request.worker = self._name
        request.handlers.extend(self._handlers)
        request.max_tasks = 1
        # Short against the lease, which is counted from the asking: nobody can tell how old an answer is.
        request.wait.nanos = int(self._poll_seconds * 1e9) % 1_000_000_000
        request.wait.seconds = int(self._poll_seconds)
        asked_at = time.monotonic()
        try:
            answer = self._wire.call("NextWork", request, self._poll_seconds + ANSWER_SECONDS)
        except grpc.RpcError as error:
            print("asking for work failed: %s" % error.code(), file=sys.stderr)
            self._stopping.wait(0.5)
            return False
        lease = seconds(answer.lease)
        if answer.work:
            self._interval = seconds(answer.heartbeat_interval)
            self._poll_seconds = min(1.0, lease / 4)
            task = Task(answer.work[0], asked_at, lease)
            with self._lock:
                self._held[task.id] = task
            threading.Thread(target=self._perform, args=(task,), daemon=True).start()
        return bool(answer.work)

    def _perform(self, task):
        try:
            self._report(task, self._result(task))
        finally:  # a task that is held would be kept alive for ever
            with self._lock:
                self._held.pop(task.id, None)
            self._free.release()

    def _result(self, task):
        result = self._wire.message("Result")
        result.id, result.fence = task.id, task.fence
        try:
            self._handlers[task.handler](task)
            result.success.SetInParent()
        except Fatal as failure:
            result.fatal.error = text(str(failure))
            result.fatal.error_class = type(failure.__cause__ or failure).__qualname__
        except Snooze as snooze:
            result.snoozed.delay.seconds = int(snooze.seconds)
        except BaseException as failure:  # whatever it is, sys.exit() too, the task can be tried again
            if task.cancelled.is_set():
                result.cancelled.SetInParent()
            else:
                result.retry_later.error = text(repr(failure))
                result.retry_later.error_class = type(failure).__qualname__
        return result

    def _report(self, task, result):
        request = self._wire.message("SetResultRequest")
        request.worker = self._name
        request.results.append(result)
        # Its lease is kept meanwhile; when it is lost the result would be refused.
        while task.id in self._held and not task.is_expired():
            try:
                self._wire.call("SetResult", request, ANSWER_SECONDS)
                return
            except grpc.RpcError as error:
                print("reporting a result failed: %s" % error.code(), file=sys.stderr)
                time.sleep(0.2)

    def _heartbeats(self):
        failures = 0
        next_at = time.monotonic()
        while True:
            next_at = max(next_at + self._interval, time.monotonic())
            time.sleep(max(0.0, next_at - time.monotonic()))
            with self._lock:
                held = list(self._held.values())
            if any(task.is_expired() for task in held):
                end("a lease has run out")
            if not held:
                failures = 0
            elif self._beat(held):
                failures = 0
            else:
                failures += 1
                if failures >= FAILURES_THAT_STOP:
                    end("three heartbeats in a row failed")

    def _beat(self, held):
        request = self._heartbeat_wire.message("HeartbeatRequest")
        request.worker = self._name
        for task in held:
            request.held.add(id=task.id, fence=task.fence)
        sent_at = time.monotonic()
        try:
            answer = self._heartbeat_wire.call("Heartbeat", request, self._interval * 0.8)
        except grpc.RpcError as error:
            print("a heartbeat failed: %s" % error.code(), file=sys.stderr)
            return False
        for task, said in zip(held, answer.answers):
            if said.verdict == LOST:
                self._lose(task)
            else:
                task.extended_at = sent_at
                if said.verdict == CANCEL_REQUESTED:
                    task.cancelled.set()
        return True

    def _lose(self, task):
        """Somebody else's now, unless it has just been reported."""
        with self._lock:
            if self._held.get(task.id) is not task:
                return
        task.cancelled.set()
        threading.Timer(GRACE_SECONDS, self._judge, (task,)).start()

    def _judge(self, task):
        if self._held.get(task.id) is task:
            end("a handler goes on although its task is lost")


def text(error):
    """As much of it as is kept, and of characters that can be sent: the names of files may have others."""
    return error.encode("utf-8", "replace").decode()[:2000]


def seconds(duration):
    return duration.seconds + duration.nanos / 1e9


def end_with_parent():
    """For executors: a controller that was killed cannot end them."""
    parent = os.getppid()

    def watch():
        while os.getppid() == parent:
            time.sleep(0.5)
        end("its controller has ended")

    threading.Thread(target=watch, daemon=True).start()


def end(why):
    """Now, whatever the other threads do."""
    print("worker ends: " + why, file=sys.stderr, flush=True)
    os._exit(70)
