package io.kairos.edge.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.api.tls.TlsMaterial;
import io.kairos.api.tls.UnusableTlsException;
import io.kairos.contracts.certificate.TestCertificate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificateFilesTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Instant BEFORE = Instant.parse("2029-12-31T00:00:00Z");
  private static final TestCertificate CA = TestCertificate.authority("CA");

  @TempDir Path folder;
  private Path certificate;
  private Path key;
  private Path clientCa;

  @BeforeEach
  void write() {
    TestCertificate server = CA.sign("server", "dns:node");
    certificate = server.writeCertificate(folder.resolve("tls.crt"));
    key = server.writeKey(folder.resolve("tls.key"));
    clientCa = CA.writeCertificate(folder.resolve("ca.crt"));
  }

  private TlsMaterial read() {
    return new TlsConfig(certificate, key, Optional.of(clientCa), Optional.empty())
        .files()
        .read(NOW);
  }

  private void refused(String... words) {
    assertThatThrownBy(this::read)
        .isInstanceOf(UnusableTlsException.class)
        .hasMessageContainingAll(words);
  }

  @Test
  void files_that_belong_together_are_read() {
    TlsMaterial read = read();

    assertThat(read.own())
        .hasValueSatisfying(pair ->
            assertThat(pair.chain().getFirst().getSubjectX500Principal().getName())
                .isEqualTo("CN=server"));
    assertThat(read.trusted()).containsExactly(CA.certificate());
    assertThat(read.expiry()).contains(Instant.parse("2049-12-31T00:00:00Z"));
  }

  @Test
  void a_missing_file_is_named_with_its_setting() throws IOException {
    Files.delete(key);

    refused("http.tls.key", key.toString(), "cannot be read", "correct the path");
  }

  @Test
  void a_key_of_another_certificate_is_refused() {
    CA.sign("other").writeKey(key);

    refused("http.tls.key", key.toString(), "is not the RSA or EC key", certificate.toString());
  }

  /** Handshakes would fail, or show no certificate. */
  @Test
  void a_key_of_edwards_curves_is_refused() {
    TestCertificate edwards = CA.signEdwards("server", "dns:node");
    edwards.writeCertificate(certificate);
    edwards.writeKey(key);

    refused("http.tls.key", "is not the RSA or EC key");
  }

  @Test
  void an_expired_certificate_is_refused() {
    TestCertificate expired = CA.sign(BEFORE, "server", "dns:node");
    expired.writeCertificate(certificate);
    expired.writeKey(key);

    refused("http.tls.certificate", certificate.toString(), "expired at 2029-12-31", "renew");
  }

  @Test
  void text_that_is_no_certificate_and_no_key_is_refused_without_showing_it() throws IOException {
    Files.writeString(key, "secret");
    refused("http.tls.key", key.toString(), "no private key in PEM", "openssl pkcs8");
    assertThatThrownBy(this::read).hasMessageNotContaining("secret").hasNoCause();

    Files.writeString(certificate, "nothing");
    refused("http.tls.certificate", certificate.toString(), "no certificate in PEM");
  }

  @Test
  void a_key_where_the_certificate_belongs_is_refused() {
    CA.writeKey(certificate);

    refused("http.tls.certificate", "no certificate in PEM");
  }

  @Test
  void without_a_valid_ca_no_client_would_be_checked_so_it_is_refused() throws IOException {
    Files.writeString(clientCa, "");
    refused("http.tls.client-ca", clientCa.toString(), "no certificate in PEM");

    TestCertificate.selfSigned(BEFORE, "old").writeCertificate(clientCa);
    refused("http.tls.client-ca", "expired");
  }

  @Test
  void an_expired_ca_beside_a_valid_one_is_trusted_no_more() throws IOException {
    Path old =
        TestCertificate.selfSigned(BEFORE, "old").writeCertificate(folder.resolve("old.crt"));
    Files.writeString(clientCa, Files.readString(clientCa) + Files.readString(old));

    assertThat(read().trusted()).containsExactly(CA.certificate());
  }

  @Test
  void client_certificates_without_a_ca_are_refused() {
    assertThatThrownBy(() ->
            new TlsConfig(
                certificate, key, Optional.empty(), Optional.of(TlsConfig.ClientNeeds.REQUIRED)))
        .hasMessageContainingAll("http.tls.client-certificates", "http.tls.client-ca");
  }
}
