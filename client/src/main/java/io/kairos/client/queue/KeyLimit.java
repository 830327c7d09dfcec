package io.kairos.client.queue;

import org.jspecify.annotations.Nullable;

/**
 * A limit by key, over all handlers and nodes: of tasks that name it, see {@code
 * TaskRequest.limit}.
 *
 * @param name a name, or the beginning of names and a star, such as {@code tenant:*}: then each
 *     name that begins so has a limit of its own
 * @param maxRunning maximum number of concurrent tasks; null for no bound
 * @param perSecond maximum number of tasks that begin per second; null for no bound
 * @param burst maximum number of tasks that begin at once after a pause; null for the rate per
 *     second
 * @param running number of tasks that run now; ignored when a limit is set
 * @param waiting number of due tasks that wait for the limit, counted up to 10,000; ignored when a
 *     limit is set
 * @param names number of lately used names for which the limit holds; ignored when a limit is set
 */
public record KeyLimit(
    String name,
    @Nullable Integer maxRunning,
    @Nullable Double perSecond,
    @Nullable Integer burst,
    long running,
    long waiting,
    long names) {
  /** Returns a limit to set. At least one of the most running and the rate is not null. */
  public static KeyLimit of(
      String name,
      @Nullable Integer maxRunning,
      @Nullable Double perSecond,
      @Nullable Integer burst) {
    return new KeyLimit(name, maxRunning, perSecond, burst, 0, 0, 0);
  }
}
