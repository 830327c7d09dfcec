package io.kairos.hashgraph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.contracts.RecordingMachine;
import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.replica.ClientId;
import io.kairos.engine.replica.SubmissionResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four replicas over TLS on sockets of this machine; for the attacks the last one is missing, and
 * somebody with its key and certificate, or without, calls the first one.
 */
@Timeout(120)
class HashgraphReplicaTest {
  private static final int LIAR = 3;
  private static final Duration LONG = Duration.ofSeconds(12);

  @TempDir Path folder;
  private @Nullable HashgraphReplicas opened;
  private final List<RecordingMachine> machines = new ArrayList<>();
  private final List<AutoCloseable> attackers = new ArrayList<>();
  private long requests;

  private HashgraphReplicas start(int count) {
    HashgraphReplicas replicas =
        new HashgraphReplicas(folder, SimulatedKeys.ed25519(HashgraphReplicas.SIZE, 1));
    opened = replicas;
    for (int i = 0; i < count; i++) {
      machines.add(new RecordingMachine());
      replicas.open(new ReplicaId(i), machines.get(i));
    }
    int others = count - 1;
    until(
        replicas,
        () -> {
          for (int i = 0; i < count; i++) {
            List<HashgraphStatus.Peer> peers = replicas.replica(i).status().peers();
            if (peers.stream().filter(HashgraphStatus.Peer::isHeard).count() < others
                || peers.stream().filter(HashgraphStatus.Peer::isReached).count() < others) {
              return false;
            }
          }
          return true;
        });
    return replicas;
  }

  @AfterEach
  void closeAll() throws Exception {
    for (AutoCloseable each : attackers) {
      each.close();
    }
    if (opened != null) {
      opened.close();
    }
  }

  private static void until(HashgraphReplicas replicas, BooleanSupplier so) {
    assertThat(replicas.letPass(so)).as("it takes far too long").isTrue();
  }

  /** Each of the first three replicas gets a request executed, and all three execute it. */
  private void goOn(HashgraphReplicas replicas) {
    List<SubmissionResult> answers = new CopyOnWriteArrayList<>();
    requests++;
    for (int i = 0; i < LIAR; i++) {
      replicas
          .replica(i)
          .submit(new ClientId(100 + i), requests, bytes("r" + requests), answers::add);
    }
    until(replicas, () -> answers.size() == LIAR);
    assertThat(answers).allMatch(SubmissionResult.Done.class::isInstance);
    until(
        replicas,
        () ->
            machines.subList(0, LIAR).stream()
                .allMatch(each -> each.executed().size() == requests * LIAR));
    assertThat(machines.get(1).executed()).isEqualTo(machines.get(0).executed());
    assertThat(machines.get(2).executed()).isEqualTo(machines.get(0).executed());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void four_replicas_execute_requests_in_one_order_and_blame_nobody() {
    HashgraphReplicas replicas = start(HashgraphReplicas.SIZE);
    goOn(replicas);
    until(replicas, () -> machines.get(LIAR).executed().size() == LIAR);

    assertThat(machines.get(LIAR).executed()).isEqualTo(machines.getFirst().executed());
    until(replicas, () -> replicas.replica(0).status().agreed().isAfter(Instant.EPOCH));
    HashgraphStatus status = replicas.replica(0).status();
    assertThat(status.forkers()).isEmpty();
    assertThat(status.stopped()).isEmpty();
    assertThat(status.strangers()).isEmpty();
    assertThat(status.peers()).allMatch(each -> each.faults().isEmpty());
    assertThat(status.round()).isGreaterThan(1);
  }

  @Test
  void a_replica_comes_back_with_its_journal_and_gets_what_it_missed() {
    HashgraphReplicas replicas = start(HashgraphReplicas.SIZE);
    goOn(replicas);
    replicas.crash(new ReplicaId(LIAR));
    goOn(replicas);
    goOn(replicas);
    machines.set(LIAR, new RecordingMachine());
    replicas.open(new ReplicaId(LIAR), machines.get(LIAR));
    until(replicas, () -> machines.get(LIAR).executed().size() == 3 * LIAR);

    assertThat(machines.get(LIAR).executed()).isEqualTo(machines.getFirst().executed());
    goOn(replicas);
    assertThat(replicas.replica(0).status().forkers()).isEmpty();
  }

  @Test
  void a_directory_is_used_by_one_replica_at_a_time() {
    HashgraphReplicas replicas = start(1 + LIAR);
    assertThatThrownBy(() -> replicas.open(new ReplicaId(0), new RecordingMachine()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("in use");
  }

  @Test
  void a_replica_with_a_journal_has_not_forgotten_whatever_is_said_of_it() {
    HashgraphReplicas replicas = start(1 + LIAR);
    goOn(replicas);
    replicas.crash(new ReplicaId(2));
    replicas.forgets(new ReplicaId(2));
    assertThat(replicas.open(new ReplicaId(2), new RecordingMachine()).status().isSilent())
        .isFalse();
  }

  @Test
  void a_replica_that_has_forgotten_is_silent_also_after_a_start_that_failed() throws IOException {
    HashgraphReplicas replicas = start(1 + LIAR);
    goOn(replicas);
    ReplicaId id = new ReplicaId(2);
    replicas.crash(id);
    replicas.wipe(id);
    InetSocketAddress place = replicas.places.get(id.number());
    try (ServerSocket other = new ServerSocket()) {
      until(replicas, () -> isBound(other, place)); // once the last connection to it has ended
      assertThatThrownBy(() -> replicas.open(id, new RecordingMachine()))
          .isInstanceOf(UncheckedIOException.class);
    }

    // Nobody says it a second time.
    assertThat(replicas.open(id, new RecordingMachine()).status().isSilent()).isTrue();
  }

  private static boolean isBound(ServerSocket socket, InetSocketAddress place) {
    try {
      socket.bind(new InetSocketAddress(place.getHostString(), place.getPort()));
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  // Attacks on replica 0.

  private static long faults(HashgraphReplicas replicas, @Nullable Integer of, LinkFault fault) {
    HashgraphStatus status = replicas.replica(0).status();
    Map<LinkFault, Long> counted =
        of == null ? status.strangers() : status.peers().get(of).faults();
    return counted.getOrDefault(fault, 0L);
  }

  private void untilFault(HashgraphReplicas replicas, @Nullable Integer of, LinkFault fault) {
    until(replicas, () -> faults(replicas, of, fault) > 0);
    goOn(replicas);
  }

  private Socket connect(HashgraphReplicas replicas) {
    try {
      InetSocketAddress place = replicas.places.getFirst();
      Socket socket = new Socket(place.getHostString(), place.getPort());
      attackers.add(socket);
      return socket;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private PeerConnection secure(HashgraphReplicas replicas, PeerTls tls) throws IOException {
    PeerConnection connection =
        new PeerConnection(connect(replicas), System::nanoTime, Duration.ofSeconds(60));
    connection.secure(tls.context(), HashgraphReplicas.HOST, true);
    return connection;
  }

  private static PeerHello hello(HashgraphReplicas replicas, int as, EventKeys keys) {
    return new PeerHello(replicas.log(as), replicas.gossip(as), keys);
  }

  /** A connection of the liar as it should be. */
  private PeerConnection liar(HashgraphReplicas replicas) throws IOException {
    PeerConnection connection = secure(replicas, replicas.gossip(LIAR).tls());
    PeerHello hello = hello(replicas, LIAR, replicas.keys.get(LIAR));
    hello.say(connection, true, new ReplicaId(0));
    assertThat(hello.hear(connection, false)).isEqualTo(new ReplicaId(0));
    return connection;
  }

  private static void isEnded(PeerConnection connection) {
    assertThatThrownBy(() -> connection.read(100_000)).isInstanceOf(IOException.class);
  }

  @Test
  void one_who_begins_a_handshake_and_does_not_end_it_is_cut_off() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    Socket socket = connect(replicas);
    socket.getOutputStream().write(new byte[] {22, 3, 1}); // the beginning of a ClientHello
    PeerConnection speechless = secure(replicas, replicas.gossip(LIAR).tls());
    goOn(replicas);
    replicas.pass(0, LONG);
    until(replicas, () -> faults(replicas, null, LinkFault.SLOW) == 2);
    goOn(replicas);

    assertThat(socket.getInputStream().read()).isEqualTo(-1);
    isEnded(speechless);
  }

  @Test
  void one_who_begins_a_message_and_does_not_end_it_is_cut_off() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    PeerConnection connection = liar(replicas);
    connection.write(ByteBuffer.allocate(100).putInt(100_000).array());
    connection.flush();
    until(replicas, () -> replicas.replica(0).status().peers().get(LIAR).isHeard());
    replicas.pass(0, LONG);
    untilFault(replicas, LIAR, LinkFault.SLOW);
    isEnded(connection);

    machines.add(new RecordingMachine());
    replicas.open(new ReplicaId(LIAR), machines.get(LIAR)); // one that does as it should is heard
    until(replicas, () -> replicas.replica(0).status().peers().get(LIAR).round() > 0);
  }

  @Test
  void a_length_that_no_message_has_ends_the_connection() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    for (int length : new int[] {-1, Integer.MAX_VALUE, 64 << 20}) {
      PeerConnection connection = liar(replicas);
      connection.write(ByteBuffer.allocate(4).putInt(length).array());
      connection.flush();
      isEnded(connection);
    }
    untilFault(replicas, LIAR, LinkFault.OVERSIZED);
    assertThat(faults(replicas, LIAR, LinkFault.OVERSIZED)).isEqualTo(3);
  }

  @Test
  void bytes_that_are_no_message_end_the_connection_and_are_counted() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    PeerConnection connection = liar(replicas);
    byte[] noise = new byte[5_000];
    new SplittableRandom(1).nextBytes(noise);
    noise[0] = 77;
    connection.writeFrame(noise);
    connection.flush();
    untilFault(replicas, LIAR, LinkFault.GARBAGE);

    isEnded(connection);
    until(
        replicas,
        () ->
            replicas
                .replica(0)
                .status()
                .peers()
                .get(LIAR)
                .occurrences()
                .containsKey(Occurrence.MALFORMED));
  }

  @Test
  void random_bytes_and_strangers_come_no_further_than_the_handshake() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    byte[] noise = new byte[5_000];
    new SplittableRandom(2).nextBytes(noise);
    connect(replicas).getOutputStream().write(noise);
    untilFault(replicas, null, LinkFault.UNTRUSTED);

    TestCertificate stranger =
        TestCertificate.selfSigned("stranger", "ip:" + HashgraphReplicas.HOST);
    assertThatThrownBy(() -> secure(replicas, replicas.tls(stranger, replicas.authority)).read(1))
        .isInstanceOf(IOException.class);
    until(replicas, () -> faults(replicas, null, LinkFault.UNTRUSTED) == 2);
    goOn(replicas);
  }

  /** A hello, or what comes after it, is noise, in half of the cases of a length that fits. */
  @Test
  void noise_after_the_handshake_ends_no_more_than_its_connection() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    SplittableRandom random = new SplittableRandom(3);
    for (int i = 0; i < 60; i++) {
      byte[] noise = new byte[random.nextInt(4, 300)];
      random.nextBytes(noise);
      if (random.nextBoolean()) {
        ByteBuffer.wrap(noise).putInt(random.nextInt(2 * noise.length));
      }
      try (PeerConnection connection =
          i % 2 == 0 ? liar(replicas) : secure(replicas, replicas.gossip(LIAR).tls())) {
        connection.write(noise);
        connection.flush();
      }
    }
    untilFault(replicas, LIAR, LinkFault.GARBAGE);
    assertThat(faults(replicas, LIAR, LinkFault.OVERSIZED)).isPositive();
    assertThat(faults(replicas, null, LinkFault.IMPOSTOR)).isPositive();
    assertThat(replicas.replica(0).status().stopped()).isEmpty();
  }

  @Test
  void the_certificate_of_one_replica_does_not_make_another() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    PeerConnection connection = secure(replicas, replicas.gossip(LIAR).tls());
    hello(replicas, 2, replicas.keys.get(LIAR)).say(connection, true, new ReplicaId(0));
    untilFault(replicas, null, LinkFault.IMPOSTOR);
    isEnded(connection);

    TestCertificate elsewhere = replicas.authority.sign("replica-3", "ip:127.0.0.3");
    PeerConnection other = secure(replicas, replicas.tls(elsewhere, replicas.authority));
    hello(replicas, LIAR, replicas.keys.get(LIAR)).say(other, true, new ReplicaId(0));
    untilFault(replicas, null, LinkFault.OTHER_HOST);
    isEnded(other);
  }

  @Test
  void a_hello_is_of_no_use_on_another_connection() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    byte[] once = new byte[EventKeys.SIGNATURE_BYTES];
    PeerConnection first = secure(replicas, replicas.gossip(LIAR).tls());
    EventKeys recording =
        new EventKeys() {
          @Override
          public byte[] sign(byte[] hash) {
            byte[] signature = replicas.keys.get(LIAR).sign(hash);
            System.arraycopy(signature, 0, once, 0, once.length);
            return signature;
          }

          @Override
          public boolean verify(ReplicaId creator, byte[] hash, byte[] signature) {
            return true;
          }
        };
    hello(replicas, LIAR, recording).say(first, true, new ReplicaId(0));
    until(replicas, () -> replicas.replica(0).status().peers().get(LIAR).isHeard());

    PeerConnection second = secure(replicas, replicas.gossip(LIAR).tls());
    second.write(
        ByteBuffer.allocate(3 + once.length).put(new byte[] {1, LIAR, 0}).put(once).array());
    second.flush();
    untilFault(replicas, null, LinkFault.IMPOSTOR);
    isEnded(second);
  }

  @Test
  void one_who_sends_events_without_end_keeps_nobody_waiting() throws IOException {
    HashgraphReplicas replicas = start(LIAR);
    PeerConnection connection = liar(replicas);
    Thread flood =
        Thread.startVirtualThread(() -> {
          try {
            for (int i = 0; i < 10_000; i++) {
              connection.writeFrame(flood(replicas, i));
              connection.flush();
            }
          } catch (IOException _) {
            // the end of the test
          }
        });
    until(replicas, () -> waited(replicas) > 0);
    goOn(replicas);
    goOn(replicas);
    long before = waited(replicas);
    until(replicas, () -> waited(replicas) > before); // it is heard, as far as it goes

    assertThat(flood.isAlive()).isTrue();
    connection.close();
  }

  private static long waited(HashgraphReplicas replicas) {
    HashgraphStatus.Peer liar = replicas.replica(0).status().peers().get(LIAR);
    return liar.occurrences().getOrDefault(Occurrence.ORPHANED, 0L);
  }

  /** As many events of the liar as a message has room for, signed, of a round to come. */
  private static byte[] flood(HashgraphReplicas replicas, int number) {
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < PeerMessage.MOST_EVENTS; i++) {
      Event.Body body =
          new Event.Body(
              new ReplicaId(LIAR),
              20,
              SimulatedReplica.START,
              (long) number << 32 | i,
              List.of(),
              List.of());
      events.add(
          Event.sign(body, replicas.log(LIAR).clusterName(), replicas.keys.get(LIAR)).bytes());
    }
    return new PeerMessage.Events(events).encode();
  }

  @Test
  @EnabledOnOs(OS.LINUX) // where all of 127.0.0.0/8 is this machine
  void a_flood_of_connections_from_elsewhere_keeps_no_replica_out() {
    HashgraphReplicas replicas = start(LIAR);
    replicas.crash(new ReplicaId(1));
    machines.set(1, new RecordingMachine());
    replicas.open(new ReplicaId(1), machines.get(1));
    assertThat(
            replicas.letPass(
                () ->
                    replicas.replica(0).status().peers().get(1).isHeard()
                        && faults(replicas, null, LinkFault.CROWDED) > 1_000,
                () -> flood(replicas)))
        .isTrue();
    goOn(replicas);
  }

  private void flood(HashgraphReplicas replicas) {
    try {
      for (int i = 0; i < 5; i++) {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.9"), 0));
        InetSocketAddress place = replicas.places.getFirst();
        socket.connect(new InetSocketAddress(place.getHostString(), place.getPort()));
        attackers.add(socket);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
