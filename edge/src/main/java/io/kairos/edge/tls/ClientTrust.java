package io.kairos.edge.tls;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Judges at each call the certificate that the client showed in its handshake, which may be long
 * ago: it may have expired, and its CA may have expired or been removed. Compares a time at each
 * call, and checks the chain anew for each session when the trusted certificates have changed or a
 * certificate that the judgement may be about has expired. Thread-safe; does not block.
 */
public final class ClientTrust {
  private static final String JUDGED = ClientTrust.class.getName();

  private final Supplier<List<X509Certificate>> trusted;
  private final InstantSource clock;
  private volatile @Nullable Trust latest;

  /** The trusted certificates, and what checks by them. */
  private record Trust(List<X509Certificate> certificates, X509TrustManager manager) {}

  /**
   * The verdict on a session's certificate, kept with the session.
   *
   * @param until the next end of a certificate of the chain or a trusted one
   */
  private record Judged(List<X509Certificate> by, boolean isTrusted, Instant until) {}

  /**
   * Judges by the certificates in use.
   *
   * @param trusted the CA certificates of clients that are in use
   */
  public ClientTrust(Supplier<List<X509Certificate>> trusted, InstantSource clock) {
    this.trusted = trusted;
    this.clock = clock;
  }

  /**
   * Why the certificate of a request's connection counts no more; null while it does, or when there
   * is none.
   */
  public @Nullable String objection(ServiceRequestContext request) {
    SSLSession session = request.sslSession();
    if (session == null) {
      return null;
    }
    Certificate[] shown;
    try {
      shown = session.getPeerCertificates();
    } catch (SSLPeerUnverifiedException _) { // the client has shown none
      return null;
    }
    Instant now = clock.instant();
    if (!(shown[0] instanceof X509Certificate own) || hasExpired(own, now)) {
      return "the client's certificate has expired";
    }
    List<X509Certificate> by = trusted.get();
    Judged judged;
    if (session.getValue(JUDGED) instanceof Judged before
        && !now.isAfter(before.until)
        && before.by.equals(by)) {
      judged = before;
    } else {
      judged = judge(shown, own, by, now);
      session.putValue(JUDGED, judged);
    }
    return judged.isTrusted ? null : "the client's certificate is not trusted any more";
  }

  private static boolean hasExpired(X509Certificate certificate, Instant now) {
    return now.isAfter(certificate.getNotAfter().toInstant());
  }

  /** Java does not look at the end of what is trusted itself, so what has expired is left out. */
  private Judged judge(
      Certificate[] shown, X509Certificate own, List<X509Certificate> by, Instant now) {
    List<X509Certificate> chain =
        Arrays.stream(shown)
            .filter(X509Certificate.class::isInstance)
            .map(X509Certificate.class::cast)
            .filter(one -> !hasExpired(one, now))
            .toList();
    List<X509Certificate> anchors = by.stream().filter(one -> !hasExpired(one, now)).toList();
    Instant until =
        Stream.concat(chain.stream(), anchors.stream())
            .map(one -> one.getNotAfter().toInstant())
            .min(Comparator.naturalOrder())
            .orElse(now);
    return new Judged(by, isTrusted(chain, own, anchors), until);
  }

  private boolean isTrusted(
      List<X509Certificate> chain, X509Certificate own, List<X509Certificate> anchors) {
    if (anchors.isEmpty()) {
      return false;
    }
    try {
      trust(anchors)
          .manager
          .checkClientTrusted(
              chain.toArray(X509Certificate[]::new), own.getPublicKey().getAlgorithm());
      return true;
    } catch (CertificateException _) {
      return false;
    }
  }

  private Trust trust(List<X509Certificate> by) {
    Trust found = latest;
    if (found == null || !found.certificates.equals(by)) {
      found = new Trust(by, manager(by));
      latest = found;
    }
    return found;
  }

  private static X509TrustManager manager(List<X509Certificate> trusted) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      for (int i = 0; i < trusted.size(); i++) {
        store.setCertificateEntry(Integer.toString(i), trusted.get(i));
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(store);
      for (TrustManager each : factory.getTrustManagers()) {
        if (each instanceof X509TrustManager manager) {
          return manager;
        }
      }
      throw new IllegalStateException("every Java platform checks certificates of X.509");
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("every Java platform has key stores and PKIX", e);
    }
  }
}
