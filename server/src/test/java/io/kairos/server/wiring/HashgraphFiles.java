package io.kairos.server.wiring;

import io.kairos.contracts.certificate.TestCertificate;
import io.kairos.server.replica.SigningKeyPem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keys and certificates of replicas of this machine with a hashgraph, in files. */
public final class HashgraphFiles {
  private final Path folder;
  private final Path trusted;
  private final String publicKeys;

  /** Makes those of so many replicas. */
  public HashgraphFiles(Path folder, int count) throws IOException {
    this.folder = Files.createDirectories(folder);
    TestCertificate authority = TestCertificate.authority("replicas");
    this.trusted = authority.writeCertificate(folder.resolve("trusted.pem"));
    List<KeyPair> pairs = Stream.generate(SigningKeyPem::generate).limit(count).toList();
    for (int id = 0; id < count; id++) {
      TestCertificate own = authority.sign("replica-" + id, "ip:127.0.0.1");
      own.writeCertificate(file(id, "pem"));
      own.writeKey(file(id, "key"));
      Files.writeString(file(id, "signing"), SigningKeyPem.print(pairs.get(id).getPrivate()));
    }
    this.publicKeys =
        pairs.stream()
            .map(pair -> SigningKeyPem.line(pair.getPublic()))
            .collect(Collectors.joining(","));
  }

  private Path file(int id, String kind) {
    return folder.resolve("replica-" + id + "." + kind);
  }

  /** The settings of one replica. */
  public List<String> settings(int id) {
    return List.of(
        "replica.log=hashgraph",
        "replica.hashgraph.signing-key-file=" + file(id, "signing"),
        "replica.hashgraph.public-keys=" + publicKeys,
        "replica.tls.private-key-file=" + file(id, "key"),
        "replica.tls.certificate-file=" + file(id, "pem"),
        "replica.tls.trusted-file=" + trusted);
  }
}
