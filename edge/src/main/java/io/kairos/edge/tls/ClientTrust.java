package io.kairos.edge.tls;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Judges at each call the certificate that the client showed in its handshake, which may be long
 * ago: it may have expired, and its CA may have been removed. Compares a time at each call, and
 * checks the chain once for each session and change of the trusted certificates. Thread-safe; does
 * not block.
 */
public final class ClientTrust {
  private static final String JUDGED = ClientTrust.class.getName();

  private final Supplier<List<X509Certificate>> trusted;
  private final InstantSource clock;
  private volatile @Nullable Trust latest;

  /** The trusted certificates, and what checks by them. */
  private record Trust(List<X509Certificate> certificates, X509TrustManager manager) {}

  /** What has become of a session's certificate, kept with the session. */
  private record Judged(List<X509Certificate> by, boolean isTrusted) {}

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
    if (!(shown[0] instanceof X509Certificate own)
        || clock.instant().isAfter(own.getNotAfter().toInstant())) {
      return "the client's certificate has expired";
    }
    List<X509Certificate> now = trusted.get();
    Judged judged =
        session.getValue(JUDGED) instanceof Judged before && before.by.equals(now)
            ? before
            : new Judged(now, isTrusted(shown, own, now));
    session.putValue(JUDGED, judged);
    return judged.isTrusted ? null : "the client's certificate is not trusted any more";
  }

  private boolean isTrusted(Certificate[] shown, X509Certificate own, List<X509Certificate> by) {
    X509Certificate[] chain =
        Arrays.stream(shown)
            .filter(X509Certificate.class::isInstance)
            .toArray(X509Certificate[]::new);
    try {
      trust(by).manager.checkClientTrusted(chain, own.getPublicKey().getAlgorithm());
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
