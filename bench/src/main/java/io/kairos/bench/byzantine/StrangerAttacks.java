package io.kairos.bench.byzantine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** What needs no key: attacks on the ports of replicas, by a thread for each port. */
final class StrangerAttacks {
  private static final Duration PAUSE = Duration.ofMillis(10);
  private static final Duration LORIS_PAUSE = Duration.ofSeconds(1);
  private static final int CONNECT_MILLIS = 200;
  private static final int LORISES = 100;
  private static final int MOST_OPEN = 400;
  private static final int MOST_RANDOM_BYTES = 50_000;

  /** How TLS begins: a handshake record of version 1.2, whose rest comes slowly. */
  private static final byte[] HELLO = {22, 3, 3, 0, 100, 1, 0, 0, 96, 3, 3};

  private final List<InetSocketAddress> targets;
  private final SplittableRandom seeds;
  private final LongAdder done = new LongAdder();
  private volatile @Nullable Attack attack;

  StrangerAttacks(List<Integer> ports, long seed) {
    this.seeds = new SplittableRandom(seed);
    this.targets =
        ports.stream()
            .map(port -> new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
            .toList();
  }

  void start() {
    for (InetSocketAddress target : targets) {
      SplittableRandom random = seeds.split();
      Thread.ofVirtual().name("attack-" + target.getPort()).start(() -> attack(target, random));
    }
  }

  /** Goes on in this way; returns how many connections were opened since the last call. */
  long begin(@Nullable Attack next) {
    attack = next;
    return done.sumThenReset();
  }

  private void attack(InetSocketAddress target, SplittableRandom random) {
    List<Socket> open = new ArrayList<>();
    int step = 0;
    while (true) {
      Attack now = attack;
      if (now == Attack.RANDOM_BYTES) {
        connect(target, open);
        byte[] bytes = new byte[random.nextInt(1, MOST_RANDOM_BYTES)];
        random.nextBytes(bytes);
        open.forEach(socket -> write(socket, bytes));
        close(open);
      } else if (now == Attack.SLOW_LORIS) {
        for (int i = open.size(); i < LORISES; i++) {
          connect(target, open);
        }
        byte[] one = {HELLO[step++ % HELLO.length]};
        open.removeIf(socket -> !write(socket, one));
      } else if (now == Attack.CONNECTIONS) {
        connect(target, open);
        connect(target, open);
        connect(target, open);
        if (open.size() > MOST_OPEN) {
          close(open);
        }
      } else {
        close(open);
      }
      pause(now == Attack.SLOW_LORIS ? LORIS_PAUSE : PAUSE);
    }
  }

  private void connect(InetSocketAddress target, List<Socket> open) {
    Socket socket = new Socket();
    try {
      socket.connect(target, CONNECT_MILLIS);
      open.add(socket);
      done.increment();
    } catch (IOException _) { // the target is down, or does not let this one in
      close(socket);
    }
  }

  /** False when the other side has ended the connection. */
  private static boolean write(Socket socket, byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return true;
    } catch (IOException _) {
      close(socket);
      return false;
    }
  }

  private static void close(List<Socket> open) {
    open.forEach(StrangerAttacks::close);
    open.clear();
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException _) {
      // it is closed
    }
  }

  private static void pause(Duration length) {
    try {
      Thread.sleep(length);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
