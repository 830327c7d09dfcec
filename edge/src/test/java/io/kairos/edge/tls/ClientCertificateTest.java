package io.kairos.edge.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.contracts.certificate.TestCertificate;
import org.junit.jupiter.api.Test;

class ClientCertificateTest {
  private static final TestCertificate CA = TestCertificate.authority("CA");

  @Test
  void alternative_names_come_before_the_common_name() {
    TestCertificate shown =
        CA.sign(
            "common",
            "dns:worker.example",
            "uri:spiffe://example/worker",
            "email:team@example.com",
            "ip:10.0.0.1");

    assertThat(ClientCertificate.names(shown.certificate()))
        .containsExactly(
            "dns:worker.example", "uri:spiffe://example/worker", "email:team@example.com");
  }

  @Test
  void the_common_name_counts_only_without_alternative_names() {
    assertThat(ClientCertificate.names(CA.sign("billing").certificate()))
        .containsExactly("cn:billing");
    assertThat(ClientCertificate.names(CA.sign("billing", "ip:10.0.0.1").certificate())).isEmpty();
  }

  @Test
  void a_common_name_that_looks_like_several_is_one() {
    assertThat(ClientCertificate.names(CA.sign("\"a,CN=admin\"").certificate()))
        .containsExactly("cn:a,CN=admin");
  }
}
