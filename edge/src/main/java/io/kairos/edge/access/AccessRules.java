package io.kairos.edge.access;

import com.google.api.AnnotationsProto;
import com.google.protobuf.DescriptorProtos.MethodOptions;
import com.google.protobuf.Descriptors;
import io.grpc.BindableService;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.Access.Limit;
import io.kairos.api.v1.Access.RequestSize;
import io.kairos.api.v1.AccessProto;
import io.kairos.edge.caller.Caller;
import io.kairos.edge.caller.CallerRole;
import io.kairos.edge.caller.CallerScope;
import io.kairos.edge.caller.NamedFields;
import io.kairos.edge.refusal.WireEnum;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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

  /** The methods that change nothing. */
  private final Set<String> reads;

  private AccessRules(
      Map<String, MethodAccess> byMethod, Map<String, RequestSize> sizes, Set<String> reads) {
    this.byMethod = Map.copyOf(byMethod);
    this.sizes = Map.copyOf(sizes);
    this.reads = Set.copyOf(reads);
  }

  /**
   * The rules of all methods of these services.
   *
   * @throws IllegalStateException for a method without a rule
   */
  public static AccessRules of(List<BindableService> services) {
    Map<String, MethodAccess> rules = new HashMap<>();
    Map<String, RequestSize> sizes = new HashMap<>();
    Set<String> reads = new HashSet<>();
    for (BindableService service : services) {
      for (MethodDescriptor<?, ?> method :
          service.bindService().getServiceDescriptor().getMethods()) {
        rules.put(method.getFullMethodName(), rule(method));
        if (method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto) {
          sizes.put(
              method.getFullMethodName(),
              proto.getMethodDescriptor().getOptions().getExtension(AccessProto.size));
          if (isRead(proto.getMethodDescriptor())) {
            reads.add(method.getFullMethodName());
          }
        }
      }
    }
    return new AccessRules(rules, sizes, reads);
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

  /** True for a method that reads only. */
  public static boolean isRead(Descriptors.MethodDescriptor method) {
    MethodOptions options = method.getOptions();
    return options.getExtension(AccessProto.role) == io.kairos.api.v1.Access.Role.READ
        || options.getExtension(AnnotationsProto.http).hasGet();
  }

  /** True for a method, by its full name, that reads only. */
  boolean isRead(String fullMethodName) {
    return reads.contains(fullMethodName);
  }

  /**
   * The full names of the methods that a caller may call with some request, in their order.
   *
   * @param caller null where nobody needs a token
   * @param readsOnly whether only methods count that change nothing
   */
  public SortedSet<String> callable(@Nullable Caller caller, boolean readsOnly) {
    SortedSet<String> found = new TreeSet<>();
    byMethod.forEach((method, access) -> {
      if (access instanceof MethodAccess.Needs needs
          && (!readsOnly || isRead(method))
          && (caller == null || mayCall(caller, needs))) {
        found.add(method);
      }
    });
    return found;
  }

  private static boolean mayCall(Caller caller, MethodAccess.Needs needs) {
    CallerScope scope = caller.scope(needs.role());
    return scope != null && (scope.isWhole() || needs.limit() != Limit.WHOLE);
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
