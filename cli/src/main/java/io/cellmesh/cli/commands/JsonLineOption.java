package io.cellmesh.cli.commands;

import io.cellmesh.terminal.Console;
import java.util.Map;
import picocli.CommandLine.Option;

/** The result of a benchmark for machines, behind the one for people. */
final class JsonLineOption {
  @Option(
      names = "--json",
      description = "Print the result as a JSON object, too, in one line and last.")
  private boolean json;

  /** The last line of a run, if it was asked for. */
  void print(Console console, Map<String, Object> document) {
    if (json) {
      console.jsonLine(document);
    }
  }
}
