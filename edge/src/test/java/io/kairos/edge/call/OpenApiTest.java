package io.kairos.edge.call;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.kairos.edge.caller.CallerConfig;
import io.kairos.edge.caller.CallerRole;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.net.http.HttpResponse;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The description of the REST calls that a node serves. */
class OpenApiTest {
  @RegisterExtension static final Edge EDGE = new Edge();
  private static final ObjectMapper JSON = new ObjectMapper();

  private static OpenAPI document() throws Exception {
    HttpResponse<String> answer = EDGE.get("/v1/openapi.json");
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("content-type"))
        .hasValueSatisfying(type -> assertThat(type).startsWith("application/json"));
    SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(answer.body());
    assertThat(parsed.getMessages()).isEmpty();
    return parsed.getOpenAPI();
  }

  private static PathItem path(OpenAPI api, String path) {
    return requireNonNull(api.getPaths().get(path), path);
  }

  @Test
  void the_document_is_valid_and_describes_each_operation() throws Exception {
    OpenAPI api = document();

    assertThat(api.getPaths()).hasSizeGreaterThan(30);
    for (PathItem path : api.getPaths().values()) {
      for (Operation one : path.readOperations()) {
        assertThat(one.getSummary()).as(one.getOperationId()).isNotEmpty();
        assertThat(one.getResponses()).containsOnlyKeys("200", "default");
      }
    }
    assertThat(requireNonNull(api.getComponents().getSecuritySchemes().get("bearer")).getScheme())
        .isEqualTo("bearer");
    assertThat(requireNonNull(api.getComponents().getResponses().get("Problem")).getContent())
        .containsOnlyKeys("application/problem+json");
  }

  @Test
  void each_field_has_its_type_and_the_comment_of_its_proto() throws Exception {
    JsonNode schemas = JSON.readTree(EDGE.get("/v1/openapi.json").body()).at("/components/schemas");

    JsonNode task = schemas.at("/ScheduleTaskRequest/properties");
    assertThat(task.at("/runAt/format").asText()).isEqualTo("date-time");
    assertThat(task.at("/delay/example").asText()).isEqualTo("1.5s");
    assertThat(task.at("/priority/type").asText()).isEqualTo("integer");
    assertThat(task.at("/payload/format").asText()).isEqualTo("byte");
    assertThat(task.at("/retryPolicy/allOf/0/$ref").asText())
        .isEqualTo("#/components/schemas/RetryPolicy");
    assertThat(task.at("/retryPolicy/description").asText()).startsWith("When to retry");
    assertThat(schemas.at("/Work/properties/fence/type").asText()).isEqualTo("string");
    assertThat(task.at("/json").has("type")).as("any JSON value").isFalse();
    assertThat(schemas.at("/CancelTaskRequest/properties")).as("its id is in the path").isEmpty();
    assertThat(schemas.at("/Pool/properties/keys/readOnly").asBoolean()).isTrue();
    assertThat(schemas.at("/TaskState/enum")).hasSize(12);
    assertThat(schemas.at("/TaskState/description").asText())
        .contains("- `NEW`: The task waits for its due time.");
  }

  @Test
  void fields_are_where_the_call_takes_them() throws Exception {
    OpenAPI api = document();

    Operation cancel = path(api, "/v1/tasks/{id}:cancel").getPost();
    assertThat(cancel.getParameters()).extracting(Parameter::getIn).containsExactly("path");
    assertThat(path(api, "/v1/tasks").getPost().getParameters())
        .extracting(Parameter::getName)
        .containsExactly("Idempotency-Key");
    Operation patch = path(api, "/v1/pools/{name}").getPatch();
    assertThat(patch.getParameters())
        .extracting(Parameter::getName)
        .containsExactly("name", "updateMask", "If-Match");
    assertThat(
            requireNonNull(patch.getRequestBody().getContent().get("application/json"))
                .getSchema()
                .get$ref())
        .isEqualTo("#/components/schemas/Pool");
    assertThat(requireNonNull(patch.getResponses().get("200")).getHeaders())
        .containsOnlyKeys("ETag");
    Operation list = path(api, "/v1/tasks").getGet();
    assertThat(list.getParameters())
        .extracting(Parameter::getName)
        .contains("handler", "states", "pageSize", "notBefore");
  }

  @Test
  void nobody_needs_a_token_for_it() throws Exception {
    CallerConfig caller = new CallerConfig("a", "0".repeat(64), Set.of(CallerRole.READ));
    try (Edge closed = new Edge(caller)) {
      assertThat(closed.get("/v1/tasks").statusCode()).isEqualTo(401);
      assertThat(closed.get("/v1/openapi.json").statusCode()).isEqualTo(200);
    }
  }
}
