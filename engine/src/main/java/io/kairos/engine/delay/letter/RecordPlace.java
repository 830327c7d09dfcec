package io.kairos.engine.delay.letter;

/** Where a record lies on its topic. */
public record RecordPlace(int partition, long offset) {
  @Override
  public String toString() {
    return "partition " + partition + ", offset " + offset;
  }
}
