package io.kairos.fuzzing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;

/**
 * Gives mutations of a corpus to a parser, which must take or refuse each: no other exception, no
 * error, no hang, and no memory beyond a bound. {@code ParserFuzz.text("duration",
 * DurationText::parse).refusing(IllegalArgumentException.class).test()}.
 *
 * <p>Inputs that are taken, or are refused with words that were not seen before, are mutated on.
 * The short run makes 300 mutations by a fixed seed. With {@code -Dkairos.long=true} it goes on for
 * ten minutes of processor time by another seed each time, which the failure names; {@code
 * -Dfuzz.seed=…} replays it, and {@code -Dfuzz.seconds=…} sets another time.
 */
public final class ParserFuzz {
  private static final int SHORT_RUN = 300;
  private static final int MOST_KEPT = 2_000;

  /** Of two inputs that a parser takes alike, the smaller one is parsed more often in a run. */
  private static final int LARGEST_KEPT = 4_096;

  private static final long LONG_SECONDS = 600;
  private static final long SHORT_SEED = 1;
  private static final long MEBIBYTE = 1 << 20;

  private final String corpus;
  private final Parse parse;
  private String parser;
  private final List<byte[]> seeds = new ArrayList<>();
  private final List<Class<? extends Throwable>> refusals = new ArrayList<>();
  private long mostBytes = 64 * MEBIBYTE;
  private Duration mostTime = Duration.ofSeconds(5);

  private ParserFuzz(String parser, Parse parse) {
    this.corpus = parser;
    this.parser = parser;
    this.parse = parse;
  }

  /** The call under test. */
  @FunctionalInterface
  public interface Parse {
    void parse(byte[] input) throws Exception;
  }

  /** The call under test of a parser of text. */
  @FunctionalInterface
  public interface ParseText {
    void parse(String input) throws Exception;
  }

  /**
   * Returns the fuzzing of a parser of bytes.
   *
   * @param parser name, and folder of its corpus
   */
  public static ParserFuzz bytes(String parser, Parse parse) {
    return new ParserFuzz(parser, parse);
  }

  /**
   * Returns the fuzzing of a parser of text. Mutated bytes that are not UTF-8 become replacement
   * characters.
   *
   * @param parser name, and folder of its corpus
   */
  public static ParserFuzz text(String parser, ParseText parse) {
    return new ParserFuzz(parser, input -> parse.parse(new String(input, UTF_8)));
  }

  /** Sets the name of a parser that uses the corpus of another. */
  public ParserFuzz named(String name) {
    parser = name;
    return this;
  }

  /** Adds inputs that the code writes, to those of the corpus. */
  public ParserFuzz seeds(List<byte[]> inputs) {
    seeds.addAll(inputs);
    return this;
  }

  /** Adds an exception, with its subclasses, by which the parser refuses. */
  public ParserFuzz refusing(Class<? extends Throwable> refusal) {
    refusals.add(refusal);
    return this;
  }

  /** Sets the memory that the parser may allocate for one input, in mebibytes; 64 by default. */
  public ParserFuzz allocating(int mebibytes) {
    mostBytes = mebibytes * MEBIBYTE;
    return this;
  }

  /** Sets the processor time that the parser may take for one input; 5 s by default. */
  public ParserFuzz within(Duration processorTime) {
    mostTime = processorTime;
    return this;
  }

  public DynamicTest test() {
    return DynamicTest.dynamicTest(parser, () -> run(Boolean.getBoolean("kairos.long")));
  }

  void run(boolean isLong) {
    long seed = Long.getLong("fuzz.seed", isLong ? System.nanoTime() : SHORT_SEED);
    long seconds = isLong ? Long.getLong("fuzz.seconds", LONG_SECONDS) : 0;
    Round round = new Round(seed, TimeUnit.SECONDS.toNanos(seconds));
    if (!round.watch.finishes(round, mostTime)) {
      throw round.failure("it has used more than " + mostTime + " of processor time");
    }
    AssertionError failure = round.failure;
    if (failure != null) {
      throw failure;
    }
    if (isLong) {
      System.out.printf("%s: %,d inputs, seed %d%n", parser, round.count, seed);
    }
  }

  /** One run over the corpus and its mutations, on a thread of its own. */
  private final class Round implements Runnable {
    private final List<byte[]> inputs = new ArrayList<>(seeds);
    private final List<byte[]> given;
    private final Set<String> outcomes = new HashSet<>();
    private final ParserWatch watch = new ParserWatch();
    private final long seed;
    private final ByteMutator mutator;
    private final long nanos;
    private long count;
    private volatile byte[] input = {};
    private volatile @Nullable AssertionError failure;

    Round(long seed, long nanos) {
      this.seed = seed;
      this.nanos = nanos;
      FuzzCorpus files = FuzzCorpus.of(corpus);
      inputs.addAll(files.inputs());
      given = List.copyOf(inputs);
      if (given.isEmpty()) {
        throw new IllegalStateException("src/test/resources/fuzz/" + corpus + " has no inputs");
      }
      mutator = new ByteMutator(seed, files.words());
    }

    @Override
    public void run() {
      for (byte[] one : given) {
        take(one);
      }
      long begin = System.nanoTime();
      for (int i = 0;
          failure == null && (i < SHORT_RUN || System.nanoTime() - begin < nanos);
          i++) {
        byte[] made = mutator.next(inputs);
        if (take(made) && inputs.size() < MOST_KEPT && made.length <= LARGEST_KEPT) {
          inputs.add(made);
        }
      }
    }

    /** Returns true when the outcome was not seen before. */
    private boolean take(byte[] given) {
      input = given;
      count++;
      watch.begin();
      String outcome = outcome(given.clone());
      String wrong = watch.after(mostBytes);
      if (!wrong.isEmpty()) {
        failed(wrong, null);
      }
      return outcomes.add(outcome);
    }

    /** Errors are caught, because they are what is looked for. */
    private String outcome(byte[] given) {
      try {
        parse.parse(given);
        return "taken, bits of its length: " + Integer.numberOfLeadingZeros(given.length);
      } catch (Throwable e) {
        if (refusals.stream().noneMatch(refusal -> refusal.isInstance(e))) {
          failed("it throws " + e, e);
        }
        return e.getClass() + words(String.valueOf(e.getMessage()));
      }
    }

    /** The message without the input's own words and numbers. */
    private static String words(String message) {
      return message.replaceAll("[\"'].*[\"']", "").replaceAll("[^A-Za-z ]+", "");
    }

    /** Keeps the first failure. */
    private void failed(String what, @Nullable Throwable cause) {
      if (failure == null) {
        AssertionError made = failure(what);
        made.initCause(cause);
        failure = made;
      }
    }

    private AssertionError failure(String what) {
      return new AssertionError(
          "%s, seed %d, input %d: %s%n  as text: %s%n  in base64: %s"
              .formatted(
                  parser,
                  seed,
                  count,
                  what,
                  shown(new String(input, UTF_8)),
                  Base64.getEncoder().encodeToString(input)));
    }
  }

  private static String shown(String text) {
    String plain = text.replaceAll("\\p{Cntrl}", "?");
    return plain.length() <= 200 ? plain : plain.substring(0, 200) + "…";
  }
}
