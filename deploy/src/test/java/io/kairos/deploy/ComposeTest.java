package io.kairos.deploy;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.kairos.server.config.SettingSources;
import io.kairos.server.wiring.ForcedExit;
import io.kairos.server.wiring.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The file for Compose, by the part of its specification that it uses. */
class ComposeTest {
  private static final String SECRETS = "/run/secrets/";
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)(:[-?])([^}]*)}");

  private record Compose(
      String name,
      Map<String, Service> services,
      Map<String, Map<String, String>> secrets,
      Map<String, Map<String, String>> volumes) {}

  private record Service(
      String image,
      List<String> profiles,
      List<String> command,
      Map<String, String> environment,
      List<String> secrets,
      List<String> ports,
      List<String> volumes,
      @JsonProperty("read_only") boolean readOnly,
      List<String> tmpfs,
      @JsonProperty("cap_drop") List<String> capDrop,
      @JsonProperty("security_opt") List<String> securityOpt,
      Healthcheck healthcheck,
      @JsonProperty("stop_grace_period") String stopGracePeriod,
      String restart,
      @JsonProperty("depends_on") Map<String, Map<String, String>> dependsOn) {}

  private record Healthcheck(
      List<String> test,
      String interval,
      String timeout,
      @JsonProperty("start_period") String startPeriod) {}

  private final Compose compose =
      Manifests.strictly(Files.readString(Path.of("compose.yaml")), Compose.class);

  ComposeTest() throws IOException {}

  @Test
  void the_node_starts_with_these_settings() {
    ServerConfig config = ServerConfig.read(sources(Map.of()));

    assertThat(config.postgres().embedded()).isFalse();
    assertThat(config.kafka()).isNull();
    assertThat(config.http().callers().callers())
        .singleElement()
        .satisfies(caller -> assertThat(caller.name()).isEqualTo("me"));
  }

  @Test
  void no_password_is_in_an_environment() {
    assertThat(compose.services().values())
        .allSatisfy(service ->
            assertThat(service.environment())
                .allSatisfy((name, value) -> {
                  if (name.contains("PASSWORD")) {
                    assertThat(name).endsWith("_FILE");
                    assertThat(service.secrets()).contains(secret(value));
                    assertThat(compose.secrets()).containsKey(secret(value));
                  }
                }));
  }

  @Test
  void with_kafka_named_it_has_the_broker_of_the_profile() {
    ServerConfig config = ServerConfig.read(sources(Map.of("KAIROS_KAFKA", "kafka:9092")));

    assertThat(requireNonNull(config.kafka()).embedded()).isFalse();
    assertThat(service("kafka").profiles()).containsExactly("kafka");
  }

  @Test
  void the_node_runs_as_a_container_should() {
    Service node = service("kairos");

    assertThat(node.image()).isEqualTo("kairos:" + Version.current());
    assertThat(node.readOnly()).isTrue();
    assertThat(node.tmpfs()).containsExactly("/tmp");
    assertThat(node.capDrop()).containsExactly("ALL");
    assertThat(Duration.parse("PT" + node.stopGracePeriod())).isGreaterThan(ForcedExit.ORDERLY_END);
    assertThat(node.dependsOn()).containsOnlyKeys("postgres");
  }

  private static String secret(String file) {
    assertThat(file).startsWith(SECRETS);
    return file.substring(SECRETS.length());
  }

  private Service service(String name) {
    return requireNonNull(compose.services().get(name));
  }

  private SettingSources sources(Map<String, String> given) {
    Map<String, String> environment = new HashMap<>();
    service("kairos")
        .environment()
        .forEach((name, value) -> environment.put(name, with(value, given)));
    return SettingSources.of(null, environment, List.of());
  }

  /** As Compose does; what must be given is a hash, or a word, and a secret is some file. */
  private static String with(String text, Map<String, String> given) {
    if (text.startsWith(SECRETS)) {
      return "compose.yaml";
    }
    Matcher variable = VARIABLE.matcher(text);
    if (!variable.matches()) {
      return text;
    }
    String name = requireNonNull(variable.group(1));
    @Nullable String value = given.get(name);
    if (value != null) {
      return value;
    }
    return ":-".equals(variable.group(2))
        ? requireNonNull(variable.group(3))
        : name.endsWith("SHA256") ? "0".repeat(64) : "secret";
  }
}
