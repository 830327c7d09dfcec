package io.kairos.server.wiring;

import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.kairos.contracts.certificate.TestCertificate;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A receiver of OTLP over HTTP, on a free port of loopback, until it is closed. */
final class TraceReceiver implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 90;

  private final HttpServer server;
  private final BlockingQueue<Received> arriving = new LinkedBlockingQueue<>();
  private final List<Received> all = new ArrayList<>();
  private final List<String> authorizations = new ArrayList<>();

  /** A span as it was received. */
  record Received(String service, Span span) {
    String name() {
      return span.getName();
    }

    String trace() {
      return hex(span.getTraceId());
    }

    String id() {
      return hex(span.getSpanId());
    }

    String parent() {
      return hex(span.getParentSpanId());
    }

    /** Value of an attribute; empty for none. */
    String attribute(String name) {
      return span.getAttributesList().stream()
          .filter(one -> one.getKey().equals(name))
          .map(Received::text)
          .findFirst()
          .orElse("");
    }

    private static String text(KeyValue attribute) {
      return switch (attribute.getValue().getValueCase()) {
        case INT_VALUE -> Long.toString(attribute.getValue().getIntValue());
        case BOOL_VALUE -> Boolean.toString(attribute.getValue().getBoolValue());
        default -> attribute.getValue().getStringValue();
      };
    }

    private static String hex(ByteString bytes) {
      return HexFormat.of().formatHex(bytes.toByteArray());
    }
  }

  private TraceReceiver(HttpServer server) {
    this.server = server;
  }

  static TraceReceiver start() {
    try {
      return start(HttpServer.create(place(), 0));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** A receiver by https. */
  static TraceReceiver startByTls(TestCertificate own) {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      char[] password = {};
      keys.setKeyEntry("own", own.key(), password, new Certificate[] {own.certificate()});
      KeyManagerFactory factory =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      factory.init(keys, password);
      SSLContext tls = SSLContext.getInstance("TLS");
      tls.init(factory.getKeyManagers(), null, null);
      HttpsServer server = HttpsServer.create(place(), 0);
      server.setHttpsConfigurator(new HttpsConfigurator(tls));
      return start(server);
    } catch (GeneralSecurityException | IOException e) {
      throw new AssertionError(e);
    }
  }

  private static InetSocketAddress place() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static TraceReceiver start(HttpServer server) {
    TraceReceiver receiver = new TraceReceiver(server);
    server.createContext("/v1/traces", receiver::receive);
    server.start();
    return receiver;
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      ExportTraceServiceRequest request =
          ExportTraceServiceRequest.parseFrom(exchange.getRequestBody());
      synchronized (authorizations) {
        authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("authorization")));
      }
      request
          .getResourceSpansList()
          .forEach(resource -> {
            String service =
                resource.getResource().getAttributesList().stream()
                    .filter(one -> one.getKey().equals("service.name"))
                    .map(one -> one.getValue().getStringValue())
                    .findFirst()
                    .orElse("");
            resource
                .getScopeSpansList()
                .forEach(scope ->
                    scope
                        .getSpansList()
                        .forEach(span -> arriving.add(new Received(service, span))));
          });
      byte[] answer = ExportTraceServiceResponse.getDefaultInstance().toByteArray();
      exchange.getResponseHeaders().set("content-type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, answer.length == 0 ? -1 : answer.length);
    }
  }

  String url() {
    String scheme = server instanceof HttpsServer ? "https" : "http";
    return scheme + "://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The authorization of each request so far. */
  List<String> authorizations() {
    synchronized (authorizations) {
      return List.copyOf(authorizations);
    }
  }

  /** Waits for spans; returns those that were wanted once there are this many. */
  List<Received> await(int count, Predicate<Received> wanted) throws InterruptedException {
    long untilNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      arriving.drainTo(all);
      List<Received> found = all.stream().filter(wanted).toList();
      if (found.size() >= count) {
        return found;
      }
      Received next = arriving.poll(untilNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new AssertionError("only " + found.stream().map(Received::name).toList());
      }
      all.add(next);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
