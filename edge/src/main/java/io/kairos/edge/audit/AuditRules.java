package io.kairos.edge.audit;

import com.google.protobuf.Descriptors.MethodDescriptor;
import io.grpc.BindableService;
import io.grpc.protobuf.ProtoMethodDescriptorSupplier;
import io.kairos.api.v1.Access.Role;
import io.kairos.api.v1.AccessProto;
import io.kairos.edge.access.AccessRules;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which methods have entries in the audit log: every one that may change something, unless it is
 * named here. So a new method has entries until somebody says why not.
 */
public final class AuditRules {
  /** Methods that may change something and have no entries, and why. */
  public static final Map<String, String> WITHOUT_ENTRIES =
      Map.of(
          "kairos.v1.TaskService.ScheduleTask", "a submission: its caller is on the task's own row",
          "kairos.v1.TaskService.BatchScheduleTasks", "submissions, as ScheduleTask",
          "kairos.v1.ScheduleService.DecideDue",
              "asked by replicas several times a second; each decision is in the ledger",
          "kairos.v1.PollService.Poll", "runs what nodes run by themselves as well",
          "kairos.v1.CronService.CallModule", "a request of an application to its own module");

  private AuditRules() {}

  /** True for a method that reads only. */
  public static boolean isRead(MethodDescriptor method) {
    return AccessRules.isRead(method);
  }

  /** True for a method whose calls are those of workers, which come for every task. */
  public static boolean isWorkers(MethodDescriptor method) {
    return method.getOptions().getExtension(AccessProto.role) == Role.WORKER;
  }

  /** The full names of the methods of these services whose calls have entries. */
  static Set<String> audited(List<BindableService> services) {
    return services.stream()
        .flatMap(service -> service.bindService().getServiceDescriptor().getMethods().stream())
        .filter(method ->
            method.getSchemaDescriptor() instanceof ProtoMethodDescriptorSupplier proto
                && isAudited(proto.getMethodDescriptor()))
        .map(io.grpc.MethodDescriptor::getFullMethodName)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** True for a method whose calls have entries. */
  public static boolean isAudited(MethodDescriptor method) {
    return !isRead(method)
        && !isWorkers(method)
        && !WITHOUT_ENTRIES.containsKey(method.getFullName());
  }
}
