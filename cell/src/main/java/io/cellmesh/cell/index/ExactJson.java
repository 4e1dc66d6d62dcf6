package io.cellmesh.cell.index;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.EnvelopeJson;

/** How this package reads JSON: numbers exactly, and without showing content in messages. */
final class ExactJson {
  static final JsonFactory FACTORY = EnvelopeJson.factory().build();

  static final ObjectMapper MAPPER =
      JsonMapper.builder(FACTORY)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private ExactJson() {}
}
