package io.kairos.api.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import io.kairos.api.file.FileWatch;
import io.kairos.api.file.FileWatch.NamedFile;
import java.io.ByteArrayInputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The PEM files of one side of TLS. Methods throw {@link UnusableTlsException} with what to do.
 *
 * @param own this side's certificate and key; empty for none
 * @param trusted the CA certificates of the other side; empty for those of the system
 */
public record CertificateFiles(Optional<Own> own, Optional<PemFile> trusted) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");

  /** A certificate with its chain, and its key, RSA or EC, in PKCS 8 without a password. */
  public record Own(PemFile certificate, PemFile key) {}

  /**
   * A file.
   *
   * @param setting what names the file, for messages
   */
  public record PemFile(String setting, Path path) {
    private UnusableTlsException unusable(String why) {
      return new UnusableTlsException(this + " " + why);
    }

    @Override
    public String toString() {
      return "%s: the file %s".formatted(setting, path);
    }
  }

  /** All files, in a fixed order. */
  List<NamedFile> files() {
    return Stream.concat(
            own.stream().flatMap(pair -> Stream.of(pair.certificate, pair.key)), trusted.stream())
        .map(file -> new NamedFile(file.setting, file.path))
        .toList();
  }

  /** Reads and checks the files. */
  public TlsMaterial read(Instant now) {
    try {
      return material(files().stream().map(FileWatch::content).toList(), now);
    } catch (IllegalArgumentException e) {
      throw UnusableTlsException.of(e);
    }
  }

  /**
   * Checks the contents of {@link #files}: the certificate is valid, the key is its key, and a CA
   * certificate is valid too. No CA certificate at all would mean those of the system.
   */
  TlsMaterial material(List<ByteBuffer> contents, Instant now) {
    Iterator<ByteBuffer> next = contents.iterator();
    Optional<TlsMaterial.Pair> pair =
        own.map(files -> pair(files, next.next().array(), next.next().array(), now));
    List<X509Certificate> authorities =
        trusted.map(file -> authorities(file, next.next().array(), now)).orElse(List.of());
    return new TlsMaterial(pair, authorities);
  }

  private static TlsMaterial.Pair pair(Own files, byte[] certificate, byte[] text, Instant now) {
    List<X509Certificate> chain = certificates(files.certificate, certificate);
    requireValid(files.certificate, chain.get(0), now);
    PublicKey certified = chain.get(0).getPublicKey();
    PrivateKey key = key(files.key, text, certified.getAlgorithm());
    if (key == null || !isOf(key, certified)) {
      throw files.key.unusable(
          "is not the RSA or EC key of the first certificate in %s (%s): name two files that belong together"
              .formatted(files.certificate.path, files.certificate.setting));
    }
    return new TlsMaterial.Pair(key, chain);
  }

  private static List<X509Certificate> authorities(PemFile file, byte[] content, Instant now) {
    List<X509Certificate> all = certificates(file, content);
    List<X509Certificate> valid =
        all.stream().filter(each -> now.isBefore(each.getNotAfter().toInstant())).toList();
    if (valid.isEmpty()) {
      requireValid(file, all.get(0), now);
    }
    return valid;
  }

  private static List<X509Certificate> certificates(PemFile file, byte[] content) {
    List<X509Certificate> found;
    try {
      found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(content))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
    } catch (CertificateException e) { // its message is about the format's insides
      found = List.of();
    }
    if (found.isEmpty()) {
      throw file.unusable(
          "has no certificate in PEM (BEGIN CERTIFICATE) that can be read: name the file of the"
              + " certificate");
    }
    return found;
  }

  private static void requireValid(PemFile file, X509Certificate certificate, Instant now) {
    Instant begin = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    if (!now.isBefore(end)) {
      throw file.unusable("has a certificate that expired at %s: renew it".formatted(end));
    }
    if (now.isBefore(begin)) {
      throw file.unusable(
          "has a certificate that is valid from %s only: wait for that, or correct this machine's clock, by which it is %s"
              .formatted(begin, now));
    }
  }

  /** Null for a key of another algorithm. */
  private static @Nullable PrivateKey key(PemFile file, byte[] text, String algorithm) {
    Matcher pem = KEY.matcher(new String(text, US_ASCII));
    if (!pem.find()) {
      throw file.unusable(
          "has no private key in PEM that can be read: it must be PKCS 8 without a password (BEGIN"
              + " PRIVATE KEY), which openssl pkcs8 -topk8 -nocrypt makes of others");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(requireNonNull(pem.group(1)));
      return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(encoded));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      return null;
    }
  }

  /** False for keys of Edwards curves, which the TLS of Netty has no use for: it shows nothing. */
  private static boolean isOf(PrivateKey key, PublicKey certified) {
    String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
    byte[] text = {1};
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(text);
      byte[] signature = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(certified);
      checking.update(text);
      return checking.verify(signature);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }
}
