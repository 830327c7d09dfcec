package io.kairos.client.worker;

import com.google.protobuf.ByteString;
import io.kairos.api.v1.Work;
import java.time.Duration;

/** Tasks for tests. */
final class Works {
  static final LeaseTerms TERMS =
      LeaseTerms.of(Duration.ofMillis(4_500), Duration.ofSeconds(1), Duration.ofMillis(500));

  private Works() {}

  /** Numbers become ids. */
  static Work.Builder work(int number) {
    return Work.newBuilder()
        .setId(id(number))
        .setFence(1)
        .setHandler("h")
        .setPriority(50)
        .setAttempt(1)
        .setPayload(ByteString.copyFromUtf8("p" + number));
  }

  static String id(int number) {
    return String.format("01890000-0000-7000-8000-%012d", number);
  }

  static LeasedTask held(int number, long askedAtNanos) {
    return new LeasedTask(work(number).build(), TERMS, askedAtNanos, askedAtNanos);
  }

  static LeasedTask held(int number, int priority) {
    return new LeasedTask(work(number).setPriority(priority).build(), TERMS, 0, 0);
  }
}
