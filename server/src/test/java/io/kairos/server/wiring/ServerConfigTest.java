package io.kairos.server.wiring;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.kairos.engine.delay.setup.DelayConfig;
import io.kairos.engine.setting.ConfigRecord;
import io.kairos.kafka.KafkaConfig;
import io.kairos.server.config.ConfigurationException;
import io.kairos.server.config.DocumentedSetting;
import io.kairos.server.config.GivenSetting;
import io.kairos.server.config.RouteConfig;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsListing;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.wiring.command.ConfigCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerConfigTest {
  private static final long GIBIBYTE = 1L << 30;
  private static final Path PAGE = Path.of("../docs/configuration.md");

  @Test
  void names_are_lower_case_words_joined_by_hyphens_and_dots() {
    assertThat(effective())
        .extracting(GivenSetting::key)
        .allMatch(key -> key.matches("[a-z]+(-[a-z]+)*(\\.[a-z]+(-[a-z]+)*)+(\\.\\*)?"));
  }

  @Test
  void every_key_is_explained() {
    SettingsReader settings = new SettingsReader(SettingSources.none());
    read(settings);

    assertThat(settings.documented())
        .allMatch(setting -> setting.declared().description().endsWith("."));
  }

  /** The engine's own defaults are what its tests and the simulator run with. */
  @Test
  void the_engine_gets_its_own_defaults() {
    DelayConfig defaults = DelayConfig.defaults();

    assertThat(read().delay())
        .isEqualTo(
            new DelayConfig(
                defaults.firing(),
                defaults.claiming(),
                defaults.intake(),
                defaults.liveness(),
                unknownOutcomeFor(defaults.detection(), Duration.ofSeconds(28))));
  }

  /** Nine statements of three seconds and the commit, unlike the simulator's store. */
  private static DelayConfig.Detection unknownOutcomeFor(
      DelayConfig.Detection detection, Duration outcome) {
    return new DelayConfig.Detection(
        detection.holdTime(), detection.interval(), outcome, detection.batch());
  }

  @Test
  void the_publisher_has_the_engines_default_for_itself() {
    assertThat(ConfigRecord.defaults(KafkaConfig.class).output().publishTimeout())
        .isEqualTo(DelayConfig.defaults().firing().publishTimeout());
  }

  @Test
  void the_adapter_gets_the_engines_publish_timeout() {
    ServerConfig config = read("delay.firing.publish-timeout=2s");

    assertThat(requireNonNull(config.kafka()).config().output().publishTimeout())
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(config.delay().firing().publishTimeout()).isEqualTo(Duration.ofSeconds(2));
  }

  /** Neither a node nor its membership in a group may be given up while it only waits. */
  @Test
  void what_a_round_may_take_follows_from_what_it_waits_for() {
    assertThat(read().longestRound()).isEqualTo(Duration.ofSeconds(64));

    ServerConfig patient =
        read(
            "delay.detection.hold-time=11m",
            "delay.firing.publish-timeout=10m",
            "postgres.statement-timeout=10m");

    assertThat(patient.longestRound()).isGreaterThan(Duration.ofMinutes(2 * (9 * 10 + 10)));
    assertThat(requireNonNull(patient.kafka()).config().input().longestRound())
        .isEqualTo(patient.longestRound());
  }

  @Test
  void a_small_heap_holds_less() {
    ServerConfig config = read(new SettingsReader(SettingSources.none(), GIBIBYTE / 2));

    assertThat(config.delay().claiming().maxMessages()).isEqualTo(250_000);
    assertThat(config.delay().claiming().maxBytes()).isEqualTo(128 << 20);
  }

  /** The page has the name and the default of every key. */
  @Test // CH-30, CH-37, CH-38, CH-39
  void ch36_to_ch40_the_documentation_is_what_the_code_says() throws IOException {
    assertThat(Files.readString(PAGE))
        .as("run: ./kairos config --markdown docs/configuration.md")
        .isEqualTo(ConfigCommand.reference());
  }

  @Test
  void without_settings_every_key_has_its_documented_default() {
    SettingsReader settings = given();
    RouteConfig route = read(settings).routes().getFirst();
    Map<String, String> documented =
        settings.documented().stream()
            .collect(Collectors.toMap(DocumentedSetting::key, DocumentedSetting::fallback));
    documented.put("delay.routes.<name>.input", "kairos.in");
    documented.put("delay.routes.<name>.output", "kairos.out");

    assertThat(route.name()).isEqualTo("default");
    assertThat(settings.effective())
        .hasSizeGreaterThan(70)
        .allSatisfy(setting ->
            assertThat(setting.text())
                .as(setting.key())
                .isEqualTo(documented.get(setting.key().replace(".default.", ".<name>."))));
    assertThat(SettingsListing.effective(settings.effective()))
        .startsWith("node.data-dir = kairos-data\n")
        .endsWith("kafka.port = 9092\n");
  }

  @Test
  void a_database_of_ones_own_without_brokers_means_no_broker() {
    SettingsReader settings = given("postgres.url=jdbc:postgresql://h/d");

    ServerConfig config = read(settings);

    assertThat(config.kafka()).isNull();
    assertThat(config.isBrokerLeftOut()).isTrue();
    assertThat(config.routes()).isEmpty();
    assertThat(SettingsListing.effective(settings.effective()))
        .contains("kafka.bootstrap-servers = none\n")
        .doesNotContain("kafka.port");
  }

  @Test
  void brokers_or_an_embedded_one_go_with_any_database() {
    String[] databases = {"postgres.url=embedded", "postgres.url=jdbc:postgresql://h/d"};
    for (String database : databases) {
      assertThat(read(database, "kafka=none").kafka()).isNull();
      assertThat(read(database, "kafka=none").isBrokerLeftOut()).isFalse();
      assertThat(read(database, "kafka=embedded").kafka())
          .satisfies(broker -> assertThat(broker.embedded()).isTrue());
      assertThat(read(database, "kafka.bootstrap-servers=broker:9092").routes()).hasSize(1);
    }
  }

  @Test // CH-7
  void with_a_route_of_ones_own_there_is_no_default_one() {
    ServerConfig config =
        read(
            "delay.routes.orders.input=orders.in",
            "delay.routes.orders.output=orders.out",
            "delay.routes.orders.allowed-outputs=a,b",
            "delay.routes.orders.results-topic=orders.results",
            "delay.routes.orders.relay-id=true");

    RouteConfig route = config.routes().getFirst();
    assertThat(config.routes()).hasSize(1);
    assertThat(route.name()).isEqualTo("orders");
    assertThat(route.allowedOutputs()).containsExactlyInAnyOrder("a", "b");
    assertThat(route.deadLetterTopic()).isEqualTo("kairos.dead-letters");
    assertThat(route.resultsTopic()).isEqualTo("orders.results");
    assertThat(route.relayId()).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          delay.detection.hold-time=4s | delay.detection.hold-time must be longer than delay.firing.publish-timeout
          delay.detection.hold-time=4s | delay.detection.hold-time is 4s, flag --set
          delay.detection.hold-time=4s | delay.firing.publish-timeout is 4s, default
          delay.firing.publish-timeout=6s | delay.detection.hold-time must be longer than delay.firing.publish-timeout
          delay.firing.publish-timeout=10ms | it must be a duration such as 500ms, 5s, 1h30m or PT5S, from 100ms to 10m.
          postgres.statement-timeout=5s | delay.detection.hold-time must be longer than postgres.statement-timeout
          push.allow=10.0.0.1/8 | it must be a list, separated by commas
          push.allow-ports=0 | it must be a list, separated by commas, in which each is a port
          tasks.lease=3s | tasks.lease must exceed three times tasks.heartbeat-interval
          node.liveness.lapse=6s | delay.detection.hold-time must be longer than node.liveness.lapse
          node.liveness.lapse=800ms | node.liveness.lapse must be at least three renewals long
          delay.claiming.horizon=2h | at most 1h, or too much is kept in memory.
          delay.firing.advance=61s | it must be adaptive, or a duration from 0s to 60s
          delay.firing.advance=soon | it must be adaptive, or a duration from 0s to 60s
          kafka.output.linger=2s | kafka.output.linger must be in
          kafka.output.batch-bytes=65MiB | kafka.output.batch-bytes must be in
          kafka.client.acks=1 | kafka.client.acks cannot be set
          kafka.client.retries=0 | kafka.client.retries cannot be used: Must set retries to non-zero
          kafka.client.max.in.flight.requests.per.connection=6 | kafka.client.max.in.flight.requests.per.connection is 6, flag --set
          kafka.client.compression.type=foo | kafka.client.compression.type cannot be used: Invalid value foo
          kafka.client.isolation.level=read_uncommitted | kafka.client.isolation.level cannot be set: records of aborted transactions are never delivered
          kafka.client.check.crcs=foo | kafka.client.check.crcs cannot be used: Invalid value foo for configuration check.crcs
          kafka.client.security.protocol=FOO | kafka.client.security.protocol cannot be used: Invalid value FOO
          kafka.client.send.buffer.bytes=much | kafka.client.send.buffer.bytes is much, flag --set
          kafka=none;delay.routes.orders.input=x;delay.routes.orders.output=y | delay.routes.orders.input, delay.routes.orders.output: this is for a node with a broker, and kafka.bootstrap-servers is none: name the brokers there, or embedded, or remove this (
          postgres.url=jdbc:postgresql://h/d;delay.routes.orders.output=y | kafka.bootstrap-servers is none, default
          kafka=none;kafka.port=9093 | kafka.port: this is for a node with a broker
          kafka=none;kafka.client.security.protocol=SSL | kafka.client.security.protocol: this is for
          kafka=none;kafka.bootstrap-servers=broker:9092 | kafka.bootstrap-servers is given twice with different values
          delay.firing.lane-bytes=64MiB | delay.firing.lane-bytes must be less than kafka.output.buffer-bytes
          kafka.output.buffer-bytes=16MiB;delay.firing.lane-bytes=20MiB | kafka.output.buffer-bytes is 16MiB, flag --set
          kafka.client.colour=red | kafka.client.colour is not a property of the Kafka clients
          kafka.bootstrap-servers=broker:9092;kafka.port=9093 | kafka.port is for the embedded broker
          postgres.user=me | postgres.user is for an external database
          postgres.password=hush | postgres.password is ***
          postgres.url=jdbc:postgresql://h/d;postgres.port=5432 | postgres.port is for the embedded database
          postgres.url=mysql://h/d | postgres.url must start with jdbc:postgresql:
          postgres.schema=pg_jobs | postgres.schema must be lower-case letters
          postgres.schema=Jobs | postgres.schema is Jobs, flag --set
          postgres.migrate=no | on, off
          postgres.url=jdbc:postgresql://h/d?password=hush | postgres.url is jdbc:postgresql://h/d?password=***
          http.host=0.0.0.0 | http.host is 0.0.0.0, flag --set
          http.host=::;http.port=1 | http.host is an address that other machines reach, and no callers are configured
          http.max-payload-bytes=0 | it must be a whole number from 1 to 16000000
          http.callers.ci.roles=read | http.callers.ci can be nobody: give it a token-sha256, claims or certificates, or a token in http.tokens-file
          http.callers.ci.roles=read;http.callers.ci.claims=corp/x | must be the name of an issuer of http.issuers
          http.callers.ci.roles=read;http.callers.ci.certificates=ci.example | http.callers.ci.certificates: 'ci.example' must begin with the kind of the name, one of dns: uri: email: cn:
          http.callers.ci.roles=read;http.callers.ci.certificates=dns: | must begin with the kind of the name
          http.issuers.corp.issuer=https://a;http.issuers.corp.audience=b | http.tokens-file and http.issuers need callers
          http.issuers.corp.issuer=https://a | http.issuers.corp.audience is missing
          http.issuers.corp.keys-url=http://elsewhere/keys | it must be an https URL, or an http URL of a loopback address
          http.callers.ci.token-sha256=hush | http.callers.ci.roles is missing
          http.callers.ci.token-sha256=hush | it must be the SHA-256 of the caller's token, 64 hexadecimal digits
          http.callers.ci.roles=root | it must be a list, separated by commas, in which each is one of submit, read, worker, admin
          http.callers.CI.roles=read | a name must be lower-case letters, digits and hyphens
          http.callers.ci.token=hush | http.callers.ci.token (flag --set) is not a key that Kairos knows
          http.ui-trace-url=https://traces.example.com/ | it must be an https or http URL with one {trace_id} after its host, such as https://traces.example.com/trace/{trace_id}
          http.host=kairos.example.com | it must be an IP address of this machine
          delay.routes.a.input=x | delay.routes.a.output is missing
          delay.routes.A.input=x | a name must be lower-case letters, digits and hyphens
          delay.routes.default.output=kairos.in | delay.routes.default.output is also delay.routes.default.input
          delay.routes.default.results-topic=kairos.in | delay.routes.default.results-topic is also
          delay.routes.default.dead-letter-topic=kairos.in | delay.routes.default.dead-letter-topic is also
          delay.routes.default.allowed-outputs=a,kairos.in | delay.routes.default.allowed-outputs is also
          delay.routes.default.allowed-handlers=h,pool:p | in which each is a handler's name, which has 1 to 128 of letters, digits and . _ : / - and does not begin with pool:
          delay.routes.default.input=no topic | it must be a Kafka topic's name
          delay.hold-time=5s | did you mean delay.detection.hold-time?
          tracing.otlp.endpoint=collector:4318 | it must be a URL such as http://collector:4318
          tracing.otlp.headers=hush | tracing.otlp.headers is "***"
          tracing.otlp.ca=/ca.pem | tracing.otlp.ca is for a receiver by https
          tracing.otlp.endpoint=http://collector:4318;tracing.otlp.ca=/ca.pem | tracing.otlp.ca is for a receiver by https
          tracing.sample-ratio=1.5 | it must be a number from 0 to 1
          kafka.create-topics=true | did you mean kafka.topics.create?
          """)
  void what_cannot_be_used_is_refused_by_key(String settings, String problem) {
    assertThatThrownBy(() -> read(settings.split(";", -1)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(problem)
        .hasMessageNotContaining("hush");
  }

  @Test
  void two_routes_that_feed_each_other_are_refused() {
    assertThatThrownBy(() ->
            read(
                "delay.routes.a.input=x",
                "delay.routes.a.output=y",
                "delay.routes.b.input=y",
                "delay.routes.b.output=z"))
        .hasMessageContaining("delay.routes.a.output is also delay.routes.b.input")
        .hasMessageContaining("delay.routes.a.output is y, flag --set");
  }

  @Test
  void any_loopback_address_is_fine_without_callers() {
    assertThat(read("http.host=localhost").http().address().isLoopbackAddress()).isTrue();
    assertThat(read("http.host=::1").http().address().isLoopbackAddress()).isTrue();
    assertThat(read().http().callers().isEmpty()).isTrue();
  }

  @Test
  void any_address_is_fine_with_callers_whose_tokens_are_not_shown() {
    String hash = "9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08";
    SettingsReader settings =
        given(
            "http.host=0.0.0.0",
            "http.callers.ci.token-sha256=" + hash,
            "http.callers.ci.roles=read, submit",
            "http.callers.ci.reserved-keys=night-shift/");
    ServerConfig config = read(settings);

    assertThat(config.http().address().toString()).contains("0.0.0.0");
    assertThat(config.http().callers().callers())
        .containsExactly(
            new CallerConfig(
                "ci",
                hash.toLowerCase(Locale.ROOT),
                Set.of(CallerRole.SUBMIT, CallerRole.READ),
                Set.of("night-shift/")));
    assertThat(SettingsListing.effective(settings.effective()))
        .contains("http.callers.ci.token-sha256 = ***", "http.callers.ci.roles = submit, read");
  }

  @Test
  void two_callers_with_one_token_are_refused() {
    String hash = "0".repeat(64);

    assertThatThrownBy(() ->
            read(
                "http.callers.a.token-sha256=" + hash,
                "http.callers.a.roles=read",
                "http.callers.b.token-sha256=" + hash,
                "http.callers.b.roles=read"))
        .hasMessageContaining("http.callers.b.token-sha256 is another caller's as well");
  }

  private static List<GivenSetting> effective() {
    SettingsReader settings = given();
    read(settings);
    return settings.effective();
  }

  private static ServerConfig read(String... settings) {
    return read(given(settings));
  }

  @CanIgnoreReturnValue
  private static ServerConfig read(SettingsReader settings) {
    return ServerConfig.read(settings);
  }

  private static SettingsReader given(String... settings) {
    return new SettingsReader(Configured.flags(settings), GIBIBYTE);
  }
}
