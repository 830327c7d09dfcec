package io.kairos.bench.byzantine;

import static java.util.Comparator.comparingLong;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import io.kairos.hashgraph.EventKeys;
import io.kairos.hashgraph.Forger;
import io.kairos.hashgraph.GossipConfig;
import io.kairos.hashgraph.GossipNetwork;
import io.kairos.hashgraph.HashgraphConfig;
import io.kairos.hashgraph.HashgraphCore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica with the keys of a cluster that attacks the others, in one way at a time: the true core
 * behind ports that lie, so that what it signs is well formed, and a {@link Forger}. All but {@link
 * #begin} and what the network calls runs on the thread of {@link #run}.
 */
final class HostileReplica implements GossipNetwork.Receiver {
  private static final Logger LOG = LoggerFactory.getLogger(HostileReplica.class);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration YEARS = Duration.ofDays(40 * 365);
  private static final int INBOX = 10_000;
  private static final int REMEMBERED = 500;
  private static final int REPLAYED = 20;
  private static final int REPEATS = 200;
  private static final int LARGEST_GARBAGE = 100_000;
  private static final Duration CHANGES_EVERY = Duration.ofSeconds(2);
  private static final Duration FORGES_EVERY = Duration.ofMillis(50);
  private static final long LONGEST_HELD_MILLIS = 2_000;

  /** More than two rounds take of a replica, every so often that others keep up. */
  private static final int TICKS_AT_ONCE = 2_500;

  private static final int FLOODS_OF_FORGERIES = 10;
  private static final ComponentId TABLE = new ComponentId(ByzantineDemoCommand.COMPONENT);

  private final HashgraphConfig config;
  private final EventKeys keys;
  private final GossipNetwork network;
  private final StrangerAttacks strangers;
  private final MonotonicClock stopwatch = System::nanoTime;
  private final SplittableRandom random;
  private final Forger forger;
  private final BlockingQueue<Received> inbox = new ArrayBlockingQueue<>(INBOX);
  private final Deque<byte[]> sent = new ArrayDeque<>();
  private final Queue<Held> held = new PriorityQueue<>(comparingLong(Held::dueNanos));
  private final LongAdder done = new LongAdder();
  private final Self first = new Self(this::send, MemoryJournal::new);
  private @Nullable Self twin;
  private long nextForgedNanos;
  private long forgeries;
  private volatile @Nullable Attack attack;

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Received(ReplicaId from, byte[] message) {}

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Held(long dueNanos, ReplicaId to, byte[] message) {}

  HostileReplica(
      HashgraphConfig config,
      GossipConfig gossip,
      EventKeys keys,
      StrangerAttacks strangers,
      SplittableRandom random) {
    this.config = config;
    this.keys = keys;
    this.strangers = strangers;
    this.random = random;
    this.forger = new Forger(config, keys, random.split());
    this.network = GossipNetwork.bind(gossip, config, keys, stopwatch);
  }

  /**
   * A core that runs under the key. One that has heard of what another has signed refuses its own
   * events; another one takes its place after a while.
   */
  private final class Self {
    private final HashgraphCore.Network to;
    private final Supplier<MemoryJournal> journals;
    private MemoryJournal journal = new MemoryJournal();
    private @Nullable HashgraphCore core;
    private long againNanos;

    /**
     * Creates one that is about to start.
     *
     * @param journals what each core begins with
     */
    Self(HashgraphCore.Network to, Supplier<MemoryJournal> journals) {
      this.to = to;
      this.journals = journals;
      this.againNanos = stopwatch.nanos();
    }

    void act(Consumer<HashgraphCore> action) {
      HashgraphCore running = core;
      if (running == null) {
        if (stopwatch.nanos() - againNanos < 0) {
          return;
        }
        running = open();
        core = running;
      }
      try {
        action.accept(running);
      } catch (IllegalStateException e) {
        LOG.warn("begins anew", e);
        core = null;
        againNanos = stopwatch.nanos() + CHANGES_EVERY.toNanos();
      }
    }

    private HashgraphCore open() {
      journal = journals.get();
      return HashgraphCore.open(
          config,
          new HashgraphCore.Ports(
              keys, journal, to, new Nothing(), HostileReplica.this::now, () -> 0, random.split()));
    }
  }

  /** Executes nothing, so that its snapshots are false. */
  private static final class Nothing implements HashgraphCore.Application {
    @Override
    public boolean execute(ReplicaId creator, byte[] request, Instant agreed) {
      return true;
    }

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
    if (attack != Attack.WRONG_CLOCK) {
      return now;
    }
    done.increment();
    return turn() % 2 == 0 ? now.plus(YEARS) : now.minus(YEARS);
  }

  /** Grows every two seconds. */
  private long turn() {
    return stopwatch.nanos() / CHANGES_EVERY.toNanos();
  }

  /**
   * Attacks in this way from now on; null for the truth, as far as it is still possible. Returns
   * how often it has done what it did until now.
   */
  long begin(@Nullable Attack next) {
    Attack before = attack;
    attack = next;
    long ofStrangers = strangers.begin(next);
    long own = done.sumThenReset();
    return before != null && before.isOfStrangers() ? ofStrangers : own;
  }

  @Override
  public boolean receive(ReplicaId from, byte[] message, LongConsumer taken) {
    taken.accept(0);
    boolean _ = inbox.offer(new Received(from, message)); // what is too much is asked for again
    return true;
  }

  /** Runs until it is interrupted. */
  void run() throws InterruptedException {
    network.start(this);
    while (true) {
      Received next = inbox.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
      for (; next != null; next = inbox.poll()) {
        take(next);
      }
      act();
      network.look();
    }
  }

  private void take(Received next) {
    long nanos = stopwatch.nanos();
    learn(next.message());
    first.act(core -> core.receive(next.from(), next.message(), nanos));
    if (twin != null) {
      twin.act(core -> core.receive(next.from(), next.message(), nanos));
    }
  }

  private void learn(byte[] message) {
    if (attack == Attack.FORGES
        || attack == Attack.FLOODS_TICKS
        || attack == Attack.FORGES_REQUESTS) {
      forger.learn(message);
    }
  }

  private void act() {
    long nanos = stopwatch.nanos();
    Attack now = attack;
    while (!held.isEmpty() && held.element().dueNanos() - nanos <= 0) {
      Held late = held.remove();
      network.send(late.to(), late.message());
    }
    if (now == Attack.FORKS && twin == null) {
      twin = new Self(this::sendTwin, () -> new MemoryJournal(first.journal));
    }
    if (nanos - nextForgedNanos >= 0) {
      nextForgedNanos = nanos + FORGES_EVERY.toNanos();
      forge(now);
    }
    first.act(core -> core.look(nanos));
    Self second = twin;
    if (second != null) {
      second.act(core -> {
        core.submit(new byte[] {0}, () -> {});
        core.look(nanos);
      });
    }
  }

  private void forge(@Nullable Attack now) {
    switch (now) {
      case FLOODS_TICKS -> {
        if (++forgeries % FLOODS_OF_FORGERIES == 0) {
          forger.ticks(TABLE, TICKS_AT_ONCE).forEach(this::submit);
        }
      }
      case FORGES_REQUESTS -> submit(forger.request(TABLE));
      case FORGES -> {
        for (ReplicaId to : others()) {
          forger.event().ifPresent(message -> sendDone(to, message));
        }
      }
      case FALSE_ROUNDS -> others().forEach(to -> sendDone(to, forger.round()));
      case null, default -> {}
    }
  }

  private List<ReplicaId> others() {
    return config.cluster().replicas().stream()
        .filter(each -> !each.equals(config.self()))
        .toList();
  }

  private void submit(byte[] request) {
    done.increment();
    first.act(core -> core.submit(request, () -> {}));
  }

  // Of two replicas with one key, one talks to the even numbers and one to the odd ones.

  private void sendTwin(ReplicaId to, byte[] message) {
    if (to.number() % 2 == 1) {
      sendDone(to, message);
    }
  }

  private void sendDone(ReplicaId to, byte[] message) {
    done.increment();
    network.send(to, message);
  }

  private void send(ReplicaId to, byte[] message) {
    if (twin != null && to.number() % 2 == 1) {
      return;
    }
    learn(message);
    switch (attack) {
      case WITHHOLDS -> {
        if (random.nextInt(10) < 3) {
          network.send(to, message);
        } else {
          done.increment();
          long millis = random.nextLong(100, LONGEST_HELD_MILLIS);
          held.add(new Held(stopwatch.nanos() + millis * 1_000_000, to, message));
        }
      }
      case SELECTIVE -> {
        if (turn() % config.cluster().size() == to.number()) {
          network.send(to, message);
        } else {
          done.increment();
        }
      }
      case SILENT -> done.increment();
      case CORRUPTS -> sendDone(to, corrupted(message));
      case GARBAGE -> sendDone(to, garbage(random.nextInt(1, LARGEST_GARBAGE)));
      case REPLAYS -> {
        network.send(to, message);
        remember(message);
        List<byte[]> old = new ArrayList<>(sent);
        for (int i = 0; i < REPLAYED; i++) {
          sendDone(to, old.get(random.nextInt(old.size())));
        }
      }
      case REPEATS -> {
        for (int i = 0; i < REPEATS; i++) {
          sendDone(to, message);
        }
      }
      case OVERSIZED -> sendDone(to, new byte[GossipNetwork.mostFrameBytes(config.bounds()) + 1]);
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
