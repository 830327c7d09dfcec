package io.kairos.push;

import static io.kairos.push.Pushing.POOL;
import static org.assertj.core.api.Assertions.assertThat;

import io.kairos.api.tls.TlsMaterial;
import io.kairos.domain.pool.AllowList;
import io.kairos.domain.pool.EndpointUrl;
import io.kairos.domain.pool.Pool;
import io.kairos.domain.pool.PortList;
import io.kairos.domain.pool.PushRequest;
import io.kairos.domain.task.AttemptOutcome;
import io.kairos.domain.task.queue.PoolName;
import io.kairos.engine.pool.EndpointView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pushing to real servers with TLS, with credentials from files. */
@Timeout(120)
class PoolTlsTest {
  private static final PushRequest HELLO = PushRequest.post(new byte[] {1});
  private static final Duration HOUR = Duration.ofHours(1);

  @TempDir private static Path made;
  private static Certificate server;
  private static Certificate client;
  private static Certificate other;

  @TempDir private Path files;

  @BeforeAll
  static void make() {
    server = Certificate.of(made, "server");
    client = Certificate.make(made, "client", "dns:client", "-1d", "RSA");
    other = Certificate.of(made, "other");
  }

  /** The files of the credentials called partner. */
  @BeforeEach
  void install() throws IOException {
    Files.copy(server.file(), ca());
    client.replace(certificate(), key());
  }

  private Path ca() {
    return files.resolve("ca.pem");
  }

  private Path certificate() {
    return files.resolve("partner.pem");
  }

  private Path key() {
    return files.resolve("partner.key");
  }

  private CredentialFiles partner() {
    return new CredentialFiles(
        "partner", Optional.of(ca()), Optional.of(certificate()), Optional.of(key()));
  }

  private static PoolCredentials credentials(CredentialFiles... all) {
    return new PoolCredentials(List.of(all), InstantSource.system());
  }

  /** Two looks have to find the same. */
  private static void look(PoolCredentials credentials) {
    credentials.look();
    credentials.look();
  }

  private static Pushing pushing(PoolCredentials credentials) {
    return new Pushing(
        AllowList.of(List.of("127.0.0.0/8"), PortList.DEFAULT), List.of(), credentials);
  }

  private static Pool pool(WorkerServer worker, @Nullable String tls) {
    return pool(POOL, "https://127.0.0.1:" + worker.port(), null, tls);
  }

  private static Pool pool(
      PoolName name, String url, @Nullable String healthPath, @Nullable String tls) {
    return with(
        Pool.of(name, new Pool.Endpoints.Listed(List.of(EndpointUrl.of(url)))), healthPath, tls);
  }

  private static Pool with(Pool pool, @Nullable String healthPath, @Nullable String tls) {
    return new Pool(
        pool.name(),
        pool.endpoints(),
        pool.routing(),
        pool.ejection(),
        healthPath,
        pool.requestTimeout(),
        pool.completionTimeout(),
        pool.answersLater(),
        pool.maxInFlight(),
        tls);
  }

  private static void assertNotSent(AttemptOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            AttemptOutcome.RetryLater.class,
            later -> assertThat(later.error()).startsWith("not sent to "));
  }

  /** The reason why the only endpoint of the pool gets nothing; empty for none. */
  private static String excluded(Pushing pushing) {
    List<EndpointView> all = pushing.node.endpoints(POOL);
    return all.isEmpty() ? "" : all.getFirst().excluded();
  }

  @Test
  void the_certificate_of_the_pool_is_presented_to_whom_its_ca_vouches_for() throws Exception {
    try (WorkerServer worker = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials(partner()))) {
      pushing.create(pool(POOL, "https://localhost:" + worker.port(), "/health", "partner"));

      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      assertThat(worker.got()).extracting(WorkerServer.Got::caller).containsOnly("CN=client");
      assertThat(worker.got()).extracting(WorkerServer.Got::path).contains("/", "/health");
    }
  }

  @Test
  void without_credentials_the_system_decides_whom_to_trust() throws Exception {
    try (WorkerServer worker = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials(partner()))) {
      pushing.create(pool(worker, null));

      assertNotSent(pushing.push(HELLO));
      assertThat(worker.got()).isEmpty();
    }
  }

  @Test
  void a_certificate_for_another_host_is_refused() throws Exception {
    Certificate elsewhere = Certificate.make(files, "elsewhere", "dns:elsewhere", "-1d", "EC");
    CredentialFiles trusting =
        new CredentialFiles(
            "partner",
            Optional.of(elsewhere.file()),
            Optional.of(certificate()),
            Optional.of(key()));
    try (WorkerServer worker = WorkerServer.secured(elsewhere.serving(client));
        Pushing pushing = pushing(credentials(trusting))) {
      pushing.create(pool(worker, "partner"));

      assertNotSent(pushing.push(HELLO));
      assertThat(worker.got()).isEmpty();
    }
  }

  @Test
  void a_pool_whose_credentials_this_node_lacks_gets_nothing_from_it() throws Exception {
    try (WorkerServer worker = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials())) {
      pushing.create(pool(worker, "partner"));

      pushing.until(() -> excluded(pushing).contains("push.tls.partner.ca"));
      assertThat(pushing.node.endpoints(POOL))
          .singleElement()
          .extracting(EndpointView::endpoint)
          .isEqualTo("https://127.0.0.1:" + worker.port());
      assertThat(pushing.tasks.isAsked()).isFalse();
      assertThat(worker.got()).isEmpty();
    }
  }

  @Test
  void a_pool_that_begins_to_name_missing_credentials_is_pushed_to_no_more() throws Exception {
    try (WorkerServer worker = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials(partner()))) {
      pushing.create(pool(worker, "partner"));
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      pushing.pools.update(POOL, before -> pool(worker, "lost"));
      pushing.node.poolsChanged();

      pushing.until(() -> !pushing.tasks.isAsked());
      assertThat(excluded(pushing)).contains("push.tls.lost.ca");
      assertThat(worker.got()).hasSize(1);
    }
  }

  @Test
  void registered_http_endpoints_get_nothing_once_their_pool_names_credentials() throws Exception {
    try (WorkerServer plain = WorkerServer.answering(200);
        WorkerServer secured = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials(partner()))) {
      pushing.create(Pool.of(POOL, new Pool.Endpoints.Registered()));
      pushing.pools.register(POOL, EndpointUrl.of(plain.url()), HOUR);
      pushing.node.poolsChanged();
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      pushing.pools.update(POOL, before -> with(before, null, "partner"));
      pushing.pools.register(POOL, EndpointUrl.of("https://127.0.0.1:" + secured.port()), HOUR);
      pushing.node.poolsChanged();

      pushing.until(() ->
          pushing.node.endpoints(POOL).stream()
              .anyMatch(one ->
                  one.endpoint().equals(plain.url())
                      && one.excluded().equals("must be https:// in a pool with tls")));
      for (int i = 0; i < 3; i++) {
        assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
      }
      assertThat(plain.got()).hasSize(1);
      assertThat(secured.got()).hasSize(3);
    }
  }

  @Test
  void files_that_become_usable_are_used_without_a_restart() throws Exception {
    Files.delete(key());
    PoolCredentials credentials = credentials(partner());
    try (WorkerServer worker = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials)) {
      pushing.create(pool(worker, "partner"));
      pushing.until(() -> excluded(pushing).contains("push.tls.partner.key"));

      client.replace(certificate(), key());
      look(credentials);
      pushing.node.poolsChanged();

      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
    }
  }

  @Test
  void a_renewed_certificate_is_presented_without_a_restart() throws Exception {
    PoolCredentials credentials = credentials(partner());
    try (WorkerServer worker = WorkerServer.secured(server.serving(client, other));
        Pushing pushing = pushing(credentials)) {
      pushing.create(pool(worker, "partner"));
      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());

      other.replace(certificate(), key());
      look(credentials);
      pushing.node.poolsChanged();

      pushing.until(() -> {
        try {
          pushing.push(HELLO);
        } catch (InterruptedException e) {
          throw new AssertionError(e);
        }
        return worker.got().getLast().caller().equals("CN=other");
      });
    }
  }

  @Test
  void unusable_files_leave_the_former_credentials_in_use() throws Exception {
    PoolCredentials credentials = credentials(partner());
    TlsMaterial before = credentials.find("partner").orElseThrow();

    Files.writeString(certificate(), "garbage");
    assertStays(credentials, before);

    client.replace(certificate(), key());
    Files.copy(other.key(), replaced(key()));
    assertStays(credentials, before);

    Certificate.make(files, "expired", "dns:client", "-9d", "EC").replace(certificate(), key());
    assertStays(credentials, before);

    client.replace(certificate(), key());
    Files.writeString(ca(), "");
    assertStays(credentials, before);

    Files.delete(ca());
    assertStays(credentials, before);
  }

  @Test
  void files_that_are_as_before_after_an_error_leave_the_connections_alone() throws Exception {
    PoolCredentials credentials = credentials(partner());
    TlsMaterial before = credentials.find("partner").orElseThrow();
    Files.delete(ca());
    look(credentials);

    Files.copy(server.file(), ca());

    assertStays(credentials, before);
  }

  @Test
  void an_expired_certificate_after_the_first_is_no_fault() throws Exception {
    Path old = Files.createDirectory(files.resolve("old"));
    Certificate expired = Certificate.make(old, "client", "dns:client", "-9d", "RSA");
    Files.write(certificate(), Files.readAllBytes(expired.file()), StandardOpenOption.APPEND);
    try (WorkerServer worker = WorkerServer.secured(server.serving(client));
        Pushing pushing = pushing(credentials(partner()))) {
      pushing.create(pool(worker, "partner"));

      assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
      assertThat(worker.got()).extracting(WorkerServer.Got::caller).containsOnly("CN=client");
    }
  }

  private static Path replaced(Path file) throws IOException {
    Files.delete(file);
    return file;
  }

  private static void assertStays(PoolCredentials credentials, TlsMaterial before) {
    look(credentials);
    assertThat(credentials.find("partner")).containsSame(before);
  }

  @Test
  void the_reason_names_the_setting_at_fault() throws Exception {
    Files.copy(other.key(), replaced(key()));
    assertThat(credentials(partner()).whyMissing("partner"))
        .contains("push.tls.partner.key")
        .contains(
            "is not the RSA or EC key of the first certificate in "
                + certificate()
                + " (push.tls.partner.certificate)");

    Files.writeString(key(), "-----BEGIN RSA PRIVATE KEY-----");
    assertThat(credentials(partner()).whyMissing("partner")).contains("openssl pkcs8");

    Certificate.make(files, "expired", "dns:client", "-9d", "EC").replace(certificate(), key());
    assertThat(credentials(partner()).whyMissing("partner"))
        .contains("push.tls.partner.certificate")
        .contains("has a certificate that expired at ");
  }

  @Test
  void live_pools_with_different_credentials_share_no_connections() throws Exception {
    CredentialFiles second =
        new CredentialFiles(
            "second", Optional.of(ca()), Optional.of(other.file()), Optional.of(other.key()));
    CredentialFiles distrusting =
        new CredentialFiles(
            "distrusting",
            Optional.of(other.file()),
            Optional.of(certificate()),
            Optional.of(key()));
    PoolName otherPool = new PoolName("other");
    PoolName distrustingPool = new PoolName("distrusting");
    try (WorkerServer worker = WorkerServer.secured(server.serving(client, other));
        Pushing pushing = pushing(credentials(partner(), second, distrusting))) {
      String url = "https://127.0.0.1:" + worker.port();
      pushing.create(pool(POOL, url, null, "partner"));
      pushing.create(pool(otherPool, url, null, "second"));
      pushing.create(pool(distrustingPool, url, null, "distrusting"));

      for (int round = 0; round < 3; round++) {
        assertThat(pushing.push(HELLO)).isEqualTo(new AttemptOutcome.Succeeded());
        pushing.tasks.give(otherPool, HELLO, 1, null);
        assertThat(pushing.tasks.outcome()).isEqualTo(new AttemptOutcome.Succeeded());
        if (round == 0) { // it is ejected after that
          pushing.tasks.give(distrustingPool, HELLO, 1, null);
          assertNotSent(pushing.tasks.outcome());
        }
      }

      assertThat(worker.got())
          .extracting(WorkerServer.Got::caller)
          .containsExactly(
              "CN=client", "CN=other", "CN=client", "CN=other", "CN=client", "CN=other");
    }
  }

  /** Endpoints would be shown no certificate. */
  @Test
  void a_key_of_edwards_curves_is_refused() throws Exception {
    Certificate.make(files, "modern", "dns:client", "-1d", "Ed25519").replace(certificate(), key());

    assertThat(credentials(partner()).whyMissing("partner")).contains("is not the RSA or EC key");
  }

  @Test
  void keys_are_not_shown() {
    TlsMaterial identity = credentials(partner()).find("partner").orElseThrow();

    assertThat(identity.own()).hasToString("Optional[Pair[CN=client]]");
  }
}
