package io.kairos.engine.tls;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
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
import java.util.Date;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A certificate and its private key, read from PEM texts and checked to belong together. Immutable.
 * {@link #toString} does not show the key.
 *
 * @param chain the certificate, followed by those between it and a trusted one
 */
public record PemKeyPair(List<X509Certificate> chain, PrivateKey key) {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
  private static final byte[] ANYTHING = "kairos".getBytes(StandardCharsets.US_ASCII);

  public PemKeyPair {
    chain = List.copyOf(chain);
  }

  /** A PEM text, and what to call it in messages, such as the setting and the file. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Source(String name, byte[] pem) {
    @Override
    public String toString() {
      return name;
    }
  }

  /**
   * Reads a pair.
   *
   * @param certificates the certificate first
   * @param key in PKCS 8, not encrypted
   * @param now the time at which the certificate must be valid; of the others one may have expired,
   *     such as a cross-signed root that the other side does not need
   * @throws IllegalArgumentException that begins with the name of the text at fault
   */
  public static PemKeyPair read(Source certificates, Source key, Instant now) {
    List<X509Certificate> chain = certificates(certificates);
    requireValid(certificates, chain.getFirst(), now);
    PublicKey of = chain.getFirst().getPublicKey();
    return new PemKeyPair(chain, privateKey(key, certificates, of));
  }

  /**
   * Reads the certificates of CAs.
   *
   * @throws IllegalArgumentException that begins with the name of the text, unless one is valid now
   */
  public static List<X509Certificate> trusted(Source source, Instant now) {
    List<X509Certificate> all = certificates(source);
    if (all.stream().noneMatch(one -> isValid(one, now))) {
      requireValid(source, all.getFirst(), now);
    }
    return all;
  }

  private static List<X509Certificate> certificates(Source source) {
    try {
      List<X509Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(source.pem))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (all.isEmpty()) {
        throw new IllegalArgumentException(source + " has no certificate");
      }
      return all;
    } catch (CertificateException e) {
      throw new IllegalArgumentException(source + " has no certificates in PEM", e);
    }
  }

  private static boolean isValid(X509Certificate one, Instant now) {
    return !now.isBefore(one.getNotBefore().toInstant())
        && !now.isAfter(one.getNotAfter().toInstant());
  }

  private static void requireValid(Source source, X509Certificate one, Instant now) {
    if (!isValid(one, now)) {
      throw new IllegalArgumentException(
          "%s is valid from %s to %s only (%s)"
              .formatted(
                  source,
                  text(one.getNotBefore()),
                  text(one.getNotAfter()),
                  one.getSubjectX500Principal()));
    }
  }

  private static String text(Date time) {
    return time.toInstant().toString();
  }

  private static PrivateKey privateKey(Source source, Source certificates, PublicKey of) {
    Matcher pem = KEY.matcher(new String(source.pem, StandardCharsets.ISO_8859_1));
    if (!pem.find()) {
      throw new IllegalArgumentException(
          source
              + " has no private key in PEM and PKCS 8 without a password (\"openssl pkcs8 -topk8 -nocrypt\" makes one)");
    }
    try {
      byte[] encoded = Base64.getMimeDecoder().decode(requireNonNull(pem.group(1)));
      PrivateKey key =
          KeyFactory.getInstance(of.getAlgorithm())
              .generatePrivate(new PKCS8EncodedKeySpec(encoded));
      if (belongs(key, of)) {
        return key;
      }
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(doesNotBelong(source, certificates), e);
    }
    throw new IllegalArgumentException(doesNotBelong(source, certificates));
  }

  private static String doesNotBelong(Source key, Source certificates) {
    return key + " is not the private key of the first certificate in " + certificates;
  }

  /** True when the public key accepts a signature of the private one. */
  private static boolean belongs(PrivateKey key, PublicKey of) throws GeneralSecurityException {
    Signature signature =
        Signature.getInstance(
            switch (of.getAlgorithm()) {
              case "RSA" -> "SHA256withRSA";
              case "EC" -> "SHA256withECDSA";
              default -> of.getAlgorithm();
            });
    signature.initSign(key);
    signature.update(ANYTHING);
    byte[] signed = signature.sign();
    signature.initVerify(of);
    signature.update(ANYTHING);
    return signature.verify(signed);
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "PemKeyPair[" + chain.getFirst().getSubjectX500Principal() + "]";
  }
}
