package io.kairos.contracts.certificate;

import static io.kairos.contracts.certificate.DerBytes.hex;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicLong;
import javax.security.auth.x500.X500Principal;

/**
 * A key, on the curve P-256 unless another is asked for, and a certificate for it, made within a
 * millisecond. Valid from 1970 to 2049 unless another time is asked for.
 */
public record TestCertificate(X509Certificate certificate, PrivateKey key) {
  private static final AtomicLong SERIAL = new AtomicLong(1);
  private static final Instant BEGIN = Instant.EPOCH;
  private static final Instant END = Instant.parse("2049-12-31T00:00:00Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  /** ecdsa-with-SHA256. */
  private static final byte[] ALGORITHM =
      DerBytes.of(DerBytes.SEQUENCE, hex("06082a8648ce3d040302"));

  private static final byte[] VERSION_3 = hex("a003020102");
  private static final byte[] TRUE = hex("0101ff");
  private static final byte[] BASIC_CONSTRAINTS = hex("0603551d13");
  private static final byte[] ALTERNATIVE_NAMES = hex("0603551d11");

  /** A CA of this name, which nobody else has signed. */
  public static TestCertificate authority(String name) {
    return authority(END, name);
  }

  /** Makes a CA with an end of its own. */
  public static TestCertificate authority(Instant end, String name) {
    KeyPair pair = newKeys();
    byte[] extension =
        DerBytes.of(
            DerBytes.SEQUENCE,
            BASIC_CONSTRAINTS,
            TRUE,
            DerBytes.of(DerBytes.OCTETS, DerBytes.of(DerBytes.SEQUENCE, TRUE)));
    return new TestCertificate(
        signed(pair, principal(name), pair.getPrivate(), principal(name), end, extension),
        pair.getPrivate());
  }

  /**
   * A certificate that this CA has signed.
   *
   * @param name the common name
   * @param names alternative names: {@code dns:...}, {@code ip:...}, {@code uri:...} or {@code
   *     email:...}; none for a certificate without that extension
   */
  public TestCertificate sign(String name, String... names) {
    return sign(END, name, names);
  }

  /** Signs a certificate whose key is one of Ed25519. */
  public TestCertificate signEdwards(String name, String... names) {
    return sign(newKeys("Ed25519"), END, name, names);
  }

  /** Signs a certificate with an end of its own. */
  public TestCertificate sign(Instant end, String name, String... names) {
    return sign(newKeys(), end, name, names);
  }

  private TestCertificate sign(KeyPair pair, Instant end, String name, String... names) {
    return new TestCertificate(
        signed(
            pair,
            principal(name),
            key,
            certificate.getSubjectX500Principal(),
            end,
            alternatives(names)),
        pair.getPrivate());
  }

  /** A certificate that is signed with its own key, and whose holder is no CA. */
  public static TestCertificate selfSigned(String name, String... names) {
    return selfSigned(END, name, names);
  }

  /** Makes a self-signed certificate with an end of its own. */
  public static TestCertificate selfSigned(Instant end, String name, String... names) {
    KeyPair pair = newKeys();
    return new TestCertificate(
        signed(pair, principal(name), pair.getPrivate(), principal(name), end, alternatives(names)),
        pair.getPrivate());
  }

  /** Writes the certificate in PEM. */
  public Path writeCertificate(Path file) {
    return write(file, certificatePem());
  }

  /** Writes the key in PEM, PKCS 8. */
  public Path writeKey(Path file) {
    return write(file, keyPem());
  }

  public String certificatePem() {
    try {
      return pem("CERTIFICATE", certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** The key in PEM, PKCS 8. */
  public String keyPem() {
    return pem("PRIVATE KEY", requireNonNull(key.getEncoded()));
  }

  private static String pem(String what, byte[] content) {
    String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, lines, what);
  }

  private static Path write(Path file, String text) {
    try {
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KeyPair newKeys() {
    return newKeys("EC");
  }

  private static KeyPair newKeys(String algorithm) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (algorithm.equals("EC")) {
        generator.initialize(256);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static X500Principal principal(String name) {
    return new X500Principal("CN=" + name);
  }

  private static X509Certificate signed(
      KeyPair pair,
      X500Principal subject,
      PrivateKey signer,
      X500Principal issuer,
      Instant end,
      byte[] extension) {
    byte[] serial = BigInteger.valueOf(SERIAL.getAndIncrement()).toByteArray();
    byte[] content =
        DerBytes.of(
            DerBytes.SEQUENCE,
            VERSION_3,
            DerBytes.of(DerBytes.INTEGER, serial),
            ALGORITHM,
            issuer.getEncoded(),
            DerBytes.of(DerBytes.SEQUENCE, time(BEGIN), time(end)),
            subject.getEncoded(),
            requireNonNull(pair.getPublic().getEncoded()),
            extension.length == 0
                ? extension
                : DerBytes.of(0xa3, DerBytes.of(DerBytes.SEQUENCE, extension)));
    try {
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(signer);
      signature.update(content);
      byte[] whole =
          DerBytes.of(
              DerBytes.SEQUENCE,
              content,
              ALGORITHM,
              DerBytes.of(DerBytes.BITS, new byte[1], signature.sign()));
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(whole));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] time(Instant at) {
    return DerBytes.of(DerBytes.UTC_TIME, TIME.format(at).getBytes(US_ASCII));
  }

  private static byte[] alternatives(String... names) {
    if (names.length == 0) {
      return new byte[0];
    }
    byte[][] all = Arrays.stream(names).map(TestCertificate::alternative).toArray(byte[][]::new);
    return DerBytes.of(
        DerBytes.SEQUENCE,
        ALTERNATIVE_NAMES,
        DerBytes.of(DerBytes.OCTETS, DerBytes.of(DerBytes.SEQUENCE, all)));
  }

  private static byte[] alternative(String name) {
    String text = name.substring(name.indexOf(':') + 1);
    return switch (name.substring(0, name.indexOf(':'))) {
      case "email" -> DerBytes.of(0x81, text.getBytes(US_ASCII));
      case "dns" -> DerBytes.of(0x82, text.getBytes(US_ASCII));
      case "uri" -> DerBytes.of(0x86, text.getBytes(US_ASCII));
      case "ip" -> DerBytes.of(0x87, InetAddress.ofLiteral(text).getAddress());
      default -> throw new IllegalArgumentException(name);
    };
  }
}
