package io.kairos.bench.dashboard;

import static io.kairos.bench.dashboard.ScreenCall.CHOSEN;
import static io.kairos.bench.dashboard.ScreenCall.ONCE;
import static io.kairos.bench.dashboard.ScreenCall.target;

import io.kairos.api.v1.ListTasksRequest;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.TaskState;
import io.kairos.edge.call.PageToken;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * The requests that the screens of a node make: those of {@code ui/.../screen/*.js}, with every
 * filter and a page deep in each list. What replicas serve is not among them.
 */
final class ScreenCalls {
  private static final Duration DAY = Duration.ofDays(1);
  private static final List<String> UNFINISHED =
      List.of("NEW", "ENQUEUED", "PROCESSING", "RETRIABLE_FAILURE", "BLOCKED", "PAUSED");
  private static final List<String> WAITING = List.of("NEW", "ENQUEUED", "RETRIABLE_FAILURE");
  private static final List<String> FAILED = List.of("DEAD", "FAILED");
  private static final String TASKS = "/v1/tasks";
  private static final int TASKS_SHOWN = 50;
  private static final int FIRES_SHOWN = 100;

  private final List<ScreenCall> calls = new ArrayList<>();
  private String screen = "";

  private ScreenCalls() {}

  /** Those of the Overview. */
  static List<ScreenCall> overview() {
    ScreenCalls all = new ScreenCalls();
    all.addOverview();
    return all.calls;
  }

  /** Those of all screens, on a store that was filled. */
  static List<ScreenCall> of(FilledStore store) {
    ScreenCalls all = new ScreenCalls();
    all.addOverview();
    all.addFailures();
    all.addTasks(store);
    all.addTask(store);
    all.addHandlers();
    all.addSchedules();
    all.addSchedule(store);
    all.addOthers(store);
    return all.calls;
  }

  private void addOverview() {
    screen = "overview";
    once("session", "/ui/session");
    // An answer is 5 to 10 s behind, and the next question begins where it ends.
    at("figures of 15 minutes", ONCE, now -> figures(now, Duration.ofMinutes(15)));
    at("figures of an hour", CHOSEN, now -> figures(now, Duration.ofHours(1)));
    at("figures since the last", 5, now -> figures(now, Duration.ofSeconds(10)));
    every(5, "cluster", "/v1/cluster");
    every(15, "waiting, next hour", target("/v1/cluster/waiting", "span", "HOUR"));
    chosen("waiting, next day", target("/v1/cluster/waiting", "span", "DAY"));
    chosen("waiting, next 30 days", target("/v1/cluster/waiting", "span", "MONTH"));
    at("failures of 24 hours", 60, now -> failures("", now, DAY));
  }

  private static String figures(Instant now, Duration past) {
    return target("/v1/cluster/figures", "after", now.minus(past));
  }

  private static String failures(String handler, Instant now, Duration past) {
    return target("/v1/failureGroups", "handler", handler, "endedNotBefore", now.minus(past));
  }

  private void addFailures() {
    screen = "failures";
    at("last hour", CHOSEN, now -> failures("", now, Duration.ofHours(1)));
    at("24 hours", 15, now -> failures("", now, DAY));
    at("7 days", CHOSEN, now -> failures("", now, DAY.multipliedBy(7)));
    chosen("all", "/v1/failureGroups");
    at("of a handler", CHOSEN, now -> failures(TaskFill.FIRST_HANDLER, now, DAY));
    post("run again, dry run", "/v1/tasks:redrive", "errorFingerprint", TaskFill.fingerprint());
  }

  private void addTasks(FilledStore store) {
    screen = "tasks";
    once("names of handlers", target("/v1/handlers", "pageSize", 1_000, "counting", "NONE"));
    every(10, "newest", tasks());
    chosen("deep page", tasks("pageToken", page(store.waiting(), "")));
    for (String state : List.of("NEW", "RETRIABLE_FAILURE", "BLOCKED", "PAUSED", "PROCESSING")) {
      chosen("state " + state, tasks("states", state));
    }
    for (String state : List.of("SUCCEEDED", "DEAD", "FAILED", "CANCELLED")) {
      chosen("state " + state, tasks("states", state));
    }
    chosen("what waits", tasks("states", UNFINISHED));
    chosen(
        "what waits, deep page",
        tasks(
            "states",
            UNFINISHED,
            "pageToken",
            page(
                store.waiting(),
                "",
                TaskState.NEW,
                TaskState.ENQUEUED,
                TaskState.PROCESSING,
                TaskState.RETRIABLE_FAILURE,
                TaskState.BLOCKED,
                TaskState.PAUSED)));
    chosen(
        "successes, deep page",
        tasks("states", "SUCCEEDED", "pageToken", page(store.ended(), "", TaskState.SUCCEEDED)));
    chosen(
        "dead, deep page",
        tasks("states", "DEAD", "pageToken", page(store.dead(), "", TaskState.DEAD)));
    at("overdue", CHOSEN, now -> tasks("states", WAITING, "before", now));
    at(
        "due within an hour",
        CHOSEN,
        now -> tasks("notBefore", now, "before", now.plus(Duration.ofHours(1))));
    at("due long ago", CHOSEN, now -> tasks("before", now.minus(DAY.multipliedBy(20))));
    chosen("handler", tasks("handler", TaskFill.FIRST_HANDLER));
    chosen(
        "handler, deep page",
        tasks(
            "handler",
            TaskFill.FIRST_HANDLER,
            "pageToken",
            page(store.waiting(), TaskFill.FIRST_HANDLER)));
    chosen("handler that is unknown", tasks("handler", "nobody"));
    chosen("handler, dead or failed", tasks("handler", TaskFill.FIRST_HANDLER, "states", FAILED));
    chosen("collection", tasks("collection", TaskFill.COLLECTION));
    chosen("collection that is unknown", tasks("collection", "none"));
    chosen("key", tasks("handler", TaskFill.KEYED_HANDLER, "key", TaskFill.KEY));
    chosen("schedule", tasks("schedule", FilledStore.SCHEDULE));
    chosen("class of the error", tasks("errorClass", TaskFill.errorClass()));
    chosen("fingerprint of the error", tasks("errorFingerprint", TaskFill.fingerprint()));
    chosen(
        "fingerprint, class and handler",
        tasks(
            "errorFingerprint",
            TaskFill.fingerprint(),
            "errorClass",
            TaskFill.errorClass(),
            "handler",
            TaskFill.FIRST_HANDLER,
            "states",
            FAILED));
    chosen("fingerprint that is unknown", tasks("errorFingerprint", "0123456789abcdef"));
    chosen("attempts, at least 2", tasks("minAttempts", 2));
    chosen("attempts, at least 9", tasks("minAttempts", 9));
    chosen("priority", tasks("priority", 90));
    chosen("priority that is unknown", tasks("priority", 7));
    chosen("beginning of an id", tasks("idPrefix", store.dead().toString().substring(0, 8)));
    chosen("whole id", tasks("idPrefix", store.dead()));
    at(
        "ended within an hour",
        CHOSEN,
        now -> tasks("endedNotBefore", now.minus(1, ChronoUnit.HOURS)));
    at(
        "dead within a day, a week ago",
        CHOSEN,
        now ->
            tasks(
                "states",
                FAILED,
                "endedNotBefore",
                now.minus(DAY.multipliedBy(8)),
                "endedBefore",
                now.minus(DAY.multipliedBy(7))));
    at(
        "text, due within two weeks",
        CHOSEN,
        now ->
            tasks(
                "text",
                "refused by the shop",
                "notBefore",
                now.minus(DAY.multipliedBy(7)),
                "before",
                now.plus(DAY.multipliedBy(7))));
    at(
        "text that is nowhere",
        CHOSEN,
        now ->
            tasks(
                "text",
                "nowhere to be found",
                "endedNotBefore",
                now.minus(DAY),
                "endedBefore",
                now));
    post("cancel all, dry run", "/v1/tasks:cancel", "handler", TaskFill.FIRST_HANDLER);
    post("run all now, dry run", "/v1/tasks:reschedule", "collection", TaskFill.COLLECTION);
    post("run all again, dry run", "/v1/tasks:redrive", "handler", TaskFill.FIRST_HANDLER);
  }

  private void addTask(FilledStore store) {
    screen = "task";
    every(3, "that waits", task(store.waiting()));
    every(10, "its graph", TASKS + "/" + store.waiting() + "/graph");
    chosen("that has succeeded", task(store.succeeded()));
    chosen("that is dead", task(store.dead()));
    chosen("its payload", TASKS + "/" + store.dead());
  }

  private static String task(TaskId id) {
    return target(TASKS + "/" + id, "withoutPayload", true);
  }

  private void addHandlers() {
    screen = "handlers";
    every(5, "list", target("/v1/handlers", "pageSize", 200, "counting", "SHORT"));
    screen = "handler";
    for (String handler : List.of(TaskFill.FIRST_HANDLER, TaskFill.KEYED_HANDLER)) {
      every(3, handler, "/v1/handlers/" + handler);
      every(10, handler + ", stuck keys", "/v1/handlers/" + handler + "/stuckKeys");
      every(30, handler + ", failures", target("/v1/failureGroups", "handler", handler));
    }
  }

  private void addSchedules() {
    screen = "schedules";
    every(10, "list", target("/v1/schedules", "pageSize", 100));
    chosen(
        "deep page",
        target("/v1/schedules", "pageSize", 100, "pageToken", StoreFill.PREFIX + "500"));
    chosen(
        "by prefix and state",
        target(
            "/v1/schedules",
            "prefix",
            StoreFill.PREFIX + "9",
            "states",
            "PAUSED",
            "pageSize",
            100));
    at("planned for 30 days", 60, now -> planned(now, 30, 0));
    at("planned for a day", 30, now -> planned(now, 1, 1_000));
  }

  private static String planned(Instant now, int days, int listed) {
    Instant today = now.truncatedTo(ChronoUnit.DAYS);
    return target(
        "/v1/plannedFires",
        "notBefore",
        today,
        "before",
        today.plus(DAY.multipliedBy(days)),
        "count",
        listed);
  }

  private void addSchedule(FilledStore store) {
    screen = "schedule";
    String path = "/v1/schedules/" + FilledStore.SCHEDULE;
    every(5, "itself", path);
    every(10, "ledger", target(path + "/fires", "pageSize", FIRES_SHOWN));
    chosen(
        "ledger, deep page",
        target(path + "/fires", "pageSize", FIRES_SHOWN, "pageToken", store.firePlace()));
    chosen(
        "ledger, skipped",
        target(path + "/fires", "pageSize", FIRES_SHOWN, "decisions", "SKIPPED"));
    List<String> states = new ArrayList<>(UNFINISHED);
    states.addAll(FAILED);
    every(
        10,
        "its tasks",
        target(TASKS, "schedule", FilledStore.SCHEDULE, "states", states, "pageSize", FIRES_SHOWN));
    at("why did it not run", 15, now -> target(path + "/explanation", "at", now));
    calls.add(
        new ScreenCall(
            screen,
            "next fire times",
            60,
            _ -> "/v1/schedules:preview",
            """
            {"schedule": {"name": "preview", "cron": {"expression": "0 3 * * *"}}, "count": 10}\
            """));
  }

  private void addOthers(FilledStore store) {
    screen = "delay";
    every(5, "routes", "/v1/routes");
    every(10, "waiting, next hour", target("/v1/cluster/waiting", "span", "HOUR"));
    screen = "workers";
    every(5, "list", target("/v1/workers", "pageSize", 100));
    screen = "pools";
    every(10, "list", target("/v1/pools", "pageSize", 100));
    every(5, "one", "/v1/pools/" + StoreFill.POOL);
    screen = "audit";
    every(10, "newest", audit());
    chosen("deep page", audit("pageToken", store.auditPlace()));
    chosen("caller", audit("caller", StoreFill.OPERATOR));
    chosen("action", audit("action", "SetPause"));
    chosen("action that is unknown", audit("action", "None"));
    chosen("object", audit("kind", "handler", "object", "object-41"));
    chosen("outcome", audit("outcome", "NOT_FOUND"));
    at(
        "a day",
        CHOSEN,
        now ->
            audit(
                "notBefore",
                now.minus(DAY.multipliedBy(9)),
                "before",
                now.minus(DAY.multipliedBy(8))));
  }

  private static String audit(Object... parameters) {
    return target(target("/v1/audit", parameters), "pageSize", 100);
  }

  private static String tasks(Object... parameters) {
    return target(target(TASKS, parameters), "pageSize", TASKS_SHOWN);
  }

  /** The token of the page that begins at a task, of a list by handler and states only. */
  private static String page(TaskId at, String handler, TaskState... states) {
    Set<TaskState> all = EnumSet.allOf(TaskState.class);
    return PageToken.of(
        at,
        ListTasksRequest.newBuilder().setHandler(handler).build(),
        states.length == 0 ? all : Set.of(states));
  }

  private void once(String what, String target) {
    at(what, ONCE, _ -> target);
  }

  private void every(int seconds, String what, String target) {
    at(what, seconds, _ -> target);
  }

  private void chosen(String what, String target) {
    at(what, CHOSEN, _ -> target);
  }

  private void at(String what, int everySeconds, Function<Instant, String> target) {
    calls.add(new ScreenCall(screen, what, everySeconds, target, ""));
  }

  /** An action on all that match, which counts only. */
  private void post(String what, String path, String field, String value) {
    String body = "{\"filter\": {\"" + field + "\": \"" + value + "\"}, \"dryRun\": true}";
    calls.add(new ScreenCall(screen, what, CHOSEN, _ -> path, body));
  }
}
