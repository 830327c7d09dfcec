package io.kairos.engine.cron.entry;

import static io.kairos.domain.check.ArgumentCheck.require;
import static java.util.Objects.requireNonNull;

import io.kairos.domain.cron.PeriodicEntries;
import io.kairos.domain.cron.outbox.Effect.Asking;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.schedule.definition.ScheduleName;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.queue.HandlerName;
import io.kairos.engine.cron.module.CronModule;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * What an entry does when it fires. Each throws {@link IllegalArgumentException} for what nobody
 * could do. Bytes are not copied.
 */
public sealed interface EntryWork {
  /** Whether there is nothing to do without agreed time: such an entry fires only with it. */
  default boolean needsTime() {
    return true;
  }

  /** Something that is asked of the outside: see {@link EffectBody}. */
  sealed interface Outside extends EntryWork {
    /** Who asks for it. */
    Asking asking();
  }

  /**
   * A task in Kairos.
   *
   * @param handler a {@link HandlerName}
   * @param key which tasks it must not overtake; empty for none
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record EnqueueTask(String handler, byte[] payload, String key) implements Outside {
    public EnqueueTask {
      requireNonNull(payload, "payload");
      new HandlerName(handler);
      if (!key.isEmpty()) {
        new OrderingKey(key);
      }
    }

    @Override
    public Asking asking() {
      return Asking.EACH;
    }
  }

  /**
   * A message for a topic of Kafka, as a delayed message of Kairos.
   *
   * @param key empty for none
   * @param delay from the fire time on, whole milliseconds from one minute to 3,650 days: the node
   *     knows a message that is asked for again as long as it waits
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record PostMessage(String topic, byte[] key, byte[] value, Duration delay) implements Outside {
    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    public PostMessage {
      requireNonNull(key, "key");
      requireNonNull(value, "value");
      require(
          TOPIC.matcher(topic).matches(),
          "a Kafka topic's name has 1 to 249 of letters, digits and . _ -");
      PeriodicEntries.periodMillis(delay);
      require(
          delay.compareTo(SHORTEST) >= 0,
          "a message is delayed by one minute at least, so that a replica that asks again finds"
              + " it, not by ",
          delay);
    }

    @Override
    public Asking asking() {
      return Asking.IN_TURN; // the node forgets a message that has been published
    }
  }

  /**
   * An HTTP POST.
   *
   * @param url http or https, as {@link EndpointUrl} and {@link PushRequest#PATH} want it
   * @param contentType 1 to {@value #LONGEST_TYPE} printable characters of ASCII
   */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Push(String url, String contentType, byte[] body) implements Outside {
    static final int LONGEST_TYPE = 100;
    private static final Pattern TYPE = Pattern.compile("[!-~][ -~]{0,99}");
    private static final String SCHEME_END = "://";

    public Push {
      requireNonNull(body, "body");
      EndpointUrl.of(url.substring(0, pathAt(url)));
      require(
          pathAt(url) >= url.length() || PushRequest.isPath(path(url)),
          "the path of a URL must " + PushRequest.PATH);
      require(
          TYPE.matcher(contentType).matches(),
          "a content type has 1 to " + LONGEST_TYPE + " printable characters of ASCII");
    }

    private static int pathAt(String url) {
      int host = url.indexOf(SCHEME_END) + SCHEME_END.length();
      int slash = url.indexOf('/', host);
      return slash < 0 ? url.length() : slash;
    }

    private static String path(String url) {
      return url.substring(pathAt(url));
    }

    /** Scheme, host and port of the URL. */
    public EndpointUrl endpoint() {
      return EndpointUrl.of(url.substring(0, pathAt(url)));
    }

    /** What follows them, with its query; / when there is nothing. */
    public String path() {
      String path = path(url);
      return path.isEmpty() ? "/" : path;
    }

    @Override
    public Asking asking() {
      return Asking.IN_TURN;
    }
  }

  /**
   * Forgets what is in the journal of the entry's component and fired longer ago than that.
   *
   * @param keep whole milliseconds up to 3,650 days
   */
  record Prune(Duration keep) implements EntryWork {
    public Prune {
      PeriodicEntries.periodMillis(keep);
    }
  }

  /**
   * Waits to be told when it is due next: of a schedule that the replicas decide. Whoever asks the
   * node for the decision sees it in {@link EntryBook#waitingSchedules}.
   */
  record DecideSchedule(ScheduleName schedule) implements EntryWork {
    public DecideSchedule {
      requireNonNull(schedule, "schedule");
    }
  }

  /** Runs a module of the user's, also without agreed time. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Run(String module, byte[] argument) implements EntryWork {
    public Run {
      requireNonNull(argument, "argument");
      require(CronModule.isName(module), "a module's name has " + CronModule.NAME_RULE);
    }

    @Override
    public boolean needsTime() {
      return false;
    }
  }
}
