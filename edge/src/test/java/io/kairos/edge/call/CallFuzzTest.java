package io.kairos.edge.call;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.util.JsonFormat;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.util.SafeCloseable;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.kairos.api.v1.ListTasksRequest;
import io.kairos.edge.access.BoundedMessages;
import io.kairos.edge.caller.PresentCaller;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.fuzzing.ParserFuzz;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Messages of gRPC, from their bytes to the node: each is answered, refused, or waits, and none
 * ends as a failure of the node. The first byte of an input is the number of a method.
 */
class CallFuzzTest {
  private static final int CALLS_OF_A_NODE = 2_000;

  @AutoClose private final Edge edge = new Edge();

  private final List<ServerMethodDefinition<?, ?>> methods =
      edge.services().stream()
          .map(BoundedMessages::of)
          .<ServerMethodDefinition<?, ?>>flatMap(service -> service.getMethods().stream())
          .sorted((one, other) ->
              one.getMethodDescriptor()
                  .getFullMethodName()
                  .compareTo(other.getMethodDescriptor().getFullMethodName()))
          .toList();

  private int calls;

  @TestFactory
  Stream<DynamicTest> every_input_is_answered_or_refused() throws IOException {
    return Stream.of(
        ParserFuzz.bytes("rest-request", this::call)
            .named("grpc-call")
            .seeds(seeds())
            .refusing(StatusRuntimeException.class)
            .test(),
        ParserFuzz.text(
                "page-token",
                token ->
                    PageToken.read(
                        ListTasksRequest.newBuilder().setPageToken(token).build(), Set.of()))
            .refusing(InvalidField.class)
            .test());
  }

  /** The requests of REST as messages, as far as their query is not needed. */
  private List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (String line :
        Files.readAllLines(Path.of("src/test/resources/fuzz/rest-request/lines.txt"), UTF_8)) {
      String[] parts = line.split("\\|", 3);
      for (int i = 0; i < methods.size(); i++) {
        MethodDescriptor<?, ?> method = methods.get(i).getMethodDescriptor();
        if (parts[0].equals(method.getBareMethodName())) {
          byte[] message = message(method, parts[2]);
          byte[] input = new byte[1 + message.length];
          input[0] = (byte) i;
          System.arraycopy(message, 0, input, 1, message.length);
          seeds.add(input);
        }
      }
    }
    return seeds;
  }

  private static byte[] message(MethodDescriptor<?, ?> method, String json) {
    Message.Builder request =
        ((Message)
                requireNonNull(
                    ((PrototypeMarshaller<?>) method.getRequestMarshaller()).getMessagePrototype()))
            .newBuilderForType();
    try {
      JsonFormat.parser().ignoringUnknownFields().merge(json.isEmpty() ? "{}" : json, request);
    } catch (InvalidProtocolBufferException e) {
      // The body is one field of the message, or has a form of REST alone: what was read is enough.
    }
    return request.build().toByteArray();
  }

  private void call(byte[] input) {
    if (input.length == 0) {
      return;
    }
    if (++calls % CALLS_OF_A_NODE == 0) {
      edge.renew(); // a scripted node keeps what it is asked
    }
    call(methods.get(Byte.toUnsignedInt(input[0]) % methods.size()), input);
  }

  private static <Q, A> void call(ServerMethodDefinition<Q, A> method, byte[] input) {
    Q message =
        method
            .getMethodDescriptor()
            .parseRequest(new ByteArrayInputStream(input, 1, input.length - 1));
    Answer<Q, A> answer = new Answer<>(method.getMethodDescriptor());
    ServiceRequestContext request = ServiceRequestContext.of(HttpRequest.of(HttpMethod.POST, "/"));
    try (SafeCloseable _ = request.push()) {
      PresentCaller.setNone();
      ServerCall.Listener<Q> listener =
          method.getServerCallHandler().startCall(answer, new Metadata());
      listener.onMessage(message);
      listener.onHalfClose();
    } catch (RuntimeException e) {
      answer.close(CallRefusals.of(e).getStatus().withCause(e), new Metadata());
    }
    Status status = answer.status;
    if (status.getCode() == Status.Code.INTERNAL || status.getCode() == Status.Code.UNKNOWN) {
      throw new IllegalStateException(
          method.getMethodDescriptor().getFullMethodName() + ": " + status, status.getCause());
    }
  }

  /** The status of a call; OK while it waits. */
  private static final class Answer<Q, A> extends ServerCall<Q, A> {
    private final MethodDescriptor<Q, A> method;
    private volatile Status status = Status.OK;

    Answer(MethodDescriptor<Q, A> method) {
      this.method = method;
    }

    @Override
    public void request(int messages) {}

    @Override
    public void sendHeaders(Metadata headers) {}

    @Override
    public void sendMessage(A message) {}

    @Override
    public void close(Status end, Metadata trailers) {
      status = end;
    }

    @Override
    public boolean isCancelled() {
      return false;
    }

    @Override
    public MethodDescriptor<Q, A> getMethodDescriptor() {
      return method;
    }
  }
}
