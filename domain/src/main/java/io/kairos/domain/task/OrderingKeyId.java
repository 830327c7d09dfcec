package io.kairos.domain.task;

/** The number of an ordering key of one handler, for as long as it has tasks. */
public record OrderingKeyId(long value) implements Comparable<OrderingKeyId> {
  @Override
  public int compareTo(OrderingKeyId other) {
    return Long.compare(value, other.value);
  }
}
