package io.kairos.server.wiring.command;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.kairos.server.config.DocumentedSetting;
import io.kairos.server.config.SettingSources;
import io.kairos.server.config.SettingsReader;
import io.kairos.server.wiring.ReplicaConfig;
import io.kairos.server.wiring.ServerConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schemas, by a reader of the few keywords that they use. */
class SettingsSchemaTest {
  private static final Path DOCS = Path.of("../docs");
  private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(# [a-z]+\\.yaml.*?)```");

  private final JsonNode node = read(ConfigCommand.schema());
  private final JsonNode replica = read(ReplicaServerCommand.schema());

  private static JsonNode read(String text) {
    try {
      return new ObjectMapper().readTree(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void the_files_are_what_the_code_says() throws IOException {
    assertThat(Files.readString(DOCS.resolve("kairos.schema.json")))
        .as("run: ./kairos config --schema docs/kairos.schema.json")
        .isEqualTo(ConfigCommand.schema());
    assertThat(Files.readString(DOCS.resolve("kairos-replica.schema.json")))
        .as("run: ./kairos replica config --schema docs/kairos-replica.schema.json")
        .isEqualTo(ReplicaServerCommand.schema());
  }

  @Test
  void every_documented_key_is_in_it_dotted_and_nested() {
    SettingsReader settings = new SettingsReader(SettingSources.none());
    var _ = ServerConfig.read(settings);

    for (JsonNode schema : List.of(node, replica)) {
      List<DocumentedSetting> documented =
          schema.equals(node) ? settings.documented() : ReplicaConfig.documented();
      for (DocumentedSetting setting : documented) {
        String key = setting.key().replace("<name>", "orders").replace("*", "security.protocol");
        assertThat(at(schema, schema, List.of(key))).as(key).isPresent();
        assertThat(at(schema, schema, List.of(key.split("\\.", 2)))).as(key).isPresent();
        assertThat(at(schema, schema, List.of(key.split("\\.", 4)))).as(key).isPresent();
      }
    }
  }

  @Test
  void defaults_are_allowed_by_it() {
    node.get("$defs").properties().stream()
        .filter(each -> each.getValue().has("default"))
        .forEach(each ->
            assertThat(allows(node, each.getValue(), each.getValue().get("default")))
                .as(each.getKey())
                .isTrue());
  }

  @Test
  void the_examples_in_the_documentation_are_allowed() throws IOException {
    assertThat(allows(node, example("configuration.md"))).isTrue();
    assertThat(allows(replica, example("replicated-cron.md"))).isTrue();
    assertThat(allows(replica, example("configuration.md"))).isFalse();
  }

  private static JsonNode example(String page) throws IOException {
    Matcher example = EXAMPLE.matcher(Files.readString(DOCS.resolve(page)));
    assertThat(example.find()).isTrue();
    String hash = "0a".repeat(32);
    return new YAMLMapper()
        .readTree(requireNonNull(example.group(1)).replaceAll("<[^>]*SHA-256[^>]*>", hash));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http: {port: 65536}",
        "http.prot: 7070",
        "tasks: {lease: 5}",
        "tasks: {lease: five}",
        "tasks.max-queued-bytes: 1",
        "tasks.max-queued-bytes: 4MB",
        "node: {loops: both}",
        "postgres: none",
        "kafka.topics.create: maybe",
        "delay.routes.Orders.input: a",
        "delay: {routes: {orders: {input: no topic}}}",
        "delay: {routes: {orders: {inputs: a}}}",
        "http.callers.ci: {roles: [root]}"
      })
  void what_would_not_start_is_refused(String yaml) throws IOException {
    assertThat(allows(node, new YAMLMapper().readTree(yaml))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "delay: {routes.orders: {input: a, output: b, allowed-outputs: [c, d]}}",
        "delay.routes: {orders.relay-id: true}",
        "kafka.client: {security: {protocol: SSL}}",
        "kafka: {client.sasl.mechanism: PLAIN, client-id: me}",
        "push.allow-ports: [80, 8000-8999]",
        "tasks: {lease: PT5S, max-queued-bytes: 1048576}",
        "postgres.password: 1234",
        "http.callers: {ci: {roles: read}}",
        "kafka: none",
        "kafka: {bootstrap-servers: none}"
      })
  void what_starts_is_allowed(String yaml) throws IOException {
    assertThat(allows(node, new YAMLMapper().readTree(yaml))).isTrue();
  }

  private static Optional<JsonNode> at(JsonNode schema, JsonNode object, List<String> path) {
    JsonNode here = resolved(schema, object);
    if (path.isEmpty()) {
      return Optional.of(here);
    }
    return property(here, path.getFirst())
        .flatMap(below -> at(schema, below, path.subList(1, path.size())));
  }

  private static JsonNode resolved(JsonNode schema, JsonNode at) {
    return at.has("$ref") ? schema.at(at.get("$ref").textValue().substring(1)) : at;
  }

  private static Optional<JsonNode> property(JsonNode object, String name) {
    if (object.path("properties").has(name)) {
      return Optional.of(object.get("properties").get(name));
    }
    return object.path("patternProperties").properties().stream()
        .filter(each -> name.matches(each.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .or(() ->
            Optional.ofNullable(object.get("additionalProperties")).filter(JsonNode::isObject));
  }

  private static boolean allows(JsonNode schema, JsonNode value) {
    return allows(schema, schema, value);
  }

  private static boolean allows(JsonNode schema, JsonNode at, JsonNode value) {
    JsonNode here = resolved(schema, at);
    if (value.isObject() && here.has("additionalProperties")) {
      return value.properties().stream()
          .allMatch(each ->
              property(here, each.getKey())
                  .filter(below -> allows(schema, below, each.getValue()))
                  .isPresent());
    }
    return isOfType(here, value)
        && (!here.has("enum") || here.get("enum").valueStream().anyMatch(value::equals))
        && (!value.isNumber() || value.asLong() >= here.path("minimum").asLong(Long.MIN_VALUE))
        && (!value.isNumber() || value.asLong() <= here.path("maximum").asLong(Long.MAX_VALUE))
        && (!value.isTextual() || value.asText().matches(here.path("pattern").asText("(?s).*")))
        && (!value.isArray()
            || value.valueStream().allMatch(each -> allows(schema, here.get("items"), each)));
  }

  private static boolean isOfType(JsonNode here, JsonNode value) {
    String type =
        switch (value.getNodeType()) {
          case STRING -> "string";
          case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
          case BOOLEAN -> "boolean";
          case ARRAY -> "array";
          case OBJECT -> "object";
          case BINARY, MISSING, NULL, POJO -> "nothing";
        };
    String allowed = here.path("type").toString();
    return !here.has("type")
        || allowed.contains('"' + type + '"')
        || (type.equals("integer") && allowed.contains("\"number\""));
  }
}
