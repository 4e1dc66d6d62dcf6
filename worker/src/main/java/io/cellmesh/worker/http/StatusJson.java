package io.cellmesh.worker.http;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.worker.status.Alarm;
import io.cellmesh.worker.status.StatusView;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/** What there is to see, as JSON: records as objects, what is absent as null, times in UTC. */
final class StatusJson {
  private static final int TAG_BYTES = 12;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .addModule(
              new SimpleModule()
                  .addSerializer(Optional.class, as(value -> ((Optional<?>) value).orElse(null)))
                  .addSerializer(Instant.class, as(value -> Envelope.timestamp((Instant) value)))
                  .addSerializer(CellKey.class, as(Object::toString))
                  .addSerializer(
                      Alarm.Level.class, as(value -> value.toString().toLowerCase(Locale.ROOT))))
          .build();

  private StatusJson() {}

  static byte[] bytes(StatusView view) {
    try {
      return MAPPER.writeValueAsBytes(view);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonSerializer<Object> as(Function<Object, Object> shown) {
    return new JsonSerializer<>() {
      @Override
      public void serialize(Object value, JsonGenerator out, SerializerProvider provider)
          throws IOException {
        provider.defaultSerializeValue(shown.apply(value), out);
      }
    };
  }

  /** The same for the same bytes, on any worker. */
  static String tag(byte[] json) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(json);
      return '"' + HexFormat.of().formatHex(Arrays.copyOf(digest, TAG_BYTES)) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
