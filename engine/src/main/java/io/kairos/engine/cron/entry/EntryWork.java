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
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.cron.module.CronModule;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * The work of an entry when it fires. Each constructor throws {@link IllegalArgumentException} for
 * invalid work. Bytes are not copied.
 */
public sealed interface EntryWork {
  /** True if the work needs agreed time: the entry then fires only at ticks that have it. */
  default boolean needsTime() {
    return !(this instanceof Run);
  }

  /** Work outside of the replicas: see {@link EffectBody}. */
  sealed interface Outside extends EntryWork {
    /** The replicas that request the work. */
    default Asking asking() {
      return switch (this) {
        case EnqueueTask _, PushToPool _ -> Asking.EACH;
        case PostMessage _, Push _ -> Asking.IN_TURN;
      };
    }
  }

  /**
   * Enqueues a task in Kairos.
   *
   * @param handler a {@link HandlerName}
   * @param key ordering key; empty for none
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
  }

  /**
   * Sends a message to a Kafka topic, as a delayed message of Kairos.
   *
   * @param key empty for none
   * @param delay from the fire time, whole milliseconds from one minute to 3,650 days: the node
   *     recognises a repeated request as long as the message waits
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
  }

  /**
   * Sends an HTTP POST.
   *
   * @param url http or https, valid by {@link EndpointUrl} and {@link PushRequest#PATH}
   * @param contentType 1 to {@value #LONGEST_TYPE} printable ASCII characters
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

    /** Path and query of the URL; / when it has neither. */
    public String path() {
      String path = path(url);
      return path.isEmpty() ? "/" : path;
    }
  }

  /**
   * Enqueues a task for a pool: a node signs the request and sends it to one of the pool's
   * endpoints. The replicas add the header {@value #ID_HEADER} with the id of the effect.
   *
   * @param key ordering key; empty for none
   */
  record PushToPool(PoolName pool, PushRequest request, String key) implements Outside {
    public static final String ID_HEADER = "idempotency-key";

    public PushToPool {
      requireNonNull(pool, "pool");
      require(
          request.headers().size() < PushRequest.MOST_HEADERS
              && request.headers().stream()
                  .noneMatch(header -> header.name().equalsIgnoreCase(ID_HEADER)),
          "a request of an entry has fewer than 50 headers, and not "
              + ID_HEADER
              + ", which the replicas set");
      if (!key.isEmpty()) {
        new OrderingKey(key);
      }
    }
  }

  /**
   * Removes fires of the entry's component from the journal that are older than {@code keep}.
   *
   * @param keep whole milliseconds up to 3,650 days
   */
  record Prune(Duration keep) implements EntryWork {
    public Prune {
      PeriodicEntries.periodMillis(keep);
    }
  }

  /**
   * Makes a schedule wait for its decision: it is then among {@link EntryBook#waitingSchedules},
   * for which the replicas ask a node.
   */
  record DecideSchedule(ScheduleName schedule) implements EntryWork {
    public DecideSchedule {
      requireNonNull(schedule, "schedule");
    }
  }

  /** Runs a user's module, also without agreed time. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, never compared
  record Run(String module, byte[] argument) implements EntryWork {
    public Run {
      requireNonNull(argument, "argument");
      require(CronModule.isName(module), "a module's name has " + CronModule.NAME_RULE);
    }
  }
}
