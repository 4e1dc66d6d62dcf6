package io.cellmesh.terminal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The way out of every command: results go to standard output, progress and errors to standard
 * error, so that a result can be piped while its progress is watched.
 *
 * <p>No text reaches a terminal with a control character in it, but for styles and line feeds,
 * wherever the text came from.
 */
public final class Console {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final PrintStream out;
  private final PrintStream err;
  private final Terminal terminal;

  public Console(PrintStream out, PrintStream err, Terminal terminal) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** The process's own streams, in UTF-8. */
  public static Console ofProcess() {
    return new Console(
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        Terminal.detect());
  }

  /** One line of a result. */
  public void line(String text) {
    out.println(Style.harmless(text));
  }

  public void line() {
    out.println();
  }

  /** A title above a part of the result. */
  public void heading(String text) {
    out.println();
    line(style(Style.BOLD, text));
  }

  public void table(Table table) {
    table.render().forEach(this::line);
  }

  /** A result for machines: one JSON document, indented. */
  public void json(Object document) {
    try {
      line(JSON.writeValueAsString(document));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A result for machines: one JSON document in one line. */
  public void jsonLine(Object document) {
    try {
      line(JSON.writer().without(SerializationFeature.INDENT_OUTPUT).writeValueAsString(document));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** A remark that is no result. */
  public void note(String text) {
    err.println(Style.harmless(text));
  }

  public void error(String text) {
    note((terminal.err() && terminal.colour() ? Style.RED.on("error: ") : "error: ") + text);
  }

  /** The trace of a failure, for {@code --debug}. */
  public void trace(Throwable failure) {
    failure.printStackTrace(err);
  }

  /** The text in a style, if standard output is a terminal with colour. */
  public String style(Style style, String text) {
    return terminal.out() && terminal.colour() ? style.on(text) : text;
  }

  /** Whether a person reads standard output. */
  public boolean interactive() {
    return terminal.out();
  }

  /** Asks a person; where there is none, or they say nothing, the answer is no. */
  public boolean confirm(String question) {
    if (!terminal.out() || !terminal.err()) {
      return false;
    }
    err.print(question + " [y/N] ");
    err.flush();
    try {
      // Not a reader, which would take more than the line.
      var answer = new StringBuilder();
      for (int c = System.in.read(); c >= 0 && c != '\n'; c = System.in.read()) {
        answer.append((char) c);
      }
      return answer.toString().strip().matches("(?i)y|yes");
    } catch (IOException e) {
      return false;
    }
  }

  public int columns() {
    return terminal.columns();
  }

  /**
   * A bar on a terminal, a line every few seconds elsewhere.
   *
   * @param total what {@link ProgressBar#advance} counts up to; 0 if unknown
   */
  public ProgressBar progress(String label, long total) {
    return new ProgressBar(err, terminal, label, total);
  }

  /** Steps that each leave a line with the time they took. */
  public Steps steps() {
    return new Steps(err, terminal);
  }
}
