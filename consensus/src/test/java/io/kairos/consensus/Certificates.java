package io.kairos.consensus;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/** Makes certificates with the JDK's keytool. */
final class Certificates {
  private static final String PASSWORD = "changeit";
  private static final int LINE = 64;

  private Certificates() {}

  /** A key for this machine, and its certificate that only those trust who have it. */
  static TlsFiles selfSigned(Path directory, String name) {
    return selfSigned(directory, name, "ip:127.0.0.1");
  }

  /** Each with its own key and certificate, and the trust in those of all. */
  static List<TlsFiles> trustingEachOther(Path directory, List<TlsFiles> all) {
    try {
      Path trusted = directory.resolve("trusted.crt");
      for (TlsFiles each : all) {
        Files.write(
            trusted,
            Files.readAllBytes(each.chain()),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
      }
      return all.stream().map(each -> new TlsFiles(each.key(), each.chain(), trusted)).toList();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /**
   * A key and its certificate, that only those trust who have it.
   *
   * @param host {@code dns:name} or {@code ip:address}
   */
  static TlsFiles selfSigned(Path directory, String name, String host) {
    try {
      Path store = directory.resolve(name + ".p12");
      Process keytool =
          new ProcessBuilder(
                  Path.of(requireNonNull(System.getProperty("java.home")), "bin", "keytool")
                      .toString(),
                  "-genkeypair",
                  "-alias",
                  name,
                  "-keyalg",
                  "EC",
                  "-dname",
                  "CN=" + name,
                  "-ext",
                  "san=" + host,
                  "-validity",
                  "2",
                  "-storetype",
                  "PKCS12",
                  "-keystore",
                  store.toString(),
                  "-storepass",
                  PASSWORD)
              .redirectErrorStream(true)
              .start();
      String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new AssertionError(said);
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD.toCharArray());
      }
      Key key = requireNonNull(keys.getKey(name, PASSWORD.toCharArray()));
      Path keyFile =
          pem(directory.resolve(name + ".key"), "PRIVATE KEY", requireNonNull(key.getEncoded()));
      Path certificate =
          pem(
              directory.resolve(name + ".crt"),
              "CERTIFICATE",
              requireNonNull(keys.getCertificate(name)).getEncoded());
      return new TlsFiles(keyFile, certificate, certificate);
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static Path pem(Path file, String what, byte[] content) throws IOException {
    Base64.Encoder lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, lines.encodeToString(content), what));
  }
}
