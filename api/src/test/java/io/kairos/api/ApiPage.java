package io.kairos.api;

import com.google.api.AnnotationsProto;
import com.google.api.HttpRule;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import io.kairos.api.text.ProtoComments;
import io.kairos.api.v1.AccessProto;
import java.util.List;
import java.util.Locale;

/** Writes {@code docs/api.md} from the protos and their comments. */
final class ApiPage {
  private static final String HEAD =
      """
      # The API

      <!-- Written from the comments in api/src/main/proto by "./mvnw -pl api test -Dtest=ApiPageTest -Dapi.page=write"; change nothing here. -->

      Every method can be called over gRPC and as REST with JSON, on the port of `http.port` (7070). gRPC reflection and gRPC health
      are on, so `grpcurl -plaintext localhost:7070 list` works; the protos are in
      [`api/src/main/proto`](../api/src/main/proto/kairos/v1) and in the jar `kairos-api`.

      ```sh
      curl -s localhost:7070/v1/tasks -H 'content-type: application/json' -d '{"handler": "greet", "text": "hello", "delay": "5s"}'
      ```

      **OpenAPI.** `/v1/openapi.json` describes the REST calls that the asked process serves, in OpenAPI 3.0, for generators of clients. It needs no token.

      **JSON** is [proto3's](https://protobuf.dev/programming-guides/json/): names in camelCase (those of the tables work as well), bytes in base64, times as
      RFC 3339, durations as `"1.5s"`, 64-bit numbers as text. A field that does not exist, a field given twice and a query parameter that
      does not exist are refused. Fields of a `GET` that are not in its path are query parameters: `/v1/tasks?handler=greet&states=DEAD&states=FAILED`.

      **Payloads** are bytes, so `payload` is base64. Beside it a request may have `text`, which is taken as UTF-8, or `json`, any JSON value, which is taken
      as it is written: `{"handler": "greet", "json": {"name": "Ann"}}`. `null` counts as left out here as well: the payload `null` is `"text": "null"`. Answers
      have `payload`, and `text` or both where the payload is UTF-8 or JSON. Forms that are given together must be equal; JSON may differ in white space.

      **Changes.** `PUT` creates or replaces the object that its path names, `PATCH` changes it: the body is the object, with the fields that are to change.
      `null` resets a field to its default. A `PATCH` may name the fields in `?updateMask=maxInFlight,ejection.pause` instead; a field that is
      named and not in the body is reset. Fields that the node sets are ignored, so what a `GET` has shown can be sent back.

      **Lost updates.** What callers edit has an `etag`, also as the header `ETag`. A `PUT` or `PATCH` with it in `If-Match`, or in the body, is refused with
      412 when somebody else has changed the object since it was read; nothing is done then. Read it again, and make the change to what it is now.
      `If-None-Match` is refused: a `POST` creates and never replaces; of an entry of a replicated cron, a `PUT` with `?mode=CREATE`.

      **Repeated calls.** `POST /v1/tasks` and `:trigger` and `:backfill` of schedules take the header `Idempotency-Key`: calls with equal keys count once. It may not
      be empty. A `POST` that could do something twice is refused with this header; all other calls are idempotent by themselves, and ignore it.

      **Access.** While a node listens on loopback only and no callers are configured, every process on its machine may call every method, by the name
      `localhost` or a loopback address. Otherwise each call needs `Authorization: Bearer <token>` of a caller that has the role named
      below, or `admin`; see `http.callers` in [configuration.md](configuration.md) and [who may call what](#who-may-call-what). Health is open to all, reflection to
      every caller.
      Without callers a node refuses (403) a request when its header `Origin` or `Sec-Fetch-Site` names a web page of another origin, or when a proxy has passed
      it on. A POST, PUT or PATCH needs the content type `application/json`, even without a body.

      **Size.** A request has at most 64 KiB, or more where the method says so in its option `size`; and at most 400,000 fields and elements. gRPC requests may
      not be compressed. An answer of REST to a `GET` of 1 to 512 KiB is compressed by gzip for callers that accept it. What else is bounded is in
      [operations](operations.md#hostile-callers).

      **Errors** are gRPC statuses, with `google.rpc.BadRequest` or `google.rpc.RetryInfo` as details, and over REST problem details of RFC 9457:

      ```json
      {"type": "urn:problem-type:kairos:invalid-request", "title": "A field of the request breaks a rule", "status": 400, "code": "INVALID_ARGUMENT",
       "detail": "tasks[3].priority: must be 0 to 100, higher is sooner", "field": "tasks[3].priority"}
      ```

      The member `type` has a URI that stays; [problems.md](problems.md) lists them, with what to do.

      | Code | HTTP | When |
      | --- | --- | --- |
      | `INVALID_ARGUMENT` | 400 | A field breaks a rule; the message names the field and the rule. Nothing was done. |
      | `FAILED_PRECONDITION` | 400 | The task is not in a state that allows it. |
      | `UNAUTHENTICATED` | 401 | The token is missing, unknown, expired or wrong; the message says which. |
      | `ABORTED` | 409, 412 | Another change came first (409), or the given ETag is an older one (412). Nothing was done; read the object again. |
      | `PERMISSION_DENIED` | 403 | The caller does not have the role, or may not use the name. |
      | `NOT_FOUND` | 404 | The task or other object does not exist, or the path does not. |
      | `UNIMPLEMENTED` | 501 | A field is about a Kafka topic, and this node has no broker; or a gRPC request is compressed. Nothing was done. |
      | `RESOURCE_EXHAUSTED` | 429 | Too many calls or bytes wait for the store or are in flight, the request is too large (then 413), the handler has reached its quota, or the task needs a new queue and 10,000 queues exist, or 2,500 that this caller has made, where a retry does not help. Nothing was done; retry after the delay, if one is given. |
      | `UNAVAILABLE` | 503 | The node is starting or stopping, or fetches the keys by which the token is judged, and nothing was done; or the store did not answer, and the call may have taken effect. |

      The status of the last two has an `ErrorInfo` with the reason `NOTHING_DONE` (in a problem the member `reason`) when nothing was done and a retry may help: then every
      call may be retried, also one that is not idempotent.
      """;

  private static final int MESSAGE = 4;
  private static final int ENUM = 5;
  private static final int SERVICE = 6;

  /** Within a message, an enumeration or a service: their fields, values and methods. */
  private static final int MEMBER = 2;

  private static final int NESTED_MESSAGE = 3;
  private static final int NESTED_ENUM = 4;

  private static final int SYNTAX = 12;

  private final ProtoComments comments = ProtoComments.read();
  private final StringBuilder page = new StringBuilder(HEAD);
  private FileDescriptorProto file = FileDescriptorProto.getDefaultInstance();

  private ApiPage() {}

  /** Services first, in the order of the files' names; then the messages. */
  static String of(List<FileDescriptorProto> files) {
    ApiPage page = new ApiPage();
    page.page.append(AccessTable.of(files));
    for (FileDescriptorProto file : files) {
      page.enter(file);
      page.services();
    }
    page.page.append("\n## Messages\n");
    for (FileDescriptorProto file : files) {
      page.enter(file);
      page.messages();
    }
    return page.page.toString();
  }

  private void enter(FileDescriptorProto next) {
    file = next;
  }

  private void services() {
    for (int i = 0; i < file.getServiceCount(); i++) {
      ServiceDescriptorProto service = file.getService(i);
      page.append("\n## ").append(service.getName()).append("\n\n");
      page.append(about(List.of(), SYNTAX)).append('\n');
      for (int j = 0; j < service.getMethodCount(); j++) {
        method(service, service.getMethod(j), about(List.of(), SERVICE, i, MEMBER, j));
      }
    }
  }

  private void method(ServiceDescriptorProto service, MethodDescriptorProto method, String about) {
    page.append("\n### ").append(method.getName()).append("\n\n").append(about).append("\n\n");
    page.append(
        "%s · gRPC `%s.%s/%s` · role `%s` · %s → %s%n"
            .formatted(
                routes(method.getOptions().getExtension(AnnotationsProto.http)),
                file.getPackage(),
                service.getName(),
                method.getName(),
                method.getOptions().getExtension(AccessProto.role).name().toLowerCase(Locale.ROOT),
                type(method.getInputType()),
                type(method.getOutputType())));
  }

  private static String routes(HttpRule rule) {
    StringBuilder routes = new StringBuilder("`" + http(rule) + "`");
    rule.getAdditionalBindingsList()
        .forEach(more -> routes.append(" or `").append(http(more)).append('`'));
    return routes.toString();
  }

  static String http(HttpRule rule) {
    return switch (rule.getPatternCase()) {
      case GET -> "GET " + rule.getGet();
      case PUT -> "PUT " + rule.getPut();
      case POST -> "POST " + rule.getPost();
      case PATCH -> "PATCH " + rule.getPatch();
      case DELETE -> "DELETE " + rule.getDelete();
      default ->
          throw new IllegalArgumentException(
              "REST has only GET, PUT, POST, PATCH and DELETE here: " + rule);
    };
  }

  private void messages() {
    for (int i = 0; i < file.getMessageTypeCount(); i++) {
      message("", file.getMessageType(i), List.of(MESSAGE, i));
    }
    for (int i = 0; i < file.getEnumTypeCount(); i++) {
      enumeration("", file.getEnumType(i), List.of(ENUM, i));
    }
  }

  private String about(List<Integer> parent, Integer... rest) {
    return comments.at(file.getName(), ProtoComments.below(parent, rest));
  }

  private void message(String outer, DescriptorProto message, List<Integer> path) {
    title(outer + message.getName(), about(path));
    if (message.getFieldCount() == 0) {
      page.append("\nIt has no fields.\n");
    } else {
      page.append("\n| Field | Type | Meaning |\n| --- | --- | --- |\n");
    }
    for (int i = 0; i < message.getFieldCount(); i++) {
      FieldDescriptorProto field = message.getField(i);
      page.append(
          "| `%s` | %s | %s |%n"
              .formatted(field.getName(), type(message, field), about(path, MEMBER, i)));
    }
    String prefix = outer + message.getName() + ".";
    for (int i = 0; i < message.getNestedTypeCount(); i++) {
      message(prefix, message.getNestedType(i), ProtoComments.below(path, NESTED_MESSAGE, i));
    }
    for (int i = 0; i < message.getEnumTypeCount(); i++) {
      enumeration(prefix, message.getEnumType(i), ProtoComments.below(path, NESTED_ENUM, i));
    }
  }

  private void enumeration(String outer, EnumDescriptorProto type, List<Integer> path) {
    title(outer + type.getName(), about(path));
    page.append("\n| Value | Meaning |\n| --- | --- |\n");
    // The first is what stands for none.
    for (int i = 1; i < type.getValueCount(); i++) {
      page.append("| `%s` | %s |%n".formatted(type.getValue(i).getName(), about(path, MEMBER, i)));
    }
  }

  private void title(String name, String about) {
    page.append("\n### ").append(name).append('\n');
    if (!about.isEmpty()) {
      page.append('\n').append(about).append('\n');
    }
  }

  private String type(DescriptorProto message, FieldDescriptorProto field) {
    String name =
        field.hasTypeName()
            ? type(field.getTypeName())
            : field.getType().name().substring("TYPE_".length()).toLowerCase(Locale.ROOT);
    if (field.getLabel() == FieldDescriptorProto.Label.LABEL_REPEATED) {
      return "list of " + name;
    }
    if (field.getProto3Optional()) {
      return name + ", optional";
    }
    return field.hasOneofIndex()
        ? name + ", one `" + message.getOneofDecl(field.getOneofIndex()).getName() + "`"
        : name;
  }

  /** {@code .kairos.v1.Task.State} has a title of its own on the page; what is Google's has not. */
  private String type(String fullName) {
    String ours = "." + file.getPackage() + ".";
    if (!fullName.startsWith(ours)) {
      return fullName.substring(fullName.lastIndexOf('.') + 1);
    }
    String name = fullName.substring(ours.length());
    return "[%s](#%s)".formatted(name, name.replace(".", "").toLowerCase(Locale.ROOT));
  }
}
