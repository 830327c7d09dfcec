package io.kairos.bench.credential;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.kairos.contracts.certificate.TestCertificate;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * A request to a node for a list of tasks, over a connection of its own, so that nothing of an
 * earlier handshake is in use. Immutable.
 *
 * @param trusted CA certificates of nodes
 * @param shown certificate of the caller
 * @param from address from which it comes, in numbers
 */
record NodeProbe(List<TestCertificate> trusted, TestCertificate shown, String from) {
  static final int OK = 200;
  static final int DENIED = 403;

  private static final char[] PASSWORD = "of the probe".toCharArray();
  private static final int PATIENCE_MILLIS = 10_000;
  private static final int UNAUTHENTICATED = 401;
  private static final int TOO_MANY_WRONG = 429;
  private static final String HERE = "127.0.0.1";
  private static final String REQUEST =
      "GET /v1/tasks?handler=nobody HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n";

  /**
   * The end of a request.
   *
   * @param serial number of the certificate that the node has shown; zero when the handshake failed
   * @param status of HTTP; zero when there was no answer
   */
  record Answer(BigInteger serial, int status) {
    /** True when the node has refused a token as nobody's. */
    boolean isRefusal() {
      return status == UNAUTHENTICATED || status == TOO_MANY_WRONG;
    }

    /** True when the node knows the caller, whatever it lets it do. */
    boolean isKnown() {
      return status == OK || status == DENIED;
    }

    /** True when there was no connection. */
    boolean isClosed() {
      return status == 0;
    }
  }

  /** A probe that comes from where the other callers are, too. */
  NodeProbe(List<TestCertificate> trusted, TestCertificate shown) {
    this(trusted, shown, HERE);
  }

  /**
   * Asks.
   *
   * @param token empty for none
   */
  Answer ask(int port, String token) {
    BigInteger serial = BigInteger.ZERO;
    try (Socket plain = new Socket()) {
      plain.bind(new InetSocketAddress(from, 0));
      plain.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), PATIENCE_MILLIS);
      plain.setSoTimeout(PATIENCE_MILLIS);
      try (SSLSocket socket =
          (SSLSocket) context().getSocketFactory().createSocket(plain, "localhost", port, true)) {
        socket.startHandshake();
        Certificate served = socket.getSession().getPeerCertificates()[0];
        serial = ((X509Certificate) served).getSerialNumber();
        String header = token.isEmpty() ? "" : "authorization: Bearer " + token + "\r\n";
        socket.getOutputStream().write((REQUEST + header + "\r\n").getBytes(US_ASCII));
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        String line = lines.readLine(); // HTTP/1.1 200 OK
        return new Answer(serial, line == null ? 0 : Integer.parseInt(line.split(" ", -1)[1]));
      }
    } catch (IOException refused) {
      return new Answer(serial, 0);
    }
  }

  private SSLContext context() {
    try {
      KeyStore authorities = emptyStore();
      for (TestCertificate each : trusted) {
        authorities.setCertificateEntry(
            each.certificate().getSerialNumber().toString(), each.certificate());
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(authorities);
      KeyStore own = emptyStore();
      own.setKeyEntry("own", shown.key(), PASSWORD, new Certificate[] {shown.certificate()});
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("the JVM has no TLS", e);
    }
  }

  private static KeyStore emptyStore() throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }
}
