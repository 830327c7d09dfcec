package io.kairos.server.edge.task;

import static io.kairos.server.edge.refusal.InvalidField.require;

import io.kairos.api.v1.PoolTarget;
import io.kairos.domain.delay.Header;
import io.kairos.domain.pool.PoolName;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.HandlerName;
import io.kairos.server.edge.refusal.InvalidField;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** What is asked of pools, checked and in the engine's words. Throws {@link InvalidField}. */
public final class PoolRequests {
  private PoolRequests() {}

  /** A handler that is nobody's but the caller's. */
  public static HandlerName unreserved(String field, String text) {
    HandlerName handler = Fields.handler(field, text);
    require(
        !text.startsWith(PoolName.RESERVED),
        field,
        "must not begin with " + PoolName.RESERVED + ", which is for pools");
    return handler;
  }

  /** On whose queues the tasks of a pool are. */
  public static HandlerName handler(PoolTarget target) {
    return name("pool.name", target.getName()).handler();
  }

  /** What a pool's own worker gets: the whole request. */
  public static byte[] payload(PoolTarget target, byte[] body) {
    List<Header> headers = new ArrayList<>();
    require(
        target.getHeadersCount() <= PushRequest.MOST_HEADERS,
        "pool.headers",
        "must be at most " + PushRequest.MOST_HEADERS);
    for (int i = 0; i < target.getHeadersCount(); i++) {
      PoolTarget.Header given = target.getHeaders(i);
      Header header =
          new Header(given.getName(), given.getValue().getBytes(StandardCharsets.UTF_8));
      require(
          PushRequest.isHeader(header), "pool.headers[" + i + "]", "must " + PushRequest.HEADER);
      headers.add(header);
    }
    String method = target.getMethod().isEmpty() ? "POST" : target.getMethod();
    String path = target.getPath().isEmpty() ? "/" : target.getPath();
    require(PushRequest.isMethod(method), "pool.method", "must be " + PushRequest.METHODS);
    require(PushRequest.isPath(path), "pool.path", "must " + PushRequest.PATH);
    return new PushRequest(method, path, headers, body).encode();
  }

  static PoolName name(String field, String text) {
    try {
      return new PoolName(text);
    } catch (IllegalArgumentException _) {
      throw new InvalidField(field, "must have " + PoolName.RULE);
    }
  }
}
