package io.kairos.edge.cron;

import static io.kairos.edge.refusal.InvalidField.reading;
import static io.kairos.edge.refusal.InvalidField.require;
import static io.kairos.edge.refusal.InvalidField.within;
import static io.kairos.edge.task.RequestFields.duration;

import com.google.protobuf.Timestamp;
import com.google.protobuf.util.Timestamps;
import io.kairos.api.text.ProtoTime;
import io.kairos.api.v1.CronEntry;
import io.kairos.api.v1.PutCronEntryRequest;
import io.kairos.api.v1.PutCronTableRequest;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.schedule.text.RefusedExpressionException;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.call.PayloadBytes;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.edge.task.PoolRequests;
import io.kairos.engine.cron.entry.BookCommand;
import io.kairos.engine.cron.entry.EntryDefinition;
import io.kairos.engine.cron.entry.EntryTiming;
import io.kairos.engine.cron.entry.EntryWork;
import io.kairos.engine.cron.entry.TableSettings;
import java.time.Duration;
import java.util.Locale;

/**
 * Checks requests for tables and entries and translates them for the engine. Throws {@link
 * InvalidField}.
 */
final class EntryRequests {
  private static final Duration LONGEST = Duration.ofDays(3_650);
  private static final int DEFAULT_LIMIT = 100;
  private static final int MOST_LISTED = 1_000;
  private static final String DEFAULT_TYPE = "application/octet-stream";

  private static final WireEnum<BookCommand.Mode, PutCronEntryRequest.Mode> MODES =
      new WireEnum<>(BookCommand.Mode.class, PutCronEntryRequest.Mode.class);

  private EntryRequests() {}

  static ComponentId component(String field, long given) {
    return reading(field, () -> new ComponentId(given));
  }

  static int position(String field, int given) {
    require(
        given >= 0 && given <= EntryDefinition.LAST_POSITION,
        field,
        "must be 0 to %,d".formatted(EntryDefinition.LAST_POSITION));
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
    Duration tick = duration("tick", given.getTick(), LONGEST);
    return reading("tick", () -> new TableSettings(component, tick));
  }

  static BookCommand.PutEntry put(PutCronEntryRequest given) {
    BookCommand.Mode mode = MODES.read("mode", given.getMode(), BookCommand.Mode.REPLACE);
    CronEntry entry = given.getEntry();
    ComponentId component;
    int position;
    EntryTiming when;
    EntryWork work;
    try {
      component = component("component", entry.getComponent());
      position = position("position", entry.getPosition());
      when = reading(nameOf(entry.getWhenCase()), () -> when(entry));
      work = reading(nameOf(entry.getWorkCase()), () -> work(entry));
    } catch (InvalidField e) {
      throw e.in("entry");
    }
    try {
      return new BookCommand.PutEntry(
          new EntryDefinition(component, position, entry.getTitle(), when, work), mode);
    } catch (RefusedExpressionException e) {
      throw InvalidField.of("entry.cron", e);
    } catch (IllegalArgumentException e) {
      throw new InvalidField("entry", String.valueOf(e.getMessage()));
    }
  }

  /** The name of the field that a oneof has set. */
  private static String nameOf(Enum<?> fieldCase) {
    return fieldCase.name().toLowerCase(Locale.ROOT);
  }

  private static EntryTiming when(CronEntry given) {
    return switch (given.getWhenCase()) {
      case EVERY_TICK -> {
        require(given.getEveryTick(), "every_tick", "must be true");
        yield new EntryTiming.EveryTick();
      }
      case EVERY_SEQUENCES -> new EntryTiming.EverySequences(given.getEverySequences());
      case EVERY -> new EntryTiming.Every(duration("every", given.getEvery(), LONGEST));
      case FIXED_RATE -> {
        Timestamp anchor = given.getFixedRate().getAnchor();
        Duration period = duration("fixed_rate.period", given.getFixedRate().getPeriod(), LONGEST);
        require(
            Timestamps.isValid(anchor),
            "fixed_rate.anchor",
            "must be a time from year 0001 to 9999");
        yield new EntryTiming.FixedRate(period, ProtoTime.of(anchor));
      }
      case CRON -> new EntryTiming.Cron(given.getCron());
      case WHEN_REPORTED -> {
        require(given.getWhenReported(), "when_reported", "must be true");
        yield new EntryTiming.WhenReported();
      }
      case BY_MODULE ->
          new EntryTiming.ByModule(
              given.getByModule().getModule(), PayloadBytes.in(given.getByModule().getArgument()));
      case WHEN_NOT_SET ->
          throw new InvalidField(
              "cron",
              "it, every, fixed_rate, every_sequences, every_tick or by_module must be given");
    };
  }

  private static EntryWork work(CronEntry given) {
    return switch (given.getWorkCase()) {
      case ENQUEUE_TASK -> {
        CronEntry.EnqueueTask task =
            GivenPayload.inBytes(
                "enqueue_task.", CronEntry.EnqueueTask.class, given.getEnqueueTask());
        yield new EntryWork.EnqueueTask(
            task.getHandler(), PayloadBytes.in(task.getPayload()), task.getKey());
      }
      case POST_MESSAGE -> {
        CronEntry.PostMessage message = given.getPostMessage();
        yield new EntryWork.PostMessage(
            message.getTopic(),
            PayloadBytes.in(message.getKey()),
            PayloadBytes.in(message.getValue()),
            duration("post_message.delay", message.getDelay(), LONGEST));
      }
      case PUSH -> {
        CronEntry.Push push = GivenPayload.inBytes("push.", CronEntry.Push.class, given.getPush());
        String type = push.getContentType().isEmpty() ? DEFAULT_TYPE : push.getContentType();
        yield new EntryWork.Push(push.getUrl(), type, PayloadBytes.in(push.getBody()));
      }
      case PUSH_TO_POOL -> within("push_to_pool", () -> pushToPool(given.getPushToPool()));
      case PRUNE -> new EntryWork.Prune(duration("prune", given.getPrune(), LONGEST));
      case RUN ->
          new EntryWork.Run(
              given.getRun().getModule(), PayloadBytes.in(given.getRun().getArgument()));
      case DECIDE_SCHEDULE ->
          new EntryWork.DecideSchedule(new ScheduleName(given.getDecideSchedule().getSchedule()));
      case WORK_NOT_SET ->
          throw new InvalidField(
              "enqueue_task", "it, post_message, push_to_pool, push, prune or run must be given");
    };
  }

  private static EntryWork pushToPool(CronEntry.PushToPool request) {
    CronEntry.PushToPool given = GivenPayload.inBytes("", CronEntry.PushToPool.class, request);
    return new EntryWork.PushToPool(
        PoolRequests.name("pool.name", given.getPool().getName()),
        PoolRequests.request(given.getPool(), PayloadBytes.in(given.getBody())),
        given.getKey());
  }
}
