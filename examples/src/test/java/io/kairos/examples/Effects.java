package io.kairos.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The world that workers act on: it sees who does what, in order. */
final class Effects implements AutoCloseable {
  private final ServerSocket server;
  private final List<Effect> seen = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Effect> fresh = new LinkedBlockingQueue<>();

  /** One attempt did something. */
  record Effect(String task, long fence, long pid) {}

  Effects() throws IOException {
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = server.accept();
        Thread.ofVirtual().start(() -> read(connection));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void read(Socket connection) {
    try (connection;
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(connection.getInputStream(), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] words = line.split(" ", -1);
        Effect effect = new Effect(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
        seen.add(effect);
        fresh.add(effect);
      }
    } catch (IOException e) {
      // its process was killed
    }
  }

  /** Waits for the next that matches. */
  Effect await(Predicate<Effect> wanted) throws InterruptedException {
    while (true) {
      Effect effect = fresh.poll(60, TimeUnit.SECONDS);
      if (effect == null) {
        throw new AssertionError("no effect within a minute, after " + seen);
      }
      if (wanted.test(effect)) {
        return effect;
      }
    }
  }

  /** After the first effect of an attempt there is none of an earlier one. */
  void assertNeverTwoAtATime(String task) {
    List<Long> fences = new ArrayList<>();
    for (Effect effect : seen) {
      if (effect.task().equals(task)) {
        fences.add(effect.fence());
      }
    }
    assertThat(fences).isNotEmpty().isSorted();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
