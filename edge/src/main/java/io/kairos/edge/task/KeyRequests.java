package io.kairos.edge.task;

import static io.kairos.edge.task.RequestFields.handlerOrAny;
import static io.kairos.edge.task.RequestFields.orderingKey;
import static java.util.Objects.requireNonNull;

import io.kairos.api.v1.ListStuckKeysRequest;
import io.kairos.api.v1.ListStuckKeysResponse;
import io.kairos.api.v1.StuckKey;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.OrderingKeyId;
import io.kairos.domain.task.TaskId;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.refusal.Refusals;
import io.kairos.edge.refusal.WireEnum;
import io.kairos.engine.task.port.operator.BlockedKey.Reason;
import io.kairos.engine.task.port.operator.HeadResult;
import io.kairos.engine.task.port.operator.KeyQuery;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads operators' requests about ordering keys, and writes the answers. */
final class KeyRequests {
  private static final Pattern TOKEN = Pattern.compile("([BR])([0-9]{1,18})");
  private static final String BLOCKED = "B";
  private static final String RETRIED = "R";

  private static final WireEnum<Reason, StuckKey.Reason> REASONS =
      new WireEnum<>(Reason.class, StuckKey.Reason.class);

  private KeyRequests() {}

  static OrderingKey key(String given) {
    OrderingKey key = orderingKey("key", given);
    if (key == null) {
      throw new InvalidField("key", "must have " + OrderingKey.RULE);
    }
    return key;
  }

  /** The head that is meant; null for whichever it is. */
  static @Nullable TaskId head(String given) {
    return given.isEmpty() ? null : RequestFields.id("head", given);
  }

  static KeyQuery query(ListStuckKeysRequest request, int limit) {
    TaskHandler handler = handlerOrAny("handler", request.getHandler());
    return new KeyQuery(handler, place(request.getPageToken()), limit);
  }

  private static KeyQuery.@Nullable PageStart place(String token) {
    if (token.isEmpty()) {
      return null;
    }
    Matcher parts = TOKEN.matcher(token);
    if (!parts.matches()) {
      throw new InvalidField("page_token", "must come from the former answer");
    }
    return new KeyQuery.PageStart(
        BLOCKED.equals(parts.group(1)) ? Reason.HEAD_FAILED : Reason.HEAD_IS_RETRIED,
        new OrderingKeyId(Long.parseLong(requireNonNull(parts.group(2)))));
  }

  private static String token(KeyQuery.PageStart place) {
    String list =
        switch (place.reason()) {
          case HEAD_FAILED -> BLOCKED;
          case HEAD_IS_RETRIED -> RETRIED;
        };
    return list + place.key().value();
  }

  /**
   * @param found the keys of the page, and one more when another page follows
   */
  static ListStuckKeysResponse page(
      List<io.kairos.engine.task.port.operator.BlockedKey> found, int size) {
    ListStuckKeysResponse.Builder page = ListStuckKeysResponse.newBuilder();
    found.stream().limit(size).forEach(key -> page.addStuckKeys(words(key)));
    if (found.size() > size) {
      page.setNextPageToken(token(found.get(size - 1).place()));
    }
    return page.build();
  }

  private static StuckKey words(io.kairos.engine.task.port.operator.BlockedKey key) {
    return StuckKey.newBuilder()
        .setHandler(key.handler().wireName())
        .setKey(key.key().value())
        .setReason(REASONS.write(key.reason()))
        .setHead(key.head().toString())
        .setError(key.error())
        .setWaiting(key.waiting())
        .build();
  }

  /** Throws a refusal unless the head was skipped or retried. */
  static void check(HeadResult result) {
    switch (result) {
      case DONE -> {}
      case BEING_PERFORMED ->
          throw Refusals.notInState("key: a worker performs its head; it may yet succeed");
      case OTHER_HEAD ->
          throw Refusals.notInState("head: the key has another head by now; nothing is done");
      case NOT_STUCK ->
          throw Refusals.notFound(
              "key: the handler has none like it whose head fails, or the head has been pruned");
    }
  }
}
