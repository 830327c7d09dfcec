package io.kairos.simulator.delay;

import io.kairos.domain.delay.InputRecord;
import io.kairos.engine.delay.port.InputSource;
import io.kairos.engine.delay.port.TopicId;
import io.kairos.simulator.kernel.CallTrap;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;

/** An input topic as one process sees it. */
record FaultyInputSource(DelayNodeRun process, String name, InputSource source)
    implements InputSource {
  @Override
  public Batch poll(Duration wait) {
    process.dieIfDead();
    DelayCluster world = process.world;
    world.kernel.sleep(world.weather.brokerNanos());
    process.crashIfTrapped(CallTrap.Kind.CRASH_BEFORE, CallTrap.POLL);
    Batch batch = source.poll(wait);
    process.crashIfTrapped(CallTrap.Kind.CRASH_AFTER, CallTrap.POLL);
    if (!batch.records().isEmpty() || !batch.unpositioned().isEmpty()) {
      world.ledger.note(15, () -> process + " polls " + name + " " + describe(batch));
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
    process.world.ledger.note(
        16, () -> process + " positions " + name + "-" + partition + " at " + stored);
    source.position(partition, stored);
  }

  @Override
  public void hold(int partition) {
    process.dieIfDead();
    process.world.ledger.note(17, () -> process + " holds " + name + "-" + partition + " back");
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
