package io.kairos.bench.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.List;

/** Attacks by what a caller says of itself, and of where a request ends. */
final class CallerAttacks {
  private static final String JSON = "content-type: application/json";
  private static final String TASK = "{\"handler\":\"attack-foreign\"}";

  private CallerAttacks() {}

  /** 16 connections that guess tokens. */
  static void wrongTokens(AttackTarget target) {
    String guess = "GET /v1/tasks HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer 00\r\n\r\n";
    Attackers.together(
        target,
        16,
        () -> {
          try (Socket socket = target.connect()) {
            while (!target.isOver()) {
              AttackTarget.send(socket, guess);
              target.saw(answer(socket));
            }
          }
        });
    target.demand(target.hasSeen("429"), "wrong tokens are not throttled");
  }

  /** Requests of which two readers see different ends. */
  static void framing(AttackTarget target) {
    String smuggled = "0\r\n\r\nGET /readyz HTTP/1.1\r\nhost: localhost\r\n\r\n";
    for (String framing :
        List.of(
            "transfer-encoding: chunked\r\ncontent-length: 5",
            "content-length: 5\r\ntransfer-encoding: chunked",
            "transfer-encoding: gzip, chunked",
            "transfer-encoding: chunked, chunked",
            "transfer-encoding: xchunked",
            "transfer-encoding: identity",
            "transfer-encoding: chunked\r\ntransfer-encoding: identity")) {
      target.demand(
          closes(target, "POST /v1/tasks", JSON, framing, smuggled),
          "a request is taken with " + framing.replace("\r\n", " and "));
    }
    target.pass(Duration.ofSeconds(1));
  }

  /** Pages of others and proxies at a node without callers. */
  static void pages(AttackTarget target) {
    for (String header :
        List.of(
            "origin: http://evil.example",
            "origin: null",
            "sec-fetch-site: cross-site",
            "x-forwarded-for: 10.0.0.1",
            "x-forwarded-prefix: /kairos",
            "forwarded: for=10.0.0.1",
            "via: 1.1 proxy")) {
      refuses(target, "POST /v1/tasks", header, JSON, "content-length: " + TASK.length());
      for (String path : List.of("/", "/metrics", "/readyz", "/v1/tasks")) {
        refuses(target, "GET " + path, header);
      }
    }
    for (String path : List.of("/", "/metrics", "/readyz", "/healthz", "/v1/tasks")) {
      refuses(target, "GET " + path, "host: evil.example");
    }
    refuses(target, "POST /v1/tasks", "content-type: text/plain", "content-length: 0");
    target.pass(Duration.ofSeconds(1));
  }

  private static void refuses(AttackTarget target, String line, String... headers) {
    String status;
    try (Socket socket = target.connect()) {
      String own = headers[0].startsWith("host:") ? "" : "host: localhost\r\n";
      AttackTarget.send(
          socket,
          line
              + " HTTP/1.1\r\n"
              + own
              + String.join("\r\n", headers)
              + "\r\n\r\n"
              + (line.startsWith("POST") ? TASK : ""));
      status = answer(socket);
    } catch (IOException e) {
      status = "4xx: closed"; // as good as a refusal
    }
    target.demand(
        status.startsWith("4"), line + " with " + List.of(headers) + " was answered " + status);
  }

  /** True when the node answers at most one request and closes the connection. */
  private static boolean closes(
      AttackTarget target, String line, String type, String framing, String body) {
    try (Socket socket = target.request(line, type, framing)) {
      AttackTarget.send(socket, body);
      String all = new String(socket.getInputStream().readAllBytes(), US_ASCII);
      return !all.contains("\"ready\"");
    } catch (java.net.SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      return true; // reset
    }
  }

  /** The status of the next answer; its body is skipped. */
  private static String answer(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("the node closed the connection");
      }
      head.append((char) next);
    }
    int at = head.indexOf("content-length: ");
    if (at >= 0) {
      in.skipNBytes(Long.parseLong(head.substring(at + 16, head.indexOf("\r\n", at))));
    }
    return head.substring(9, 12);
  }
}
