package io.kairos.domain.task;

/** The number of an ordering key of one handler, for as long as it has tasks. */
public record KeyId(long value) implements Comparable<KeyId> {
  @Override
  public int compareTo(KeyId other) {
    return Long.compare(value, other.value);
  }
}
