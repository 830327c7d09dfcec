package io.kairos.server.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.kairos.domain.cron.clock.ClockLimits;
import io.kairos.domain.replica.ReplicaId;
import io.kairos.server.config.ConfigurationException;
import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplicaConfigTest {
  static ReplicaConfig read(String... settings) {
    return ReplicaConfig.read(given(settings));
  }

  private static SettingsReader given(String... settings) {
    return new SettingsReader(Configured.flags(settings));
  }

  private static String problem(String... settings) {
    ConfigurationException refused =
        catchThrowableOfType(ConfigurationException.class, () -> read(settings));
    assertThat(refused.problems()).hasSize(1);
    return refused.problems().getFirst();
  }

  @Test
  void without_settings_it_is_a_cluster_of_one_on_this_machine() {
    String own =
        """
        replica.cluster = kairos
        replica.id = 0
        replica.peers = 127.0.0.1:7172
        replica.data-dir = kairos-replica
        replica.tls.private-key-file =\s
        replica.tls.certificate-file =\s
        replica.tls.trusted-file =\s
        replica.digest-every = 1000
        replica.election-after = 200ms
        replica.election-within = 1s
        replica.snapshot-every = 10000
        replica.max-client-requests = 100
        replica.ticks-per-second = 1000
        replica.log = ratis
        replica.hashgraph.signing-key-file =\s
        replica.hashgraph.public-keys =\s
        replica.hashgraph.forgotten =\s
        replica.time = on
        replica.clock.soft-limit = 500ms
        replica.clock.hard-limit = 3s
        replica.clock.epsilon = 1ms
        replica.max-state-bytes = 67108864
        replica.edges =\s
        replica.edge-token =\s
        replica.action-budget = 100ms
        replica.modules =\s
        replica.node =\s
        replica.node-token =\s
        replica.node-ca =\s
        replica.schedules = false
        replica.tls.allow-none = false
        http.host = 127.0.0.1
        http.port = 7171
        """;

    SettingsReader settings = given();
    var _ = ReplicaConfig.read(settings);

    assertThat(SettingsListing.effective(settings.effective())).startsWith(own);
    assertThat(settings.documented())
        .allMatch(setting -> setting.declared().description().endsWith("."));
  }

  @Test
  void cc20_cc44_time_and_the_limits_on_clocks_are_settings() {
    assertThat(read().time().isOn()).isTrue();
    assertThat(read().time().limits()).isEqualTo(ClockLimits.PUBLISHED);

    ReplicaConfig config =
        read(
            "replica.time=off",
            "replica.clock.soft-limit=1s",
            "replica.clock.hard-limit=1m",
            "replica.clock.epsilon=2ms");

    assertThat(config.time().isOn()).isFalse();
    assertThat(config.time().limits())
        .isEqualTo(
            new ClockLimits(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMillis(2)));
  }

  @Test
  void the_peers_are_in_the_order_of_their_numbers() {
    ReplicaConfig config =
        read(
            "replica.id=2",
            "replica.peers=127.0.0.1:1, localhost:2,[::1]:3",
            "replica.edges=127.0.0.1:11,127.0.0.1:12,127.0.0.1:13");

    assertThat(config.log().self()).isEqualTo(new ReplicaId(2));
    assertThat(config.facts(null).peers())
        .extracting(peer -> peer.id().number() + " " + peer.logAddress() + " " + peer.edgeAddress())
        .containsExactly(
            "0 127.0.0.1:1 127.0.0.1:11", "1 localhost:2 127.0.0.1:12", "2 [::1]:3 127.0.0.1:13");
  }

  @Test
  void what_does_not_go_together_is_refused_by_key() {
    assertThat(problem("replica.peers=127.0.0.1")).contains("replica.peers").contains("host:port");
    assertThat(problem("replica.peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:1"))
        .contains("one address");
    assertThat(problem("replica.peers=127.0.0.1:1,127.0.0.1:2")).contains("one, three or five");
    assertThat(problem("replica.id=3")).contains("none of the 1 replicas");
    assertThat(problem("replica.edges=127.0.0.1:1,127.0.0.1:2")).contains("replica.edges");
    assertThat(problem("replica.node=127.0.0.1:7070")).contains("http://127.0.0.1:7070");
    assertThat(problem("replica.node=http://127.0.0.1:7070/v1")).contains("replica.node");
    assertThat(problem("replica.node-token=t")).contains("replica.node");
    assertThat(problem("replica.schedules=true")).contains("replica.node");
    assertThat(problem("replica.tls.trusted-file=ca.pem")).contains("go together");
    assertThat(problem("replica.action-budget=0s")).contains("replica.action-budget");
    assertThat(problem("replica.time=maybe")).contains("replica.time").contains("on, off");
    assertThat(problem("replica.schedules=true", "replica.node=http://a:1", "replica.time=off"))
        .contains("replica.schedules")
        .contains("replica.time");
    assertThat(problem("replica.clock.hard-limit=0.4s"))
        .contains("replica.clock.hard-limit")
        .contains("replica.clock.soft-limit");
    assertThat(problem("replica.clock.epsilon=1.5ms")).contains("replica.clock.epsilon");
    assertThat(problem("replica.peer=127.0.0.1:1")).contains("did you mean replica.peers?");
    assertThat(problem("delay.claiming.batch=1")).contains("not a key that Kairos knows");
  }

  @Test
  void replicas_on_other_machines_need_tls_or_as_many_words() {
    String peers = "replica.peers=10.0.0.1:1,10.0.0.2:1,10.0.0.3:1";

    assertThat(problem(peers)).contains("replica.tls.allow-none");
    assertThat(read(peers, "replica.tls.allow-none=true").log().tls()).isEmpty();
    assertThat(
            read(
                    peers,
                    "replica.tls.private-key-file=key.pem",
                    "replica.tls.certificate-file=chain.pem",
                    "replica.tls.trusted-file=ca.pem")
                .log()
                .tls())
        .isPresent();
  }

  @Test
  void a_log_that_bears_liars_needs_four_replicas_with_tls_and_keys() {
    String log = "replica.log=hashgraph";
    String peers = "replica.peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4";
    String[] tls = {
      "replica.tls.private-key-file=key.pem",
      "replica.tls.certificate-file=chain.pem",
      "replica.tls.trusted-file=ca.pem"
    };
    String own = "replica.hashgraph.signing-key-file=own.key";
    String keys = "replica.hashgraph.public-keys=0.pub,1.pub,2.pub,3.pub";

    assertThat(problem(log)).contains("four, seven or ten places in replica.peers");
    assertThat(problem(log, peers)).contains("TLS").contains("replica.tls");
    assertThat(problem(log, peers, tls[0], tls[1], tls[2]))
        .contains("replica.hashgraph.signing-key-file")
        .contains("kairos replica keys");
    assertThat(problem(log, peers, tls[0], tls[1], tls[2], own)).contains("go together");
    assertThat(
            problem(log, peers, tls[0], tls[1], tls[2], own, "replica.hashgraph.public-keys=0.pub"))
        .contains("as many keys as replica.peers");
    assertThat(problem(own, keys)).contains("belong to replica.log: hashgraph");
    assertThat(problem("replica.log=raft")).contains("ratis, hashgraph");
    String five = "replica.peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4,127.0.0.1:5";
    assertThat(problem(log, five)).contains("four, seven or ten places in replica.peers");
    String thirteen =
        IntStream.range(1, 14)
            .mapToObj(port -> "127.0.0.1:" + port)
            .collect(Collectors.joining(",", "replica.peers=", ""));
    assertThat(problem(log, thirteen)).contains("four, seven or ten places in replica.peers");
    assertThat(read(log, peers, tls[0], tls[1], tls[2], own, keys).cluster().mayFail())
        .isEqualTo(1);
  }

  @Test
  void settings_of_ratis_are_refused_on_another_log() {
    String[] hashgraph = {
      "replica.log=hashgraph",
      "replica.peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4",
      "replica.tls.private-key-file=key.pem",
      "replica.tls.certificate-file=chain.pem",
      "replica.tls.trusted-file=ca.pem",
      "replica.hashgraph.signing-key-file=own.key",
      "replica.hashgraph.public-keys=0.pub,1.pub,2.pub,3.pub",
      ""
    };

    for (String setting :
        List.of(
            "replica.election-after=0.3s",
            "replica.election-within=2s",
            "replica.snapshot-every=5000",
            "replica.ticks-per-second=2000",
            "replica.tls.allow-none=true")) {
      hashgraph[hashgraph.length - 1] = setting;

      assertThat(problem(hashgraph))
          .contains(
              "replica.log",
              setting.substring(0, setting.indexOf('=')),
              "leave out what only Ratis has");
    }
  }

  @Test
  void a_start_without_the_directory_needs_another_setting_where_replicas_sign() {
    assertThat(read().beforeEmptyStart()).isEmpty();
    assertThat(
            read(
                    "replica.log=hashgraph",
                    "replica.peers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3,127.0.0.1:4",
                    "replica.tls.private-key-file=key.pem",
                    "replica.tls.certificate-file=chain.pem",
                    "replica.tls.trusted-file=ca.pem",
                    "replica.hashgraph.signing-key-file=own.key",
                    "replica.hashgraph.public-keys=0.pub,1.pub,2.pub,3.pub")
                .beforeEmptyStart())
        .contains("replica.hashgraph.forgotten");
  }

  @Test
  void tokens_are_not_shown() {
    SettingsReader settings =
        given(
            "replica.node=http://127.0.0.1:7070",
            "replica.node-token=s3cret",
            "replica.edge-token=s3cret");

    ReplicaConfig config = ReplicaConfig.read(settings);

    assertThat(SettingsListing.effective(settings.effective())).doesNotContain("s3cret");
    assertThat(config.node()).hasToString("Optional[http://127.0.0.1:7070]");
  }
}
