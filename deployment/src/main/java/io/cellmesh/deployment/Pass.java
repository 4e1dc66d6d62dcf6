package io.cellmesh.deployment;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.cellmesh.cell.InstanceNames;
import io.cellmesh.cell.Topics;
import io.cellmesh.cell.index.IndexDefinition;
import io.cellmesh.cell.index.IndexDefinitionException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The indexes that are built together, in one go over the log. A pass never changes: another index
 * is another pass, which reads the log from its beginning.
 *
 * @param name the end of its application's id
 * @param definitions at least one, all of one instance; their labels differ
 * @param backfill whether cells also come from a topic of the pass's own, because the log no longer
 *     has them all
 */
public record Pass(String name, List<IndexDefinition> definitions, boolean backfill) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9_-]{1,48}");
  private static final int VERSION = 1;
  private static final int DIGEST_LENGTH = 16;
  private static final int SHOWN = 48;

  private static final String V = "v";
  private static final String BACKFILL = "backfill";
  private static final String DEFINITIONS = "definitions";
  private static final String DIGEST = "digest";
  private static final List<String> FIELDS = List.of(V, BACKFILL, DEFINITIONS, DIGEST);

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * @throws IndexDefinitionException naming the rule that is broken
   */
  public Pass {
    if (!isName(name)) {
      throw new IndexDefinitionException(
          "\"%s\" is no name of a pass, which is 1 to 48 of a-z, 0-9, _ and -"
              .formatted(shown(name)));
    }
    definitions = List.copyOf(definitions);
    if (definitions.isEmpty()) {
      throw new IndexDefinitionException("a pass has at least one definition");
    }
    checkLabels(definitions);
  }

  static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  private static void checkLabels(List<IndexDefinition> definitions) {
    var labels = new HashSet<String>();
    for (var definition : definitions) {
      if (!labels.add(definition.label())) {
        throw new IndexDefinitionException(
            "table: %s stands there twice".formatted(definition.label()));
      }
    }
  }

  /** The consumer group, the prefix of the changelog topic, and the directory of local state. */
  public String applicationId(String instance) {
    return InstanceNames.application(instance, name);
  }

  /** The topics that it reads cells from; a row stands in the same partition of each. */
  public Set<String> sources(Topics topics) {
    return backfill ? Set.of(topics.log(), topics.indexBackfill(name)) : Set.of(topics.log());
  }

  /** The topics that its entries go to. */
  public Set<String> outputs(Topics topics) {
    return definitions.stream().map(d -> topics.index(d.label())).collect(Collectors.toSet());
  }

  /** The form in which it is stored, under its name. */
  public byte[] toJson() {
    var text = IndexDefinition.toYaml(definitions);
    var value = MAPPER.createObjectNode();
    value.put(V, VERSION);
    value.put(BACKFILL, backfill);
    value.put(DEFINITIONS, text);
    value.put(DIGEST, digest(text));
    try {
      return MAPPER.writeValueAsBytes(value);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Reads the stored form.
   *
   * @param instance the datastore of every definition
   * @throws IndexDefinitionException naming field and rule, or the line of the definitions
   */
  public static Pass parse(String name, byte[] value, String instance) {
    var fields = fields(value);
    if (!fields.get(V).isInt() || fields.get(V).intValue() != VERSION) {
      throw new IndexDefinitionException(
          "v: %s is not %d, the only form that is known here; is a newer version of Cellmesh writing it?"
              .formatted(shown(fields.get(V).toString()), VERSION));
    }
    if (!fields.get(BACKFILL).isBoolean()) {
      throw new IndexDefinitionException("backfill: must be true or false");
    }
    var text = text(fields, DEFINITIONS);
    if (!text(fields, DIGEST).equals(digest(text))) {
      throw new IndexDefinitionException(
          "digest: \"%s\" is not that of the definitions, which is %s: they were changed on the way"
              .formatted(shown(text(fields, DIGEST)), digest(text)));
    }
    var definitions = IndexDefinition.parseAll(text);
    for (var definition : definitions) {
      if (!definition.datastore().equals(instance)) {
        throw new IndexDefinitionException(
            "datastore: \"%s\" is not this instance, %s"
                .formatted(definition.datastore(), instance));
      }
    }
    return new Pass(name, definitions, fields.get(BACKFILL).booleanValue());
  }

  private static JsonNode fields(byte[] value) {
    JsonNode fields;
    try {
      fields = MAPPER.readTree(value);
    } catch (IOException e) {
      throw new IndexDefinitionException("the value is no JSON: \"%s\"".formatted(shown(value)));
    }
    if (!fields.isObject()) {
      throw new IndexDefinitionException(
          "the value must be a JSON object, not \"%s\"".formatted(shown(value)));
    }
    for (var field : FIELDS) {
      if (!fields.has(field)) {
        throw new IndexDefinitionException(field + ": is missing");
      }
    }
    fields
        .fieldNames()
        .forEachRemaining(
            field -> {
              if (!FIELDS.contains(field)) {
                throw new IndexDefinitionException(shown(field) + ": is not known");
              }
            });
    return fields;
  }

  private static String text(JsonNode fields, String field) {
    if (!fields.get(field).isTextual()) {
      throw new IndexDefinitionException(field + ": must be a text");
    }
    return fields.get(field).textValue();
  }

  private static String shown(byte[] value) {
    return shown(new String(value, StandardCharsets.UTF_8));
  }

  private static String shown(String text) {
    return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
  }

  private static String digest(String text) {
    try {
      var digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, DIGEST_LENGTH);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
