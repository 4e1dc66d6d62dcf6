package io.cellmesh.operations.check;

/**
 * One thing that was looked at.
 *
 * @param part such as {@code mysql c1 master db1:3306}
 * @param text how it is; if it is not well, what to do
 */
public record Finding(String datacenter, String part, Mark mark, String text) {

  /** How it is. */
  public enum Mark {
    GOOD,
    /** It works; a person should know. */
    WARNING,
    WRONG
  }
}
