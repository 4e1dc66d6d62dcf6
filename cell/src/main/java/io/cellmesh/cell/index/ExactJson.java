package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.EnvelopeJson;

/** How this package reads JSON: numbers exactly, and without showing content in messages. */
final class ExactJson {
  /** Gives up on names that were chosen to collide in its table of names. */
  static final JsonFactory FACTORY =
      EnvelopeJson.factory().enable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW).build();

  /** Takes twice the time, and the same whatever the names. */
  static final JsonFactory PATIENT =
      FACTORY.rebuild().disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).build();

  static final ObjectMapper MAPPER =
      JsonMapper.builder(PATIENT)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private ExactJson() {}
}
