package io.kairos.simulator;

import io.kairos.domain.task.Output;
import io.kairos.engine.delay.port.Outgoing;
import io.kairos.engine.delay.port.Publisher;
import io.kairos.engine.delay.port.SendCallback;

/** The broker's writing side as one process sees it. */
final class SimPublisher implements Publisher {
  private final DelayProcess process;
  private final DelayWorld world;

  SimPublisher(DelayProcess process) {
    this.process = process;
    this.world = process.world();
  }

  @Override
  public int partitions(Output output) {
    return world.partitionsOf(Outgoing.topic(output));
  }

  @Override
  public int partitionFor(byte[] key, int partitions) {
    return world.partitioner().partitionFor(key, partitions);
  }

  @Override
  public void send(Outgoing outgoing, SendCallback callback) {
    process.dieIfDead();
    boolean onFiber = world.kernel().running() != null;
    if (onFiber && process.springsAtSend(Trap.Kind.CRASH_BEFORE)) {
      process.crash();
      process.dieIfDead();
    }
    PublishRules.Letter letter = world.publishRules().begun(process.asSender(), outgoing);
    if (letter instanceof PublishRules.Letter.Message(var send) && send.isDirect) {
      process.publishedDirectly(send);
    }
    if (onFiber && world.weather().stumbles()) {
      world.kernel().sleep(world.weather().stumbleNanos());
    }
    Flight flight = new Flight(process, outgoing, letter, callback);
    process.launched(flight);
    flight.takeOff();
    if (onFiber && process.springsAtSend(Trap.Kind.CRASH_AFTER)) {
      process.crash();
      process.dieIfDead();
    }
  }
}
