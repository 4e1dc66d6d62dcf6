package io.cellmesh.cell.proof;

/**
 * Cells of one bucket in which a data centre differs from their origin.
 *
 * @param in what of the data centre was held against the origin's log, or its tables against its
 *     own log
 * @param first the first origin_id that it may concern
 * @param last the last one
 * @param count of cells, or of blocks of 64 ids if they are {@link Kind#CHANGED}
 */
public record Difference(
    Kind kind, FoldSource in, OriginShard cells, long first, long last, long count) {

  /** What is the matter with them. */
  public enum Kind {
    /**
     * The origin has them, the mesh topic here has not; or the log has them, a table here has not.
     */
    MISSING("missing"),
    /** They are here and the origin has them not. */
    EXTRA("extra"),
    /** Key or body of one at least is another. */
    CHANGED("changed"),
    /** They stand behind cells that the origin wrote later. */
    INVERTED("inverted"),
    /**
     * The log here has them not: refused, because their keys were taken, accepted here as well, or
     * lost; the tables say which. No difference in itself.
     */
    ABSENT("absent");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    /** As commands say it. */
    public String text() {
      return text;
    }
  }

  /** Names it for a person. */
  public String text() {
    return "%s %s in the %s, shard %d, origin_id %d%s (%d %s)"
        .formatted(
            cells.origin(),
            kind.text(),
            in.text(),
            cells.shard(),
            first,
            first == last ? "" : " to " + last,
            count,
            kind == Kind.CHANGED ? "blocks of 64 ids" : count == 1 ? "cell" : "cells");
  }
}
