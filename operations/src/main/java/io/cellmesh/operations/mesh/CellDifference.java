package io.cellmesh.operations.mesh;

import io.cellmesh.cell.CellKey;
import java.util.Optional;

/**
 * A cell that a data centre has otherwise than its origin.
 *
 * @param there digest of its body in the origin's log; empty if that has it not
 * @param here digest of its body in the other data centre; empty if that has it not
 */
public record CellDifference(
    Kind kind,
    int shard,
    long originId,
    CellKey key,
    Optional<String> there,
    Optional<String> here) {

  /** Whether it is a difference. */
  public boolean wrong() {
    return kind.wrong();
  }

  /** The same of a cell that may come still, if it is but missing. */
  CellDifference notYet() {
    return kind == Kind.MISSING
        ? new CellDifference(Kind.ON_ITS_WAY, shard, originId, key, there, here)
        : this;
  }

  /** What is the matter with it. */
  public enum Kind {
    /** It is not here at all. */
    MISSING("missing", true),
    /** It is not in the table yet, and need not be. */
    ON_ITS_WAY("on its way", false),
    /** It is in the entity table here and not in the log. */
    UNLOGGED("not in the log", true),
    /** It is here and the origin has it not. */
    EXTRA("extra", true),
    /** Its key or its body is another one. */
    CHANGED("changed", true),
    /** It stands behind a cell that the origin wrote later. */
    INVERTED("inverted", true),
    /** Its key was taken here, by a cell with another body. */
    REFUSED("refused", false),
    /** An equal cell was accepted here as well. */
    ACCEPTED_HERE("accepted here as well", false);

    private final String text;
    private final boolean wrong;

    Kind(String text, boolean wrong) {
      this.text = text;
      this.wrong = wrong;
    }

    /** As commands say it. */
    public String text() {
      return text;
    }

    /** Whether it is a difference; what is exempt is told all the same. */
    public boolean wrong() {
      return wrong;
    }
  }
}
