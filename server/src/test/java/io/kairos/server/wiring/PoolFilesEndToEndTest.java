package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.kairos.client.KairosClient;
import io.kairos.client.PoolDefinition;
import io.kairos.client.PoolStatus;
import io.kairos.client.TaskRequest;
import io.kairos.client.push.Push;
import io.kairos.client.push.PushHandler;
import io.kairos.client.push.PushReply;
import io.kairos.client.push.WebhookVerifier;
import io.kairos.embedded.EmbeddedPostgres;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node with the files that its pools need. */
class PoolFilesEndToEndTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private final String database = EmbeddedPostgres.shared().newDatabase();

  private RunningNode node(String... settings) {
    return Configured.ready(RunningNode.start(Configured.withoutBroker(database, settings)));
  }

  /** The id of the key with which the only secret is encrypted; an empty text for none. */
  private String encryptedWith() throws SQLException {
    EmbeddedPostgres postgres = EmbeddedPostgres.shared();
    try (Connection connection =
            DriverManager.getConnection(database, postgres.user(), postgres.password());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery("select coalesce(encrypted_with, '') from http_pool_key")) {
      row.next();
      return requireNonNull(row.getString(1));
    }
  }

  @Test
  void a_secret_in_clear_is_encrypted_when_the_key_comes_and_still_signs() throws Exception {
    String key = "k1:" + Base64.getEncoder().encodeToString(new byte[32]);
    Path file = Files.writeString(directory.resolve("keys"), key);
    BlockingQueue<Push> got = new LinkedBlockingQueue<>();
    HttpServer host =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    host.start();
    String secret;
    try (RunningNode plain = node();
        KairosClient client = KairosClient.connect(Configured.address(plain))) {
      String url = "http://127.0.0.1:" + host.getAddress().getPort();
      secret = client.pools().create(PoolDefinition.of("billing").listed(url)).secrets().getFirst();
      assertThat(encryptedWith()).isEmpty();
    }
    host.createContext(
        "/",
        new PushHandler(
            WebhookVerifier.of(secret),
            push -> {
              got.add(push);
              return PushReply.done();
            }));

    try (RunningNode encrypting = node("push.encryption-key-file=" + file);
        KairosClient client = KairosClient.connect(Configured.address(encrypting))) {
      long endNanos = System.nanoTime() + PATIENCE.toNanos();
      while (encryptedWith().isEmpty() && System.nanoTime() - endNanos < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(encryptedWith()).isEqualTo("k1");

      client.schedule(TaskRequest.toPool("billing", "/").payload("verified").build());
      Push push = requireNonNull(got.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS), "not pushed");
      assertThat(push.text()).isEqualTo("verified");
    } finally {
      host.stop(0);
    }

    // Without the key the pool is named with the reason, and is no pool of this node.
    try (RunningNode lacking = node();
        KairosClient client = KairosClient.connect(Configured.address(lacking))) {
      StringBuilder reasons = new StringBuilder();
      assertThat(client.pools().list((pool, why) -> reasons.append(pool).append(": ").append(why)))
          .isEmpty();
      assertThat(reasons.toString())
          .startsWith("billing: ")
          .contains("k1")
          .contains("push.encryption-key-file");
    }
  }

  @Test
  void an_unusable_key_file_refuses_the_start_by_its_line() throws Exception {
    Path file = Files.writeString(directory.resolve("keys"), "# keys\nk1:c2hvcnQ=\n");
    ServerConfig config = Configured.withoutBroker(database, "push.encryption-key-file=" + file);

    assertThatThrownBy(() -> RunningNode.start(config))
        .isInstanceOf(StartException.class)
        .hasMessageContaining("push.encryption-key-file")
        .hasMessageContaining("line 2 has 5 bytes, not 32");
  }

  @Test
  void half_a_pair_is_refused_and_missing_credentials_are_told_with_each_endpoint()
      throws Exception {
    assertThatThrownBy(() -> Configured.withoutBroker(database, "push.tls.partner.key=a.pem"))
        .hasMessageContaining("push.tls.partner.certificate and push.tls.partner.key go together");

    Path missing = directory.resolve("ca.pem");
    try (RunningNode node = node("push.tls.partner.ca=" + missing);
        KairosClient client = KairosClient.connect(Configured.address(node))) {
      client
          .pools()
          .create(PoolDefinition.of("secured").listed("https://127.0.0.1:9999").tls("partner"));
      long endNanos = System.nanoTime() + PATIENCE.toNanos();
      PoolStatus pool = client.pools().get("secured");
      while (pool.endpoints().isEmpty() && System.nanoTime() - endNanos < 0) {
        TimeUnit.MILLISECONDS.sleep(20);
        pool = client.pools().get("secured");
      }

      assertThat(pool.tls()).isEqualTo("partner");
      assertThat(pool.endpoints())
          .singleElement()
          .satisfies(one ->
              assertThat(one.excluded())
                  .contains("push.tls.partner.ca: the file " + missing + " cannot be read"));
    }
  }
}
