package io.kairos.cli.terminal;

import java.io.Console;
import java.time.Duration;
import java.util.Locale;

/**
 * The terminal of this process. It is interactive when standard input and output are a terminal.
 */
@SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again when nothing is a terminal
public final class SystemTerminal implements Terminal {
  @Override
  public boolean isInteractive() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  @Override
  public boolean confirms(String question) {
    Console console = System.console();
    String answer = console == null ? null : console.readLine("%s [y/N] ", question);
    return switch (answer == null ? "" : answer.strip().toLowerCase(Locale.ROOT)) {
      case "y", "yes" -> true;
      default -> false;
    };
  }

  @Override
  public void sleep(Duration time) throws InterruptedException {
    Thread.sleep(time);
  }
}
