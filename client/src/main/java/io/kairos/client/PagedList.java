package io.kairos.client;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A list that nodes return page by page.
 *
 * @param limit maximum number of elements to fetch
 * @param first token of the first page; empty for the beginning of the list
 */
record PagedList(int limit, String first) {
  private static final int MOST_ON_A_PAGE = 1_000;

  static PagedList whole() {
    return new PagedList(Integer.MAX_VALUE, "");
  }

  /** A page with the token of the next page; the last page has an empty token. */
  record Page<T>(List<T> elements, String next) {
    static <W, T> Page<T> of(List<W> wire, Function<W, T> view, String next) {
      return new Page<>(wire.stream().map(view).toList(), next);
    }
  }

  /**
   * Fetches the elements.
   *
   * @param call returns the page of a token, with a maximum number of elements
   */
  <T> List<T> fetch(BiFunction<Integer, String, Page<T>> call) {
    List<T> all = new ArrayList<>();
    String token = first;
    do {
      Page<T> page = call.apply(Math.min(MOST_ON_A_PAGE, limit - all.size()), token);
      all.addAll(page.elements());
      token = page.next();
    } while (!token.isEmpty() && all.size() < limit);
    return all;
  }
}
