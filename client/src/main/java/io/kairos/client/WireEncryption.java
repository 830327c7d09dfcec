package io.kairos.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.StuckKey;
import io.kairos.api.v1.Task;
import io.kairos.client.encryption.EncryptedPayloads;
import io.kairos.client.encryption.MessageEncryption;
import io.kairos.client.encryption.PayloadDecryptionException;
import io.kairos.client.encryption.PayloadTarget;
import io.kairos.client.error.InvalidRequestException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Encrypts and decrypts the fields of API messages for the client; without encryption messages stay
 * as they are. Thread-safe.
 */
record WireEncryption(MessageEncryption fields) {
  /** Leaves messages as they are. */
  static final WireEncryption NONE = new WireEncryption(MessageEncryption.NONE);

  private static final Set<String> KIND_FIELDS =
      Set.of(
          "target",
          "target.handler",
          "target.pool",
          "target.pool.name",
          "target.topic",
          "target.topic.name");
  private static final Set<String> PAYLOAD_FIELDS =
      Set.of("target", "target.payload", "target.text", "target.json");

  static WireEncryption of(EncryptedPayloads payloads) {
    return new WireEncryption(MessageEncryption.of(payloads));
  }

  /** Encrypts the payload of a task to schedule, also an empty one. */
  ScheduleTaskRequest encrypted(ScheduleTaskRequest task) {
    if (!fields.isOn()) {
      return task;
    }
    PayloadTarget target =
        task.hasTopic()
            ? PayloadTarget.topic(task.getTopic().getName())
            : task.hasPool()
                ? PayloadTarget.pool(task.getPool().getName())
                : PayloadTarget.handler(task.getHandler());
    return task.toBuilder()
        .setPayload(bytes(fields.encrypted(target, task.getPayload().toByteArray())))
        .build();
  }

  /**
   * Decrypts payload, result and error texts of a task. A kept record of an input topic, which has
   * no handler, stays as it is.
   *
   * @throws PayloadDecryptionException when payload or result cannot be decrypted
   */
  Task decrypted(Task task) {
    return decrypted(task, false);
  }

  /**
   * Decrypts a task of a list, or of the answer to a call that has had its effect: what cannot be
   * decrypted stays as it is stored.
   */
  Task decryptedOrKept(Task task) {
    return decrypted(task, true);
  }

  private Task decrypted(Task task, boolean orKept) {
    if (!fields.isOn() || task.getHandler().isEmpty()) {
      return task;
    }
    PayloadTarget target = PayloadTarget.handler(task.getHandler());
    String id = task.getId();
    Task.Builder open = task.toBuilder();
    if (!task.getPayload().isEmpty()) {
      open.setPayload(
          decrypted(
              task.getPayload(),
              orKept,
              stored -> bytes(fields.decrypted(target, stored.toByteArray()))));
    }
    if (task.hasResultValue()) {
      open.clearResult() // the beginning of what is encrypted
          .getResultValueBuilder()
          .setValue(
              decrypted(
                  task.getResultValue().getValue(),
                  orKept,
                  stored -> bytes(fields.decryptedResult(target, id, stored.toByteArray()))));
    } else { // of a node of an earlier version
      open.setResult(
          decrypted(
              task.getResult(), orKept, stored -> fields.decryptedResult(target, id, stored)));
    }
    if (task.hasProgress()) {
      open.getProgressBuilder()
          .setNote(fields.decryptedNote(target, id, task.getProgress().getNote()));
    }
    for (Failure.Builder failure : open.getFailuresBuilderList()) {
      failure.setError(
          decrypted(
              failure.getError(), orKept, stored -> fields.decryptedError(target, id, stored)));
      failure.setStack(
          decrypted(
              failure.getStack(), orKept, stored -> fields.decryptedError(target, id, stored)));
    }
    return open.build();
  }

  private static <T> T decrypted(T stored, boolean orKept, UnaryOperator<T> decryption) {
    try {
      return decryption.apply(stored);
    } catch (RuntimeException e) { // also of the keys, which may belong to the application
      if (orKept) {
        return stored;
      }
      throw e;
    }
  }

  /** Decrypts the error text of the head of an ordering key, or keeps it as it is stored. */
  StuckKey decryptedOrKept(StuckKey key) {
    if (!fields.isOn()) {
      return key;
    }
    PayloadTarget target = PayloadTarget.handler(key.getHandler());
    return key.toBuilder()
        .setError(
            decrypted(
                key.getError(),
                true,
                stored -> fields.decryptedError(target, key.getHead(), stored)))
        .build();
  }

  /** Encrypts the payloads of a schedule: of its target and of its steps. */
  Schedule encrypted(Schedule schedule) {
    return encrypted(schedule, Schedule.getDefaultInstance());
  }

  /**
   * Encrypts the payloads of a schedule, or keeps those of the stored schedule that are the same
   * payloads under the current key, so that applying a schedule twice changes nothing.
   */
  Schedule encrypted(Schedule schedule, Schedule stored) {
    if (!fields.isOn()) {
      return schedule;
    }
    Schedule.Builder encrypted = schedule.toBuilder();
    if (schedule.hasTarget()) {
      encrypted.setTarget(encryptedTarget(schedule.getTarget(), stored.getTarget()));
    }
    for (int i = 0; i < schedule.getStepsCount(); i++) {
      Schedule.Target before =
          i < stored.getStepsCount()
              ? stored.getSteps(i).getTarget()
              : Schedule.Target.getDefaultInstance();
      encrypted
          .getStepsBuilder(i)
          .setTarget(encryptedTarget(schedule.getSteps(i).getTarget(), before));
    }
    return encrypted.build();
  }

  private Schedule.Target encryptedTarget(Schedule.Target given, Schedule.Target stored) {
    Optional<PayloadTarget> target = target(given);
    if (target.isEmpty()) {
      return given;
    }
    byte[] before = stored.getPayload().toByteArray();
    boolean isSame =
        target.equals(target(stored)) && fields.isCurrent(target.get(), before, plain(given));
    return with(given, isSame ? before : fields.encrypted(target.get(), plain(given)));
  }

  /**
   * Decrypts the payloads of a schedule.
   *
   * @throws PayloadDecryptionException when one cannot be decrypted
   */
  Schedule decrypted(Schedule schedule) {
    if (!fields.isOn()) {
      return schedule;
    }
    Schedule.Builder open = schedule.toBuilder();
    if (schedule.hasTarget()) {
      open.setTarget(decryptedTarget(schedule.getTarget()));
    }
    open.getStepsBuilderList().forEach(step -> step.setTarget(decryptedTarget(step.getTarget())));
    return open.build();
  }

  private Schedule.Target decryptedTarget(Schedule.Target stored) {
    Optional<PayloadTarget> target = target(stored);
    ByteString payload = stored.getPayload();
    return target.isEmpty() || payload.isEmpty()
        ? stored
        : with(stored, fields.decrypted(target.get(), payload.toByteArray()));
  }

  /**
   * Decrypts a schedule of a list, or of the answer to a call that has had its effect: a payload
   * that cannot be decrypted stays as it is stored.
   */
  Schedule decryptedOrKept(Schedule schedule) {
    return decrypted(schedule, true, this::decrypted);
  }

  /**
   * Encrypts the payload of a change of a schedule. Handler and payload are changed together,
   * because the one is bound to the other.
   *
   * @param changed fields to change; empty for those that are set
   */
  Schedule encrypted(Schedule change, List<String> changed) {
    boolean kind =
        changed.isEmpty()
            ? target(change.getTarget()).isPresent()
            : changed.stream().anyMatch(KIND_FIELDS::contains);
    boolean payload =
        changed.isEmpty()
            ? plain(change.getTarget()).length > 0
            : changed.stream().anyMatch(PAYLOAD_FIELDS::contains);
    if (!fields.isOn() || (!kind && !payload)) {
      return !fields.isOn() || change.getStepsCount() == 0 ? change : withSteps(change);
    }
    if (!kind || !payload || target(change.getTarget()).isEmpty()) {
      throw new InvalidRequestException(
          "target",
          "must have both handler (or pool or topic) and payload, because encryption binds the"
              + " payload to it");
    }
    return encrypted(change);
  }

  /** Encrypts the payloads of the steps alone. */
  private Schedule withSteps(Schedule change) {
    Schedule.Builder encrypted = encrypted(change.toBuilder().clearTarget().build()).toBuilder();
    if (change.hasTarget()) {
      encrypted.setTarget(change.getTarget());
    }
    return encrypted.build();
  }

  /** Returns the fields of a change, in which an encrypted payload stands for text and JSON. */
  FieldMask mask(List<String> changed) {
    Set<String> paths = new LinkedHashSet<>();
    for (String field : changed) {
      boolean text = field.equals("target.text") || field.equals("target.json");
      paths.add(fields.isOn() && text ? "target.payload" : field);
    }
    return FieldMask.newBuilder().addAllPaths(paths).build();
  }

  private static Optional<PayloadTarget> target(Schedule.Target target) {
    return switch (target.getKindCase()) {
      case HANDLER -> Optional.of(PayloadTarget.handler(target.getHandler()));
      case POOL -> Optional.of(PayloadTarget.pool(target.getPool().getName()));
      case TOPIC -> Optional.of(PayloadTarget.topic(target.getTopic().getName()));
      case KIND_NOT_SET -> Optional.empty();
    };
  }

  private static byte[] plain(Schedule.Target target) {
    if (target.hasText()) {
      return target.getTextBytes().toByteArray();
    }
    return target.hasJson()
        ? target.getJsonBytes().toByteArray()
        : target.getPayload().toByteArray();
  }

  private static Schedule.Target with(Schedule.Target target, byte[] payload) {
    return target.toBuilder().clearText().clearJson().setPayload(bytes(payload)).build();
  }

  private static ByteString bytes(byte[] bytes) {
    return ByteString.copyFrom(bytes);
  }
}
