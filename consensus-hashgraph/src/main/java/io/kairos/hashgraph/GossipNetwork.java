package io.kairos.hashgraph;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.replica.ReplicaId;
import io.kairos.engine.time.MonotonicClock;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.LongConsumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages between replicas over mutual TLS 1.3. Each replica calls each other one, and on
 * a connection only the caller sends messages; the other side answers signs of life. A connection
 * begins with a {@link PeerHello} of each side; then come frames, of at most {@link
 * #mostFrameBytes}, that hold a message each.
 *
 * <p>One who misbehaves loses its own connection and no more. A message is read when the one before
 * was taken and its sender has not cost too much, so it is its own socket that fills. Strangers
 * have a room of their own, and one for each host of a replica, the oldest of which must go when
 * there are too many; so a flood from elsewhere keeps no replica out. Each connection has virtual
 * threads, which wait for nothing without a deadline.
 */
public final class GossipNetwork implements HashgraphCore.Network, AutoCloseable {
  /** Pause between two calls of {@link #look}. */
  public static final Duration LOOKS_EVERY = Duration.ofMillis(50);

  private static final int BACKLOG = 256;

  /** Share of the log thread's time that as many replicas as may lie can take together. */
  private static final double CHECKING_SHARE = 0.5;

  private final HashgraphConfig config;
  private final GossipConfig gossip;
  private final GossipConfig.Limits limits;
  private final MonotonicClock clock;
  private final PeerHello hello;
  private final SSLContext context;
  private final ServerSocket server;
  private final LinkFaults faults;
  private final List<PeerLink> links = new ArrayList<>();
  private final Set<PeerConnection> open = ConcurrentHashMap.newKeySet();

  /** By replica, where its host was last found; the last room is everybody else's. */
  private final List<StrangerRoom> rooms = new ArrayList<>();

  /** For whoever waits until time has passed. */
  private final Semaphore looked = new Semaphore(0);

  private volatile boolean isClosed;

  /** Takes messages, on threads of connections. */
  @FunctionalInterface
  public interface Receiver {
    /**
     * Takes a message.
     *
     * @param done to be called once when the message takes no room any more, with the nanoseconds
     *     of the log's thread that were spent on checking it; the next one is read after that
     * @return false for bytes that are no message: the connection is closed
     */
    boolean receive(ReplicaId from, byte[] message, LongConsumer done);
  }

  private GossipNetwork(
      GossipConfig gossip, HashgraphConfig config, EventKeys keys, MonotonicClock clock)
      throws IOException {
    this.config = config;
    this.gossip = gossip;
    this.limits = gossip.limits();
    this.clock = clock;
    this.hello = new PeerHello(config, gossip, keys);
    this.context = gossip.tls().context();
    this.faults = new LinkFaults(config.cluster());
    require(
        limits.outgoingBytes() >= mostFrameBytes(config.bounds()) + PeerLink.MESSAGE_OVERHEAD,
        "there must be room for one message of ",
        mostFrameBytes(config.bounds()));
    double share = CHECKING_SHARE / config.cluster().mayFail();
    for (ReplicaId replica : config.cluster().replicas()) {
      links.add(new PeerLink(replica, limits, share, clock, faults));
      rooms.add(new StrangerRoom(limits));
    }
    rooms.add(new StrangerRoom(limits));
    this.server = new ServerSocket();
    server.setReuseAddress(true); // connections of an earlier run may linger
    server.bind(gossip.listen(), BACKLOG);
  }

  /**
   * Binds the address at which this replica listens.
   *
   * @throws UncheckedIOException if it cannot be used
   */
  public static GossipNetwork bind(
      GossipConfig gossip, HashgraphConfig config, EventKeys keys, MonotonicClock clock) {
    try {
      return new GossipNetwork(gossip, config, keys, clock);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen at " + gossip.listen(), e);
    }
  }

  /** The longest frame that is read. */
  public static int mostFrameBytes(HashgraphConfig.Bounds bounds) {
    return PeerMessage.mostBytes(bounds);
  }

  /** Begins to listen and to call. */
  public void start(Receiver receiver) {
    Thread.ofVirtual().name("kairos-gossip-accept").start(() -> accept(receiver));
    for (ReplicaId replica : config.cluster().replicas()) {
      if (!replica.equals(config.self())) {
        Thread.ofVirtual().name("kairos-gossip-" + replica.number()).start(() -> call(replica));
      }
    }
  }

  @Override
  public void send(ReplicaId to, byte[] message) {
    link(to).send(message);
  }

  private PeerLink link(ReplicaId replica) {
    return links.get(replica.number());
  }

  /** Ends what takes too long, and calls whom it is time to call. */
  public void look() {
    for (PeerConnection each : open) {
      if (each.isEndedHere()) {
        continue; // its threads are about to notice
      }
      each.overdue()
          .ifPresent(fault -> {
            each.close();
            faults.note(each.peer(), fault, "it took too long");
          });
    }
    links.forEach(PeerLink::look);
    looked.drainPermits();
    looked.release();
  }

  // Calls of others.

  private void accept(Receiver receiver) {
    while (!isClosed) {
      try {
        admit(server.accept(), receiver);
      } catch (IOException | RuntimeException e) {
        if (!isClosed) { // such as too many open files, which passes
          faults.note(null, LinkFault.CROWDED, "a connection cannot be accepted: " + e);
          looked.drainPermits();
          looked.acquireUninterruptibly();
        }
      }
    }
  }

  private void admit(Socket socket, Receiver receiver) {
    StrangerRoom room = room(socket);
    PeerConnection connection = new PeerConnection(socket, clock, limits.handshake());
    if (!room.tryAccept(clock.nanos())) {
      faults.note(null, LinkFault.CROWDED, "too many connections in a second");
      connection.close();
      return;
    }
    room.enter(connection)
        .ifPresent(oldest -> {
          faults.note(null, LinkFault.CROWDED, "too many have not shown who they are");
          oldest.close();
        });
    Thread.ofVirtual()
        .name("kairos-gossip-called")
        .start(() ->
            talk(
                connection,
                null,
                () -> serve(connection, socket.getInetAddress(), room, receiver)));
  }

  private StrangerRoom room(Socket caller) {
    for (StrangerRoom each : rooms) {
      if (each.isOf(caller.getInetAddress())) {
        return each;
      }
    }
    return rooms.getLast();
  }

  /** The use of a connection until it ends; on a thread of its own. */
  private interface Conversation {
    void run() throws IOException, InterruptedException;
  }

  /** Talks until that fails, and notes whose fault it is; that of the network is nobody's. */
  private void talk(PeerConnection connection, @Nullable ReplicaId called, Conversation talk) {
    open.add(connection);
    try {
      if (!isClosed) {
        talk.run();
      }
    } catch (LinkException e) {
      ReplicaId of = connection.peer();
      faults.note(of == null ? called : of, e.fault, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      boolean isUnanswered =
          called != null && (!(e instanceof SSLException) || e.getCause() instanceof EOFException);
      if (connection.peer() == null && !connection.isEndedHere() && !isUnanswered) {
        faults.note(called, LinkFault.UNTRUSTED, String.valueOf(e.getMessage()));
      }
    } catch (RuntimeException e) { // of the platform's TLS, or of ours: nobody else's connection
      ReplicaId of = connection.peer();
      faults.note(of == null ? called : of, LinkFault.GARBAGE, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      connection.close();
      open.remove(connection);
    }
  }

  private void serve(
      PeerConnection connection, @Nullable InetAddress host, StrangerRoom room, Receiver receiver)
      throws IOException, InterruptedException {
    ReplicaId from;
    try {
      connection.secure(context, "a caller", false);
      from = hello.hear(connection, true);
      hello.say(connection, false, from);
    } finally {
      room.leave(connection);
    }
    rooms.get(from.number()).setCaller(host);
    connection.identify(from);
    connection.clearDeadline();
    link(from).setCalled(connection);
    try {
      listen(connection, from, receiver);
    } finally {
      link(from).clearCalled(connection);
    }
  }

  private void listen(PeerConnection connection, ReplicaId from, Receiver receiver)
      throws IOException, InterruptedException {
    PeerLink link = link(from);
    int most = mostFrameBytes(config.bounds());
    while (true) {
      connection.alive(limits.silence());
      int length = connection.readLength(limits.frame());
      if (length < 0 || length > most) {
        throw new LinkException(
            LinkFault.OVERSIZED,
            "a message of %d bytes, and none has more than %d"
                .formatted(Integer.toUnsignedLong(length), most));
      }
      connection.pauseSilenceDeadline();
      connection.clearDeadline();
      byte[] message = read(connection, length, link);
      if (length == 0) {
        link.release(0);
        connection.writeFrame(message);
        connection.flush();
      } else if (!receiver.receive(from, message, link::release)) {
        throw new LinkException(LinkFault.GARBAGE, "a message that is none");
      }
      connection.clearDeadline();
    }
  }

  /** Reads a message once it is admitted; until it is released no other one is. */
  private byte[] read(PeerConnection connection, int length, PeerLink link)
      throws IOException, InterruptedException {
    link.admit(length, connection);
    boolean isRead = false;
    try {
      connection.expect(limits.frame());
      byte[] message = connection.read(length);
      isRead = true;
      return message;
    } finally {
      if (!isRead) {
        link.release(0);
      }
    }
  }

  // Calls of this replica.

  private void call(ReplicaId replica) {
    PeerLink link = link(replica);
    try {
      while (link.awaitCall()) {
        Socket socket = new Socket();
        PeerConnection connection = new PeerConnection(socket, clock, limits.handshake());
        try {
          talk(connection, replica, () -> speak(connection, socket, replica));
        } finally {
          link.end();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void speak(PeerConnection connection, Socket socket, ReplicaId replica)
      throws IOException, InterruptedException {
    InetSocketAddress place = gossip.peers().get(replica.number());
    socket.connect(new InetSocketAddress(place.getHostString(), place.getPort()));
    rooms.get(replica.number()).setCalled(socket.getInetAddress());
    connection.secure(context, place.getHostString(), true);
    hello.say(connection, true, replica);
    ReplicaId found = hello.hear(connection, false);
    if (!found.equals(replica)) {
      throw new LinkException(
          LinkFault.IMPOSTOR, "%s answers in the place of %s".formatted(found, replica));
    }
    connection.identify(replica);
    connection.clearDeadline();
    link(replica).begin(connection);
    Thread.ofVirtual()
        .name("kairos-gossip-life-" + replica.number())
        .start(() -> talk(connection, replica, () -> hearLife(connection, replica)));
    link(replica).speak(connection);
  }

  private void hearLife(PeerConnection connection, ReplicaId replica) throws IOException {
    while (ByteBuffer.wrap(connection.read(Integer.BYTES)).getInt() == 0
        && link(replica).takeSign()) {
      connection.alive(limits.silence());
    }
    throw new LinkException(LinkFault.GARBAGE, "only the caller sends messages");
  }

  // Status.

  boolean isReached(ReplicaId replica) {
    return link(replica).isReached();
  }

  boolean isHeard(ReplicaId replica) {
    return link(replica).isHeard();
  }

  /** Trouble with the connections of a replica; of strangers for null. */
  Map<LinkFault, Long> faults(@Nullable ReplicaId replica) {
    return faults.of(replica);
  }

  @Override
  public void close() {
    isClosed = true;
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      links.forEach(PeerLink::close);
      looked.release();
      open.forEach(PeerConnection::close);
    }
  }
}
