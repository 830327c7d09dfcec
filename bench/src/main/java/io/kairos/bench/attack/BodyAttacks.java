package io.kairos.bench.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpRequestWriter;
import com.linecorp.armeria.common.HttpResponse;
import io.kairos.bench.load.BenchWait;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.zip.GZIPOutputStream;

/** Attacks by the bodies of requests: unfinished, slow, compressed, or of millions of elements. */
final class BodyAttacks {
  private static final int WHOLE = 16 << 20;
  private static final int PIECE = 64 << 10;
  private static final byte[] FILLER = new byte[PIECE];
  private static final Duration HOLD = Duration.ofSeconds(60);

  static {
    Arrays.fill(FILLER, (byte) ' ');
  }

  private BodyAttacks() {}

  /** 64 connections send 16 MB each and never finish. */
  static void unfinished(AttackTarget target) {
    Attackers.together(
        target,
        64,
        () -> {
          try (Socket socket =
              target.request(
                  "POST /v1/tasks:batch",
                  "content-type: application/json",
                  "content-length: " + (WHOLE + 1))) {
            for (int sent = 0; sent < WHOLE; sent += PIECE) {
              socket.getOutputStream().write(FILLER);
            }
            target.pass(HOLD);
          }
        });
  }

  /** 8 connections of HTTP/2 with 100 calls each, of which each sends a megabyte and never ends. */
  static void unfinishedCalls(AttackTarget target) {
    Attackers.together(
        target,
        8,
        () -> {
          try (ClientFactory connection = target.connection()) {
            WebClient client = target.http2(connection);
            for (int stream = 0; stream < 100; stream++) {
              HttpRequestWriter request =
                  HttpRequest.streaming(target.call("TaskService/BatchScheduleTasks"));
              var _ = client.execute(request).aggregate();
              request.write(HttpData.wrap(frame(0, 16 << 20)));
              for (int sent = 0; sent < 16 * PIECE; sent += PIECE) {
                request.write(HttpData.wrap(FILLER));
              }
            }
            target.pass(HOLD);
          }
        });
  }

  /** 500 connections send a byte of a body each second. */
  static void slow(AttackTarget target) {
    Attackers.together(
        target,
        500,
        () -> {
          try (Socket socket =
              target.request(
                  "POST /v1/tasks", "content-type: application/json", "content-length: 60000")) {
            while (!target.isOver()) {
              socket.getOutputStream().write(' ');
              target.pass(Duration.ofSeconds(1));
            }
          }
        });
  }

  /** Compressed messages of 18 KB that become 18 MB. */
  static void gzipBombs(AttackTarget target) {
    byte[] message = emptyElements();
    byte[] zipped = gzip(message);
    byte[] whole = join(frame(1, zipped.length), zipped);
    flood(target, 64, "TaskService/BatchScheduleTasks", _ -> whole, "grpc-encoding", "gzip");
  }

  /** Bodies of 18 MB of JSON: millions of tasks without a member. */
  static void emptyJson(AttackTarget target) {
    emptyJson(target, 4, "POST /v1/tasks:batch", "{\"tasks\":[", WHOLE);
  }

  /** Bodies of 600 KB of JSON: leases without a member. */
  static void emptyLeases(AttackTarget target) {
    emptyJson(target, 16, "POST /v1/work:heartbeat", "{\"worker\":\"a\",\"held\":[", 600_000);
  }

  private static void emptyJson(
      AttackTarget target, int number, String line, String beginning, int bytes) {
    byte[] elements = new byte[bytes];
    for (int i = 0; i < bytes; i += 4) {
      System.arraycopy("{}, ".getBytes(US_ASCII), 0, elements, i, 4);
    }
    byte[] begin = beginning.getBytes(US_ASCII);
    byte[] end = "{}]}".getBytes(US_ASCII);
    Attackers.together(
        target,
        number,
        () -> {
          try (Socket socket =
              target.request(
                  line,
                  "content-type: application/json",
                  "content-length: " + (begin.length + bytes + end.length))) {
            OutputStream out = socket.getOutputStream();
            out.write(begin);
            out.write(elements);
            out.write(end);
            out.flush();
            awaitAnswer(socket);
          }
        });
  }

  /** Messages of 18 MB of protobuf: millions of tasks without a field. */
  static void emptyProtobuf(AttackTarget target) {
    byte[] whole = message(emptyElements());
    flood(target, 4, "TaskService/BatchScheduleTasks", _ -> whole);
  }

  /**
   * 1,000 calls at a time that schedule tasks of 1 MB, while Postgres is frozen most of the time.
   */
  static void slowPostgres(AttackTarget target) {
    byte[] handler = "attack-slow".getBytes(US_ASCII);
    byte[] payload = new byte[1_000_000];
    ByteBuffer message = ByteBuffer.allocate(2 + handler.length + 4 + payload.length);
    message.put((byte) 0x0a).put((byte) handler.length).put(handler).put((byte) 0x2a);
    for (int left = payload.length; left > 0; left >>>= 7) {
      message.put((byte) (left > 0x7f ? (left & 0x7f) | 0x80 : left));
    }
    message.put(payload);
    byte[] whole = message(Arrays.copyOf(message.array(), message.position()));
    Thread freezer =
        Thread.ofPlatform()
            .name("bench-freezer")
            .start(() -> {
              while (!target.isOver()) {
                target.postgres().pause();
                try {
                  target.pass(Duration.ofMillis(200));
                } finally {
                  target.postgres().resume();
                }
                target.pass(Duration.ofMillis(50));
              }
            });
    flood(target, 1_000, "TaskService/ScheduleTask", _ -> whole);
    try {
      freezer.join();
    } catch (InterruptedException e) {
      throw BenchWait.interrupted("the end of the freezer", e);
    }
  }

  /**
   * Calls over four connections, with so many under way at a time.
   *
   * @param body that of a call by its number
   */
  static void flood(
      AttackTarget target,
      int underWay,
      String method,
      IntFunction<byte[]> body,
      String... headers) {
    WebClient[] clients = new WebClient[4];
    Arrays.setAll(clients, _ -> target.http2(target.connection()));
    Semaphore room = new Semaphore(underWay);
    for (int i = 0; !target.isOver(); i++) {
      try {
        if (room.tryAcquire(100, TimeUnit.MILLISECONDS)) {
          HttpResponse answer =
              clients[i % clients.length].execute(
                  HttpRequest.of(target.call(method, headers), HttpData.wrap(body.apply(i))));
          var _ =
              answer
                  .aggregate()
                  .handle((_, _) -> {
                    room.release();
                    return true;
                  });
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static void awaitAnswer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    socket.setSoTimeout(60_000);
    var _ = in.read();
  }

  private static byte[] emptyElements() {
    byte[] message = new byte[18 << 20];
    for (int i = 0; i < message.length; i += 2) {
      message[i] = 0x0a;
    }
    return message;
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream zipped = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(zipped)) {
      out.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return zipped.toByteArray();
  }

  /** A gRPC message. */
  static byte[] message(byte[] content) {
    return join(frame(0, content.length), content);
  }

  /** The head of a gRPC message. */
  private static byte[] frame(int compressed, int length) {
    return ByteBuffer.allocate(5).put((byte) compressed).putInt(length).array();
  }

  private static byte[] join(byte[] head, byte[] rest) {
    byte[] whole = Arrays.copyOf(head, head.length + rest.length);
    System.arraycopy(rest, 0, whole, head.length, rest.length);
    return whole;
  }
}
