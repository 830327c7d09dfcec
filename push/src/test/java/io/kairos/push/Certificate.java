package io.kairos.push;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A private key with a certificate that only those trust who have it, made by the JDK's keytool.
 */
record Certificate(Path directory, String name) {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final int LINE = 64;

  /** One for 127.0.0.1 and localhost. */
  static Certificate of(Path directory, String name) {
    return make(directory, name, "ip:127.0.0.1,dns:localhost", "-1d", "EC");
  }

  /**
   * Makes one that is valid for two days.
   *
   * @param hosts such as {@code ip:127.0.0.1}
   * @param from when it begins to be valid, such as {@code -1d}
   */
  static Certificate make(
      Path directory, String name, String hosts, String from, String algorithm) {
    Certificate made = new Certificate(directory, name);
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(requireNonNull(System.getProperty("java.home")), "bin", "keytool")
                    .toString(),
                "-genkeypair",
                "-alias",
                name));
    command.addAll(List.of("-keyalg", algorithm, "-dname", "CN=" + name, "-ext", "san=" + hosts));
    command.addAll(List.of("-startdate", from, "-validity", "2", "-storetype", "PKCS12"));
    command.addAll(List.of("-keystore", made.store().toString()));
    command.addAll(List.of("-storepass", new String(PASSWORD)));
    try {
      Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (keytool.waitFor() != 0) {
        throw new AssertionError(said);
      }
      KeyStore keys = made.load();
      Key key = requireNonNull(keys.getKey(name, PASSWORD));
      pem(made.key(), "PRIVATE KEY", requireNonNull(key.getEncoded()));
      pem(made.file(), "CERTIFICATE", requireNonNull(keys.getCertificate(name)).getEncoded());
      return made;
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  private static void pem(Path file, String what, byte[] content) throws IOException {
    Base64.Encoder lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'});
    Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(what, lines.encodeToString(content), what));
  }

  private Path store() {
    return directory.resolve(name + ".p12");
  }

  Path file() {
    return directory.resolve(name + ".crt");
  }

  Path key() {
    return directory.resolve(name + ".key");
  }

  private KeyStore load() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store())) {
      keys.load(in, PASSWORD);
    }
    return keys;
  }

  /** Puts certificate and key where these files are. */
  void replace(Path certificate, Path key) throws IOException {
    Files.copy(file(), certificate, StandardCopyOption.REPLACE_EXISTING);
    Files.copy(key(), key, StandardCopyOption.REPLACE_EXISTING);
  }

  /** For a server with this certificate, which trusts these clients. */
  SSLContext serving(Certificate... clients) throws IOException, GeneralSecurityException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, PASSWORD);
    for (Certificate client : clients) {
      trusted.setCertificateEntry(
          client.name, requireNonNull(client.load().getCertificate(client.name)));
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    own.init(load(), PASSWORD);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }
}
