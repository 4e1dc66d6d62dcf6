package io.cellmesh.cli.terminal;

/** Colours and weights of a terminal; plain text where there is none. */
public enum Style {
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  String on(String text) {
    return "\u001b[" + code + "m" + text + "\u001b[0m";
  }

  /** The number of columns that a text takes, styles left out. */
  static int width(String text) {
    return plain(text).codePointCount(0, plain(text).length());
  }

  static String plain(String text) {
    return text.replaceAll("\u001b\\[[0-9;]*m", "");
  }
}
