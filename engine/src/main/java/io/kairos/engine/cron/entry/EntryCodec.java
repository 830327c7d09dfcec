package io.kairos.engine.cron.entry;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.AgreedTime;
import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.cron.BytesIn;
import io.kairos.engine.cron.BytesOut;
import java.util.ArrayList;
import java.util.List;

/**
 * The encoding of entries and their parts, in requests and in reserved pages. The numbers are
 * stored and never change.
 */
final class EntryCodec {
  private static final int VERSION = 1;

  private static final int EVERY_TICK = 1;
  private static final int EVERY_SEQUENCES = 2;
  private static final int EVERY = 3;
  private static final int FIXED_RATE = 4;
  private static final int CRON = 5;
  private static final int TOLD = 6;
  private static final int BY_MODULE = 7;

  private static final int ENQUEUE_TASK = 1;
  private static final int POST_MESSAGE = 2;
  private static final int PUSH = 3;
  private static final int PRUNE = 4;
  private static final int RUN = 5;
  private static final int DECIDE_SCHEDULE = 6;
  private static final int PUSH_TO_POOL = 7;

  private EntryCodec() {}

  static byte[] encode(EntryDefinition entry) {
    return encode(entry.component(), entry.position(), entry.title(), entry.when(), entry.work());
  }

  static byte[] encode(
      ComponentId component, int position, String title, EntryTiming when, EntryWork work) {
    BytesOut out =
        new BytesOut().number8(VERSION).component(component).number32(position).text(title);
    write(out, when);
    write(out, work);
    return out.done();
  }

  /** Decodes an entry; throws {@link IllegalArgumentException} for other bytes. */
  static EntryDefinition decode(byte[] bytes) {
    BytesIn in = new BytesIn(bytes).version(VERSION);
    EntryDefinition entry =
        new EntryDefinition(in.component(), in.number32(), in.text(), when(in), work(in));
    in.end();
    return entry;
  }

  private static void write(BytesOut out, EntryTiming when) {
    switch (when) {
      case EntryTiming.EveryTick() -> out.number8(EVERY_TICK);
      case EntryTiming.EverySequences(long count) -> out.number8(EVERY_SEQUENCES).number64(count);
      case EntryTiming.Every(var period) -> out.number8(EVERY).duration(period);
      case EntryTiming.FixedRate(var period, var anchor) ->
          out.number8(FIXED_RATE).duration(period).number64(anchor.toEpochMilli());
      case EntryTiming.Cron(var expression) -> out.number8(CRON).text(expression);
      case EntryTiming.WhenReported() -> out.number8(TOLD);
      case EntryTiming.ByModule(var module, var argument) ->
          out.number8(BY_MODULE).text(module).bytes(argument);
    }
  }

  private static EntryTiming when(BytesIn in) {
    return switch (in.number8()) {
      case EVERY_TICK -> new EntryTiming.EveryTick();
      case EVERY_SEQUENCES -> new EntryTiming.EverySequences(in.number64());
      case EVERY -> new EntryTiming.Every(in.duration());
      case FIXED_RATE ->
          new EntryTiming.FixedRate(in.duration(), AgreedTime.at(in.number64()).instant());
      case CRON -> new EntryTiming.Cron(in.text());
      case TOLD -> new EntryTiming.WhenReported();
      case BY_MODULE -> new EntryTiming.ByModule(in.text(), in.bytes());
      default -> throw in.unknown("rule");
    };
  }

  static void write(BytesOut out, EntryWork work) {
    switch (work) {
      case EntryWork.EnqueueTask(var handler, var payload, var key) ->
          out.number8(ENQUEUE_TASK).text(handler).bytes(payload).text(key);
      case EntryWork.PostMessage(var topic, var key, var value, var delay) ->
          out.number8(POST_MESSAGE).text(topic).bytes(key).bytes(value).duration(delay);
      case EntryWork.Push(var url, var contentType, var body) ->
          out.number8(PUSH).text(url).text(contentType).bytes(body);
      case EntryWork.Prune(var keep) -> out.number8(PRUNE).duration(keep);
      case EntryWork.Run(var module, var argument) -> out.number8(RUN).text(module).bytes(argument);
      case EntryWork.DecideSchedule(var schedule) ->
          out.number8(DECIDE_SCHEDULE).text(schedule.value());
      case EntryWork.PushToPool(var pool, var request, var key) -> {
        out.number8(PUSH_TO_POOL).text(pool.value());
        write(out, request);
        out.text(key);
      }
    }
  }

  static EntryWork work(BytesIn in) {
    return switch (in.number8()) {
      case ENQUEUE_TASK -> new EntryWork.EnqueueTask(in.text(), in.bytes(), in.text());
      case POST_MESSAGE ->
          new EntryWork.PostMessage(in.text(), in.bytes(), in.bytes(), in.duration());
      case PUSH -> new EntryWork.Push(in.text(), in.text(), in.bytes());
      case PRUNE -> new EntryWork.Prune(in.duration());
      case RUN -> new EntryWork.Run(in.text(), in.bytes());
      case DECIDE_SCHEDULE -> new EntryWork.DecideSchedule(new ScheduleName(in.text()));
      case PUSH_TO_POOL ->
          new EntryWork.PushToPool(new PoolName(in.text()), request(in), in.text());
      default -> throw in.unknown("work");
    };
  }

  private static void write(BytesOut out, PushRequest request) {
    out.text(request.method()).text(request.path()).number8(request.headers().size());
    for (MessageHeader header : request.headers()) {
      out.text(header.name()).bytes(requireNonNull(header.value(), "a request's header"));
    }
    out.bytes(request.body());
  }

  private static PushRequest request(BytesIn in) {
    String method = in.text();
    String path = in.text();
    List<MessageHeader> headers = new ArrayList<>();
    for (int left = in.number8(); left > 0; left--) {
      headers.add(new MessageHeader(in.text(), in.bytes()));
    }
    return new PushRequest(method, path, headers, in.bytes());
  }
}
