package io.kairos.edge.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import io.kairos.edge.caller.WatchedFile;
import io.kairos.engine.loop.NextRound;
import io.kairos.engine.loop.Step;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.KeyGenerator;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seals texts for cookies by AES-256-GCM, so that only whoever has the key can read or make them: a
 * version byte, a random nonce of 96 bits, and the ciphertext with its tag, in base64 for URLs. The
 * first key seals, all open. Thread-safe; does not block.
 */
public final class SessionKeys {
  /** The setting that names the file with the keys. */
  public static final String SETTING = "http.session-key-file";

  private static final Logger LOG = LoggerFactory.getLogger(SessionKeys.class);
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(5);

  /** Each form has one length, so that half of a key is none. */
  private static final Pattern HEXADECIMAL = Pattern.compile("[0-9a-fA-F]{64}");

  private static final Pattern BASE_64 = Pattern.compile("[A-Za-z0-9+/]{43}=");
  private static final int KEY_BYTES = 32;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final byte VERSION = 1;

  private volatile List<SecretKey> keys = List.of();
  private final @Nullable WatchedFile file;

  /**
   * The keys of a file, or without one a key that nobody else has.
   *
   * @throws io.kairos.edge.caller.UnusableCredentialsException when the file cannot be used
   */
  public SessionKeys(Optional<Path> path) {
    file = path.map(given -> new WatchedFile(SETTING, given, this::accept)).orElse(null);
    if (file == null) {
      keys = List.of(new SecretKeySpec(random(), "AES"));
      return;
    }
    file.open();
    path.filter(SessionKeys::isReadableByOthers)
        .ifPresent(open ->
            LOG.atWarn()
                .addKeyValue("setting", SETTING)
                .addKeyValue("file", open)
                .log(
                    "everybody on this machine can read the key of sessions: chmod o-rwx the file"));
  }

  /** 32 random bytes, such as a key or something that nobody can guess. */
  public static byte[] random() {
    try {
      KeyGenerator generator = KeyGenerator.getInstance("AES");
      generator.init(KEY_BYTES * Byte.SIZE);
      return requireNonNull(generator.generateKey().getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES", e);
    }
  }

  private static boolean isReadableByOthers(Path file) {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException _) {
      return false; // such as on a file system without permissions
    }
  }

  private void accept(String text) {
    List<SecretKey> read = new ArrayList<>();
    int number = 0;
    for (String each : text.lines().toList()) {
      number++;
      String line = each.strip();
      if (!line.isEmpty() && !line.startsWith("#")) {
        read.add(key(line, number));
      }
    }
    if (read.isEmpty()) {
      throw new IllegalArgumentException("it has no key");
    }
    keys = List.copyOf(read);
  }

  private static SecretKey key(String line, int number) {
    if (HEXADECIMAL.matcher(line).matches()) {
      return new SecretKeySpec(HexFormat.of().parseHex(line), "AES");
    }
    if (BASE_64.matcher(line).matches()) {
      return new SecretKeySpec(Base64.getDecoder().decode(line), "AES");
    }
    throw new IllegalArgumentException(
        "line "
            + number
            + ": a key is 32 bytes, in 64 hexadecimal digits or in base64, as openssl rand -hex 32 makes them");
  }

  /** A step that reads the file again when it changes; its rounds block. Empty without a file. */
  public Optional<Step> upkeep() {
    return Optional.ofNullable(file)
        .map(watched ->
            Step.of(
                "session-keys",
                () -> {
                  watched.look();
                  return NextRound.after(LOOKS_EVERY);
                }));
  }

  /**
   * Seals a text.
   *
   * @param purpose for which alone it can be opened
   */
  public String seal(String purpose, String text) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.ENCRYPT_MODE, keys.getFirst()); // and draws a nonce
      bind(cipher, purpose);
      byte[] nonce = requireNonNull(cipher.getIV());
      byte[] sealed = cipher.doFinal(text.getBytes(UTF_8));
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(
              ByteBuffer.allocate(1 + nonce.length + sealed.length)
                  .put(VERSION)
                  .put(nonce)
                  .put(sealed)
                  .array());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has AES-GCM", e);
    }
  }

  /** Opens what was sealed for the purpose; empty for anything else. */
  public Optional<String> open(String purpose, String sealed) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(sealed);
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    if (bytes.length <= 1 + NONCE_BYTES || bytes[0] != VERSION) {
      return Optional.empty();
    }
    return keys.stream().flatMap(key -> open(key, purpose, bytes).stream()).findFirst();
  }

  private static Optional<String> open(SecretKey key, String purpose, byte[] bytes) {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, bytes, 1, NONCE_BYTES));
      bind(cipher, purpose);
      int from = 1 + NONCE_BYTES;
      return Optional.of(new String(cipher.doFinal(bytes, from, bytes.length - from), UTF_8));
    } catch (GeneralSecurityException _) { // another key's, or changed
      return Optional.empty();
    }
  }

  private static void bind(Cipher cipher, String purpose) {
    cipher.updateAAD(new byte[] {VERSION});
    cipher.updateAAD(purpose.getBytes(UTF_8));
  }
}
