package io.kairos.hashgraph;

import io.kairos.domain.cron.ComponentId;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * Makes what no replica that keeps the rules would say, in the form and with the signature of one
 * that does. In the package of the protocol, whose forms nobody else knows, and in no package of
 * Kairos. Used by one thread.
 */
@NullMarked
public final class Forger {
  private static final int REMEMBERED = 200;
  private static final int KINDS_OF_EVENTS = 5;
  private static final int MOST_NOISE = 300;

  /** No replica gets there. */
  private static final long FAR_ROUND = 1L << 40;

  private final HashgraphConfig config;
  private final EventKeys keys;
  private final RandomGenerator random;
  private final Deque<Tick> heardTicks = new ArrayDeque<>();
  private @Nullable Event ownLast;
  private @Nullable RequestEnvelope heardCall;
  private long ticks;

  /** A tick that another replica has made. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Tick(byte[] request, byte[] command) {}

  public Forger(HashgraphConfig config, EventKeys keys, RandomGenerator random) {
    this.config = config;
    this.keys = keys;
    this.random = random;
  }

  /** Learns from a message that was sent or received. */
  public void learn(byte[] message) {
    if (PeerMessage.decode(message, config.bounds()).orElse(null)
        instanceof PeerMessage.Events events) {
      events.events().forEach(bytes -> Event.decode(bytes, config).ifPresent(this::learn));
    }
  }

  private void learn(Event event) {
    if (event.creator().equals(config.self())) {
      Event last = ownLast;
      if (last == null || event.body().created().isAfter(last.body().created())) {
        ownLast = event;
      }
      return;
    }
    for (byte[] request : event.body().requests()) {
      RequestEnvelope.decode(event.creator(), request)
          .ifPresent(each -> {
            if (each.origin().client().isOfTicks()) {
              heardTicks.add(new Tick(request, each.command()));
            } else if (each.origin().client().isOfCallers()) {
              heardCall = each;
            }
          });
    }
    while (heardTicks.size() > REMEMBERED) {
      heardTicks.remove();
    }
  }

  /** A message with an event that is signed and that every replica must refuse. */
  public Optional<byte[]> event() {
    Event last = ownLast;
    if (last == null) {
      return Optional.empty();
    }
    Event.Parent parent = new Event.Parent(config.self(), last.birthRound(), last.hash());
    long born = last.birthRound();
    Instant later = last.body().created().plusMillis(1);
    return Optional.of(
        switch (random.nextInt(KINDS_OF_EVENTS)) {
          case 0 -> event(born, later, new Event.Parent(other(), born, last.hash()), noise());
          case 1 ->
              event(
                  born + 1, later, new Event.Parent(config.self(), born + 1, last.hash()), noise());
          case 2 -> event(born, last.body().created(), parent, noise());
          case 3 -> event(born + FAR_ROUND, later, parent, noise());
          default -> event(born, later, parent, new byte[config.bounds().eventBytes()]);
        });
  }

  private byte[] event(long born, Instant created, Event.Parent parent, byte[] request) {
    Event.Body body =
        new Event.Body(
            config.self(), born, created, random.nextLong(), List.of(parent), List.of(request));
    return new PeerMessage.Events(List.of(Event.sign(body, config.clusterName(), keys).bytes()))
        .encode();
  }

  private byte[] noise() {
    byte[] bytes = new byte[random.nextInt(1, MOST_NOISE)];
    random.nextBytes(bytes);
    return bytes;
  }

  private ReplicaId other() {
    int size = config.cluster().size();
    return new ReplicaId((config.self().number() + random.nextInt(1, size)) % size);
  }

  /** A message that claims a round, or offers or brings a snapshot, of which nothing is true. */
  public byte[] round() {
    byte[] state = noise();
    long round = random.nextLong(1, FAR_ROUND);
    String digest = PeerMessage.Offer.digest(state);
    return (switch (random.nextInt(3)) {
          case 0 -> new PeerMessage.Sync(round, round, round, List.of());
          case 1 ->
              new PeerMessage.Offers(List.of(new PeerMessage.Offer(round, state.length, digest)));
          default -> new PeerMessage.Piece(digest, 0, state);
        })
        .encode();
  }

  /**
   * A request in the name of another replica, with a number that would end all its own ones, or in
   * the place of the next call of one of its callers, who would be told that it succeeded.
   */
  public byte[] request(ComponentId table) {
    RequestEnvelope call = heardCall;
    if (call != null && random.nextBoolean()) {
      return RequestEnvelope.encode(
          call.origin().client(), call.origin().request() + 1, call.command());
    }
    ReplicaId victim = other();
    ClientId client =
        switch (random.nextInt(3)) {
          case 0 -> ClientId.ofTicks(victim, table);
          case 1 -> ClientId.ofVotes(victim);
          default -> ClientId.ofEffects(victim);
        };
    return random.nextInt(4) == 0
        ? noise()
        : RequestEnvelope.encode(client, Long.MAX_VALUE, noise());
  }

  /** Ticks in this replica's name, some under a number that was used, and ticks of others. */
  public List<byte[]> ticks(ComponentId table, int count) {
    List<Tick> heard = List.copyOf(heardTicks);
    List<byte[]> made = new ArrayList<>();
    for (int i = 0; i < count && !heard.isEmpty(); i++) {
      Tick tick = heard.get(random.nextInt(heard.size()));
      long number = ticks > 0 && random.nextInt(10) == 0 ? random.nextLong(ticks) + 1 : ++ticks;
      made.add(
          random.nextInt(10) == 0
              ? tick.request()
              : RequestEnvelope.encode(
                  ClientId.ofTicks(config.self(), table), number, tick.command()));
    }
    return made;
  }
}
