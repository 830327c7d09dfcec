package io.kairos.client.encryption;

import com.google.protobuf.ByteString;
import com.google.protobuf.FieldMask;
import io.kairos.api.v1.Failure;
import io.kairos.api.v1.Result;
import io.kairos.api.v1.Schedule;
import io.kairos.api.v1.ScheduleTaskRequest;
import io.kairos.api.v1.StuckKey;
import io.kairos.api.v1.Task;
import io.kairos.client.error.InvalidRequestException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the fields of API messages for the client and the worker; without
 * encryption messages stay as they are. Thread-safe.
 */
public final class MessageEncryption {
  /** Leaves messages as they are. */
  public static final MessageEncryption NONE = new MessageEncryption(null);

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

  private final @Nullable EncryptedPayloads payloads;

  private MessageEncryption(@Nullable EncryptedPayloads payloads) {
    this.payloads = payloads;
  }

  public static MessageEncryption of(EncryptedPayloads payloads) {
    return new MessageEncryption(payloads);
  }

  public boolean isOn() {
    return payloads != null;
  }

  /** Encrypts the payload of a task to schedule, also an empty one. */
  public ScheduleTaskRequest encrypted(ScheduleTaskRequest task) {
    if (payloads == null) {
      return task;
    }
    PayloadTarget target =
        task.hasTopic()
            ? PayloadTarget.topic(task.getTopic().getName())
            : task.hasPool()
                ? PayloadTarget.pool(task.getPool().getName())
                : PayloadTarget.handler(task.getHandler());
    return task.toBuilder()
        .setPayload(bytes(payloads.encrypt(target, task.getPayload().toByteArray())))
        .build();
  }

  /** Decrypts the payload of work for a handler, where an empty one must be encrypted as well. */
  public byte[] decrypted(String handler, byte[] payload) {
    return payloads == null ? payload : payloads.decrypt(PayloadTarget.handler(handler), payload);
  }

  /**
   * Decrypts the result of a task of a handler.
   *
   * @throws PayloadDecryptionException when it cannot be decrypted
   */
  public byte[] decryptedResult(String handler, String task, byte[] value) {
    return payloads == null
        ? value
        : payloads.decryptResult(PayloadTarget.handler(handler), task, value);
  }

  /**
   * Encrypts the value, or error text and stack, of an attempt at a task. Throws what the keys
   * throw for a value that cannot be encrypted.
   */
  public Result encrypted(String handler, Result result) {
    if (payloads == null) {
      return result;
    }
    EncryptedPayloads with = payloads;
    PayloadTarget target = PayloadTarget.handler(handler);
    String task = result.getId();
    Result.Builder encrypted = result.toBuilder();
    if (result.getSuccess().hasResult()) {
      byte[] value = result.getSuccess().getResult().getValue().toByteArray();
      encrypted
          .getSuccessBuilder()
          .getResultBuilder()
          .setValue(bytes(with.encryptResult(target, task, value)));
    } else if (result.hasRetryLater()) {
      Result.RetryLater later = result.getRetryLater();
      encrypted
          .getRetryLaterBuilder()
          .setError(text(() -> with.encryptError(target, task, later.getError())))
          .setStack(stack(with, target, task, later.getStack()));
    } else if (result.hasFatal()) {
      Result.Fatal fatal = result.getFatal();
      encrypted
          .getFatalBuilder()
          .setError(text(() -> with.encryptError(target, task, fatal.getError())))
          .setStack(stack(with, target, task, fatal.getStack()));
    }
    return encrypted.build();
  }

  private static String stack(
      EncryptedPayloads with, PayloadTarget target, String task, String stack) {
    return stack.isEmpty() ? stack : text(() -> with.encryptStack(target, task, stack));
  }

  /** Encrypts the note of a progress of an attempt at a task; an empty one stays empty. */
  public String encryptedNote(String handler, String task, String note) {
    EncryptedPayloads with = payloads;
    return with == null || note.isEmpty()
        ? note
        : text(() -> with.encryptNote(PayloadTarget.handler(handler), task, note));
  }

  /** The attempt has ended: its result must go out, with or without its text. */
  private static String text(Supplier<String> encryption) {
    try {
      return encryption.get();
    } catch (RuntimeException e) { // of the keys, which may belong to the application
      return "the text is withheld, because it could not be encrypted: " + e.getClass().getName();
    }
  }

  /**
   * Decrypts payload, result and error texts of a task. A kept record of an input topic, which has
   * no handler, stays as it is.
   *
   * @throws PayloadDecryptionException when payload or result cannot be decrypted
   */
  public Task decrypted(Task task) {
    return decrypted(task, false);
  }

  /**
   * Decrypts a task of a list, or of the answer to a call that has had its effect: what cannot be
   * decrypted stays as it is stored.
   */
  public Task decryptedOrKept(Task task) {
    return decrypted(task, true);
  }

  private Task decrypted(Task task, boolean orKept) {
    if (payloads == null || task.getHandler().isEmpty()) {
      return task;
    }
    EncryptedPayloads by = payloads;
    PayloadTarget target = PayloadTarget.handler(task.getHandler());
    Task.Builder open = task.toBuilder();
    if (!task.getPayload().isEmpty()) {
      open.setPayload(
          decrypted(
              task.getPayload(),
              orKept,
              stored -> bytes(by.decrypt(target, stored.toByteArray()))));
    }
    if (task.hasResultValue()) {
      open.clearResult() // the beginning of what is encrypted
          .getResultValueBuilder()
          .setValue(
              decrypted(
                  task.getResultValue().getValue(),
                  orKept,
                  stored -> bytes(by.decryptResult(target, task.getId(), stored.toByteArray()))));
    } else { // of a node of an earlier version
      open.setResult(
          decrypted(
              task.getResult(), orKept, stored -> by.decryptResult(target, task.getId(), stored)));
    }
    if (task.hasProgress()) {
      open.getProgressBuilder()
          .setNote(by.decryptNote(target, task.getId(), task.getProgress().getNote()));
    }
    for (Failure.Builder failure : open.getFailuresBuilderList()) {
      failure.setError(
          decrypted(
              failure.getError(), orKept, stored -> by.decryptError(target, task.getId(), stored)));
      failure.setStack(
          decrypted(
              failure.getStack(), orKept, stored -> by.decryptError(target, task.getId(), stored)));
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
  public StuckKey decryptedOrKept(StuckKey key) {
    if (payloads == null) {
      return key;
    }
    EncryptedPayloads by = payloads;
    PayloadTarget target = PayloadTarget.handler(key.getHandler());
    return key.toBuilder()
        .setError(
            decrypted(
                key.getError(), true, stored -> by.decryptError(target, key.getHead(), stored)))
        .build();
  }

  /** Encrypts the payloads of a schedule: of its target and of its steps. */
  public Schedule encrypted(Schedule schedule) {
    return encrypted(schedule, Schedule.getDefaultInstance());
  }

  /**
   * Encrypts the payloads of a schedule, or keeps those of the stored schedule that are the same
   * payloads under the current key, so that applying a schedule twice changes nothing.
   */
  public Schedule encrypted(Schedule schedule, Schedule stored) {
    EncryptedPayloads by = payloads;
    if (by == null) {
      return schedule;
    }
    Schedule.Builder encrypted = schedule.toBuilder();
    if (schedule.hasTarget()) {
      encrypted.setTarget(encrypted(by, schedule.getTarget(), stored.getTarget()));
    }
    for (int i = 0; i < schedule.getStepsCount(); i++) {
      Schedule.Target before =
          i < stored.getStepsCount()
              ? stored.getSteps(i).getTarget()
              : Schedule.Target.getDefaultInstance();
      encrypted
          .getStepsBuilder(i)
          .setTarget(encrypted(by, schedule.getSteps(i).getTarget(), before));
    }
    return encrypted.build();
  }

  private static Schedule.Target encrypted(
      EncryptedPayloads by, Schedule.Target given, Schedule.Target stored) {
    Optional<PayloadTarget> target = target(given);
    if (target.isEmpty()) {
      return given;
    }
    byte[] before = stored.getPayload().toByteArray();
    boolean isSame =
        target.equals(target(stored)) && by.isCurrent(target.get(), before, plain(given));
    return with(given, isSame ? before : by.encrypt(target.get(), plain(given)));
  }

  /**
   * Decrypts the payloads of a schedule.
   *
   * @throws PayloadDecryptionException when one cannot be decrypted
   */
  public Schedule decrypted(Schedule schedule) {
    EncryptedPayloads by = payloads;
    if (by == null) {
      return schedule;
    }
    Schedule.Builder open = schedule.toBuilder();
    if (schedule.hasTarget()) {
      open.setTarget(decrypted(by, schedule.getTarget()));
    }
    open.getStepsBuilderList().forEach(step -> step.setTarget(decrypted(by, step.getTarget())));
    return open.build();
  }

  private static Schedule.Target decrypted(EncryptedPayloads by, Schedule.Target stored) {
    Optional<PayloadTarget> target = target(stored);
    ByteString payload = stored.getPayload();
    return target.isEmpty() || payload.isEmpty()
        ? stored
        : with(stored, by.decrypt(target.get(), payload.toByteArray()));
  }

  /**
   * Decrypts a schedule of a list, or of the answer to a call that has had its effect: a payload
   * that cannot be decrypted stays as it is stored.
   */
  public Schedule decryptedOrKept(Schedule schedule) {
    return decrypted(schedule, true, this::decrypted);
  }

  /**
   * Encrypts the payload of a change of a schedule. Handler and payload are changed together,
   * because the one is bound to the other.
   *
   * @param fields fields to change; empty for those that are set
   */
  public Schedule encrypted(Schedule change, List<String> fields) {
    boolean kind =
        fields.isEmpty()
            ? target(change.getTarget()).isPresent()
            : fields.stream().anyMatch(KIND_FIELDS::contains);
    boolean payload =
        fields.isEmpty()
            ? plain(change.getTarget()).length > 0
            : fields.stream().anyMatch(PAYLOAD_FIELDS::contains);
    if (payloads == null || (!kind && !payload)) {
      return payloads == null || change.getStepsCount() == 0 ? change : withSteps(change);
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
  public FieldMask mask(List<String> fields) {
    Set<String> paths = new LinkedHashSet<>();
    for (String field : fields) {
      boolean text = field.equals("target.text") || field.equals("target.json");
      paths.add(payloads != null && text ? "target.payload" : field);
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
