package io.cellmesh.connect.converter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.devstack.shipped.SettingsTable;
import java.io.EOFException;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.ConnectException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import javax.net.ssl.SSLHandshakeException;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.json.JsonConverter;
import org.apache.kafka.connect.storage.Converter;
import org.junit.jupiter.api.Test;

class EnvelopeConverterTest {
  private static final UUID ROW = UUID.fromString("6f9619ff-8b86-d011-b42d-00cf4fc964ff");

  private static final Schema TRIP =
      SchemaBuilder.struct()
          .field("trip", Schema.STRING_SCHEMA)
          .field("version", Schema.INT32_SCHEMA)
          .field("fare", Decimal.schema(2))
          .field("ratio", Schema.FLOAT32_SCHEMA)
          .field("began", Timestamp.SCHEMA)
          .field("day", org.apache.kafka.connect.data.Date.SCHEMA)
          .field("at", Time.SCHEMA)
          .field("photo", Schema.OPTIONAL_BYTES_SCHEMA)
          .field("tags", SchemaBuilder.array(Schema.STRING_SCHEMA))
          .field("stops", SchemaBuilder.map(Schema.STRING_SCHEMA, Schema.INT64_SCHEMA))
          .build();

  @Test
  void a_struct_becomes_a_cell_of_the_named_column() throws Exception {
    var cell = read(converter(TripConverter.class, TRIPS), "trips.cells", new byte[] {1});
    assertThat(cell.key().rowKey()).isEqualTo(ROW);
    assertThat(cell.key().columnName()).isEqualTo("BASE");
    assertThat(cell.key().refKey()).isEqualTo(3);
    assertThat(cell.body().toJson())
        .isEqualTo(
            """
            {"fare":12.5,"ratio":0.1,"began":"1970-01-02T00:00:00.005Z","day":"1970-01-02","at":"00:00:01",\
            "photo":null,"tags":["a","b"],"stops":{"x":9007199254740993}}""");
  }

  @Test
  void a_map_that_says_all_itself_becomes_a_cell() throws Exception {
    var converter =
        converter(
            JsonConverter.class, Map.of("body.field", "body", "delegate.schemas.enable", "false"));
    var value =
        """
        {"row_key":"%s","column_name":"STATUS","ref_key":1,"body":{"a":[1,2.5,null,true]}}"""
            .formatted(ROW);
    var cell = read(converter, "trips.cells", value.getBytes(UTF_8));
    assertThat(cell.key().columnName()).isEqualTo("STATUS");
    assertThat(cell.body().toJson()).isEqualTo("{\"a\":[1,2.5,null,true]}");
  }

  @Test
  void what_comes_through_the_mesh_is_left_as_it_is() throws Exception {
    try (var converter = converter(TripConverter.class, TRIPS)) {
      var value = new byte[] {'{', '}'};
      assertThat(converter.toConnectData("trips.mesh", value).value()).isSameAs(value);
      assertThat(converter.toConnectData("trips.cells", null).value()).isNull();
    }
  }

  @Test
  void a_value_that_has_no_cell_is_refused_by_its_field_and_keeps_its_bytes() throws Exception {
    assertRefused(0, "version: is missing");
    assertRefused(2, "record: is read as String, where a struct or a map is needed");
    assertRefused(3, "fare: has NaN, which JSON has not");
    assertRefused(4, "record: has a map whose keys are Integer");
    assertRefused(5, "record: can't be read: DataException, SerializationException");
    assertRefused(10, "record: can't be read: DataException, RestClientException");
    assertRefused(11, "record: can't be read: StackOverflowError");
    assertRefused(14, "record: can't be read: DataException, EOFException");
  }

  @Test
  void a_registry_that_answers_something_else_rejects_nothing() throws Exception {
    for (byte kind : new byte[] {8, 9, 12, 13}) {
      try (var converter = converter(TripConverter.class, TRIPS)) {
        var value =
            (ConvertedValue) converter.toConnectData("trips.cells", new byte[] {kind}).value();
        assertThatThrownBy(value::envelope).as("%d", kind).isInstanceOf(RetriableException.class);
      }
    }
  }

  @Test
  void a_registry_that_is_out_of_reach_rejects_nothing() throws Exception {
    try (var converter = converter(TripConverter.class, TRIPS)) {
      var value = (ConvertedValue) converter.toConnectData("trips.cells", new byte[] {6}).value();
      assertThatThrownBy(value::envelope).isInstanceOf(RetriableException.class);
      assertThatThrownBy(value::size).isInstanceOf(RetriableException.class);
      TripConverter.reachable = true;
      assertThat(value.envelope()).isNotEmpty();
    } finally {
      TripConverter.reachable = false;
    }
  }

  @Test
  void a_registry_that_is_not_trusted_ends_the_task_in_words() throws Exception {
    try (var converter = converter(TripConverter.class, TRIPS)) {
      var value = (ConvertedValue) converter.toConnectData("trips.cells", new byte[] {7}).value();
      assertThatThrownBy(value::envelope)
          .isInstanceOf(org.apache.kafka.connect.errors.ConnectException.class)
          .isNotInstanceOf(RetriableException.class)
          .hasMessageContaining("certificate that is not trusted")
          .hasMessageContaining("truststore");
    }
  }

  @Test
  void settings_that_lead_nowhere_are_refused() {
    assertThatThrownBy(() -> configured(Map.of("delegate", "no.such.Converter"), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("delegate")
        .hasMessageContaining("plugin.path");
    assertThatThrownBy(() -> configured(Map.of("delegate", "java.lang.Object"), false))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("is no org.apache.kafka.connect.storage.Converter");
    assertThatThrownBy(() -> configured(Map.of(), false)).hasMessageContaining("delegate");
    assertThatThrownBy(() -> configured(TRIPS, true)).hasMessageContaining("ByteArrayConverter");
  }

  @Test
  void docs_connectors_envelope_converter_md_lists_the_settings_as_they_are() throws IOException {
    var page =
        Path.of(System.getProperty("cellmesh.home"))
            .resolve("docs/connectors/envelope-converter.md");
    assertThat(page).hasContent(SettingsTable.expected(page, EnvelopeConverterConfig.DEFINITION));
  }

  private static final Map<String, String> TRIPS =
      Map.of("row.key.field", "trip", "ref.key.field", "version", "column.name", "BASE");

  private static void assertRefused(int kind, String reason) throws IOException {
    try (var converter = converter(TripConverter.class, TRIPS)) {
      var raw = new byte[] {(byte) kind};
      var value = (ConvertedValue) converter.toConnectData("trips.cells", raw).value();
      assertThatThrownBy(value::envelope)
          .isInstanceOf(InvalidCellException.class)
          .hasMessageContaining(reason);
      assertThat(value.original()).isSameAs(raw);
      assertThat(value.size()).isEqualTo(1);
    }
  }

  private static io.cellmesh.cell.Cell read(Converter converter, String topic, byte[] raw)
      throws Exception {
    try (converter;
        var envelopes = EnvelopeReader.lenient()) {
      var value = (ConvertedValue) converter.toConnectData(topic, raw).value();
      assertThat(value.original()).isSameAs(raw);
      assertThat(value.size()).isEqualTo(value.envelope().length);
      return envelopes.readCell(ROW.toString().getBytes(UTF_8), value.envelope());
    }
  }

  private static EnvelopeConverter converter(
      Class<? extends Converter> delegate, Map<String, String> settings) {
    var all = new HashMap<>(settings);
    all.put("delegate", delegate.getName());
    return configured(all, false);
  }

  private static EnvelopeConverter configured(Map<String, String> settings, boolean isKey) {
    var converter = new EnvelopeConverter();
    converter.configure(settings, isKey);
    return converter;
  }

  /** Stands for a converter with a registry; the first byte says what it reads. */
  public static final class TripConverter implements Converter {
    static boolean reachable;

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
      assertThat(isKey).isFalse();
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] value) {
      return switch (value[0]) {
        case 0 -> new SchemaAndValue(null, Map.of("trip", ROW.toString()));
        case 2 -> new SchemaAndValue(Schema.STRING_SCHEMA, "text");
        case 3 ->
            new SchemaAndValue(
                null, Map.of("trip", ROW.toString(), "version", 1, "fare", Double.NaN));
        case 4 -> new SchemaAndValue(null, Map.of(1, 2));
        case 5 -> throw new DataException("trips.cells", new SerializationException("secret"));
        case 6 -> {
          if (!reachable) {
            throw new DataException(
                "trips.cells", new SerializationException(new ConnectException("refused")));
          }
          yield trip();
        }
        case 7 -> {
          var refused = new SSLHandshakeException("PKIX path building failed");
          refused.initCause(new CertificateException("PKIX path building failed"));
          throw new DataException("trips.cells", new SerializationException(refused));
        }
        case 8 -> throw answered(50001);
        case 9 -> throw new ConfigException("Unauthorized; error code: 401");
        case 10 -> throw answered(40403);
        case 11 -> throw new StackOverflowError();
        case 12 -> throw answered(40301);
        case 13 ->
            throw new DataException(
                "trips.cells", new SerializationException(RestService.brokenOff()));
        case 14 ->
            throw new DataException("trips.cells", new SerializationException(new EOFException()));
        default -> trip();
      };
    }

    private static DataException answered(int code) {
      return new DataException(
          "trips.cells", new SerializationException(new RestClientException(code)));
    }

    private static SchemaAndValue trip() {
      var trip =
          new Struct(TRIP)
              .put("trip", ROW.toString())
              .put("version", 3)
              .put("fare", new BigDecimal("12.50"))
              .put("ratio", 0.1f)
              .put("began", new Date(86_400_005))
              .put("day", new Date(86_400_000))
              .put("at", new Date(1_000))
              .put("tags", List.of("a", "b"))
              .put("stops", Map.of("x", 9007199254740993L));
      return new SchemaAndValue(TRIP, trip);
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
      throw new UnsupportedOperationException();
    }

    @Override
    public ConfigDef config() {
      return new ConfigDef();
    }
  }

  /** Called as that of Confluent's client is, which asks the registry. */
  private static final class RestService {
    /** As where a registry is killed while it answers. */
    static IOException brokenOff() {
      return new IOException("Premature EOF");
    }
  }

  /** Called as that of Confluent's client is. */
  public static final class RestClientException extends IOException {
    private static final long serialVersionUID = 1;

    private final int code;

    RestClientException(int code) {
      this.code = code;
    }

    public int getErrorCode() {
      return code;
    }
  }
}
