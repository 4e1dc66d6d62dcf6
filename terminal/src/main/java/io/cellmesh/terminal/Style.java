package io.cellmesh.terminal;

import io.cellmesh.cell.Printable;
import java.util.regex.Pattern;

/** Colours and weights of a terminal; plain text where there is none. */
public enum Style {
  BOLD("1"),
  DIM("2"),
  RED("31"),
  GREEN("32"),
  YELLOW("33"),
  CYAN("36");

  private static final Pattern CODE = Pattern.compile("\u001b\\[[0-9;]*m");

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
    return CODE.matcher(text).replaceAll("");
  }

  /** The text with its styles and line feeds, and nothing else that a terminal would obey. */
  static String harmless(String text) {
    var shown = new StringBuilder(text.length());
    var codes = CODE.matcher(text);
    int from = 0;
    while (codes.find()) {
      shown.append(Printable.lines(text.substring(from, codes.start()))).append(codes.group());
      from = codes.end();
    }
    return shown.append(Printable.lines(text.substring(from))).toString();
  }
}
