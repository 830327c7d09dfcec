package io.kairos.examples.images;

import io.kairos.spring.KairosHandler;
import io.kairos.spring.KairosSchedule;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Performs tasks. */
@Component
public class Resizer {
  private static final Logger LOG = LoggerFactory.getLogger(Resizer.class);

  private final AtomicInteger resized = new AtomicInteger();

  @KairosHandler(name = "resize-image", attempts = 3)
  String resize(Resize resize) {
    String made = resize.image().replace(".", "-" + resize.width() + ".");
    LOG.info("resized {} to {}", resize.image(), made);
    resized.incrementAndGet();
    return made;
  }

  @KairosSchedule(name = "nightly-count", cron = "0 3 * * *", zone = "Europe/Berlin")
  int count() {
    return resized.getAndSet(0);
  }
}
