package io.kairos.model.delay;

/**
 * The hash by which Kafka's standard partitioner chooses a partition for a key: Austin Appleby's
 * MurmurHash2 with Kafka's seed.
 */
final class MurmurHash2 {
  private static final int SEED = 0x9747b28c;
  private static final int M = 0x5bd1e995;
  private static final int R = 24;

  private MurmurHash2() {}

  static int partitionFor(byte[] key, int partitions) {
    return (hash(key) & Integer.MAX_VALUE) % partitions;
  }

  static int hash(byte[] data) {
    int h = SEED ^ data.length;
    int at = 0;
    for (; at + 4 <= data.length; at += 4) {
      int k =
          (data[at] & 0xff)
              | ((data[at + 1] & 0xff) << 8)
              | ((data[at + 2] & 0xff) << 16)
              | ((data[at + 3] & 0xff) << 24);
      k *= M;
      k ^= k >>> R;
      h = (h * M) ^ (k * M);
    }
    int rest = data.length - at;
    if (rest > 0) {
      for (int i = rest - 1; i >= 0; i--) {
        h ^= (data[at + i] & 0xff) << (8 * i);
      }
      h *= M;
    }
    h ^= h >>> 13;
    h *= M;
    return h ^ (h >>> 15);
  }
}
