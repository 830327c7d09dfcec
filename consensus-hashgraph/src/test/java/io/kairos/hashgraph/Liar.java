package io.kairos.hashgraph;

import static java.util.Objects.requireNonNull;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.cron.LogCommand;
import io.kairos.engine.replica.ClientId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A replica that lies: production code with a key of its own, whose messages are held back, changed
 * and made up. It knows what a replica knows, and cannot sign for others.
 */
final class Liar {
  private static final long MILLIS = 1_000_000;
  private static final int MOST_HEARD = 200;
  private static final int TICKS_OF_A_FLOOD = 1_500;

  /** The first byte of a message that is a piece of a snapshot. */
  private static final byte PIECE = 6;

  final ReplicaId id;
  final Set<Lie> lies;
  private final HashgraphSimulation world;
  private final SplittableRandom random;
  private final EventKeys keys;
  private final List<SimulatedReplica> twins = new ArrayList<>();

  /** What the twins run, where cron is simulated. */
  private final List<SimulatedCron> crons = new ArrayList<>();

  private final List<byte[]> heard = new ArrayList<>();
  private final List<Event> heardEvents = new ArrayList<>();
  private @Nullable Event lastOwn;
  private long chosen;

  /** The latest round of which others have spoken. */
  private long round = 1;

  private long ticks;
  private long request;

  Liar(ReplicaId id, Set<Lie> lies, HashgraphSimulation world, SplittableRandom random) {
    this.id = id;
    this.lies = EnumSet.copyOf(lies);
    this.world = world;
    this.random = random;
    this.keys = world.keys.get(id.number());
    choose();
    HashgraphConfig config = world.config(id);
    if (lies.contains(Lie.HASTE)) {
      HashgraphConfig.Pace pace = config.pace();
      config =
          new HashgraphConfig(
              id,
              config.cluster(),
              config.clusterName(),
              new HashgraphConfig.Pace(
                  pace.create().dividedBy(10), pace.sync(), pace.quietSync(), pace.answer()),
              config.bounds());
    }
    for (int twin = 0; twin < (lies.contains(Lie.FORKS) ? 2 : 1); twin++) {
      int number = twin;
      SimulatedReplica replica =
          new SimulatedReplica(
              config,
              world.timeline,
              keys,
              random.split(),
              (to, message) -> send(number, to, message));
      if (lies.contains(Lie.WRONG_CLOCK)) {
        replica.clockOff = Duration.ofDays(random.nextBoolean() ? 14_610 : -14_610);
        world.judge.reached(RareState.CLOCK_YEARS_OFF);
      }
      replica.isLiar = true;
      twins.add(replica);
      world.network.listen(id, (from, message) -> receive(replica, from, message));
    }
  }

  /** Chooses anew to whom it talks. */
  private void choose() {
    chosen = random.nextLong() | 1L << random.nextInt(world.cluster.size());
  }

  void start() {
    if (lies.contains(Lie.SILENT)) {
      world.judge.lied();
      world.judge.reached(RareState.SILENT);
      return;
    }
    if (lies.contains(Lie.ALONE)) {
      alone(null, 1);
    } else {
      for (SimulatedReplica twin : twins) {
        world.open(twin).ifPresent(crons::add);
      }
    }
    later();
  }

  /** Sends an event that follows its last one and no other, and so on. */
  private void alone(@Nullable Event last, int number) {
    List<Event.Parent> parents =
        last == null ? List.of() : List.of(new Event.Parent(id, last.birthRound(), last.hash()));
    Event.Body body =
        new Event.Body(
            id,
            Math.max(round, last == null ? 1 : last.birthRound()),
            SimulatedReplica.START.plusNanos(world.timeline.nowNanos()),
            number,
            parents,
            List.of());
    Event made = Event.sign(body, HashgraphSimulation.CLUSTER, keys);
    world.judge.reached(RareState.ALONE);
    for (ReplicaId to : world.cluster.replicas()) {
      lie(to, new PeerMessage.Events(List.of(made.bytes())).encode());
    }
    world.timeline.after(random.nextLong(10, 60) * MILLIS, () -> alone(made, number + 1));
  }

  private void later() {
    world.timeline.after(
        random.nextLong(20, 400) * MILLIS,
        () -> {
          act();
          later();
        });
  }

  private void receive(SimulatedReplica twin, ReplicaId from, byte[] message) {
    remember(message);
    PeerMessage decoded = PeerMessage.decode(message, twin.config.bounds()).orElse(null);
    if (decoded instanceof PeerMessage.Sync sync && lies.contains(Lie.ALONE)) {
      round = Math.max(round, sync.round());
    }
    twin.receive(from, message);
  }

  private void remember(byte[] message) {
    if (heard.size() < MOST_HEARD) {
      heard.add(message);
    } else {
      heard.set(random.nextInt(MOST_HEARD), message);
    }
    if (!lies.contains(Lie.FORGES)) {
      return;
    }
    for (Event event : HashgraphJudge.eventsOf(message, world.config(id), _ -> true)) {
      if (heardEvents.size() < MOST_HEARD) {
        heardEvents.add(event);
      } else {
        heardEvents.set(random.nextInt(MOST_HEARD), event);
      }
    }
  }

  private boolean isChosen(ReplicaId to) {
    return (chosen >> to.number() & 1) == 1;
  }

  private void send(int twin, ReplicaId to, byte[] message) {
    if (lies.contains(Lie.FORGES)) {
      HashgraphJudge.eventsOf(message, world.config(id), creator -> creator == id.number())
          .forEach(own -> lastOwn = own);
    }
    boolean isHidden =
        (lies.contains(Lie.SELECTIVE) && !isChosen(to))
            || (lies.contains(Lie.FORKS) && isChosen(to) == (twin == 0) && random.nextInt(20) > 0);
    if (isHidden) {
      world.judge.lied();
      if (lies.contains(Lie.SELECTIVE)) {
        world.judge.reached(RareState.SELECTIVE);
      }
      return;
    }
    if (lies.contains(Lie.WITHHOLDS) && random.nextInt(10) < 7) {
      world.judge.lied();
      world.judge.reached(RareState.WITHHELD);
      world.timeline.after(
          random.nextLong(100, 2_000) * MILLIS, () -> world.network.send(id, to, message));
      return;
    }
    if (lies.contains(Lie.FALSE_ROUNDS) && message[0] == PIECE && random.nextBoolean()) {
      byte[] changed = message.clone();
      changed[changed.length - 1] ^= 1;
      world.judge.reached(RareState.FALSE_PIECE_SENT);
      lie(to, changed);
      return;
    }
    if (lies.contains(Lie.WRONG_CLOCK) || lies.contains(Lie.HASTE)) {
      world.judge.lied();
    }
    world.network.send(id, to, message);
  }

  /** Sends something to somebody, or does something else that a replica would not. */
  private void act() {
    if (random.nextInt(10) == 0) {
      choose();
    }
    for (SimulatedReplica twin : twins) {
      HashgraphLog log = twin.log();
      if (log != null && random.nextInt(3) == 0) {
        log.submit(
            new ClientId(10_000 + id.number() * 2L + twins.indexOf(twin)),
            ++request,
            new byte[random.nextInt(300)],
            _ -> {});
      }
    }
    ReplicaId to = new ReplicaId(random.nextInt(world.cluster.size()));
    if (lies.contains(Lie.GARBAGE)) {
      lie(to, garbage());
    }
    if (lies.contains(Lie.REPLAYS) && !heard.isEmpty()) {
      world.judge.reached(RareState.REPLAYED);
      for (int i = 0; i < 5; i++) {
        lie(to, heard.get(random.nextInt(heard.size())));
      }
    }
    if (lies.contains(Lie.FORGES)) {
      lie(to, new PeerMessage.Events(List.of(forged())).encode());
    }
    if (lies.contains(Lie.FALSE_ROUNDS)) {
      lie(to, falseRound());
    }
    if (lies.contains(Lie.FLOODS_TICKS) && world.isUnderLoad()) {
      flood(to);
    }
  }

  /** Puts far too many ticks into its events, some of them in the name of another. */
  private void flood(ReplicaId victim) {
    world.judge.lied();
    for (int i = 0; i < crons.size(); i++) {
      HashgraphLog log = twins.get(i).log();
      for (int tick = 0; log != null && tick < TICKS_OF_A_FLOOD; tick++) {
        ReplicaId sender = random.nextInt(50) == 0 ? victim : id;
        long number =
            sender.equals(id) && random.nextInt(10) > 0
                ? ++ticks
                : random.nextLong(1, Math.max(2, 2 * ticks));
        log.core()
            .submit(
                RequestEnvelope.encode(
                    ClientId.ofTicks(sender, SimulatedCron.TABLE),
                    number,
                    new LogCommand.Tick(
                            SimulatedCron.TABLE,
                            crons.get(i).round() + random.nextInt(3),
                            twins.get(i).clock().toEpochMilli() + random.nextLong(-1_000, 1_000))
                        .encode()),
                () -> {});
      }
    }
  }

  private void lie(ReplicaId to, byte[] message) {
    world.judge.lied();
    world.network.send(id, to, message);
  }

  private byte[] garbage() {
    if (heard.isEmpty() || random.nextBoolean()) {
      byte[] bytes = new byte[random.nextInt(2_000)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = (byte) random.nextInt(8);
      }
      return bytes;
    }
    byte[] bytes = heard.get(random.nextInt(heard.size())).clone();
    for (int i = 0; i <= random.nextInt(4); i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    return bytes;
  }

  private byte[] forged() {
    if (!heardEvents.isEmpty() && random.nextInt(3) == 0) {
      byte[] bytes = heardEvents.get(random.nextInt(heardEvents.size())).bytes().clone();
      bytes[random.nextInt(bytes.length)] ^= 1;
      return bytes;
    }
    boolean isFollowing = lastOwn != null && random.nextInt(3) == 0;
    ReplicaId creator =
        random.nextInt(4) == 0 && !isFollowing
            ? new ReplicaId(random.nextInt(world.cluster.size()))
            : id;
    List<Event.Parent> parents = new ArrayList<>();
    long birthRound = 1;
    Set<ReplicaId> named = new HashSet<>();
    if (isFollowing) {
      Event last = requireNonNull(lastOwn);
      named.add(id);
      parents.add(new Event.Parent(id, 1, last.hash())); // which it may be no more
      birthRound = Math.max(1, last.birthRound() - random.nextInt(3));
    }
    List<Event> candidates = new ArrayList<>(heardEvents);
    for (int i = 0; i < 3 && !candidates.isEmpty(); i++) {
      Event of = candidates.get(random.nextInt(candidates.size()));
      if (!named.add(of.creator()) || (of.creator().equals(creator) && !parents.isEmpty())) {
        continue;
      }
      long born = random.nextInt(4) == 0 ? Math.max(1, of.birthRound() - 1) : of.birthRound();
      parents.add(new Event.Parent(of.creator(), born, of.hash()));
      birthRound = Math.max(birthRound, of.birthRound());
    }
    birthRound += random.nextInt(3) == 0 ? random.nextInt(200) : 0;
    List<byte[]> requests = new ArrayList<>();
    ReplicaId victim = new ReplicaId(random.nextInt(world.cluster.size()));
    requests.add(
        RequestEnvelope.encode(
            random.nextBoolean() ? ClientId.ofVotes(victim) : new ClientId(20_000 + id.number()),
            Math.max(1, random.nextLong() >>> 1),
            new byte[random.nextInt(100)]));
    byte[] noise = new byte[random.nextInt(40)];
    random.nextBytes(noise);
    requests.add(noise);
    Event.Body body =
        new Event.Body(
            creator,
            birthRound,
            random.nextBoolean()
                ? Instant.ofEpochSecond(random.nextLong(0, 9_300_000_000L))
                : SimulatedReplica.START.plusNanos(world.timeline.nowNanos()),
            random.nextLong(),
            parents,
            requests);
    return Event.sign(body, HashgraphSimulation.CLUSTER, keys).bytes();
  }

  private byte[] falseRound() {
    if (random.nextBoolean()) {
      List<EventHash> tips = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        byte[] hash = new byte[EventHash.BYTES];
        random.nextBytes(hash);
        tips.add(new EventHash(hash));
      }
      long round = random.nextBoolean() ? Long.MAX_VALUE : random.nextLong(1, 1_000_000);
      return new PeerMessage.Sync(round, random.nextLong(0, round), random.nextLong(0, round), tips)
          .encode();
    }
    world.judge.reached(RareState.FALSE_SNAPSHOT_SENT);
    byte[] state = new byte[1 + random.nextInt(200)];
    return random.nextBoolean()
        ? new PeerMessage.Piece(PeerMessage.Offer.digest(state), 0, state).encode()
        : new PeerMessage.Offers(
                List.of(
                    new PeerMessage.Offer(
                        1_000_000, state.length, PeerMessage.Offer.digest(state))))
            .encode();
  }

  static Set<Lie> draw(SplittableRandom random) {
    List<Lie> all = List.copyOf(EnumSet.complementOf(EnumSet.of(Lie.FLOODS_TICKS)));
    Set<Lie> lies = EnumSet.noneOf(Lie.class);
    int count = 1 + random.nextInt(3);
    while (lies.size() < count) {
      lies.add(all.get(random.nextInt(all.size())));
    }
    return lies;
  }
}
