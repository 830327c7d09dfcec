package io.kairos.edge.access;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.PrototypeMarshaller;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.kairos.edge.refusal.CallRefusals;
import io.kairos.edge.refusal.Refusals;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads protobuf requests of a bounded number of elements. The elements are counted on the wire,
 * before any of them is an object: an empty element has two bytes there and a hundred in memory.
 */
public final class BoundedMessages {
  private static final int DEEPEST = 50;

  private BoundedMessages() {}

  /** The same service with bounded requests. */
  public static ServerServiceDefinition of(BindableService service) {
    ServerServiceDefinition plain = service.bindService();
    ServiceDescriptor descriptor = plain.getServiceDescriptor();
    ServiceDescriptor.Builder bounded =
        ServiceDescriptor.newBuilder(descriptor.getName())
            .setSchemaDescriptor(descriptor.getSchemaDescriptor());
    List<ServerMethodDefinition<?, ?>> methods = new ArrayList<>();
    for (ServerMethodDefinition<?, ?> method : plain.getMethods()) {
      ServerMethodDefinition<?, ?> one = bounded(method);
      methods.add(one);
      bounded.addMethod(one.getMethodDescriptor());
    }
    ServerServiceDefinition.Builder all = ServerServiceDefinition.builder(bounded.build());
    methods.forEach(all::addMethod);
    return all.build();
  }

  private static <Q, A> ServerMethodDefinition<Q, A> bounded(ServerMethodDefinition<Q, A> method) {
    MethodDescriptor<Q, A> descriptor = method.getMethodDescriptor();
    return descriptor.getRequestMarshaller() instanceof PrototypeMarshaller<Q> requests
        ? ServerMethodDefinition.create(
            descriptor.toBuilder(new Bounded<>(requests), descriptor.getResponseMarshaller())
                .build(),
            method.getServerCallHandler())
        : method;
  }

  private record Bounded<T>(PrototypeMarshaller<T> of) implements PrototypeMarshaller<T> {
    @Override
    public Class<T> getMessageClass() {
      return of.getMessageClass();
    }

    @Override
    public T getMessagePrototype() {
      return requireNonNull(of.getMessagePrototype());
    }

    @Override
    public InputStream stream(T value) {
      return of.stream(value);
    }

    @Override
    public T parse(InputStream stream) {
      Message prototype = (Message) getMessagePrototype();
      try {
        byte[] bytes = stream.readAllBytes();
        new Count().of(CodedInputStream.newInstance(bytes), prototype.getDescriptorForType(), 0);
        return of.getMessageClass().cast(prototype.getParserForType().parseFrom(bytes));
      } catch (InvalidProtocolBufferException e) {
        throw CallRefusals.of(Refusals.invalid("the message cannot be read: " + e.getMessage()));
      } catch (IOException e) {
        throw new UncheckedIOException("a message is in memory", e);
      }
    }
  }

  private static final class Count {
    private int left = RequestSizes.MOST_ELEMENTS;

    private void of(CodedInputStream wire, Descriptor type, int depth) throws IOException {
      for (int tag = wire.readTag(); tag != 0; tag = wire.readTag()) {
        if (--left < 0 || depth > DEEPEST) {
          throw CallRefusals.of(Refusals.tooManyElements(RequestSizes.MOST_ELEMENTS));
        }
        if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_START_GROUP) {
          // No message has groups, and what is in an unknown one would be kept.
          throw CallRefusals.of(Refusals.invalid("a request has no groups"));
        }
        FieldDescriptor field = type.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
        if (field != null
            && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
            && WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED) {
          int outer = wire.pushLimit(wire.readRawVarint32());
          of(wire, field.getMessageType(), depth + 1);
          wire.popLimit(outer);
        } else {
          wire.skipField(tag);
        }
      }
    }
  }
}
