package io.kairos.server.wiring;

import io.kairos.cli.CliMain;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import picocli.CommandLine;

/** What a command has printed, and its exit code. */
record Said(int code, String out, String err) {
  /**
   * Runs a command in this process.
   *
   * @param words without the name of the program; the first one names the group of commands
   */
  static Said of(List<String> words) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CliMain.commandLine(words.getFirst());
    line.setOut(new PrintWriter(out, true));
    line.setErr(new PrintWriter(err, true));
    int code = line.execute(words.toArray(String[]::new));
    return new Said(code, out.toString(), err.toString());
  }
}
