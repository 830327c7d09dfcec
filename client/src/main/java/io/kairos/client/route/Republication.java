package io.kairos.client.route;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says which dead letter is to be published again, and what of its record is to be other than it
 * was.
 *
 * @param partition partition on the dead-letter topic
 * @param offset offset on the dead-letter topic
 * @param runAt due time; null for what the headers say
 * @param value value; null for the letter's own
 * @param headers each takes the place of all headers of its name
 * @param removed names of headers to leave out
 * @param again true to publish one that was published again before, too
 */
@SuppressWarnings("ArrayRecordComponent") // opaque bytes, not copied
public record Republication(
    String route,
    int partition,
    long offset,
    @Nullable Instant runAt,
    byte @Nullable [] value,
    Map<String, byte[]> headers,
    Set<String> removed,
    boolean again) {
  public Republication {
    headers = Map.copyOf(headers);
    removed = Set.copyOf(removed);
  }

  /** Returns the letter as it is. */
  public static Republication of(String route, int partition, long offset) {
    return new Republication(route, partition, offset, null, null, Map.of(), Set.of(), false);
  }

  public Republication runAt(@Nullable Instant due) {
    return new Republication(route, partition, offset, due, value, headers, removed, again);
  }

  public Republication value(byte @Nullable [] bytes) {
    return new Republication(route, partition, offset, runAt, bytes, headers, removed, again);
  }

  public Republication header(String name, byte[] bytes) {
    Map<String, byte[]> more = new LinkedHashMap<>(headers);
    more.put(name, bytes);
    return new Republication(route, partition, offset, runAt, value, more, removed, again);
  }

  public Republication withoutHeader(String name) {
    Set<String> more = new LinkedHashSet<>(removed);
    more.add(name);
    return new Republication(route, partition, offset, runAt, value, headers, more, again);
  }

  public Republication again(boolean isOnceMore) {
    return new Republication(route, partition, offset, runAt, value, headers, removed, isOnceMore);
  }

  /** Where a record was published. */
  public record PublishedAt(int partition, long offset) {}
}
