package io.kairos.edge.schedule;

import static io.kairos.edge.refusal.InvalidField.require;

import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.domain.delay.HeaderCodec;
import io.kairos.domain.schedule.definition.ScheduleStep;
import io.kairos.domain.schedule.definition.ScheduleTarget;
import io.kairos.edge.call.GivenPayload;
import io.kairos.edge.refusal.InvalidField;
import io.kairos.edge.task.PoolTargets;
import io.kairos.edge.task.TaskRequests;
import io.kairos.edge.task.TopicRequests;
import io.kairos.engine.delay.MessageEdge;
import io.kairos.engine.delay.NewMessage;
import io.kairos.engine.task.edge.TaskSpec;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks the target of a schedule in the same way as the task or message that it will become.
 * Throws {@link InvalidField} that names the field within the schedule. Asks the store for a pool
 * that the node does not know.
 */
final class TargetRequests {
  private static final Map<String, String> FIELDS =
      Map.of(
          "handler", "target.handler",
          "priority", "target.priority",
          "key", "target.key",
          "collection", "target.collection",
          "fairness_key", "target.fairness_key",
          "fairness_weight", "target.fairness_weight",
          "payload", "target.payload",
          "execution_timeout", "policies.execution_timeout");

  private final TaskRequests tasks;
  private final TopicRequests topics;
  private final Function<String, MessageEdge> messages;
  private final PoolTargets pools;

  /**
   * @param messages the delay queue, for a request whose field names a topic
   */
  TargetRequests(
      InstantSource clock,
      int maxPayloadBytes,
      Function<String, MessageEdge> messages,
      PoolTargets pools) {
    this.tasks = new TaskRequests(clock, maxPayloadBytes);
    this.topics = new TopicRequests(maxPayloadBytes);
    this.messages = messages;
    this.pools = pools;
  }

  List<ScheduleStep> steps(Schedule given) {
    return new StepRequests(tasks, pools).steps(given);
  }

  ScheduleTarget target(Schedule given) {
    Schedule.Target target =
        GivenPayload.inBytes("target.", Schedule.Target.class, given.getTarget());
    try {
      return switch (target.getKindCase()) {
        case HANDLER -> task(given, marked(target).setHandler(target.getHandler()));
        case TOPIC -> topic(given, target);
        case POOL -> task(given, marked(target).setPool(target.getPool()));
        case KIND_NOT_SET -> throw new InvalidField("handler", "it, topic or pool must be given");
      };
    } catch (InvalidField e) {
      throw placed(e);
    }
  }

  private ScheduleTarget task(Schedule given, ScheduleTaskRequest.Builder task) {
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
    return new ScheduleTarget.Handler(spec.queue(), spec.details());
  }

  private ScheduleTarget topic(Schedule given, Schedule.Target target) {
    Schedule.Policies policies = given.getPolicies();
    require(
        !policies.hasRetryPolicy(),
        "retry_policy",
        "is for handlers: the delay queue does not give up");
    require(!policies.hasExecutionTimeout(), "execution_timeout", "is for handlers and pools");
    require(!policies.hasStartDeadline(), "policies.start_deadline", "is for handlers and pools");
    NewMessage message =
        topics.message(marked(target).setTopic(target.getTopic()).build(), Instant.EPOCH);
    return new ScheduleTarget.Topic(
        TopicRequests.route(
            messages.apply("schedule.target.topic.name"), Set.of(message.topic()), "topic.name"),
        message.topic(),
        message.key(),
        message.value(),
        HeaderCodec.encode(message.headers()));
  }

  /**
   * A task with the target's fields. For a topic it includes key, collection, fairness and
   * priority, so that the check of messages refuses them.
   */
  static ScheduleTaskRequest.Builder marked(Schedule.Target target) {
    ScheduleTaskRequest.Builder task =
        ScheduleTaskRequest.newBuilder()
            .setKey(target.getKey())
            .setCollection(target.getCollection())
            .setFairnessKey(target.getFairnessKey())
            .setPayload(target.getPayload());
    if (target.hasPriority()) {
      task.setPriority(target.getPriority());
    }
    if (target.hasFairnessWeight()) {
      task.setFairnessWeight(target.getFairnessWeight());
    }
    return task;
  }

  /** The refusal with the field's path within a schedule. */
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
