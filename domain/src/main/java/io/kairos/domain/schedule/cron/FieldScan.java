package io.kairos.domain.schedule.cron;

import io.kairos.domain.schedule.text.RefusedExpressionException;

/** A position in one field of an expression, which its readers only move forward. */
final class FieldScan {
  private static final int MOST_DIGITS = 4;

  private final String text;
  private final int end;
  private int position;

  FieldScan(String text, int start, int end) {
    this.text = text;
    this.position = start;
    this.end = end;
  }

  int position() {
    return position;
  }

  boolean atEnd() {
    return position >= end;
  }

  private char peek() {
    return atEnd() ? '\0' : text.charAt(position);
  }

  boolean isNext(char expected) {
    return Character.toUpperCase(peek()) == expected;
  }

  /** Returns true if the rest of the field is this text. */
  boolean isWhole(String rest) {
    return end - position == rest.length() && text.startsWith(rest, position);
  }

  boolean accept(char expected) {
    if (!isNext(expected)) {
      return false;
    }
    position++;
    return true;
  }

  boolean startsValue() {
    return isDigit(peek()) || Character.isLetter(peek());
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** Reads a number or a name of the domain. */
  int value(FieldDomain domain) {
    int start = position;
    int value;
    if (isDigit(peek())) {
      value = number(domain, domain.allowed());
    } else {
      value = domain.named(text.substring(0, end), position);
      position += domain.nameLength(text.substring(0, end), position);
    }
    if (value < domain.min() || value > domain.max()) {
      throw refused(domain, start, domain.allowed());
    }
    return value;
  }

  /** Reads a number within bounds that are not the field's own. */
  int number(FieldDomain domain, int least, int most, String allowed) {
    int start = position;
    int value = number(domain, allowed);
    if (value < least || value > most) {
      throw refused(domain, start, allowed);
    }
    return value;
  }

  private int number(FieldDomain domain, String allowed) {
    int start = position;
    int value = 0;
    while (isDigit(peek()) && position - start < MOST_DIGITS) {
      value = value * 10 + (text.charAt(position) - '0');
      position++;
    }
    if (position == start || isDigit(peek())) {
      throw refused(domain, start, allowed);
    }
    return value;
  }

  /** Refuses the item of the list from there to its end. */
  RefusedExpressionException refused(FieldDomain domain, int start, String allowed) {
    int comma = text.indexOf(',', start);
    int until = comma < 0 || comma > end ? end : comma;
    return new RefusedExpressionException(
        text, domain.label(), text.substring(start, until), allowed, start);
  }
}
