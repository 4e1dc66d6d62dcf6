package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

/** The limits within which JSON that holds a cell is parsed, here and by other readers of a log. */
public final class EnvelopeJson {
  /** Longest number, in characters; Jackson's own default. */
  static final int MAX_NUMBER = 1000;

  /** Of an envelope about a body that is nested as deep as it may be, and some more. */
  private static final int MAX_DEPTH = BodyReader.MAX_DEPTH + 8;

  private EnvelopeJson() {}

  /**
   * Begins a factory whose parsers take every valid envelope and show no content in messages. Names
   * aren't interned, and none is refused for its hash: they are data. That a name is repeated they
   * do not notice.
   */
  public static JsonFactoryBuilder factory() {
    return new JsonFactoryBuilder()
        .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
        .streamReadConstraints(
            StreamReadConstraints.builder()
                .maxNestingDepth(MAX_DEPTH)
                .maxNumberLength(MAX_NUMBER)
                .maxNameLength(Integer.MAX_VALUE)
                .maxStringLength(Integer.MAX_VALUE)
                .build());
  }
}
