package io.cellmesh.connect.converter;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Has another converter read the values of {@code trips.cells}, and makes envelopes of them. What
 * it hands on is a {@link ConvertedValue}, with the bytes of the record itself, so that a rejected
 * one is told to the byte (invariant 11) and a position's digest stays that of the record.
 *
 * <p>Nothing is read before the task asks: what this threw inside Connect would go around the sink,
 * with its offset. The mesh carries envelopes whatever the producers of a data centre write.
 */
public final class EnvelopeConverter implements Converter {
  /** What the name of every mesh topic ends with; its values are envelopes already. */
  private static final String MESH = ".mesh";

  private Converter delegate;
  private Envelopes envelopes;

  @Override
  public ConfigDef config() {
    return EnvelopeConverterConfig.DEFINITION;
  }

  /**
   * Takes the settings, and gives the other converter its own.
   *
   * @throws ConfigException if a setting is wrong, or the other converter can't be made
   */
  @Override
  public void configure(Map<String, ?> settings, boolean isKey) {
    if (isKey) {
      throw new ConfigException(
          "key.converter must be org.apache.kafka.connect.converters.ByteArrayConverter: a cell's key is its row_key as text");
    }
    var config = new EnvelopeConverterConfig(settings);
    delegate = config.delegate();
    envelopes = new Envelopes(config.fields());
  }

  @Override
  public SchemaAndValue toConnectData(String topic, byte[] value) {
    return toConnectData(topic, new RecordHeaders(), value);
  }

  @Override
  public SchemaAndValue toConnectData(String topic, Headers headers, byte[] value) {
    if (value == null || topic.endsWith(MESH)) {
      return new SchemaAndValue(Schema.OPTIONAL_BYTES_SCHEMA, value);
    }
    return new SchemaAndValue(
        null,
        new ConvertedValue(
            value, () -> envelopes.of(delegate.toConnectData(topic, headers, value))));
  }

  /** Is for sinks alone. */
  @Override
  public byte[] fromConnectData(String topic, Schema schema, Object value) {
    throw new ConnectException(getClass().getName() + " reads cells for a sink, and writes none");
  }

  @Override
  public void close() throws IOException {
    if (delegate != null) {
      delegate.close();
    }
  }

  /**
   * The settings of a converter among those of a connector or worker.
   *
   * @param prefix that theirs begin with, for example {@code value.converter.}
   */
  public static Map<String, String> settings(Map<String, String> all, String prefix) {
    var own = new HashMap<String, String>();
    all.forEach(
        (name, value) -> {
          if (name.startsWith(prefix)) {
            own.put(name.substring(prefix.length()), value);
          }
        });
    return own;
  }
}
