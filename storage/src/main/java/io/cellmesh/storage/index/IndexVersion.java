package io.cellmesh.storage.index;

import io.cellmesh.cell.index.IndexDefinition;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * A version of an index as the catalogue has it.
 *
 * @param pass the definitions that are kept by one reader of the log, this one among them
 * @param generation rises with every change of this version; of two answers the higher one is newer
 */
public record IndexVersion(IndexDefinition definition, State state, String pass, long generation) {
  public IndexVersion {
    Objects.requireNonNull(definition, "definition");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(pass, "pass");
  }

  /** The stations of a version's life, in their order. */
  public enum State {
    /** Its tables are being filled. */
    BUILDING,
    /** They are filled, and compared with the cells. */
    VERIFYING,
    /** Complete and kept fresh, but not the one that queries read. */
    READY,
    /** The one that queries read. */
    SERVING,
    /** It goes; what is left of it may be damaged. */
    DROPPING;

    /** As the catalogue and people write it. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    static State of(String text) {
      return Arrays.stream(values()).filter(s -> s.text().equals(text)).findFirst().orElseThrow();
    }
  }

  public String name() {
    return definition.name();
  }

  public int version() {
    return definition.version();
  }

  /** Of the index and its version. */
  public String label() {
    return definition.label();
  }

  public boolean isServing() {
    return state == State.SERVING;
  }

  /** Whether it holds what follows from the cells, as far as they have come. */
  public boolean isComplete() {
    return state == State.READY || state == State.SERVING;
  }

  /** The same one station on. */
  public IndexVersion in(State next) {
    return new IndexVersion(definition, next, pass, generation);
  }

  IndexVersion withGeneration(long other) {
    return new IndexVersion(definition, state, pass, other);
  }
}
