package io.kairos.simulator;

import io.kairos.domain.delay.InputRecord;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/** An input topic as one process sees it. */
final class SimInput implements InputSource {
  private final DelayProcess process;
  private final String topic;
  private final InputSource source;

  SimInput(DelayProcess process, String topic, InputSource source) {
    this.process = process;
    this.topic = topic;
    this.source = source;
  }

  @Override
  public Batch poll(Duration wait) {
    process.dieIfDead();
    DelayWorld world = process.world();
    world.kernel().sleep(world.weather().brokerNanos());
    if (process.springsAtPoll(Trap.Kind.CRASH_BEFORE)) {
      process.crash();
      process.dieIfDead();
    }
    Batch batch = source.poll(wait);
    if (process.springsAtPoll(Trap.Kind.CRASH_AFTER)) {
      process.crash();
      process.dieIfDead();
    }
    if (!batch.records().isEmpty() || !batch.unpositioned().isEmpty()) {
      world.ledger().note(15, () -> process + " polls " + topic + " " + describe(batch));
    }
    return batch;
  }

  @Override
  public TopicId topic() {
    return source.topic();
  }

  private static String describe(Batch batch) {
    StringBuilder text = new StringBuilder("unpositioned " + batch.unpositioned());
    for (InputRecord record : batch.records()) {
      text.append(' ').append(record.partition()).append('@').append(record.offset());
    }
    return text.toString();
  }

  @Override
  public void position(int partition, OptionalLong stored) {
    process.dieIfDead();
    process
        .world()
        .ledger()
        .note(16, () -> process + " positions " + topic + "-" + partition + " at " + stored);
    source.position(partition, stored);
  }

  @Override
  public void hold(int partition) {
    process.dieIfDead();
    process
        .world()
        .ledger()
        .note(17, () -> process + " holds " + topic + "-" + partition + " back");
    source.hold(partition);
  }

  @Override
  public void stored(Map<Integer, Long> next) {
    process.dieIfDead();
    source.stored(next);
  }

  @Override
  public void close() {
    source.close();
  }
}
