package io.cellmesh.bench;

import java.util.List;

/** What is asked of a worker node, and of MySQL without one. */
public enum Question {
  CELL("one cell"),
  LATEST("the latest of a column"),
  ROW("a row of 5 cells"),
  PAGE("an index page of 20"),
  ACCEPTED("a cell written, accepted"),
  VISIBLE("a cell written, visible");

  /** Those that MySQL answers without a worker, too. */
  static final List<Question> READS = List.of(CELL, LATEST, ROW, PAGE);

  private final String text;

  Question(String text) {
    this.text = text;
  }

  /** As people read it. */
  public String text() {
    return text;
  }
}
