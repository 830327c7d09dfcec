package io.kairos.server.observe;

import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Context;
import ch.qos.logback.core.LayoutBase;
import io.kairos.api.text.TerminalText;

/**
 * Formats an event as one line of text, which its values cannot end, and the stack trace behind it.
 * What steers a terminal is escaped in both.
 */
final class TextLogLayout extends LayoutBase<ILoggingEvent> {
  private final PatternLayout line;
  private final PatternLayout trace;

  TextLogLayout(Context context) {
    setContext(context);
    line = pattern("%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %-5level [%logger{0}] %msg %kvp%nopex");
    trace = pattern("%ex");
  }

  private PatternLayout pattern(String pattern) {
    PatternLayout layout = new PatternLayout();
    layout.setContext(context);
    layout.setPattern(pattern);
    layout.start();
    return layout;
  }

  @Override
  public String doLayout(ILoggingEvent event) {
    return TerminalText.line(line.doLayout(event))
        + System.lineSeparator()
        + TerminalText.lines(trace.doLayout(event));
  }
}
