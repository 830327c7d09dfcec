package io.kairos.testnode;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;

/**
 * Runs a test node until its standard input ends, at the latest with the test's JVM. Prints the
 * port on standard output. The only argument is the initial time of the clock.
 */
public final class TestNodeMain {
  private static final int BROKEN = 70;

  private TestNodeMain() {}

  public static void main(String[] args) throws IOException {
    TestNode node =
        new TestNode(
            Instant.parse(args[0]),
            why -> {
              why.printStackTrace();
              Runtime.getRuntime().halt(BROKEN);
            });
    System.out.println("port " + node.port());
    System.in.transferTo(OutputStream.nullOutputStream());
    node.close();
    System.exit(0);
  }
}
