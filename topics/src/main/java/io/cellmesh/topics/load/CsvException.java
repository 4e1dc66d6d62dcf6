package io.cellmesh.topics.load;

import java.io.IOException;

/** A file that is not CSV, or whose records do not fit its header; the message names the line. */
public final class CsvException extends IOException {
  private static final long serialVersionUID = 1L;

  CsvException(int line, String rule) {
    super("line " + line + ": " + rule);
  }
}
