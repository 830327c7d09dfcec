package io.kairos.edge.tls;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WatchedTlsTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final TestCertificate CA = TestCertificate.authority("CA");
  private static final TestCertificate OLD = CA.sign("old");
  private static final TestCertificate NEW = CA.sign("new");

  @TempDir Path folder;
  private Path certificate;
  private Path key;
  private Path clientCa;
  private int refused;
  private WatchedTls tls;

  @BeforeEach
  void start() {
    certificate = OLD.writeCertificate(folder.resolve("tls.crt"));
    key = OLD.writeKey(folder.resolve("tls.key"));
    clientCa = CA.writeCertificate(folder.resolve("ca.crt"));
    tls = watch(new TlsConfig(certificate, key, Optional.of(clientCa), Optional.empty()));
  }

  private WatchedTls watch(TlsConfig config) {
    return new WatchedTls("certificates", config.files(), () -> NOW, () -> refused++);
  }

  private void look() {
    tls.runOnce();
    tls.runOnce();
  }

  private TestCertificate shown() {
    var pair = requireNonNull(tls.keyPair("*"));
    return new TestCertificate(pair.certificateChain().getFirst(), pair.privateKey());
  }

  @Test
  void a_new_pair_is_used_when_a_second_look_has_found_the_same() {
    NEW.writeCertificate(certificate);
    NEW.writeKey(key);
    tls.runOnce();
    assertThat(shown()).isEqualTo(OLD);

    tls.runOnce();

    assertThat(shown()).isEqualTo(NEW);
    assertThat(refused).isZero();
  }

  @Test
  void files_that_are_written_one_after_the_other_are_no_trouble() {
    NEW.writeCertificate(certificate);
    tls.runOnce();
    assertThat(shown()).isEqualTo(OLD);

    NEW.writeKey(key);
    look();

    assertThat(shown()).isEqualTo(NEW);
    assertThat(refused).isZero();
  }

  @Test
  void half_a_pair_is_reported_once_and_the_old_pair_stays() {
    NEW.writeCertificate(certificate);

    look();
    look();

    assertThat(shown()).isEqualTo(OLD);
    assertThat(refused).isOne();
  }

  @Test
  void garbage_is_reported_once_for_each_change_and_a_good_pair_heals_it() throws IOException {
    Files.writeString(key, "garbage");
    look();
    Files.writeString(key, "other garbage");
    look();
    assertThat(shown()).isEqualTo(OLD);
    assertThat(refused).isEqualTo(2);

    NEW.writeCertificate(certificate);
    NEW.writeKey(key);
    look();

    assertThat(shown()).isEqualTo(NEW);
    assertThat(refused).isEqualTo(2);
  }

  @Test
  void files_that_are_gone_are_reported_and_the_old_ones_stay() throws IOException {
    Files.delete(certificate);
    Files.delete(clientCa);

    look();

    assertThat(shown()).isEqualTo(OLD);
    assertThat(tls.trustedCertificates("*")).containsExactly(CA.certificate());
    assertThat(refused).isOne();
  }

  @Test
  void a_ca_file_without_a_certificate_opens_nothing() throws IOException {
    Files.writeString(clientCa, "");

    look();

    assertThat(tls.trustedCertificates("*")).containsExactly(CA.certificate());
    assertThat(refused).isOne();
  }

  @Test
  void another_ca_is_trusted_when_a_second_look_has_found_the_same() {
    TestCertificate other = TestCertificate.authority("other");
    other.writeCertificate(clientCa);

    look();

    assertThat(tls.trustedCertificates("*")).containsExactly(other.certificate());
  }

  /** Kubernetes mounts links to a link to a folder, and renames another link over that one. */
  @Test
  void a_link_to_another_folder_is_a_change() throws IOException {
    Path first = Files.createDirectory(folder.resolve("..1"));
    OLD.writeCertificate(first.resolve("tls.crt"));
    OLD.writeKey(first.resolve("tls.key"));
    Path second = Files.createDirectory(folder.resolve("..2"));
    NEW.writeCertificate(second.resolve("tls.crt"));
    NEW.writeKey(second.resolve("tls.key"));
    Path data = Files.createSymbolicLink(folder.resolve("..data"), Path.of("..1"));
    Path mounted = Files.createDirectory(folder.resolve("mounted"));
    tls =
        watch(
            TlsConfig.of(
                Files.createSymbolicLink(mounted.resolve("tls.crt"), Path.of("../..data/tls.crt")),
                Files.createSymbolicLink(
                    mounted.resolve("tls.key"), Path.of("../..data/tls.key"))));
    assertThat(shown()).isEqualTo(OLD);

    Path draft = Files.createSymbolicLink(folder.resolve("..tmp"), Path.of("..2"));
    Files.move(draft, data, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    look();

    assertThat(shown()).isEqualTo(NEW);
  }
}
