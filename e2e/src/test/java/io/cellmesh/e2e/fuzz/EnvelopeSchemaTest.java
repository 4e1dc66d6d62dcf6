package io.cellmesh.e2e.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion.VersionFlag;
import io.cellmesh.cell.Body;
import io.cellmesh.cell.Cell;
import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.EnvelopeJson;
import io.cellmesh.cell.EnvelopeReader;
import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.cell.LogRecord;
import io.cellmesh.cell.Origin;
import io.cellmesh.cell.Printable;
import io.cellmesh.devstack.CellmeshHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The published schemas say what the reader does, as far as JSON Schema can. */
class EnvelopeSchemaTest {
  private static final String CELL = "cell-envelope-v1.schema.json";
  private static final String LOG = "log-record-v1.schema.json";
  private static final String ROW = "6f9619ff-8b86-d011-b42d-00cf4fc964ff";
  private static final int EACH = 10_000;

  /** What the reader refuses and no schema can: docs/schemas/README.md tells of each. */
  private static final List<String> BEYOND =
      List.of(
          "differs from the record's key",
          "must be an integer, without a fraction",
          "lone surrogate",
          "nested over 100 deep",
          "bytes of JSON are over the limit",
          "a number's exponent");

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              EnvelopeJson.factory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final EnvelopeReader READER =
      new EnvelopeReader(EnvelopeReader.DEFAULT_BODY_LIMIT);

  private static final JsonSchema SCHEMA = schema(CELL);

  /** What became of a record. */
  private enum Verdict {
    TAKEN_BY_BOTH,
    REFUSED_BY_BOTH,
    BEYOND_A_SCHEMA,
    NO_JSON
  }

  @AfterAll
  static void close() {
    READER.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {CELL, LOG})
  void each_is_a_schema_of_its_draft_with_its_version_in_its_id(String name) throws Exception {
    var json = json(name);
    var draft = JsonSchemaFactory.getInstance(VersionFlag.V202012);

    assertThat(
            draft
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"))
                .validate(json))
        .isEmpty();
    assertThat(json.get("$id").textValue())
        .isEqualTo("urn:cellmesh:schema:" + name.replace("-v1.schema.json", ":v1"));
    for (var example : json.path("examples")) {
      assertThat(schema(name).validate(example)).isEmpty();
    }
  }

  @Test
  void what_the_reader_takes_the_schema_takes_and_what_it_refuses_the_schema_refuses()
      throws Exception {
    fuzz(20160122);
  }

  @Test
  void also_with_a_fresh_seed() throws Exception {
    fuzz(Long.getLong("cellmesh.fuzz.seed", new Random().nextLong()));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':null}",
        "{'v':1,'row_key':'ROW','column_name':'\u00e9\\n\ud83d\ude97','ref_key':-9223372036854775808,'body':[1e400]}",
        "{'row_key':'ROW','column_name':'64','ref_key':9223372036854775807,'body':{'v':2}}"
      })
  void taken_by_both(String json) throws Exception {
    assertThat(verdict(json)).isEqualTo(Verdict.TAKEN_BY_BOTH);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "5",
        "[]",
        "{}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1}",
        "{'row_key':'ROW','column_name':'BASE','body':1}",
        "{'row_key':'ROW','ref_key':1,'body':1}",
        "{'column_name':'BASE','ref_key':1,'body':1}",
        "{'row_key':'ROW','column_name':'','ref_key':1,'body':1}",
        "{'row_key':'ROW','column_name':'65','ref_key':1,'body':1}",
        "{'row_key':'ROW','column_name':7,'ref_key':1,'body':1}",
        "{'row_key':'ROW\\n','column_name':'BASE','ref_key':1,'body':1}",
        "{'row_key':'6F9619FF-8B86-D011-B42D-00CF4FC964FF','column_name':'BASE','ref_key':1,'body':1}",
        "{'row_key':null,'column_name':'BASE','ref_key':1,'body':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':9223372036854775808,'body':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':-9223372036854775809,'body':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1.5,'body':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':'1','body':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'v':2}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'v':'1'}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'origin':'dc1'}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'#rigin':'dc1'}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'origin_id':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'shard':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'added_id':1}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'created_at':'2026-01-31T12:00:00Z'}",
        "{'row_key':'ROW','column_name':'BASE','ref_key':1,'body':1,'more':1}"
      })
  void refused_by_both(String json) throws Exception {
    assertThat(verdict(json)).isEqualTo(Verdict.REFUSED_BY_BOTH);
  }

  @ParameterizedTest
  @MethodSource("io.cellmesh.e2e.fuzz.PoisonRecords#all")
  void what_once_stopped_something(PoisonRecords.Poisoned poison) throws Exception {
    assertThat(verdict(poison.key(), poison.bytes()))
        .isEqualTo(
            poison.mesh()
                ? Verdict.REFUSED_BY_BOTH
                : poison.reason().isPresent() ? Verdict.BEYOND_A_SCHEMA : Verdict.TAKEN_BY_BOTH);
  }

  @Test
  void a_record_of_the_log_fits_its_schema_and_without_any_of_its_fields_it_does_not()
      throws Exception {
    var schema = schema(LOG);
    var key = new CellKey(UUID.fromString(ROW), "BASE", 7);
    var cell = new Cell(key, Body.ofJson("[1]"), Optional.of(new Origin("dc1", 812)));
    var log = new LogRecord(cell, 42, 4711, Instant.parse("2026-01-31T12:00:00.123456Z"));
    var record = JSON.readTree(Envelope.write(log));

    assertThat(schema.validate(record)).isEmpty();
    assertThat(SCHEMA.validate(record)).isNotEmpty();
    for (var field : record.properties()) {
      var without = record.deepCopy();
      ((ObjectNode) without).remove(field.getKey());
      assertThat(schema.validate(without).isEmpty())
          .as(field.getKey())
          .isEqualTo(field.getKey().equals("v"));
    }
  }

  private static void fuzz(long seed) throws Exception {
    var envelopes = new RandomEnvelopes(seed);
    Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);
    for (int i = 0; i < EACH; i++) {
      var drawn = envelopes.next();
      try {
        verdicts.merge(verdict(drawn.key(), drawn.value()), 1, Integer::sum);
      } catch (AssertionError e) {
        throw new AssertionError("-Dcellmesh.fuzz.seed=%d, record %d".formatted(seed, i), e);
      }
    }
    assertThat(verdicts).as("seed %d", seed).containsKeys(Verdict.values());
  }

  private static Verdict verdict(String json) throws Exception {
    var value =
        json.replace('\'', '"')
            .replace("ROW", ROW)
            .replace("\"64\"", "\"" + "\ud83d\ude97".repeat(64) + "\"")
            .replace("\"65\"", "\"" + "x".repeat(65) + "\"");
    return verdict(ROW.getBytes(UTF_8), value.getBytes(UTF_8));
  }

  private static Verdict verdict(byte[] key, byte[] value) throws IOException {
    var reason = reason(key, value);
    var json = parsed(value);
    if (json.isEmpty()) {
      assertThat(reason).as(shown(value)).isPresent();
      return Verdict.NO_JSON;
    }
    var faults = SCHEMA.validate(withoutComments(json.get()));
    if (reason.isEmpty()) {
      assertThat(faults).as("the reader takes %s", shown(value)).isEmpty();
      return Verdict.TAKEN_BY_BOTH;
    }
    if (!faults.isEmpty()) {
      return Verdict.REFUSED_BY_BOTH;
    }
    assertThat(BEYOND)
        .as("the reader refuses %s: %s", shown(value), reason.get())
        .anyMatch(reason.get()::contains);
    return Verdict.BEYOND_A_SCHEMA;
  }

  /** Why the reader refuses a record; empty if it does not. */
  private static Optional<String> reason(byte[] key, byte[] value) {
    try {
      READER.readCell(key, value);
      return Optional.empty();
    } catch (InvalidCellException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** What a validator is given; empty if it is no JSON in UTF-8 with different names. */
  private static Optional<JsonNode> parsed(byte[] value) throws IOException {
    try {
      UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
      var json = JSON.readTree(value);
      return json.isMissingNode() ? Optional.empty() : Optional.of(json);
    } catch (JacksonException | CharacterCodingException e) {
      return Optional.empty();
    }
  }

  /** This validator passes over names that begin with #, so they get another one. */
  private static JsonNode withoutComments(JsonNode json) {
    if (!(json instanceof ObjectNode object)) {
      return json;
    }
    var named = JSON.createObjectNode();
    object
        .properties()
        .forEach(
            field ->
                named.set(
                    field.getKey().startsWith("#") ? "_" + field.getKey() : field.getKey(),
                    field.getValue()));
    return named;
  }

  private static String shown(byte[] value) {
    var text = new String(value, UTF_8);
    return Printable.of(text.substring(0, Math.min(text.length(), 500)));
  }

  private static JsonSchema schema(String name) {
    return JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(json(name));
  }

  private static JsonNode json(String name) {
    try {
      return JSON.readTree(
          Files.readAllBytes(CellmeshHome.dir().resolve("docs/schemas").resolve(name)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
