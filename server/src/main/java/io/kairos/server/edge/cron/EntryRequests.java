package io.kairos.server.edge.cron;

import static io.kairos.server.edge.refusal.InvalidField.require;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.schedule.fire.ScheduleName;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.Entry;
import io.kairos.engine.cron.entry.TableSettings;
import io.kairos.engine.cron.entry.When;
import io.kairos.engine.cron.entry.Work;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.task.Fields;
import io.kairos.server.edge.task.Payloads;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

/**
 * Tables and entries that somebody wants, checked and in the engine's words. Throws {@link
 * InvalidField}.
 */
final class EntryRequests {
  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final int DEFAULT_LIMIT = 100;
  private static final int MOST_LISTED = 1_000;
  private static final String DEFAULT_TYPE = "application/octet-stream";

  private EntryRequests() {}

  static ComponentId component(String field, long given) {
    return reading(field, () -> new ComponentId(given));
  }

  static int position(String field, int given) {
    require(
        given >= 0 && given <= Entry.LAST_POSITION,
        field,
        "must be 0 to %,d".formatted(Entry.LAST_POSITION));
    return given;
  }

  static int limit(int given) {
    int limit = given == 0 ? DEFAULT_LIMIT : given;
    require(limit >= 1 && limit <= MOST_LISTED, "limit", "must be 1 to 1,000");
    return limit;
  }

  static TableSettings table(PutCronTableRequest given) {
    ComponentId component = component("component", given.getComponent());
    require(given.hasTick(), "tick", "must be given; 0s for not at all");
    Duration tick = Fields.duration("tick", given.getTick(), LONGEST);
    return reading("tick", () -> new TableSettings(component, tick));
  }

  static BookCommand put(PutCronEntryRequest given) {
    BookCommand.Mode mode =
        switch (given.getMode()) {
          case MODE_UNSPECIFIED, CREATE -> BookCommand.Mode.CREATE;
          case REPLACE -> BookCommand.Mode.REPLACE;
          case UNRECOGNIZED -> throw new InvalidField("mode", "must be CREATE or REPLACE");
        };
    CronEntry entry = given.getEntry();
    ComponentId component;
    int position;
    When when;
    Work work;
    try {
      component = component("component", entry.getComponent());
      position = position("position", entry.getPosition());
      when = when(entry);
      work = work(entry);
    } catch (InvalidField e) {
      throw e.in("entry");
    }
    try {
      return new BookCommand.PutEntry(
          new Entry(component, position, entry.getTitle(), when, work), mode);
    } catch (RefusedExpressionException e) {
      throw InvalidField.of("entry.cron", e);
    } catch (IllegalArgumentException e) {
      throw new InvalidField("entry", String.valueOf(e.getMessage()));
    }
  }

  private static When when(CronEntry given) {
    return switch (given.getWhenCase()) {
      case EVERY_TICK -> {
        require(given.getEveryTick(), "every_tick", "must be true");
        yield new When.EveryTick();
      }
      case EVERY_SEQUENCES ->
          reading("every_sequences", () -> new When.EverySequences(given.getEverySequences()));
      case EVERY -> {
        Duration period = Fields.duration("every", given.getEvery(), LONGEST);
        yield reading("every", () -> new When.Every(period));
      }
      case FIXED_RATE -> fixedRate(given.getFixedRate());
      case CRON -> reading("cron", () -> new When.Cron(given.getCron()));
      case TOLD -> {
        require(given.getTold(), "told", "must be true");
        yield new When.Told();
      }
      case WHEN_NOT_SET ->
          throw new InvalidField(
              "cron", "it, every, fixed_rate, every_sequences or every_tick must be given");
    };
  }

  private static When fixedRate(CronEntry.FixedRate given) {
    Duration period = Fields.duration("fixed_rate.period", given.getPeriod(), LONGEST);
    Timestamp anchor = given.getAnchor();
    require(
        Timestamps.isValid(anchor), "fixed_rate.anchor", "must be a time from year 0001 to 9999");
    Instant instant = Instant.ofEpochSecond(anchor.getSeconds(), anchor.getNanos());
    return reading("fixed_rate", () -> new When.FixedRate(period, instant));
  }

  private static Work work(CronEntry given) {
    return switch (given.getWorkCase()) {
      case ENQUEUE_TASK -> {
        CronEntry.EnqueueTask task = given.getEnqueueTask();
        yield reading(
            "enqueue_task",
            () ->
                new Work.EnqueueTask(
                    task.getHandler(), Payloads.in(task.getPayload()), task.getKey()));
      }
      case POST_MESSAGE -> {
        CronEntry.PostMessage message = given.getPostMessage();
        Duration delay = Fields.duration("post_message.delay", message.getDelay(), LONGEST);
        yield reading(
            "post_message",
            () ->
                new Work.PostMessage(
                    message.getTopic(),
                    Payloads.in(message.getKey()),
                    Payloads.in(message.getValue()),
                    delay));
      }
      case PUSH -> {
        CronEntry.Push push = given.getPush();
        String type = push.getContentType().isEmpty() ? DEFAULT_TYPE : push.getContentType();
        yield reading(
            "push", () -> new Work.Push(push.getUrl(), type, Payloads.in(push.getBody())));
      }
      case PRUNE -> {
        Duration keep = Fields.duration("prune", given.getPrune(), LONGEST);
        yield reading("prune", () -> new Work.Prune(keep));
      }
      case RUN ->
          reading(
              "run",
              () ->
                  new Work.Run(
                      given.getRun().getModule(), Payloads.in(given.getRun().getArgument())));
      case DECIDE_SCHEDULE ->
          reading(
              "decide_schedule",
              () ->
                  new Work.DecideSchedule(
                      new ScheduleName(given.getDecideSchedule().getSchedule())));
      case WORK_NOT_SET ->
          throw new InvalidField(
              "enqueue_task", "it, post_message, push, prune or run must be given");
    };
  }

  /** What the engine says of it becomes the field's rule. */
  static <T> T reading(String field, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException e) {
      throw new InvalidField(field, String.valueOf(e.getMessage()));
    }
  }
}
