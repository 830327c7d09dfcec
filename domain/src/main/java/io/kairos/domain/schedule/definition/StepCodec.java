package io.kairos.domain.schedule.definition;

import static io.kairos.domain.check.ArgumentCheck.require;

import io.kairos.domain.schedule.definition.ScheduleStep.After;
import io.kairos.domain.task.Fairness;
import io.kairos.domain.task.OrderingKey;
import io.kairos.domain.task.RetryPolicy;
import io.kairos.domain.task.TaskDetails;
import io.kairos.domain.task.graph.OnFailure;
import io.kairos.domain.task.queue.CollectionName;
import io.kairos.domain.task.queue.QueueName;
import io.kairos.domain.task.queue.TaskHandler;
import io.kairos.domain.time.EpochMicros;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a schedule as bytes for a store: the steps in one array, and their payloads, one
 * after the other, in another one, so that lists need not read these.
 */
public final class StepCodec {
  private static final int VERSION = 1;

  private StepCodec() {}

  /** Writes steps without their payloads. */
  public static byte[] encode(List<ScheduleStep> steps) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      out.writeShort(steps.size());
      for (ScheduleStep step : steps) {
        write(out, step);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail", e);
    }
    return bytes.toByteArray();
  }

  /** Writes the payloads of steps. */
  public static byte[] payloads(List<ScheduleStep> steps) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    steps.forEach(step -> bytes.writeBytes(step.target().details().payload()));
    return bytes.toByteArray();
  }

  /**
   * Reads steps.
   *
   * @param payloads null to read steps with empty payloads
   * @throws IllegalArgumentException for what a newer version, or nobody, has written
   */
  public static List<ScheduleStep> decode(byte[] steps, byte @Nullable [] payloads) {
    List<ScheduleStep> read = new ArrayList<>();
    int at = 0;
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(steps))) {
      require(in.readUnsignedByte() == VERSION, "the steps were written by a newer version");
      int count = in.readUnsignedShort();
      for (int i = 0; i < count; i++) {
        int length = in.readInt();
        byte[] payload = new byte[0];
        if (payloads != null) {
          require(length >= 0 && length <= payloads.length - at, "the payloads are cut off");
          payload = new byte[length];
          System.arraycopy(payloads, at, payload, 0, length);
          at += length;
        }
        read.add(step(in, payload));
      }
    } catch (IOException e) {
      throw new IllegalArgumentException("the steps are cut off", e);
    }
    return read;
  }

  private static void write(DataOutputStream out, ScheduleStep step) throws IOException {
    TaskDetails details = step.target().details();
    RetryPolicy policy = details.retryPolicy();
    Duration timeout = details.executionTimeout();
    OrderingKey key = details.key();
    CollectionName collection = details.collection();
    Fairness fairness = details.fairness();
    out.writeInt(details.bytes());
    out.writeUTF(step.target().queue().handler().wireName());
    out.writeByte(step.target().queue().priority());
    out.writeBoolean(policy != null);
    if (policy != null) {
      out.writeInt(policy.maxAttempts());
      out.writeLong(EpochMicros.lengthOf(policy.initial()));
      out.writeDouble(policy.factor());
      out.writeLong(EpochMicros.lengthOf(policy.max()));
    }
    out.writeLong(timeout == null ? -1 : EpochMicros.lengthOf(timeout));
    out.writeUTF(key == null ? "" : key.value());
    out.writeUTF(collection == null ? "" : collection.value());
    out.writeUTF(fairness == null ? "" : fairness.key());
    out.writeShort(fairness == null ? 0 : fairness.weight());
    out.writeShort(step.after().size());
    for (After after : step.after()) {
      out.writeShort(after.index());
      out.writeByte(code(after.onFailure()));
    }
  }

  private static ScheduleStep step(DataInputStream in, byte[] payload) throws IOException {
    QueueName queue = new QueueName(TaskHandler.ofWireName(in.readUTF()), in.readUnsignedByte());
    RetryPolicy policy = in.readBoolean() ? policy(in) : null;
    long timeout = in.readLong();
    String key = in.readUTF();
    String collection = in.readUTF();
    String fairnessKey = in.readUTF();
    int weight = in.readUnsignedShort();
    TaskDetails details =
        new TaskDetails(
            payload,
            policy,
            timeout < 0 ? null : EpochMicros.toDuration(timeout),
            key.isEmpty() ? null : new OrderingKey(key),
            collection.isEmpty() ? null : new CollectionName(collection),
            null,
            null,
            fairnessKey.isEmpty() ? null : new Fairness(fairnessKey, weight));
    List<After> after = new ArrayList<>();
    int edges = in.readUnsignedShort();
    for (int i = 0; i < edges; i++) {
      after.add(new After(in.readUnsignedShort(), onFailure(in.readByte())));
    }
    return new ScheduleStep(new ScheduleTarget.Handler(queue, details), after);
  }

  private static RetryPolicy policy(DataInputStream in) throws IOException {
    return new RetryPolicy(
        in.readInt(),
        EpochMicros.toDuration(in.readLong()),
        in.readDouble(),
        EpochMicros.toDuration(in.readLong()));
  }

  private static int code(OnFailure onFailure) {
    return switch (onFailure) {
      case BLOCK -> 'B';
      case FAIL -> 'F';
      case CONTINUE -> 'C';
    };
  }

  private static OnFailure onFailure(int code) {
    return switch (code) {
      case 'B' -> OnFailure.BLOCK;
      case 'F' -> OnFailure.FAIL;
      case 'C' -> OnFailure.CONTINUE;
      default -> throw new IllegalArgumentException("an unknown meaning of a failure: " + code);
    };
  }
}
