package io.kairos.server.replica;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Keys of Ed25519 (RFC 8410) as texts: private ones in PEM (PKCS 8), public ones in PEM or as the
 * one line of base64 inside it.
 */
public final class SigningKeyPem {
  private static final String ALGORITHM = "Ed25519";

  /** The beginning of each public key of Ed25519 in base64, which no path of a file has. */
  private static final String PUBLIC_BEGIN = "MCowBQYDK2VwAyEA";

  private static final Pattern PEM =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----\\s*");

  private SigningKeyPem() {}

  /** Makes a new pair. */
  public static KeyPair generate() {
    try {
      return KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw lacking(e);
    }
  }

  /** The private key in PEM. */
  public static String print(PrivateKey key) {
    return pem("PRIVATE KEY", encoded(requireNonNull(key.getEncoded())));
  }

  /** The public key in PEM. */
  public static String print(PublicKey key) {
    return pem("PUBLIC KEY", line(key));
  }

  /** The public key in one line. */
  public static String line(PublicKey key) {
    return encoded(requireNonNull(key.getEncoded()));
  }

  private static String encoded(byte[] der) {
    return Base64.getEncoder().encodeToString(der);
  }

  /** A key of Ed25519 needs one line of at most 64 characters. */
  private static String pem(String what, String line) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(what, line, what);
  }

  /** True for the text of a public key; false for anything else, such as a path. */
  private static boolean isPublicKey(String text) {
    return text.startsWith(PUBLIC_BEGIN) || text.startsWith("-----BEGIN ");
  }

  /**
   * Reads a private key from a file.
   *
   * @throws IllegalArgumentException that names the file and what is wrong with it
   */
  public static PrivateKey readPrivate(Path file) {
    try {
      return KeyFactory.getInstance(ALGORITHM)
          .generatePrivate(new PKCS8EncodedKeySpec(der("PRIVATE KEY", read(file))));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s has no private key of Ed25519 in PEM (PKCS 8): \"kairos replica keys FILE\" makes one"
              .formatted(file),
          e);
    }
  }

  /**
   * Reads a public key from its text, or else from the file that the text names.
   *
   * @throws IllegalArgumentException that names what is wrong
   */
  public static PublicKey readPublic(String textOrFile) {
    String text = isPublicKey(textOrFile) ? textOrFile : read(Path.of(textOrFile));
    try {
      byte[] der =
          text.startsWith(PUBLIC_BEGIN)
              ? Base64.getDecoder().decode(text.strip())
              : der("PUBLIC KEY", text);
      return KeyFactory.getInstance(ALGORITHM).generatePublic(new X509EncodedKeySpec(der));
    } catch (GeneralSecurityException | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "%s is no public key of Ed25519, as the file FILE.pub of \"kairos replica keys FILE\" has it"
              .formatted(textOrFile),
          e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.US_ASCII);
    } catch (IOException e) {
      throw new IllegalArgumentException("the file %s cannot be read: %s".formatted(file, e), e);
    }
  }

  private static byte[] der(String kind, String text) {
    Matcher pem = PEM.matcher(text);
    if (!pem.matches() || !kind.equals(pem.group(1))) {
      throw new IllegalArgumentException("no " + kind);
    }
    return Base64.getMimeDecoder().decode(requireNonNull(pem.group(2)));
  }

  /** True when the keys are a pair. */
  public static boolean arePair(PrivateKey own, PublicKey shown) {
    byte[] text = "kairos".getBytes(StandardCharsets.US_ASCII);
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(own);
      signature.update(text);
      byte[] signed = signature.sign();
      signature.initVerify(shown);
      signature.update(text);
      return signature.verify(signed);
    } catch (GeneralSecurityException e) {
      throw lacking(e);
    }
  }

  private static IllegalStateException lacking(GeneralSecurityException e) {
    return new IllegalStateException("this Java cannot sign by " + ALGORITHM, e);
  }
}
