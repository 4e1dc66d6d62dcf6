package io.cellmesh.cell;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;

/** The limits within which JSON that holds a cell is parsed, here and by other readers of a log. */
public final class EnvelopeJson {
  /** Longest number that a producer may write, in characters; Jackson's own default. */
  static final int MAX_NUMBER = 1000;

  /**
   * Longest number for whoever reads what was taken. Jackson does not count the zero before a point
   * when it meets a number, and counts it when it converts that.
   */
  private static final int MAX_TAKEN = MAX_NUMBER + 1;

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
        .streamReadConstraints(constraints(MAX_TAKEN));
  }

  /** The limits of parsers, with a longest number in characters. */
  static StreamReadConstraints constraints(int longestNumber) {
    return StreamReadConstraints.builder()
        .maxNestingDepth(MAX_DEPTH)
        .maxNumberLength(longestNumber)
        .maxNameLength(Integer.MAX_VALUE)
        .maxStringLength(Integer.MAX_VALUE)
        .build();
  }
}
