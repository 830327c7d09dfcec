package io.kairos.server.edge.access;

import com.google.protobuf.Descriptors;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.AccessProto;
import io.kairos.server.config.Role;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The rule of every method that is served: our protos name a role at each method, the services of
 * others have a line here. A service with a method that has no rule is not served at all.
 */
public final class AccessRules {
  private static final Map<String, Access> SERVICES_OF_OTHERS =
      Map.of(
          "grpc.health.v1.Health", new Access.Open(),
          "grpc.reflection.v1.ServerReflection", new Access.AnyCaller(),
          "grpc.reflection.v1alpha.ServerReflection", new Access.AnyCaller());

  private final Map<String, Access> byMethod;

  private AccessRules(Map<String, Access> byMethod) {
    this.byMethod = Map.copyOf(byMethod);
  }

  /**
   * The rules of all methods of these services.
   *
   * @throws IllegalStateException for a method without a rule
   */
  public static AccessRules of(List<BindableService> services) {
    Map<String, Access> rules = new HashMap<>();
    for (BindableService service : services) {
      for (MethodDescriptor<?, ?> method :
          service.bindService().getServiceDescriptor().getMethods()) {
        rules.put(method.getFullMethodName(), rule(method));
      }
    }
    return new AccessRules(rules);
  }

  private static Access rule(MethodDescriptor<?, ?> method) {
    Access ofOthers = SERVICES_OF_OTHERS.get(String.valueOf(method.getServiceName()));
    if (ofOthers != null) {
      return ofOthers;
    }
    if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
      Descriptors.MethodDescriptor descriptor = proto.getMethodDescriptor();
      switch (descriptor.getOptions().getExtension(AccessProto.role)) {
        case SUBMIT -> {
          return new Access.Needs(Role.SUBMIT);
        }
        case READ -> {
          return new Access.Needs(Role.READ);
        }
        case WORKER -> {
          return new Access.Needs(Role.WORKER);
        }
        case ADMIN -> {
          return new Access.Needs(Role.ADMIN);
        }
        case ROLE_UNSPECIFIED, UNRECOGNIZED -> {}
      }
    }
    throw new IllegalStateException(
        method.getFullMethodName()
            + " says nobody who may call it: write option (role) into its proto, or a line into AccessRules");
  }

  /** Null for a method that is not served. */
  @Nullable Access of(String fullMethodName) {
    return byMethod.get(fullMethodName);
  }
}
