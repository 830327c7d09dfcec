package io.kairos.edge.access;

import com.google.protobuf.Descriptors;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.Access.RequestSize;
import io.kairos.api.v1.AccessProto;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.NamedFields;
import io.kairos.edge.refusal.WireEnum;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The access rule of every method. Kairos' protos name a role at each method; this class lists the
 * rules of other services. A service with a method that has no rule is not served at all.
 */
public final class AccessRules {
  private static final Map<String, MethodAccess> SERVICES_OF_OTHERS =
      Map.of(
          "grpc.health.v1.Health", new MethodAccess.Open(),
          "grpc.reflection.v1.ServerReflection", new MethodAccess.AnyCaller(),
          "grpc.reflection.v1alpha.ServerReflection", new MethodAccess.AnyCaller());

  private static final WireEnum<CallerRole, io.kairos.api.v1.Access.Role> ROLES =
      new WireEnum<>(CallerRole.class, io.kairos.api.v1.Access.Role.class);

  private final Map<String, MethodAccess> byMethod;

  private final Map<String, RequestSize> sizes;

  private AccessRules(Map<String, MethodAccess> byMethod, Map<String, RequestSize> sizes) {
    this.byMethod = Map.copyOf(byMethod);
    this.sizes = Map.copyOf(sizes);
  }

  /**
   * The rules of all methods of these services.
   *
   * @throws IllegalStateException for a method without a rule
   */
  public static AccessRules of(List<BindableService> services) {
    Map<String, MethodAccess> rules = new HashMap<>();
    Map<String, RequestSize> sizes = new HashMap<>();
    for (BindableService service : services) {
      for (MethodDescriptor<?, ?> method :
          service.bindService().getServiceDescriptor().getMethods()) {
        rules.put(method.getFullMethodName(), rule(method));
        if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
          sizes.put(
              method.getFullMethodName(),
              proto.getMethodDescriptor().getOptions().getExtension(AccessProto.size));
        }
      }
    }
    return new AccessRules(rules, sizes);
  }

  private static MethodAccess rule(MethodDescriptor<?, ?> method) {
    MethodAccess ofOthers = SERVICES_OF_OTHERS.get(String.valueOf(method.getServiceName()));
    if (ofOthers != null) {
      return ofOthers;
    }
    if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
      Descriptors.MethodDescriptor descriptor = proto.getMethodDescriptor();
      CallerRole role = ROLES.find(descriptor.getOptions().getExtension(AccessProto.role));
      if (role != null) {
        return new MethodAccess.Needs(
            role,
            descriptor.getOptions().getExtension(AccessProto.limit),
            NamedFields.of(descriptor.getInputType()));
      }
    }
    throw new IllegalStateException(
        method.getFullMethodName()
            + " says nobody who may call it: write option (role) into its proto, or a line into AccessRules");
  }

  /** How large a request of the method may be. */
  public RequestSize size(String fullMethodName) {
    return sizes.getOrDefault(fullMethodName, RequestSize.SMALL);
  }

  /** Null for a method that is not served. */
  @Nullable MethodAccess of(String fullMethodName) {
    return byMethod.get(fullMethodName);
  }
}
