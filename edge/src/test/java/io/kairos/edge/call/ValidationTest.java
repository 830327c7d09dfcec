package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import com.google.rpc.BadRequest;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.kairos.api.v1.BatchScheduleTasksRequest;
import io.kairos.api.v1.BatchServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.LimitServiceGrpc;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What is refused names the field and the rule, the same on both doors, and leaves nothing behind.
 */
class ValidationTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static MethodDescriptor<?, ?> method(String name) {
    return Stream.of(
            TaskServiceGrpc.getServiceDescriptor(),
            BatchServiceGrpc.getServiceDescriptor(),
            WorkerServiceGrpc.getServiceDescriptor(),
            HandlerServiceGrpc.getServiceDescriptor(),
            LimitServiceGrpc.getServiceDescriptor(),
            PoolServiceGrpc.getServiceDescriptor())
        .flatMap(service -> service.getMethods().stream())
        .filter(method -> name.equals(method.getBareMethodName()))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          ScheduleTask | /v1/tasks | {} | handler | must have 1 to 128 of letters
          ScheduleTask | /v1/tasks | {"handler": "a b"} | handler | must have 1 to 128 of letters
          ScheduleTask | /v1/tasks | {"handler": "h", "priority": 101} | priority | must be 0 to 100, higher is sooner
          ScheduleTask | /v1/tasks | {"handler": "h", "priority": -1} | priority | must be 0 to 100, higher is sooner
          ScheduleTask | /v1/tasks | {"handler": "h", "runAt": "2030-01-01T00:00:00Z", "delay": "1s"} | run_at | must not be given together with delay
          ScheduleTask | /v1/tasks | {"handler": "h", "delay": "-0.5s"} | delay | must not be negative
          ScheduleTask | /v1/tasks | {"handler": "h", "delay": "315576000000s"} | delay | must end before the year 10000
          ScheduleTask | /v1/tasks | {"handler": "h", "executionTimeout": "0s"} | execution_timeout | must be at least 1 ms
          ScheduleTask | /v1/tasks | {"handler": "h", "executionTimeout": "-1s"} | execution_timeout | must not be negative
          ScheduleTask | /v1/tasks | {"handler": "h", "executionTimeout": "31536001s"} | execution_timeout | must be at most 365 days
          ScheduleTask | /v1/tasks | {"handler": "h", "limits": ["a", "b", "c", "d"]} | limits | must be at most 3 names
          ScheduleTask | /v1/tasks | {"handler": "h", "limits": ["a", "b c"]} | limits[1] | must have 1 to 128 of letters
          ScheduleTask | /v1/tasks | {"handler": "h", "traceparent": "00-1-2-3"} | traceparent | must be a W3C trace context
          ScheduleTask | /v1/tasks | {"handler": "h", "retryPolicy": {"maxAttempts": -1}} | retry_policy | max_attempts must be 1 to 1,000,000
          ScheduleTask | /v1/tasks | {"handler": "h", "retryPolicy": {"factor": 0.5}} | retry_policy | factor must be 1 to 100
          ScheduleTask | /v1/tasks | {"handler": "h", "retryPolicy": {"factor": "NaN"}} | retry_policy | factor must be 1 to 100
          ScheduleTask | /v1/tasks | {"handler": "h", "retryPolicy": {"initialBackoff": "-1s"}} | retry_policy.initial_backoff | must not be negative
          ScheduleTask | /v1/tasks | {"handler": "h", "retryPolicy": {"initialBackoff": "9s", "maxBackoff": "1s"}} | retry_policy | max_backoff must be between
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "handler": "h"} | handler | must not be given together with topic
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "priority": 0} | priority | must not be given together with topic
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "executionTimeout": "1s"} | execution_timeout | must not be given together with topic
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "idempotency": {"key": "k"}} | run_at | must be given, together with topic and an idempotency key
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "runAt": "2030-01-01T00:00:00Z", "idempotency": {"key": "k", "window": "FOREVER"}} | idempotency | must be a key and nothing else
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "runAt": "2030-01-01T00:00:00Z", "idempotency": {}} | idempotency.key | must have 1 to 256 characters
          ScheduleTask | /v1/tasks | {"topic": {}} | topic.name | must be a Kafka topic
          ScheduleTask | /v1/tasks | {"topic": {"name": "task:h"}} | topic.name | must be a Kafka topic
          ScheduleTask | /v1/tasks | {"topic": {"name": "secrets"}} | topic.name | must name an output topic of one route
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders", "headers": [{}]}} | topic.headers[0].name | must have 1 to 256 characters
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders", "headers": [{"name": "a"}, {"name": "Kairos-id"}]}} | topic.headers[1].name | must not begin with kairos-
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "runAt": "2030-01-01T00:00:00Z", "delay": "1s"} | run_at | must not be given together with delay
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"topic": {"name": "orders"}}, {"topic": {"name": "orders"}, "priority": 7}]} | tasks[1].priority | must not be given together with topic
          ScheduleTask | /v1/tasks | {"handler": "h", "key": "a\\u0007"} | key | must have 1 to 256 characters
          ScheduleTask | /v1/tasks | {"handler": "h", "collection": "a b"} | collection | must have 1 to 128 of letters
          ScheduleTask | /v1/tasks | {"handler": "h", "startDeadline": "2029-12-31T23:59:59Z"} | start_deadline | must not be before the due time
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "kairos-task-source-1"}} | idempotency.key | must not begin with kairos-
          ScheduleTask | /v1/tasks | {"handler": "h", "runAt": "2029-12-31T23:59:49Z", "rejectBeyond": "10s"} | run_at | must not lie further in the past than reject_beyond
          ScheduleTask | /v1/tasks | {"handler": "h", "startDeadline": "2030-01-01T00:00:09Z", "rejectBeyond": "10s"} | reject_beyond | must not be given together with start_deadline
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {}} | idempotency.key | must have 1 to 256 characters
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "duration": "0s"}} | idempotency.duration | must be more than nothing
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "duration": "-1s"}} | idempotency.duration | must not be negative
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "duration": "315360001s"}} | idempotency.duration | must be at most 3650 days
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "duration": "1s", "window": "FOREVER"}} | idempotency.duration | must not be given together with window
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "duration": "1s", "period": {}}} | idempotency.period | must not be given together with window or duration
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "period": {"timeZone": "Europe/Berlim"}}} | idempotency.period.time_zone | is no zone of the IANA database; did you mean Europe/Berlin?
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "maxWait": "60s"}} | idempotency.max_wait | must be given only with on_conflict REPLACE
          ScheduleTask | /v1/tasks | {"handler": "h", "delay": "61s", "idempotency": {"key": "k", "maxWait": "60s", "onConflict": "REPLACE"}} | idempotency.max_wait | must be at least as long as the task is to wait
          ScheduleTask | /v1/tasks | {"handler": "h", "idempotency": {"key": "k", "maxWait": "0s", "onConflict": "REPLACE"}} | idempotency.max_wait | must be more than nothing
          ScheduleTask | /v1/tasks | {"handler": "h", "key": "a", "idempotency": {"key": "k", "onConflict": "REPLACE"}} | idempotency.on_conflict | must not be REPLACE for a task with an ordering key
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"handler": "h", "idempotency": {"key": "k"}}, {"handler": "h", "idempotency": {"key": "k"}}]} | tasks[1].idempotency.key | must not be that of another task of the batch
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{}]} | after[0].id | either it, index or batch must be given
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{"id": "00000000-0001-7000-8000-000000000000", "index": 0}]} | after[0].id | either it, index or batch must be given
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{"batch": "7"}]} | after[0].batch | must be a batch's id, a UUID of 36 characters
          ScheduleTask | /v1/tasks | {"handler": "h", "batch": "7"} | batch | must be a batch's id, a UUID of 36 characters
          ScheduleTask | /v1/tasks | {"handler": "h", "batch": "00000000-0001-7000-8000-000000000000", "after": [{"batch": "00000000-0001-7000-8000-000000000000"}]} | after[0].batch | must not be the batch of the task itself
          CreateBatch | /v1/batches | {} | handler | must have 1 to 128
          CreateBatch | /v1/batches | {"handler": "h", "name": "a b"} | name | must have 1 to 128
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{"id": "7"}]} | after[0].id | a UUID of 36 characters
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{"id": "00000000-0001-7000-8000-000000000000"}, {"index": 1}]} | after[1].index | is for tasks of BatchScheduleTasks
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{"index": 0}]} | after[0] | must not name the task itself
          ScheduleTask | /v1/tasks | {"handler": "h", "after": [{"id": "00000000-0001-7000-8000-000000000000"}, {"id": "00000000-0001-7000-8000-000000000000"}]} | after[1] | must not name the same task as after[0]
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "after": [{"id": "00000000-0001-7000-8000-000000000000"}]} | after | must not be given together with topic
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"handler": "h"}, {"handler": "h", "after": [{"index": 2}]}]} | tasks[1].after[0].index | must be the position of a task of the call, 0 to 1
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"handler": "h", "after": [{"index": 1}]}, {"handler": "h", "after": [{"id": "00000000-0001-7000-8000-000000000000"}, {"index": 0}]}]} | tasks[1].after[1] | must not close a cycle: tasks 0, 1 wait for each other
          GetTaskGraph | GET /v1/tasks/7/graph | {"id": "7"} | id | a UUID of 36 characters
          GetTaskGraph | GET /v1/tasks/00000000-0001-7000-8000-000000000000/graph?limit=1001 | {"id": "00000000-0001-7000-8000-000000000000", "limit": 1001} | limit | must be 1 to 1,000
          CancelTaskGraph | /v1/tasks/7:cancelGraph | {"id": "7"} | id | a UUID of 36 characters
          ListTasks | GET /v1/tasks?key=k | {"key": "k"} | key | must be given together with handler
          ListTasks | GET /v1/tasks?collection=%3F | {"collection": "?"} | collection | must have 1 to 128
          BatchScheduleTasks | /v1/tasks:batch | {} | tasks | must be 1 to 1,000
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"handler": "h"}, {"handler": "h", "priority": 200}]} | tasks[1].priority | must be 0 to 100
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"handler": "h"}, {}]} | tasks[1].handler | must have 1 to 128
          GetTask | GET /v1/tasks/7 | {"id": "7"} | id | must be a task
          GetTask | GET /v1/tasks/zzzzzzzz-0000-7000-8000-000000000000 | {"id": "zzzzzzzz-0000-7000-8000-000000000000"} | id | a UUID of 36 characters
          CancelTask | /v1/tasks/7:cancel | {"id": "7"} | id | a UUID of 36 characters
          RescheduleTask | /v1/tasks/7:reschedule | {"id": "7", "delay": "1s"} | id | a UUID of 36 characters
          RescheduleTask | /v1/tasks/00000000-0001-7000-8000-000000000000:reschedule | {"id": "00000000-0001-7000-8000-000000000000"} | run_at | either it or delay must be given
          RescheduleTask | /v1/tasks/00000000-0001-7000-8000-000000000000:reschedule | {"id": "00000000-0001-7000-8000-000000000000", "runAt": "2030-01-01T00:00:00Z", "delay": "1s"} | run_at | either it or delay
          ListTasks | GET /v1/tasks?pageSize=-1 | {"pageSize": -1} | page_size | must be 1 to 1,000
          ListTasks | GET /v1/tasks?page_size=1001 | {"pageSize": 1001} | page_size | must be 1 to 1,000
          ListTasks | GET /v1/tasks?notBefore=2030-01-01T00:00:00Z&before=2030-01-01T00:00:00Z | {"notBefore": "2030-01-01T00:00:00Z", "before": "2030-01-01T00:00:00Z"} | before | must be after not_before
          ListTasks | GET /v1/tasks?pageToken=AAAA | {"pageToken": "AAAA"} | page_token | must come from the answer
          ListTasks | GET /v1/tasks?pageToken=%3F | {"pageToken": "?"} | page_token | must come from the answer
          ListTasks | GET /v1/tasks?handler=%3F | {"handler": "?"} | handler | must have 1 to 128
          GetHandler | GET /v1/handlers/%3F | {"name": "?"} | name | must have 1 to 128
          ListHandlers | GET /v1/handlers?pageSize=1001 | {"pageSize": 1001} | page_size | must be 1 to 1,000
          ListStuckKeys | GET /v1/stuckKeys?handler=%3F | {"handler": "?"} | handler | must have 1 to 128
          ListStuckKeys | GET /v1/stuckKeys?pageSize=1001 | {"pageSize": 1001} | page_size | must be 1 to 1,000
          ListStuckKeys | GET /v1/stuckKeys?pageToken=B | {"pageToken": "B"} | page_token | must come from the former answer
          SkipHead | /v1/handlers/%3F/keys:skip | {"handler": "?", "key": "k"} | handler | must have 1 to 128
          SkipHead | /v1/handlers/h/keys:skip | {"handler": "h"} | key | must have 1 to 256
          RetryHead | /v1/handlers/%3F/keys:retry | {"handler": "?", "key": "k"} | handler | must have 1 to 128
          RetryHead | /v1/handlers/h/keys:retry | {"handler": "h", "key": "a\\u0007"} | key | must have 1 to 256
          SetLimit | PUT /v1/limits/* | {"name": "*", "maxRunning": 1} | name | must have 1 to 128
          SetLimit | PUT /v1/limits/a | {"name": "a"} | max_running | must be given, or per_second
          SetLimit | PUT /v1/limits/a | {"name": "a", "maxRunning": -1} | max_running | must not be negative
          SetLimit | PUT /v1/limits/a | {"name": "a", "perSecond": 0} | per_second | must be greater than 0
          SetLimit | PUT /v1/limits/a | {"name": "a", "maxRunning": 1, "burst": 1} | burst | needs per_second
          SetPause | PUT /v1/handlers/%3F/pause | {"handler": "?"} | handler | must have 1 to 128
          SetPause | PUT /v1/handlers/h/pauses/a%20b | {"handler": "h", "collection": "a b"} | collection | must have 1 to 128
          SetPause | PUT /v1/handlers/h/pause | {"handler": "h", "until": "2029-12-31T23:59:59Z"} | until | must be in the future
          GetPause | GET /v1/handlers/%3F/pause | {"handler": "?"} | handler | must have 1 to 128
          EndPause | DELETE /v1/handlers/%3F/pause | {"handler": "?"} | handler | must have 1 to 128
          Redrive | /v1/tasks:redrive | {} | ids | either they or filter must be given
          Redrive | /v1/tasks:redrive | {"ids": ["00000000-0001-7000-8000-000000000000"], "filter": {}} | ids | either they or filter must be given
          Redrive | /v1/tasks:redrive | {"ids": ["7"]} | ids[0] | a UUID of 36 characters
          Redrive | /v1/tasks:redrive | {"filter": {}, "limit": 10001} | limit | must be 1 to 10,000
          Redrive | /v1/tasks:redrive | {"filter": {}, "perSecond": -1} | per_second | must be 0 or from 0.001 to 1,000,000
          Redrive | /v1/tasks:redrive | {"filter": {}, "perSecond": 0.000000001} | per_second | must be 0 or from 0.001 to 1,000,000
          Redrive | /v1/tasks:redrive | {"filter": {}, "perSecond": 0.001, "start": "9999-12-31T00:00:00Z"} | start | must end before the year 10000
          Redrive | /v1/tasks:redrive | {"filter": {"states": ["SUCCEEDED"]}} | filter.states[0] | must be FAILED or DEAD
          ScheduleTask | /v1/tasks | {"handler": "pool:billing"} | handler | must not begin with pool:
          BatchScheduleTasks | /v1/tasks:batch | {"tasks": [{"handler": "h"}, {"handler": "pool:billing"}]} | tasks[1].handler | must not begin with pool:
          ScheduleTask | /v1/tasks | {"handler": "h", "pool": {"name": "billing"}} | handler | must not be given together with pool
          ScheduleTask | /v1/tasks | {"pool": {}} | pool.name | must have 1 to 100
          ScheduleTask | /v1/tasks | {"pool": {"name": "billing", "method": "TRACE"}} | pool.method | must be POST, PUT, PATCH, GET or DELETE
          ScheduleTask | /v1/tasks | {"pool": {"name": "billing", "path": "jobs"}} | pool.path | must begin with a slash
          ScheduleTask | /v1/tasks | {"pool": {"name": "billing", "path": "/a/../b"}} | pool.path | no .. segment
          ScheduleTask | /v1/tasks | {"pool": {"name": "billing", "headers": [{"name": "host", "value": "x"}]}} | pool.headers[0] | that is not reserved
          ScheduleTask | /v1/tasks | {"pool": {"name": "billing", "routingKey": "é"}} | pool.routing_key | must have 1 to 256 printable ASCII characters
          ScheduleTask | /v1/tasks | {"pool": {"name": "billing", "routingKey": "a", "headers": [{"name": "Routing-Key", "value": "b"}]}} | pool.routing_key | must not be given together with the header
          ScheduleTask | /v1/tasks | {"topic": {"name": "orders"}, "pool": {"name": "billing"}} | pool | must not be given together with topic
          CreatePool | /v1/pools | {} | pool.name | must have 1 to 100
          CreatePool | /v1/pools | {"pool": {"name": "a/b"}} | pool.name | must have 1 to 100
          CreatePool | /v1/pools | {"pool": {"name": "a"}} | pool.endpoints | one of listed, resolved and registered
          CreatePool | /v1/pools | {"pool": {"name": "a", "listed": {}}} | pool.listed.urls | must be 1 to 1,000
          CreatePool | /v1/pools | {"pool": {"name": "a", "listed": {"urls": ["ftp://127.0.0.1"]}}} | pool.listed.urls[0] | must be http:// or https://
          CreatePool | /v1/pools | {"pool": {"name": "a", "listed": {"urls": ["http://127.0.0.1:22"]}}} | pool.listed.urls[0] | port 22 is not in push.allow-ports
          CreatePool | /v1/pools | {"pool": {"name": "a", "listed": {"urls": ["http://127.0.0.1", "http://169.254.169.254"]}}} | pool.listed.urls[1] | never pushed to
          CreatePool | /v1/pools | {"pool": {"name": "a", "listed": {"urls": ["http://127.0.0.1", "http://127.0.0.1"]}}} | pool.listed.urls[1] | must not be there twice
          CreatePool | /v1/pools | {"pool": {"name": "a", "resolved": "http://127.0.0.1"}} | pool.resolved | must have a name that DNS knows
          CreatePool | /v1/pools | {"pool": {"name": "a", "registered": {}, "healthPath": "health"}} | pool.health_path | must begin with a slash
          CreatePool | /v1/pools | {"pool": {"name": "a", "registered": {}, "requestTimeout": "3601s"}} | pool.request_timeout | must be at most 3600 s
          CreatePool | /v1/pools | {"pool": {"name": "a", "registered": {}, "completionTimeout": "0.5s"}} | pool.completion_timeout | must be at least 1000 ms
          CreatePool | /v1/pools | {"pool": {"name": "a", "registered": {}, "maxInFlight": 20001}} | pool.max_in_flight | must be 1 to 20,000
          CreatePool | /v1/pools | {"pool": {"name": "a", "registered": {}, "tls": "/etc/ca.pem"}} | pool.tls | must have 1 to 64 of a-z, 0-9 and -, the first no -
          CreatePool | /v1/pools | {"pool": {"name": "a", "listed": {"urls": ["https://127.0.0.1", "http://127.0.0.1"]}, "tls": "partner"}} | pool.listed.urls[1] | must be https:// in a pool with tls
          CreatePool | /v1/pools | {"pool": {"name": "a", "registered": {}, "ejection": {"failures": -1}}} | pool.ejection | must have 1 to 1,000 failures
          ListPools | GET /v1/pools?pageSize=1001 | {"pageSize": 1001} | page_size | must be 1 to 1,000
          ListPools | GET /v1/pools?pageToken=%3F | {"pageToken": "?"} | page_token | must have 1 to 100
          GetPool | GET /v1/pools/%3F | {"name": "?"} | name | must have 1 to 100
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["pool:billing"], "maxTasks": 1} | handlers[0] | must not begin with pool:
          NextWork | /v1/work:next | {"handlers": ["h"], "maxTasks": 1} | worker | must have 1 to 128 characters
          NextWork | /v1/work:next | {"worker": "a\\u0000", "handlers": ["h"], "maxTasks": 1} | worker | no control characters
          NextWork | /v1/work:next | {"worker": "w", "maxTasks": 1} | handlers | must be 1 to 1,000
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h", ""], "maxTasks": 1} | handlers[1] | must have 1 to 128
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h"]} | max_tasks | must be 1 to 1,000
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h"], "maxTasks": 1001} | max_tasks | must be 1 to 1,000
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h"], "maxTasks": 1, "maxBytes": "67108865"} | max_bytes | must be from 1 byte to 64 MiB
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h"], "maxTasks": 1, "maxBytes": "-1"} | max_bytes | must be from 1 byte to 64 MiB
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h"], "maxTasks": 1, "wait": "60.001s"} | wait | must be at most 60 s
          NextWork | /v1/work:next | {"worker": "w", "handlers": ["h"], "maxTasks": 1, "wait": "-1s"} | wait | must not be negative
          Heartbeat | /v1/work:heartbeat | {"worker": "w"} | held | must be 1 to 1,000
          Heartbeat | /v1/work:heartbeat | {"worker": "w", "held": [{"id": "7", "fence": 1}]} | held[0].id | a UUID of 36 characters
          Heartbeat | /v1/work:heartbeat | {"worker": "w", "held": [{"id": "00000000-0001-7000-8000-000000000000"}]} | held[0].fence | must be that of the work
          SetResult | /v1/work:result | {"worker": "w"} | results | must be 1 to 1,000
          SetResult | /v1/work:result | {"results": [{}]} | worker | must have 1 to 128 characters
          SetResult | /v1/work:result | {"worker": "w", "results": [{"id": "00000000-0001-7000-8000-000000000000", "fence": 1}]} | results[0].outcome | one of success, retry_later, fatal, cancelled, not_begun and snoozed
          SetResult | /v1/work:result | {"worker": "w", "results": [{"id": "00000000-0001-7000-8000-000000000000", "fence": 1, "retryLater": {"delay": "-1s"}}]} | results[0].retry_later.delay | must not be negative
          SetResult | /v1/work:result | {"worker": "w", "results": [{"id": "00000000-0001-7000-8000-000000000000", "fence": 1, "snoozed": {"delay": "31536001s"}}]} | results[0].snoozed.delay | must be at most 365 days
          SetResult | /v1/work:result | {"worker": "w", "results": [{"id": "00000000-0001-7000-8000-000000000000", "fence": 1, "snoozed": {}}]} | results[0].snoozed.delay | must be given
          """)
  void both_doors_refuse_it(String name, String path, String json, String field, String rule)
      throws Exception {
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> EDGE.call(method(name), json, null));
    String verb = path.startsWith("/") ? "POST" : path.substring(0, path.indexOf(' '));
    String where = path.substring(path.indexOf('/'));
    HttpResponse<String> problem =
        switch (verb) {
          case "GET" -> EDGE.get(where);
          case "DELETE" -> EDGE.delete(where);
          default -> EDGE.send(EDGE.json(verb, where, body(json, where)));
        };

    assertNames(refusal, field, rule);
    assertNames(problem, field, rule);
    assertNothingHasHappened();
  }

  /** The body that a request has in REST: without the fields of the path. */
  private static String body(String json, String path) throws IOException {
    ObjectNode body = (ObjectNode) JSON.readTree(json);
    if (path.equals("/v1/pools")) {
      return body.has("pool") ? body.path("pool").toString() : "{}";
    }
    if (path.startsWith("/v1/tasks/")) {
      body.remove("id");
    }
    if (path.startsWith("/v1/limits/")) {
      body.remove("name");
    }
    if (path.startsWith("/v1/handlers/")) {
      body.remove(List.of("handler", "collection"));
    }
    return JSON.writeValueAsString(body);
  }

  private static void assertNothingHasHappened() {
    assertThat(EDGE.tasks.scheduled).isEmpty();
    assertThat(EDGE.tasks.reports).isEmpty();
    assertThat(EDGE.tasks.beaten).isEmpty();
    assertThat(EDGE.tasks.polls).isEmpty();
    assertThat(EDGE.tasks.rescheduled).isEmpty();
  }

  private static void assertNames(StatusRuntimeException refusal, String field, String rule)
      throws IOException {
    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    assertThat(refusal.getStatus().getDescription()).startsWith(field + ": ").contains(rule);
    BadRequest detail =
        requireNonNull(StatusProto.fromThrowable(refusal)).getDetails(0).unpack(BadRequest.class);
    assertThat(detail.getFieldViolations(0).getField()).isEqualTo(field);
  }

  private static void assertNames(HttpResponse<String> problem, String field, String rule)
      throws IOException {
    assertThat(problem.statusCode()).as(problem.body()).isEqualTo(400);
    assertThat(problem.headers().firstValue("content-type")).contains("application/problem+json");
    JsonNode body = JSON.readTree(problem.body());
    assertThat(body.path("type").asText()).isEqualTo("urn:problem-type:kairos:invalid-request");
    assertThat(body.path("title").asText()).isEqualTo("A field of the request breaks a rule");
    assertThat(body.path("status").asInt()).isEqualTo(400);
    assertThat(body.path("code").asText()).isEqualTo("INVALID_ARGUMENT");
    assertThat(body.path("field").asText()).isEqualTo(field);
    assertThat(body.path("detail").asText()).startsWith(field + ": ").contains(rule);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          /v1/tasks | {"handler": "h", "colour": 1} | colour | is not a field of ScheduleTaskRequest
          /v1/tasks | {"handler": "h", "retryPolicy": {"times": 1}} | retry_policy.times | is not a field of RetryPolicy
          /v1/tasks:batch | {"tasks": [{"handler": "h"}, {"handel": "h"}]} | tasks[1].handel | is not a field of ScheduleTaskRequest
          /v1/tasks | {"handler": "h", "handler": "h"} | body | must be JSON
          /v1/tasks | {"handler": "h", "runAt": null, "run_at": "2030-01-01T00:00:00Z"} | run_at | is given twice
          /v1/tasks | {"handler": 7} | handler | must be a text
          /v1/tasks | {"handler": {}} | handler | must be a text
          /v1/tasks | {"handler": "h", "priority": "high"} | priority | must be a whole number of 32 bits
          /v1/tasks | {"handler": "h", "priority": 1.5} | priority | must be a whole number of 32 bits
          /v1/tasks | {"handler": "h", "priority": 99999999999} | priority | must be a whole number of 32 bits
          /v1/tasks | {"handler": "h", "payload": "%"} | payload | must be a text in base64
          /v1/tasks | {"handler": "h", "runAt": "10000-01-01T00:00:00Z"} | run_at | must be a time from year 0001 to 9999
          /v1/tasks | {"handler": "h", "runAt": "0000-12-31T23:59:59Z"} | run_at | must be a time from year 0001 to 9999
          /v1/tasks | {"handler": "h", "runAt": "tomorrow"} | run_at | must be a time from year 0001 to 9999
          /v1/tasks | {"handler": "h", "runAt": 5} | run_at | must be a time from year 0001 to 9999
          /v1/tasks | {"handler": "h", "delay": "5m"} | delay | must be a duration in seconds
          /v1/tasks | {"handler": "h", "delay": "999999999999s"} | delay | must be a duration in seconds
          /v1/tasks | {"handler": "h", "retryPolicy": []} | retry_policy | must be an object with the fields of RetryPolicy
          /v1/tasks:batch | {"tasks": {}} | tasks | must be a list
          /v1/tasks:batch | {"tasks": [null]} | tasks[0] | must be an object with the fields of ScheduleTaskRequest
          /v1/tasks | [] | body | must be an object with the fields of ScheduleTaskRequest
          /v1/tasks | {"handler": "h"} {} | body | must end with its JSON object
          /v1/tasks | {"handler": "h" | body | must be JSON
          /v1/tasks | handler=h | body | must be JSON
          /v1/tasks?handler=h | {} | handler | must be in the body
          /v1/tasks/00000000-0001-7000-8000-000000000000:cancel | {"id": "00000000-0001-7000-8000-000000000000"} | id | is given twice
          /v1/work:result | {"worker": "w", "results": [{"id": "i", "success": {}, "fatal": {}}]} | results[0].fatal | is given together with another of its kind
          GET /v1/tasks?colour=red | - | colour | is not a field of ListTasksRequest
          GET /v1/tasks?states=ASLEEP | - | states | must be one of NEW, ENQUEUED, PROCESSING
          GET /v1/tasks?states=STATE_UNSPECIFIED | - | states | must be one of NEW, ENQUEUED, PROCESSING
          GET /v1/tasks?pageSize=many | - | page_size | must be a whole number of 32 bits
          GET /v1/tasks?pageSize=1&page_size=1 | - | page_size | is given twice
          GET /v1/tasks/00000000-0001-7000-8000-000000000000?view=all | - | view | is not a field of GetTaskRequest
          """)
  void json_that_does_not_fit_is_refused(String path, String json, String field, String rule)
      throws Exception {
    HttpResponse<String> problem =
        path.startsWith("GET ") ? EDGE.get(path.substring("GET ".length())) : EDGE.post(path, json);

    assertNames(problem, field, rule);
    assertNothingHasHappened();
  }

  /** The JSON parser takes a body that begins with zeros for UTF-32. */
  @Test
  void a_body_in_no_encoding_of_unicode_is_refused() throws Exception {
    HttpResponse<String> problem =
        EDGE.send(
            HttpRequest.newBuilder(EDGE.uri("/v1/tasks"))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofByteArray(new byte[] {0, 0, 0, '{', 0x7f, 0, 0, 0})));

    assertNames(problem, "body", "must be JSON in UTF-8");
  }

  @Test // PD-42
  void a_body_that_does_not_say_it_is_json_is_refused() throws Exception {
    HttpResponse<String> problem =
        EDGE.send(
            HttpRequest.newBuilder(EDGE.uri("/v1/tasks"))
                .header("content-type", "text/plain")
                .POST(BodyPublishers.ofString("{\"handler\": \"h\"}")));

    assertNames(problem, "content-type", "must be application/json");
  }

  @Test
  void times_that_no_calendar_has_are_refused_by_grpc_too() throws Exception {
    for (Timestamp time :
        new Timestamp[] {
          Timestamp.newBuilder().setSeconds(253_402_300_800L).build(),
          Timestamp.newBuilder().setSeconds(-62_135_596_801L).build(),
          Timestamp.newBuilder().setNanos(-1).build()
        }) {
      StatusRuntimeException refusal =
          catchThrowableOfType(
              StatusRuntimeException.class,
              () ->
                  TaskServiceGrpc.newBlockingStub(EDGE.channel)
                      .scheduleTask(
                          ScheduleTaskRequest.newBuilder().setHandler("h").setRunAt(time).build()));

      assertNames(refusal, "run_at", "must be a time from year 0001 to 9999");
    }
  }

  @Test
  void a_state_that_this_node_does_not_know_is_refused() throws Exception {
    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                TaskServiceGrpc.newBlockingStub(EDGE.channel)
                    .listTasks(ListTasksRequest.newBuilder().addStatesValue(99).build()));

    assertNames(refusal, "states[0]", "must be one of");
  }

  @Test // PD-12
  void a_payload_over_the_limit_is_refused_and_with_it_the_batch() throws Exception {
    ScheduleTaskRequest small = ScheduleTaskRequest.newBuilder().setHandler("h").build();
    ScheduleTaskRequest large =
        small.toBuilder().setPayload(ByteString.copyFrom(new byte[Edge.MAX_PAYLOAD + 1])).build();

    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                TaskServiceGrpc.newBlockingStub(EDGE.channel)
                    .batchScheduleTasks(
                        BatchScheduleTasksRequest.newBuilder()
                            .addTasks(small)
                            .addTasks(large)
                            .build()));
    HttpResponse<String> problem =
        EDGE.post("/v1/tasks", "{\"handler\": \"h\", \"payload\": \"" + "AAAA".repeat(334) + "\"}");

    assertNames(refusal, "tasks[1].payload", "must be at most 1,000 bytes");
    assertNames(problem, "payload", "must be at most 1,000 bytes");
    assertNothingHasHappened();
  }

  @Test
  void a_batch_of_more_than_a_thousand_is_refused() throws Exception {
    BatchScheduleTasksRequest.Builder batch = BatchScheduleTasksRequest.newBuilder();
    for (int i = 0; i < 1_001; i++) {
      batch.addTasks(ScheduleTaskRequest.newBuilder().setHandler("h"));
    }

    StatusRuntimeException refusal =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> TaskServiceGrpc.newBlockingStub(EDGE.channel).batchScheduleTasks(batch.build()));

    assertNames(refusal, "tasks", "must be 1 to 1,000");
    assertNothingHasHappened();
  }

  @Test
  void what_is_no_path_no_method_or_too_long_is_a_problem_too() throws Exception {
    HttpResponse<String> nowhere = EDGE.get("/v1/jobs");
    HttpResponse<String> wrongMethod = EDGE.post("/v1/tasks/7", "{}");

    assertThat(nowhere.statusCode()).isEqualTo(404);
    assertThat(wrongMethod.statusCode()).isBetween(404, 405);
    for (HttpResponse<String> problem : List.of(nowhere, wrongMethod)) {
      assertThat(problem.headers().firstValue("content-type")).contains("application/problem+json");
      assertThat(JSON.readTree(problem.body()).path("status").asInt())
          .isEqualTo(problem.statusCode());
    }
    assertThat(
            EDGE.raw(
                "POST /v1/tasks HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 99999999\n\n"))
        .startsWith("HTTP/1.1 413")
        .contains("application/problem+json", "\"status\":413");
  }
}
