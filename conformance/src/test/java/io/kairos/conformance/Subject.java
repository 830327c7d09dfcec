package io.kairos.conformance;

import java.util.List;
import java.util.Map;

/**
 * The worker that is judged.
 *
 * @param name how reports call it
 * @param protocol what it speaks
 * @param command what starts it
 * @param environment what it needs beside what the kit gives it
 */
record Subject(
    String name, Protocol protocol, List<String> command, Map<String, String> environment) {
  enum Protocol {
    /** HTTP and JSON. */
    REST,
    GRPC
  }
}
