package io.kairos.server.edge.schedule;

import static io.kairos.server.edge.refusal.InvalidField.require;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleRequest;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.schedule.fire.Target;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.NewMessage;
import io.kairos.engine.task.TaskSpec;
import io.kairos.server.edge.refusal.InvalidField;
import io.kairos.server.edge.task.PoolTargets;
import io.kairos.server.edge.task.TaskRequests;
import io.kairos.server.edge.task.TopicRequests;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a schedule is to make, checked as the task or message that it will be. Throws {@link
 * InvalidField} that names the field within the schedule. Asks the store for a pool that the node
 * does not know.
 */
final class TargetRequests {
  private static final Map<String, String> FIELDS =
      Map.of(
          "handler", "target.handler",
          "priority", "target.priority",
          "key", "target.key",
          "collection", "target.collection",
          "payload", "target.payload",
          "execution_timeout", "policies.execution_timeout");

  private final TaskRequests tasks;
  private final TopicRequests topics;
  private final Supplier<MessageEdge> messages;
  private final PoolTargets pools;

  TargetRequests(
      InstantSource clock, int maxPayloadBytes, Supplier<MessageEdge> messages, PoolTargets pools) {
    this.tasks = new TaskRequests(clock, maxPayloadBytes);
    this.topics = new TopicRequests(maxPayloadBytes);
    this.messages = messages;
    this.pools = pools;
  }

  Target target(Schedule given) {
    Schedule.Target target = given.getTarget();
    require(
        target.getText().isEmpty() || target.getPayload().isEmpty(),
        "target.text",
        "must not be given together with payload");
    try {
      return switch (target.getKindCase()) {
        case HANDLER -> task(given, marked(target).setHandler(target.getHandler()));
        case TOPIC -> topic(given);
        case POOL -> task(given, marked(target).setPool(target.getPool()));
        case KIND_NOT_SET -> throw new InvalidField("handler", "it, topic or pool must be given");
      };
    } catch (InvalidField e) {
      throw placed(e);
    }
  }

  private static ByteString payload(Schedule.Target target) {
    return target.getText().isEmpty()
        ? target.getPayload()
        : ByteString.copyFromUtf8(target.getText());
  }

  private Target task(Schedule given, ScheduleRequest.Builder task) {
    Schedule.Policies policies = given.getPolicies();
    if (policies.hasRetryPolicy()) {
      task.setRetryPolicy(policies.getRetryPolicy());
    }
    if (policies.hasExecutionTimeout()) {
      task.setExecutionTimeout(policies.getExecutionTimeout());
    }
    List<TaskSpec> specs = tasks.one(task.build());
    pools.require(pools.unknown(specs), "schedule.target.pool.name");
    TaskSpec spec = specs.getFirst();
    return new Target.Handler(spec.queue(), spec.details());
  }

  private Target topic(Schedule given) {
    Schedule.Policies policies = given.getPolicies();
    require(
        !policies.hasRetryPolicy(),
        "retry_policy",
        "is for handlers: the delay queue does not give up");
    require(!policies.hasExecutionTimeout(), "execution_timeout", "is for handlers and pools");
    require(!policies.hasStartDeadline(), "policies.start_deadline", "is for handlers and pools");
    Schedule.Target target = given.getTarget();
    NewMessage message =
        topics.message(marked(target).setTopic(target.getTopic()).build(), Instant.EPOCH);
    return new Target.Topic(
        TopicRequests.route(messages.get(), Set.of(message.topic()), "topic.name"),
        message.topic(),
        message.key(),
        message.value(),
        HeaderCodec.encode(message.headers()));
  }

  /**
   * What it carries, with what a topic does not take, so that that is refused as it is with a
   * message.
   */
  private static ScheduleRequest.Builder marked(Schedule.Target target) {
    ScheduleRequest.Builder task =
        ScheduleRequest.newBuilder()
            .setKey(target.getKey())
            .setCollection(target.getCollection())
            .setPayload(payload(target));
    if (target.hasPriority()) {
      task.setPriority(target.getPriority());
    }
    return task;
  }

  /** The same, where it stands in a schedule. */
  private static InvalidField placed(InvalidField refusal) {
    String field = refusal.field();
    @Nullable String place = FIELDS.get(field);
    if (place == null && field.startsWith("retry_policy")) {
      place = "policies." + field;
    }
    if (place == null && (field.startsWith("topic") || field.startsWith("pool"))) {
      place = "target." + field;
    }
    return place == null ? refusal : new InvalidField(place, refusal.rule(), refusal.details());
  }
}
