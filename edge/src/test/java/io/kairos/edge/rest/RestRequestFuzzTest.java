package io.kairos.edge.rest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.api.AnnotationsProto;
import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.common.RequestHeaders;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.CronServiceGrpc;
import io.kairos.api.v1.HandlerServiceGrpc;
import io.kairos.api.v1.LimitServiceGrpc;
import io.kairos.api.v1.PollServiceGrpc;
import io.kairos.api.v1.PoolServiceGrpc;
import io.kairos.api.v1.ScheduleServiceGrpc;
import io.kairos.api.v1.TaskServiceGrpc;
import io.kairos.api.v1.WorkerServiceGrpc;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.fuzzing.ParserFuzz;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Requests of REST become messages or are refused, and what became a message is written as JSON
 * again. An input is {@code method|path and query|body}: parameters that a route has in its path
 * come from the query.
 */
class RestRequestFuzzTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private record Target(
      String name, boolean isIdempotent, Message prototype, List<RestRoute> routes) {}

  private static final List<Target> TARGETS =
      Stream.of(
              TaskServiceGrpc.getServiceDescriptor(),
              WorkerServiceGrpc.getServiceDescriptor(),
              HandlerServiceGrpc.getServiceDescriptor(),
              LimitServiceGrpc.getServiceDescriptor(),
              ScheduleServiceGrpc.getServiceDescriptor(),
              PoolServiceGrpc.getServiceDescriptor(),
              PollServiceGrpc.getServiceDescriptor(),
              CronServiceGrpc.getServiceDescriptor())
          .flatMap(RestRequestFuzzTest::targets)
          .toList();

  private static Stream<Target> targets(ServiceDescriptor service) {
    List<Target> targets = new ArrayList<>();
    for (io.grpc.MethodDescriptor<?, ?> method : service.getMethods()) {
      MethodDescriptor proto =
          ((ProtoMethodDescriptorSupplier) requireNonNull(method.getSchemaDescriptor()))
              .getMethodDescriptor();
      targets.add(
          new Target(
              proto.getName(),
              method.isIdempotent(),
              (Message)
                  requireNonNull(
                      ((PrototypeMarshaller<?>) method.getRequestMarshaller())
                          .getMessagePrototype()),
              RestRoute.of(proto.getOptions().getExtension(AnnotationsProto.http))));
    }
    return targets.stream();
  }

  @TestFactory
  Stream<DynamicTest> every_request_becomes_a_message_or_is_refused() {
    return Stream.of(
        ParserFuzz.text("rest-request", RestRequestFuzzTest::read)
            .refusing(InvalidField.class)
            .test());
  }

  private static void read(String text) throws IOException {
    String[] parts = text.split("\\|", 3);
    String query = parts.length < 2 ? "" : parts[1];
    byte[] body = parts.length < 3 ? new byte[0] : parts[2].getBytes(UTF_8);
    Target target = target(parts[0]);
    QueryParams params = params(query);
    for (RestRoute route : target.routes) {
      RestRequest request =
          new RestRequest(target.prototype.newBuilderForType(), route, target.isIdempotent);
      RequestHeaders headers = headers(route, params);
      request.readBody(AggregatedHttpRequest.of(headers, HttpData.wrap(body)));
      for (String variable : route.variables()) {
        request.readPath(variable, params.get(variable, ""));
      }
      params.forEach((name, value) -> {
        if (!route.variables().contains(name) && !name.startsWith("header.")) {
          request.readQuery(name, value);
        }
      });
      request.readHeaders(headers);
      written(request.build());
    }
  }

  /** A name that no method has stands for one of them. */
  private static Target target(String name) {
    for (Target target : TARGETS) {
      if (target.name.equals(name)) {
        return target;
      }
    }
    return TARGETS.get(Math.floorMod(name.hashCode(), TARGETS.size()));
  }

  /** Armeria refuses what is no query before the request is read. */
  private static QueryParams params(String query) {
    try {
      return QueryParams.fromQueryString(query);
    } catch (IllegalArgumentException e) {
      return QueryParams.of();
    }
  }

  private static RequestHeaders headers(RestRoute route, QueryParams params) {
    var headers = RequestHeaders.builder(route.method(), "/");
    try {
      params.forEach((name, value) -> {
        if (name.startsWith("header.")) {
          headers.add(name.substring("header.".length()), value);
        }
      });
    } catch (IllegalArgumentException e) {
      return RequestHeaders.of(route.method(), "/"); // no header has such characters
    }
    return headers.build();
  }

  private static void written(Message message) throws IOException {
    var _ = JSON.readTree(JsonMessage.print(message));
  }
}
