package io.kairos.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kairos.engine.setting.Setting;
import io.kairos.engine.setting.ValueFormat;
import io.kairos.engine.setting.ValueFormats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsReaderTest {
  private static final String BROKERS = "kafka.bootstrap-servers";
  private static final String KEY = "http.port";
  private static final ValueFormat<Long> BYTES = new ValueFormats.LongSize();

  record Port(
      @Setting(key = KEY, defaultValue = "7070", min = "0", max = "65535", description = "Port.")
          int port) {}

  record Secrets(
      @Setting(key = "postgres.password", description = "Password.") String password,
      @Setting(key = "a.url", description = "Address.") String url,
      @Setting(key = "a.token", min = "2", defaultValue = "2", description = "Number.") int token) {
    Secrets {
      if (url.contains("db")) {
        throw new IllegalArgumentException("a.url is wrong");
      }
    }
  }

  record Route(
      String name,
      @Setting(key = "delay.routes.<name>.input", description = "Input.") String input) {}

  record Limited(
      String name,
      @Setting(key = "http.callers.<name>.handlers", description = "Handlers.")
          Set<String> handlers) {}

  record Client(
      @Setting(key = "kafka.client.*", description = "Further ones.")
          Map<String, String> properties) {}

  @TempDir private Path folder;

  @Test
  void flags_win_over_the_environment_and_the_environment_wins_over_the_file() throws IOException {
    Path file = file("http:\n  port: 1\n");
    Map<String, String> environment = Map.of("KAIROS_HTTP_PORT", "2");
    List<GivenSetting> flags = List.of(flag(KEY, "3"));

    assertThat(port(SettingSources.none())).isEqualTo(7070);
    assertThat(port(SettingSources.of(file, Map.of(), List.of()))).isEqualTo(1);
    assertThat(port(SettingSources.of(file, environment, List.of()))).isEqualTo(2);
    assertThat(port(SettingSources.of(file, environment, flags))).isEqualTo(3);
  }

  @Test
  void one_word_stands_for_the_brokers_in_every_source() throws IOException {
    Path file = file("kafka: none\n");
    Map<String, String> environment = Map.of("KAIROS_KAFKA", "none");

    assertThat(brokers(SettingSources.of(file, Map.of(), List.of()))).isEqualTo("none");
    assertThat(brokers(SettingSources.of(null, environment, List.of()))).isEqualTo("none");
    assertThat(brokers(given(flag("kafka", "none")))).isEqualTo("none");
    assertThat(brokers(SettingSources.of(file, environment, List.of(flag(BROKERS, "b:9092")))))
        .isEqualTo("b:9092");
  }

  @Test
  void one_source_does_not_spell_a_key_in_two_ways() throws IOException {
    Path file = file("kafka: none\nkafka.bootstrap-servers: b:9092\n");
    SettingSources environment =
        SettingSources.of(
            null,
            Map.of("KAIROS_KAFKA", "none", "KAIROS_KAFKA_BOOTSTRAP_SERVERS", "b:9092"),
            List.of());

    assertThatThrownBy(() -> SettingSources.of(file, Map.of(), List.of()))
        .hasMessageContaining("kafka.bootstrap-servers is given twice, here and by " + file);
    assertThatThrownBy(() -> brokers(environment))
        .hasMessage(
            "Both KAIROS_KAFKA_BOOTSTRAP_SERVERS and KAIROS_KAFKA are set; set one of them.");
  }

  private static String brokers(SettingSources sources) {
    SettingsReader settings = new SettingsReader(sources);
    String text = settings.textOf(BROKERS);
    settings.finish();
    return text;
  }

  @Test
  void every_value_knows_where_it_came_from() throws IOException {
    Path file = file("# a comment\nhttp:\n  port: 1\n");

    assertThat(origin(SettingSources.none())).isEqualTo("default");
    assertThat(origin(SettingSources.of(file, Map.of(), List.of()))).isEqualTo(file + " line 3");
    assertThat(origin(SettingSources.of(null, Map.of("KAIROS_HTTP_PORT", "2"), List.of())))
        .isEqualTo("environment variable KAIROS_HTTP_PORT");
    assertThat(origin(SettingSources.of(null, Map.of(), List.of(flag(KEY, "3")))))
        .isEqualTo("flag --set");
  }

  @Test
  void a_variable_can_name_a_file_that_holds_the_value() throws IOException {
    Path secret = Files.writeString(folder.resolve("secret"), "s3cret\n");
    SettingsReader settings =
        new SettingsReader(
            SettingSources.of(
                null, Map.of("KAIROS_POSTGRES_PASSWORD_FILE", secret.toString()), List.of()));

    Secrets secrets = settings.bind(Secrets.class).orElseThrow();

    settings.finish();
    assertThat(secrets.password()).isEqualTo("s3cret");
    assertThat(settings.effective().getFirst().text()).isEqualTo("***");
  }

  @Test
  void a_variable_and_its_file_contradict_each_other() {
    SettingSources sources =
        SettingSources.of(
            null,
            Map.of("KAIROS_HTTP_PORT", "1", "KAIROS_HTTP_PORT_FILE", "/somewhere"),
            List.of());

    assertThatThrownBy(() -> port(sources))
        .isInstanceOf(ConfigurationException.class)
        .hasMessage("Both KAIROS_HTTP_PORT and KAIROS_HTTP_PORT_FILE are set; set one of them.");
  }

  @Test
  void a_file_that_a_variable_names_and_that_is_not_there_is_named() {
    SettingSources sources =
        SettingSources.of(null, Map.of("KAIROS_HTTP_PORT_FILE", "/no/such/file"), List.of());

    assertThatThrownBy(() -> port(sources))
        .hasMessageContaining("/no/such/file")
        .hasMessageContaining("KAIROS_HTTP_PORT_FILE");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          http.prot       | did you mean http.port?
          http.PORT       | did you mean http.port?
          httpPort        | did you mean http.port?
          http_port       | did you mean http.port?
          node.port       | did you mean http.port?
          something.else  | "kairos config" lists all
          """)
  void an_unknown_key_is_named_with_its_origin_and_a_likely_meaning(String key, String hint) {
    assertThat(problems(Map.of(), flag(key, "1")))
        .singleElement()
        .asString()
        .startsWith(key + " (flag --set) is not a key that Kairos knows")
        .contains(hint);
  }

  @Test
  void an_empty_setting_of_a_caller_is_refused_because_it_would_limit_nothing() throws IOException {
    Map<String, String> environment = Map.of("KAIROS_HTTP_CALLERS_CI_HANDLERS", "");
    Path file = file("http:\n  callers:\n    ci:\n      handlers: []\n");

    for (SettingSources empty :
        List.of(
            SettingSources.of(null, environment, List.of()),
            SettingSources.of(file, Map.of(), List.of()),
            given(flag("http.callers.ci.handlers", " ")))) {
      SettingsReader settings = new SettingsReader(empty);
      assertThat(settings.bindAll(Limited.class, Set.of())).isEmpty();
      assertThatThrownBy(settings::finish)
          .hasMessageContaining("http.callers.ci.handlers is empty (");
    }
  }

  @Test
  void an_empty_variable_is_none() {
    assertThat(problems(Map.of("KAIROS_HTTP_PORT", "", "KAIROS_WHATEVER", ""))).isEmpty();
  }

  @Test
  void an_unknown_variable_is_named_with_a_likely_meaning() {
    assertThat(problems(Map.of("KAIROS_HTTP_PRT", "1")))
        .containsExactly(
            "KAIROS_HTTP_PRT is set in the environment but belongs to no key that Kairos knows; did you mean KAIROS_HTTP_PORT?");
  }

  @ParameterizedTest
  @CsvSource({
    "KAIROS_JAVA_HOME,/usr/lib/jvm",
    "KAIROS_JAVA_OPTS,-Xmx2g",
    "KAIROS_CONFIG,kairos.yaml",
    "KAIROS_ADDRESS,127.0.0.1:7070",
    "KAIROS_CRON_ADDRESS,127.0.0.1:7171",
    "KAIROS_CONTEXT,prod",
    "KAIROS_TOKEN,secret",
    "KAIROS_SERVICE_HOST,10.0.0.1",
    "KAIROS_SERVICE_PORT_HTTP,7070",
    "KAIROS_PORT,tcp://10.0.0.1:7070",
    "KAIROS_DASHBOARD_PORT_7070_TCP_ADDR,10.0.0.1",
    "OTHER_THING,1"
  })
  void what_launcher_and_cluster_put_into_the_environment_is_nobodys_key(
      String name, String value) {
    assertThat(problems(Map.of(name, value))).isEmpty();
  }

  @Test
  void a_bad_value_is_named_with_its_key_its_origin_and_what_is_allowed() {
    assertThat(problems(Map.of("KAIROS_HTTP_PORT", "many")))
        .containsExactly(
            "http.port is \"many\" (environment variable KAIROS_HTTP_PORT): it must be a whole number from 0 to 65535.");
  }

  @Test
  void a_bad_secret_is_not_shown() {
    SettingsReader settings = new SettingsReader(given(flag("a.token", "x")));

    assertThat(settings.bind(Secrets.class)).isEmpty();

    assertThatThrownBy(settings::finish).hasMessageContaining("a.token is \"***\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://host/db?password=hunter2",
        "jdbc:postgresql://host/db?sslpassword=hunter2&a=b",
        "jdbc:postgresql://user:hunter2@host/db"
      })
  void a_secret_inside_an_address_is_not_shown(String url) {
    SettingsReader settings = new SettingsReader(given(flag("a.url", url)));

    assertThat(settings.bind(Secrets.class)).isEmpty();

    assertThatThrownBy(settings::finish)
        .hasMessageContaining("***")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void all_problems_are_told_at_once() {
    assertThat(problems(Map.of("KAIROS_HTTP_PORT", "-1"), flag("http.hosts", "x"), flag("a", "b")))
        .hasSize(3);
  }

  @Test
  void a_flag_that_is_given_twice_contradicts_itself() {
    assertThatThrownBy(
            () -> SettingSources.of(null, Map.of(), List.of(flag(KEY, "1"), flag(KEY, "2"))))
        .hasMessage(
            "http.port is given twice with different values: by flag --set and by flag --set.");
  }

  @Test
  void names_of_routes_come_from_every_source() throws IOException {
    Path file = file("delay.routes:\n  a: {input: x}\n  b.input: y\n");
    SettingsReader settings =
        new SettingsReader(
            SettingSources.of(
                file,
                Map.of(
                    "KAIROS_DELAY_ROUTES_TWO_WORDS_INPUT", "z", "KAIROS_DELAY_ROUTES_A_INPUT", "z"),
                List.of(flag("delay.routes.c.input", "w"))));

    assertThat(settings.bindAll(Route.class, Set.of("default")))
        .extracting(Route::name)
        .containsExactly("a", "b", "c", "two-words");
  }

  @Test
  void settings_of_a_library_are_taken_as_they_are_called_there() throws IOException {
    Path file = file("kafka.client:\n  security.protocol: SASL_SSL\n");
    SettingsReader settings =
        new SettingsReader(
            SettingSources.of(
                file, Map.of("KAIROS_KAFKA_CLIENT_SASL_MECHANISM", "PLAIN"), List.of()));

    Client client = settings.bind(Client.class).orElseThrow();

    settings.finish();
    assertThat(client.properties())
        .isEqualTo(Map.of("security.protocol", "SASL_SSL", "sasl.mechanism", "PLAIN"));
  }

  @ParameterizedTest
  @CsvSource({
    "5s,PT5S",
    "500ms,PT0.5S",
    "2m,PT2M",
    "1h,PT1H",
    "1d,PT24H",
    "1.5s,PT1.5S",
    "PT5S,PT5S",
    "0,PT0S",
    "0s,PT0S",
    "250us,PT0.00025S"
  })
  void durations_are_read_in_every_usual_form(String text, Duration duration) {
    assertThat(ConfigFormats.ALL.durations().read(text)).isEqualTo(duration);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"5", "five", "", "-5s", "PT-5S", "5 s", "5x", "99999999999999d", "PT9999999999H"})
  void what_is_no_duration_is_refused(String text) {
    assertThatThrownBy(() -> ConfigFormats.ALL.durations().read(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @CsvSource({"65536,65536", "64KiB,65536", "4MiB,4194304", "1GiB,1073741824", "0,0"})
  void sizes_are_read_in_bytes_and_binary_units(String text, long bytes) {
    assertThat(BYTES.read(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5", "4MB", "1e6", "9999999999999GiB"})
  void what_is_no_size_is_refused(String text) {
    assertThatThrownBy(() -> BYTES.read(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "a b", "a/b", "ü", "a:b"})
  void what_is_no_topic_is_refused(String text) {
    assertThatThrownBy(() -> new ConfigFormats.TopicFormat().read(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static int port(SettingSources sources) {
    SettingsReader settings = new SettingsReader(sources);
    Optional<Port> port = settings.bind(Port.class);
    settings.finish();
    return port.orElseThrow().port();
  }

  private static String origin(SettingSources sources) {
    SettingsReader settings = new SettingsReader(sources);
    assertThat(settings.bind(Port.class)).isPresent();
    return settings.effective().getFirst().origin().text();
  }

  private static List<String> problems(Map<String, String> environment, GivenSetting... flags) {
    SettingsReader settings =
        new SettingsReader(SettingSources.of(null, environment, List.of(flags)));
    Optional<Port> _ = settings.bind(Port.class);
    try {
      settings.finish();
      return new ArrayList<>();
    } catch (ConfigurationException e) {
      return e.problems();
    }
  }

  private static SettingSources given(GivenSetting flag) {
    return SettingSources.of(null, Map.of(), List.of(flag));
  }

  private static GivenSetting flag(String key, String value) {
    return new GivenSetting(key, value, SettingOrigin.flag("--set"));
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("kairos.yaml"), text);
  }
}
