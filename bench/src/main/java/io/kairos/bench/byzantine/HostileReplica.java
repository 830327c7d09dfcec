package io.kairos.bench.byzantine;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.hashgraph.EventKeys;
import io.kairos.hashgraph.GossipConfig;
import io.kairos.hashgraph.GossipNetwork;
import io.kairos.hashgraph.HashgraphConfig;
import io.kairos.hashgraph.HashgraphCore;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A replica with the keys of a cluster that lies to the others, in one way at a time: the true core
 * behind ports that lie, so that what it signs is well formed. All but {@link #begin} and what the
 * network calls runs on the thread of {@link #run}.
 */
final class HostileReplica implements GossipNetwork.Receiver {
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration YEARS = Duration.ofDays(40 * 365);
  private static final int INBOX = 10_000;
  private static final int REMEMBERED = 500;
  private static final int REPEATS = 20;
  private static final int HASTY_REPEATS = 200;
  private static final int LARGEST_GARBAGE = 100_000;
  private static final Duration CHANGES_EVERY = Duration.ofSeconds(2);

  private final HashgraphConfig config;
  private final EventKeys keys;
  private final GossipNetwork network;
  private final StrangerAttacks strangers;
  private final MonotonicClock nanos = System::nanoTime;
  private final SplittableRandom random = new SplittableRandom();
  private final BlockingQueue<Received> inbox = new ArrayBlockingQueue<>(INBOX);
  private final Deque<byte[]> sent = new ArrayDeque<>();
  private final MemoryJournal journal = new MemoryJournal();
  private final HashgraphCore core;
  private @Nullable HashgraphCore twin;
  private volatile @Nullable Lie lie;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Received(ReplicaId from, byte[] message) {}

  HostileReplica(
      HashgraphConfig config, GossipConfig gossip, EventKeys keys, StrangerAttacks strangers) {
    this.config = config;
    this.keys = keys;
    this.strangers = strangers;
    this.network = GossipNetwork.bind(gossip, config, keys, nanos);
    this.core = HashgraphCore.open(config, ports(journal, this::send));
  }

  private HashgraphCore.Ports ports(MemoryJournal kept, HashgraphCore.Network to) {
    return new HashgraphCore.Ports(
        keys, kept, to, new Nothing(), this::now, () -> 0, new SplittableRandom(random.nextLong()));
  }

  /** Executes nothing, so that its snapshots are false. */
  private static final class Nothing implements HashgraphCore.Application {
    @Override
    public void execute(ReplicaId creator, byte[] request, Instant agreed) {}

    @Override
    public byte[] snapshot() {
      return "false".getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void restore(byte[] snapshot) {}

    @Override
    public void executed(long round, int events) {}
  }

  private Instant now() {
    Instant now = Instant.now();
    if (lie != Lie.DATES) {
      return now;
    }
    return turn() % 2 == 0 ? now.plus(YEARS) : now.minus(YEARS);
  }

  /** Grows every two seconds. */
  private long turn() {
    return nanos.nanos() / CHANGES_EVERY.toNanos();
  }

  /** Lies in this way from now on; null for the truth, as far as it is still possible. */
  void begin(@Nullable Lie next) {
    lie = next;
    strangers.begin(next);
  }

  @Override
  public boolean receive(ReplicaId from, byte[] message, LongConsumer done) {
    done.accept(0);
    boolean _ = inbox.offer(new Received(from, message)); // what is too much is asked for again
    return true;
  }

  /** Runs until it is interrupted. */
  void run() throws InterruptedException {
    network.start(this);
    while (true) {
      Received next = inbox.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      for (; next != null; next = inbox.poll()) {
        core.receive(next.from(), next.message(), nanos.nanos());
        if (twin != null) {
          twin.receive(next.from(), next.message(), nanos.nanos());
        }
      }
      act();
      network.look();
    }
  }

  private void act() {
    if (lie == Lie.FORKS && twin == null) {
      twin = HashgraphCore.open(config, ports(new MemoryJournal(journal), this::sendTwin));
    }
    if (lie == Lie.REQUESTS) {
      core.submit(forgedRequest(), () -> {});
    }
    core.look(nanos.nanos());
    HashgraphCore second = twin;
    if (second != null) {
      second.submit(new byte[] {0}, () -> {});
      second.look(nanos.nanos());
    }
  }

  /**
   * Bytes in the form of a request, most of them under an id that is reserved for a replica, and
   * with a number so high that the true ones would be stale for ever.
   */
  private byte[] forgedRequest() {
    byte[] command = new byte[random.nextInt(1, 64)];
    random.nextBytes(command);
    if (random.nextInt(4) == 0) {
      return command;
    }
    long client = -1 - random.nextLong(1_000);
    return ByteBuffer.allocate(1 + 2 * Long.BYTES + command.length)
        .put((byte) 1)
        .putLong(client)
        .putLong(Long.MAX_VALUE)
        .put(command)
        .array();
  }

  // Of two replicas with one key, one talks to the even numbers and one to the odd ones.

  private void sendTwin(ReplicaId to, byte[] message) {
    if (to.number() % 2 == 1) {
      network.send(to, message);
    }
  }

  private void send(ReplicaId to, byte[] message) {
    if (twin != null && to.number() % 2 == 1) {
      return;
    }
    switch (lie) {
      case SELECTION -> {
        if (turn() % config.cluster().size() == to.number()) {
          network.send(to, message);
        }
      }
      case SILENCE -> {}
      case CORRUPTION -> network.send(to, corrupted(message));
      case GARBAGE -> network.send(to, garbage(random.nextInt(1, LARGEST_GARBAGE)));
      case REPLAY -> {
        network.send(to, message);
        remember(message);
        List<byte[]> old = new ArrayList<>(sent);
        for (int i = 0; i < REPEATS; i++) {
          network.send(to, old.get(random.nextInt(old.size())));
        }
      }
      case HASTE -> {
        for (int i = 0; i < HASTY_REPEATS; i++) {
          network.send(to, message);
        }
      }
      case OVERSIZE ->
          network.send(to, new byte[GossipNetwork.mostFrameBytes(config.bounds()) + 1]);
      case null, default -> network.send(to, message);
    }
  }

  private byte[] corrupted(byte[] message) {
    byte[] changed = message.clone();
    changed[random.nextInt(changed.length)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
    return changed;
  }

  private byte[] garbage(int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    return bytes;
  }

  private void remember(byte[] message) {
    sent.add(message);
    if (sent.size() > REMEMBERED) {
      sent.remove();
    }
  }
}
