package io.kairos.contracts.certificate;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Files of replicas of this machine that verify what they tell each other: for each a certificate
 * of 127.0.0.1, its key, and a pair of Ed25519 for signatures. May be used by several processes.
 *
 * @param count of the replicas, which are numbered from 0
 */
public record ReplicaFiles(Path folder, int count) {
  /** Makes the folder and all files in it. */
  public ReplicaFiles make() throws IOException {
    Files.createDirectories(folder);
    TestCertificate authority = TestCertificate.authority("replicas");
    authority.writeCertificate(trusted());
    for (int id = 0; id < count; id++) {
      TestCertificate own = authority.sign("replica-" + id, "ip:127.0.0.1");
      own.writeCertificate(certificate(id));
      own.writeKey(key(id));
      TestCertificate signing = authority.signEdwards("signatures of replica-" + id);
      signing.writeKey(signingKey(id));
      Files.writeString(
          published(id),
          Base64.getEncoder()
              .encodeToString(requireNonNull(signing.certificate().getPublicKey().getEncoded())));
    }
    return this;
  }

  private Path file(int id, String kind) {
    return folder.resolve("replica-" + id + "." + kind);
  }

  /** The certificate of those who sign certificates. */
  public Path trusted() {
    return folder.resolve("trusted.pem");
  }

  public Path certificate(int id) {
    return file(id, "pem");
  }

  /** The key of the certificate. */
  public Path key(int id) {
    return file(id, "key");
  }

  /** The private key of signatures. */
  public Path signingKey(int id) {
    return file(id, "signing");
  }

  private Path published(int id) {
    return file(id, "public");
  }

  /** The public keys of signatures, each a line of base64, by number. */
  public List<String> publicKeys() {
    return IntStream.range(0, count).mapToObj(id -> read(published(id))).toList();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The settings of one replica. */
  public List<String> settings(int id) {
    return List.of(
        "replica.log=hashgraph",
        "replica.hashgraph.signing-key-file=" + signingKey(id),
        "replica.hashgraph.public-keys=" + String.join(",", publicKeys()),
        "replica.tls.private-key-file=" + key(id),
        "replica.tls.certificate-file=" + certificate(id),
        "replica.tls.trusted-file=" + trusted());
  }
}
