package io.kairos.client;

import static io.kairos.api.text.GivenValue.ifGiven;

import io.kairos.api.v1.GetLimitRequest;
import io.kairos.api.v1.ListLimitUsesRequest;
import io.kairos.api.v1.ListLimitUsesResponse;
import io.kairos.api.v1.ListLimitsRequest;
import io.kairos.api.v1.ListLimitsResponse;
import io.kairos.api.v1.RemoveLimitRequest;
import io.kairos.api.v1.RemoveLimitResponse;
import io.kairos.api.v1.SetLimitRequest;
import io.kairos.client.PagedList.Page;
import io.kairos.client.error.TaskNotFoundException;
import io.kairos.client.queue.KeyLimit;
import io.kairos.client.queue.LimitUse;
import java.util.List;

/**
 * Client of operators for limits by key: how many tasks that name a key, such as an external API or
 * a tenant, run at a time or begin per second. It shares connections, token and retries with its
 * {@link KairosClient}, and is closed with it. Thread-safe.
 */
public final class LimitClient {
  private final KairosClient client;

  LimitClient(KairosClient client) {
    this.client = client;
  }

  /**
   * Sets a limit, or replaces the one of this name or pattern; it applies from the next task on.
   */
  public KeyLimit set(KeyLimit limit) {
    SetLimitRequest.Builder request = SetLimitRequest.newBuilder().setName(limit.name());
    ifGiven(limit.maxRunning(), request::setMaxRunning);
    ifGiven(limit.perSecond(), request::setPerSecond);
    ifGiven(limit.burst(), request::setBurst);
    return limit(client.call(io.kairos.api.v1.KeyLimit.class, request.build()));
  }

  /**
   * Returns a limit with its use. Throws {@link TaskNotFoundException} when there is no limit of
   * just this name or pattern.
   */
  public KeyLimit get(String name) {
    return limit(
        client.call(
            io.kairos.api.v1.KeyLimit.class, GetLimitRequest.newBuilder().setName(name).build()));
  }

  /** Returns all limits with their use, by name. */
  public List<KeyLimit> list() {
    return client
        .call(ListLimitsResponse.class, ListLimitsRequest.getDefaultInstance())
        .getLimitsList()
        .stream()
        .map(LimitClient::limit)
        .toList();
  }

  /**
   * Returns names that were lately used and for which a limit holds, by name.
   *
   * @param name name or pattern of the limit
   * @param limit maximum number of names
   */
  public List<LimitUse> uses(String name, int limit) {
    ListLimitUsesRequest.Builder request = ListLimitUsesRequest.newBuilder().setName(name);
    return new PagedList(limit, "")
        .fetch((size, token) -> {
          ListLimitUsesResponse answer =
              client.call(
                  ListLimitUsesResponse.class,
                  request.setPageSize(size).setPageToken(token).build());
          return Page.of(answer.getUsesList(), LimitClient::use, answer.getNextPageToken());
        });
  }

  /**
   * Removes a limit; tasks that wait for it begin. Throws {@link TaskNotFoundException} when there
   * is none of just this name or pattern. When the answer to the first attempt of this call was
   * lost, that can also mean that the limit was removed.
   */
  public void remove(String name) {
    client.call(RemoveLimitResponse.class, RemoveLimitRequest.newBuilder().setName(name).build());
  }

  private static KeyLimit limit(io.kairos.api.v1.KeyLimit wire) {
    return new KeyLimit(
        wire.getName(),
        wire.hasMaxRunning() ? (Integer) wire.getMaxRunning() : null,
        wire.hasPerSecond() ? (Double) wire.getPerSecond() : null,
        wire.hasBurst() ? (Integer) wire.getBurst() : null,
        wire.getRunning(),
        wire.getWaiting(),
        wire.getNames());
  }

  private static LimitUse use(io.kairos.api.v1.LimitUse wire) {
    return new LimitUse(
        wire.getName(),
        wire.getRunning(),
        wire.getWaiting(),
        wire.hasTokens() ? (Double) wire.getTokens() : null);
  }
}
