package io.kairos.examples.images;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Takes names of images as arguments, and has each resized five minutes later. */
@SpringBootApplication
public class ImagesApplication {
  private static final Logger LOG = LoggerFactory.getLogger(ImagesApplication.class);

  /** Runs until it is stopped. */
  public static void main(String[] arguments) {
    SpringApplication.run(ImagesApplication.class, arguments);
  }

  @Bean
  CommandLineRunner upload(Images images) {
    return arguments -> {
      for (String name : arguments) {
        if (!name.startsWith("--")) {
          images.resize(new Resize(name, 300));
          LOG.info("{} waits to be resized", name);
        }
      }
    };
  }
}
