package io.kairos.server.architecture.specimen.engine;

import java.security.SecureRandom;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;

/** Must break in every method: chance comes from outside. */
public final class EngineThatDrawsRandomNumbers {
  UUID uuid() {
    return UUID.randomUUID();
  }

  int unseeded() {
    return new Random().nextInt();
  }

  int threadLocal() {
    return ThreadLocalRandom.current().nextInt();
  }

  double math() {
    return Math.random();
  }

  RandomGenerator generator() {
    return RandomGenerator.getDefault();
  }

  SecureRandom secure() {
    return new SecureRandom();
  }

  void shuffle(List<String> list) {
    Collections.shuffle(list);
  }
}
