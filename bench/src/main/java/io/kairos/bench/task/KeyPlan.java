package io.kairos.bench.task;

/**
 * The ordering keys of a load: the keys in turn, so that task {@code n} is number {@code n / keys}
 * of its key.
 *
 * @param keys 0 for tasks without a key
 * @param perKey number of tasks per key, after which the load ends; 0 for a load that ends by time
 */
public record KeyPlan(int keys, int perKey) {
  public static final KeyPlan NONE = new KeyPlan(0, 0);

  public KeyPlan {
    if (keys < 0 || perKey < 0 || (keys == 0 && perKey > 0)) {
      throw new IllegalArgumentException("a number of tasks per key needs a number of keys");
    }
  }

  boolean none() {
    return keys == 0;
  }

  /** Tasks after which the load ends. */
  long count() {
    return perKey == 0 ? Long.MAX_VALUE : (long) keys * perKey;
  }

  int keyOf(long sequence) {
    return (int) (sequence % keys);
  }

  /** False for the first task of its key. */
  boolean hasPrevious(long sequence) {
    return keys > 0 && sequence >= keys;
  }

  long previous(long sequence) {
    return sequence - keys;
  }
}
