package io.kairos.cli.option;

import java.nio.file.Path;

/** The token of a call. The secret itself is read when the call is made. */
public sealed interface CallToken {
  /** A token in a file, which the option or the context of the addresses names. */
  record InFile(Path file, String source) implements CallToken {}

  /** The token in the environment, for the addresses in the environment. */
  record InEnvironment(String variable) implements CallToken {}

  /**
   * No token.
   *
   * @param reason why a token that was given does not go to these addresses; empty when none was
   *     given
   */
  record None(String reason) implements CallToken {}
}
