package io.kairos.simulator.delay;

import io.kairos.domain.delay.Amendment;
import io.kairos.domain.delay.ControlHeaders;
import io.kairos.domain.delay.MessageHeader;
import io.kairos.domain.delay.MessageId;
import io.kairos.domain.time.EpochMicros;
import io.kairos.engine.delay.port.ClaimedMessage;
import io.kairos.simulator.kernel.ClusterScenario;
import io.kairos.simulator.kernel.VirtualClock;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The producers and callers of one simulation: messages with delays of all kinds, duplicates,
 * reused ids, early, late and simultaneous cancels and reschedules, and invalid records.
 */
final class DelayWorkload {
  private static final long PRODUCER_RETRIES_AFTER_NANOS = 400_000_000;
  private static final int FEWEST_MESSAGES = 200;
  private static final int CALM_MESSAGES = 16;
  private static final int CALM_AMENDMENTS = 4;

  private final DelayCluster world;
  private final SplittableRandom random;
  private final List<Used> used = new ArrayList<>();
  private long lastTag;
  private int turn;

  /** An id that was submitted, and when its message was due then. */
  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, not compared
  private record Used(
      DelayTopology.Pair pair, MessageId id, long dueMicros, byte @Nullable [] key) {}

  DelayWorkload(DelayCluster world, SplittableRandom random) {
    this.world = world;
    this.random = random;
  }

  void schedule() {
    int messages = random.nextInt(FEWEST_MESSAGES, FEWEST_MESSAGES + 60);
    long lastNanos = ClusterScenario.HEAL_AT.minusSeconds(5).toNanos();
    long burstNanos = random.nextLong(lastNanos);
    for (int i = 0; i < messages; i++) {
      boolean inBurst = world.scenario.burst() && i % 2 == 0;
      long at =
          inBurst
              ? Math.max(0, burstNanos - random.nextLong(20_000_000_000L))
              : random.nextLong(lastNanos);
      long burstDue = inBurst ? burstNanos + random.nextLong(1_000_000_000) : -1;
      world.kernel.after(at, () -> submit(burstDue));
    }
    world.kernel.scatter(random.nextInt(30, 60), lastNanos, random, this::amend);
    world.kernel.scatter(random.nextInt(5, 12), lastNanos, random, this::garbage);
    long calm = ClusterScenario.CALM_AT.toNanos();
    long calmEnd = ClusterScenario.END_AT.minusSeconds(6).toNanos();
    for (int i = 0; i < CALM_MESSAGES; i++) {
      long at = random.nextLong(calm, calmEnd);
      long due = random.nextLong(at - 1_000_000_000, calmEnd);
      world.kernel.after(at, () -> submit(due));
    }
    for (int i = 0; i < CALM_AMENDMENTS; i++) {
      long at = random.nextLong(calm, calmEnd - 12_000_000_000L);
      world.kernel.after(at, () -> submitAndAmend(at + 10_000_000_000L));
    }
  }

  private void submitAndAmend(long dueNanos) {
    submit(dueNanos);
    Used target = used.getLast();
    Amendment amendment =
        random.nextBoolean()
            ? new Amendment.Cancel()
            : new Amendment.Reschedule(target.dueMicros() + 1_000_000);
    world.kernel.after(4_000_000_000L, () -> request(target, amendment, false));
  }

  /** Uses ids again after a while. */
  void submitAgain(List<ClaimedMessage> fired, long nanos) {
    for (ClaimedMessage one : fired) {
      for (Used before : List.copyOf(used)) {
        if (before.id().equals(one.message().id())
            && before.pair().id().equals(one.message().route())) {
          long due = world.kernel.nowNanos() + nanos + 20_000_000_000L;
          world.kernel.after(nanos, () -> submit(before, due));
          break;
        }
      }
    }
  }

  private DelayTopology.Pair anyPair() {
    return world.topology.pairs().get(random.nextInt(world.topology.pairs().size()));
  }

  private long nowMicros() {
    return world.trueTime.micros();
  }

  /**
   * @param dueNanos virtual time of the due time, negative to draw one
   */
  private void submit(long dueNanos) {
    submit(
        !used.isEmpty() && dueNanos < 0 && random.nextInt(4) == 0
            ? recently()
            : new Used(anyPair(), new MessageId("id-" + lastTag), 0, anyKey()),
        dueNanos);
  }

  private void submit(Used as, long dueNanos) {
    DelayTopology.Pair pair = as.pair();
    MessageId id = as.id();
    byte[] key = as.key();
    long dueMicros =
        dueNanos >= 0 ? VirtualClock.EPOCH_MICROS + dueNanos / 1_000 : nowMicros() + anyDelay();
    boolean refused = dueNanos < 0 && random.nextInt(60) == 0;
    byte[] value = anyValue(refused);
    List<MessageHeader> own = ownHeaders();
    List<MessageHeader> all = new ArrayList<>(own);
    boolean ours = random.nextBoolean();
    all.add(
        random.nextInt(all.size()) + 1,
        header(ours ? ControlHeaders.ID : ControlHeaders.CHRONOS_ID, id.value()));
    all.add(
        header(
            ours ? ControlHeaders.DUE_AT : ControlHeaders.CHRONOS_DEADLINE,
            EpochMicros.toInstant(dueMicros).toString()));
    String topic = pair.output();
    if (random.nextInt(8) == 0) {
      topic = DelayTopology.ELSEWHERE;
      all.add(header(ControlHeaders.OUTPUT_TOPIC, topic));
    }
    if (pair.relayId()) {
      own.add(header(ControlHeaders.ID, id.value()));
    }
    used.add(new Used(pair, id, dueMicros, key));
    send(
        ++lastTag,
        new Production(
            pair,
            key,
            value,
            all,
            new ProducedRecord.Expected.Fires(id, dueMicros, topic, own, refused)));
  }

  private Used recently() {
    int back = Math.min(used.size(), random.nextInt(3) == 0 ? used.size() : 12);
    return used.get(used.size() - 1 - random.nextInt(back));
  }

  /** Microseconds from now to the due time. */
  private long anyDelay() {
    int kind = random.nextInt(100);
    if (kind < 8) {
      return -random.nextLong(20_000_000);
    }
    if (kind < 18) {
      return random.nextLong(120_000);
    }
    if (kind < 70) {
      return random.nextLong(10_000_000);
    }
    if (kind < 95) {
      return random.nextLong(10_000_000, 35_000_000);
    }
    return kind < 98 ? random.nextLong(35_000_000, 55_000_000) : EpochMicros.MAX - nowMicros();
  }

  private byte @Nullable [] anyKey() {
    return random.nextInt(4) == 0 ? null : new byte[] {'k', (byte) random.nextInt(6)};
  }

  private byte @Nullable [] anyValue(boolean refused) {
    if (refused) {
      return new byte[ClusterScenario.MAX_RECORD_BYTES + 1];
    }
    int size = random.nextInt(8) == 0 ? random.nextInt(1_200) : random.nextInt(40);
    if (size == 0) {
      return random.nextBoolean() ? null : new byte[0];
    }
    byte[] value = new byte[size];
    random.nextBytes(value);
    return value;
  }

  /** Headers of the application, the tag first, with repeats and nulls now and then. */
  private List<MessageHeader> ownHeaders() {
    List<MessageHeader> own = new ArrayList<>();
    own.add(RecordTag.header(lastTag + 1));
    for (int i = random.nextInt(3); i > 0; i--) {
      own.add(
          new MessageHeader(
              "h" + random.nextInt(2),
              random.nextInt(4) == 0 ? null : new byte[] {(byte) random.nextInt()}));
    }
    return own;
  }

  private static MessageHeader header(String name, String value) {
    return new MessageHeader(name, value.getBytes(StandardCharsets.UTF_8));
  }

  // Garbage

  private void garbage() {
    List<MessageHeader> headers = ownHeaders();
    String due = EpochMicros.toInstant(nowMicros()).toString();
    byte[] value = anyValue(false);
    int kind = random.nextInt(5);
    if (kind > 0) {
      headers.add(header(ControlHeaders.ID, "some"));
    }
    if (kind != 3) {
      headers.add(header(ControlHeaders.DUE_AT, kind == 1 ? "soon" : due));
    }
    String reason =
        switch (kind) {
          case 0 -> "missing-id";
          case 1 -> "malformed-due-time";
          case 2 -> {
            headers.add(header("kairos-dueat", due));
            yield "unknown-header";
          }
          case 3 -> {
            headers.add(header(ControlHeaders.CONTROL, "stop"));
            yield "malformed-control";
          }
          default -> {
            headers.add(header(ControlHeaders.OUTPUT_TOPIC, "secret"));
            yield "output-not-allowed";
          }
        };
    send(
        ++lastTag,
        new Production(
            anyPair(), anyKey(), value, headers, new ProducedRecord.Expected.IsParked(reason)));
  }

  // Amendments

  private void amend() {
    if (used.isEmpty()) {
      return;
    }
    Used target = recently();
    for (int i = 0; i < 4 && target.dueMicros() < nowMicros(); i++) {
      target = recently(); // rather one that is likely to be pending
    }
    if (random.nextInt(10) == 0) {
      target =
          new Used(target.pair(), new MessageId("never-" + lastTag), nowMicros(), target.key());
    }
    Amendment amendment =
        random.nextInt(3) == 0 ? new Amendment.Reschedule(rescheduleTo()) : new Amendment.Cancel();
    // Just when the message is due is the most interesting moment.
    long micros = target.dueMicros() - nowMicros() + random.nextLong(-400_000, 200_000);
    Used chosen = target;
    long wait = micros > 0 && micros < 40_000_000 && random.nextBoolean() ? micros : 0;
    boolean byCaller = random.nextInt(3) == 0;
    world.kernel.after(wait * 1_000, () -> request(chosen, amendment, byCaller));
  }

  private long rescheduleTo() {
    long end =
        VirtualClock.EPOCH_MICROS + ClusterScenario.END_AT.minusSeconds(10).toNanos() / 1_000;
    return Math.min(end, nowMicros() + random.nextLong(-2_000_000, 30_000_000));
  }

  private void request(Used target, Amendment amendment, boolean byCaller) {
    if (byCaller) {
      call(target, amendment);
      return;
    }
    List<MessageHeader> headers = new ArrayList<>();
    headers.add(header(ControlHeaders.ID, target.id().value()));
    switch (amendment) {
      case Amendment.Cancel _ -> headers.add(header(ControlHeaders.CONTROL, "cancel"));
      case Amendment.Reschedule(long dueMicros) -> {
        headers.add(header(ControlHeaders.CONTROL, "reschedule"));
        headers.add(header(ControlHeaders.DUE_AT, EpochMicros.toInstant(dueMicros).toString()));
      }
    }
    if (world.broker.isAway()) {
      world.kernel.after(PRODUCER_RETRIES_AFTER_NANOS, () -> request(target, amendment, false));
      return;
    }
    int partition = partitionFor(target.pair().input(), target.key());
    long offset =
        world.broker.produce(
            target.pair().input(), partition, world.trueTime.millis(), target.key(), null, headers);
    world.ledger.requested(
        new AmendmentTrack(
            target.pair().id(),
            target.id(),
            amendment,
            world.kernel.nowNanos(),
            partition,
            offset));
  }

  private void call(Used target, Amendment amendment) {
    world.onSomeNode(
        random,
        node -> node.node.amend(target.pair().id(), target.id(), amendment, Duration.ofSeconds(3)));
  }

  // Producing

  @SuppressWarnings("ArrayRecordComponent") // opaque bytes, not compared
  private record Production(
      DelayTopology.Pair pair,
      byte @Nullable [] key,
      byte @Nullable [] value,
      List<MessageHeader> headers,
      ProducedRecord.Expected expected) {}

  private void send(long tag, Production production) {
    if (world.broker.isAway()) {
      world.kernel.after(PRODUCER_RETRIES_AFTER_NANOS, () -> send(tag, production));
      return;
    }
    String topic = production.pair().input();
    int partition = partitionFor(topic, production.key());
    long offset =
        world.broker.produce(
            topic,
            partition,
            world.trueTime.millis(),
            production.key(),
            production.value(),
            production.headers());
    world.ledger.produced(
        new ProducedRecord(
            new ProducedRecord.Submitted(
                tag,
                production.pair().id(),
                partition,
                offset,
                world.kernel.nowNanos(),
                production.expected(),
                production.key(),
                production.value(),
                production.headers())));
  }

  private int partitionFor(String topic, byte @Nullable [] key) {
    int partitions = world.broker.partitions(topic);
    return key == null ? turn++ % partitions : world.partitioner.partitionFor(key, partitions);
  }
}
