package io.cellmesh.terminal;

/**
 * What is known about where the output goes. The launcher finds out, since the JVM cannot tell.
 *
 * @param columns the width, for bars
 */
public record Terminal(boolean out, boolean err, int columns, boolean colour) {
  private static final int DEFAULT_COLUMNS = 80;

  /** Nothing is a terminal: a pipe, a file, a test. */
  public static final Terminal NONE = new Terminal(false, false, DEFAULT_COLUMNS, false);

  /** As the launcher set it in system properties; colour is off where {@code NO_COLOR} is set. */
  public static Terminal detect() {
    boolean colour =
        System.getenv("NO_COLOR") == null && !"dumb".equals(System.getenv().get("TERM"));
    int columns = Integer.getInteger("cellmesh.columns", DEFAULT_COLUMNS);
    return new Terminal(
        Boolean.getBoolean("cellmesh.stdout.tty"),
        Boolean.getBoolean("cellmesh.stderr.tty"),
        columns < 20 ? DEFAULT_COLUMNS : columns,
        colour);
  }
}
