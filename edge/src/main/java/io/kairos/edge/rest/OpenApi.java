package io.kairos.edge.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.api.AnnotationsProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Descriptors.ServiceDescriptor;
import com.linecorp.armeria.common.HttpMethod;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.text.ProtoComments;
import io.kairos.api.v1.AccessProto;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Describes the REST calls of services in <a href="https://spec.openapis.org/oas/v3.0.3">OpenAPI
 * 3.0</a>: paths from the http annotations of the protos, schemas from their messages, descriptions
 * from their comments. Used once; takes some ten milliseconds.
 */
final class OpenApi {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final String ABOUT =
      "Every call is there by gRPC too. In requests every field may be left out unless its"
          + " description says otherwise. 64-bit numbers are text, durations are seconds such as"
          + " 1.5s. An error is a problem of RFC 9457.";

  private final ProtoComments comments = ProtoComments.read();
  private final OpenApiSchemas schemas = new OpenApiSchemas(comments);
  private final ArrayNode tags = JSON.arrayNode();
  private final ObjectNode paths = JSON.objectNode();
  private final Set<String> operations = new HashSet<>();

  private OpenApi() {}

  /** The document for those methods of the services that have an http annotation. */
  static ObjectNode of(List<ServerServiceDefinition> services) {
    OpenApi api = new OpenApi();
    List<ServiceDescriptor> told = new ArrayList<>();
    for (ServerServiceDefinition service : services) {
      for (ServerMethodDefinition<?, ?> definition : service.getMethods()) {
        if (definition.getMethodDescriptor().getSchemaDescriptor()
            instanceof ProtoMethodDescriptorSupplier proto) {
          MethodDescriptor method = proto.getMethodDescriptor();
          if (method.getOptions().hasExtension(AnnotationsProto.http)
              && !told.contains(method.getService())) {
            told.add(method.getService());
          }
        }
      }
    }
    told.forEach(api::service);
    return api.document();
  }

  private ObjectNode document() {
    ObjectNode document = JSON.objectNode().put("openapi", "3.0.3");
    document
        .putObject("info")
        .put("title", "Kairos")
        .put("version", "v1")
        .put("description", ABOUT)
        .putObject("license")
        .put("name", "Apache-2.0")
        .put("url", "https://www.apache.org/licenses/LICENSE-2.0.txt");
    document.putArray("servers").addObject().put("url", "/");
    // A node without callers asks for no token.
    ArrayNode security = document.putArray("security");
    security.addObject().putArray("bearer");
    security.addObject();
    document.set("tags", tags);
    document.set("paths", paths);
    ObjectNode components = document.putObject("components");
    components.set("schemas", schemas.all());
    components
        .putObject("responses")
        .set(
            "Problem",
            described("The call was refused or failed.")
                .set("content", content("application/problem+json", schemas.problem())));
    components
        .putObject("securitySchemes")
        .putObject("bearer")
        .put("type", "http")
        .put("scheme", "bearer")
        .put(
            "description",
            "The token of a caller in http.callers. A node without callers asks for none.");
    return document;
  }

  private static ObjectNode described(String description) {
    return JSON.objectNode().put("description", description);
  }

  private static ObjectNode content(String type, ObjectNode schema) {
    ObjectNode content = JSON.objectNode();
    content.putObject(type).set("schema", schema);
    return content;
  }

  private void service(ServiceDescriptor service) {
    tags.add(
        JSON.objectNode().put("name", service.getName()).put("description", comments.of(service)));
    for (MethodDescriptor method : service.getMethods()) {
      List<RestRoute> routes =
          RestRoute.of(method.getOptions().getExtension(AnnotationsProto.http));
      for (int i = 0; i < routes.size(); i++) {
        operation(method, routes.get(i), i == 0 ? "" : Integer.toString(i + 1));
      }
    }
  }

  /**
   * Adds an operation.
   *
   * @param suffix tells the routes of one method apart
   */
  private void operation(MethodDescriptor method, RestRoute route, String suffix) {
    ObjectNode operation = JSON.objectNode();
    String about = comments.of(method);
    String id = lowerFirst(method.getName()) + suffix;
    require(operations.add(id), "two operations are named " + id);
    operation.putArray("tags").add(method.getService().getName());
    operation.put("operationId", id);
    operation.put("summary", firstSentence(about));
    operation.put("description", about + "\n\nRole: " + role(method) + ".");
    ArrayNode parameters = parameters(method.getInputType(), route);
    if (!parameters.isEmpty()) {
      operation.set("parameters", parameters);
    }
    if (!route.body().isEmpty()) {
      ObjectNode body = operation.putObject("requestBody").put("required", true);
      body.set("content", content("application/json", body(method.getInputType(), route, suffix)));
    }
    ObjectNode responses = operation.putObject("responses");
    responses.set("200", answer(method.getOutputType()));
    responses.putObject("default").put("$ref", "#/components/responses/Problem");
    String path = path(route);
    ObjectNode item = paths.has(path) ? (ObjectNode) paths.get(path) : paths.putObject(path);
    String verb = route.method().name().toLowerCase(Locale.ROOT);
    require(!item.has(verb), "two methods have the route " + verb + " " + path);
    item.set(verb, operation);
  }

  private ObjectNode answer(Descriptor message) {
    ObjectNode answer = described("The answer.");
    if (message.findFieldByName(EntityTagHeader.FIELD) != null) {
      answer
          .putObject("headers")
          .putObject("ETag")
          .put("description", "For If-Match of a later change.")
          .putObject("schema")
          .put("type", "string");
    }
    answer.set("content", content("application/json", schemas.of(message)));
    return answer;
  }

  private static String role(MethodDescriptor method) {
    return method.getOptions().getExtension(AccessProto.role).name().toLowerCase(Locale.ROOT);
  }

  /** The path with the JSON names of its variables. */
  private static String path(RestRoute route) {
    String path = route.template();
    for (String variable : route.variables()) {
      path = path.replace("{" + variable + "}", "{" + RestRoute.last(variable) + "}");
    }
    return path;
  }

  private ObjectNode body(Descriptor request, RestRoute route, String suffix) {
    if (!route.takesWholeBody()) {
      return schemas.of(request.findFieldByName(route.body()).getMessageType());
    }
    return route.variables().isEmpty()
        ? schemas.of(request)
        : schemas.without(request, absent(route), suffix);
  }

  /** The fields that are neither in the body nor in the query. */
  private static Set<String> absent(RestRoute route) {
    Set<String> absent = new HashSet<>(route.variables());
    absent.addAll(route.elsewhere().keySet());
    return absent;
  }

  private ArrayNode parameters(Descriptor request, RestRoute route) {
    ArrayNode parameters = JSON.arrayNode();
    for (String variable : route.variables()) {
      FieldDescriptor field = field(request, variable);
      parameters.add(parameter(field, field.getName(), "path").put("required", true));
    }
    if (!route.takesWholeBody()) {
      for (FieldDescriptor field : request.getFields()) {
        if (!absent(route).contains(field.getName()) && !OpenApiSchemas.isObject(field)) {
          parameters.add(parameter(field, field.getJsonName(), "query"));
        }
      }
    }
    FieldDescriptor key = IdempotencyKeyHeader.of(request);
    if (route.method() == HttpMethod.POST && key != null) {
      parameters.add(
          header(
              "Idempotency-Key",
              "Calls with equal keys count once. It is the field "
                  + key.getJsonName()
                  + ": "
                  + comments.of(key)));
    }
    if (EntityTagHeader.isFor(request, route)) {
      parameters.add(
          header(
              "If-Match",
              "The ETag of the object as it was read. When it has been changed since, the call is"
                  + " refused with 412."));
    }
    return parameters;
  }

  private static ObjectNode header(String name, String about) {
    ObjectNode parameter =
        JSON.objectNode().put("name", name).put("in", "header").put("description", about);
    parameter.putObject("schema").put("type", "string");
    return parameter;
  }

  private ObjectNode parameter(FieldDescriptor field, String name, String in) {
    ObjectNode parameter = JSON.objectNode().put("name", name).put("in", in);
    String about = comments.of(field);
    if (!about.isEmpty()) {
      parameter.put("description", about);
    }
    parameter.set("schema", schemas.bare(field));
    return parameter;
  }

  private static FieldDescriptor field(Descriptor message, String path) {
    int dot = path.indexOf('.');
    return dot < 0
        ? message.findFieldByName(path)
        : field(
            message.findFieldByName(path.substring(0, dot)).getMessageType(),
            path.substring(dot + 1));
  }

  static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }

  private static String lowerFirst(String name) {
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }

  private static String firstSentence(String text) {
    int end = text.indexOf(". ");
    String sentence = end < 0 ? text : text.substring(0, end);
    return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
  }
}
