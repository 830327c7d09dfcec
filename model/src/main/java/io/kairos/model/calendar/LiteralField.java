package io.kairos.model.calendar;

import java.util.List;
import java.util.Locale;

/** A field of numbers that checks each number against all its items. */
record LiteralField(String text, int min, int max, List<String> names) {

  boolean names(int value) {
    for (String item : text.split(",", -1)) {
      if (itemNames(item, value)) {
        return true;
      }
    }
    return false;
  }

  private boolean itemNames(String item, int value) {
    String[] halves = item.split("/", -1);
    int step = halves.length > 1 ? Integer.parseInt(halves[1]) : 1;
    String[] ends = halves[0].split("-", -1);
    if (halves[0].equals("*") || halves[0].equals("?")) {
      return walks(min, max, step, value);
    }
    int first = number(ends[0]);
    if (ends.length > 1) {
      return walks(first, number(ends[1]), step, value);
    }
    return halves.length > 1 ? walks(first, max, step, value) : first == value;
  }

  /** One number after the other, from the first to the last, beyond the greatest at the least. */
  private boolean walks(int first, int last, int step, int value) {
    int at = first;
    int walked = 0;
    while (true) {
      if (walked % step == 0 && at == value) {
        return true;
      }
      if (at == last) {
        return false;
      }
      at = at == max ? min : at + 1;
      walked++;
    }
  }

  int number(String text) {
    int named = names.indexOf(text.toUpperCase(Locale.ROOT));
    return named >= 0 ? named + min : Integer.parseInt(text);
  }
}
