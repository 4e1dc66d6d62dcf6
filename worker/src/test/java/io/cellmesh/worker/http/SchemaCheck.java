package io.cellmesh.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Holds JSON to a schema of the contract, as far as the contract makes use of JSON Schema. Fields
 * that are not named are a breach, too, unless their names are left open.
 */
final class SchemaCheck {
  private static final Set<String> KNOWN =
      Set.of(
          "$ref",
          "additionalProperties",
          "allOf",
          "anyOf",
          "const",
          "default",
          "description",
          "else",
          "enum",
          "format",
          "if",
          "items",
          "pattern",
          "properties",
          "required",
          "then",
          "type");

  private final JsonNode contract;
  private final List<String> breaches = new ArrayList<>();

  private SchemaCheck(JsonNode contract) {
    this.contract = contract;
  }

  /** What breaks a rule; empty if nothing does. */
  static List<String> of(JsonNode contract, JsonNode schema, JsonNode json) {
    var check = new SchemaCheck(contract);
    check.check("", schema, json);
    return check.breaches;
  }

  private void check(String at, JsonNode schema, JsonNode json) {
    schema
        .fieldNames()
        .forEachRemaining(word -> demand(KNOWN.contains(word), at, "the test knows no " + word));
    if (schema.has("$ref")) {
      check(at, contract.at(schema.get("$ref").asText().substring(1)), json);
    }
    schema.path("allOf").forEach(each -> check(at, each, json));
    if (schema.has("anyOf")) {
      demand(any(schema.get("anyOf"), json), at, "none of anyOf");
    }
    if (schema.has("if")) {
      var rule = holds(schema.get("if"), json) ? "then" : "else";
      if (schema.has(rule)) {
        check(at, schema.get(rule), json);
      }
    }
    value(at, schema, json);
    schema
        .path("required")
        .forEach(name -> demand(json.has(name.asText()), at, name.asText() + " is missing"));
    fields(at, schema, json);
    if (schema.has("items")) {
      json.forEach(item -> check(at + "[]", schema.get("items"), item));
    }
  }

  private void value(String at, JsonNode schema, JsonNode json) {
    demand(typed(schema.path("type"), json), at, "not of type " + schema.path("type"));
    demand(!schema.has("const") || schema.get("const").equals(json), at, "not the constant");
    boolean listed = !schema.has("enum");
    for (var value : schema.path("enum")) {
      listed |= value.equals(json);
    }
    demand(listed, at, json + " is not listed");
    demand(
        !schema.has("pattern") || json.asText().matches(schema.get("pattern").asText()),
        at,
        json + " does not match");
    demand(
        !schema.path("format").asText().equals("date-time") || isTime(json.asText()),
        at,
        json + " is no time");
  }

  private void fields(String at, JsonNode schema, JsonNode json) {
    var named = schema.path("properties");
    var others = schema.path("additionalProperties");
    for (Map.Entry<String, JsonNode> field : json.properties()) {
      var place = at + "/" + field.getKey();
      if (named.has(field.getKey())) {
        check(place, named.get(field.getKey()), field.getValue());
      } else if (others.isObject()) {
        check(place, others, field.getValue());
      } else if (schema.path("type").asText().equals("object") && schema.has("properties")) {
        demand(false, place, "not named");
      }
    }
  }

  private boolean any(JsonNode schemas, JsonNode json) {
    for (var schema : schemas) {
      if (holds(schema, json)) {
        return true;
      }
    }
    return false;
  }

  private boolean holds(JsonNode schema, JsonNode json) {
    return of(contract, schema, json).isEmpty();
  }

  private static boolean typed(JsonNode type, JsonNode json) {
    if (type.isArray()) {
      for (var each : type) {
        if (typed(each, json)) {
          return true;
        }
      }
      return false;
    }
    return switch (type.asText()) {
      case "object" -> json.isObject();
      case "array" -> json.isArray();
      case "string" -> json.isTextual();
      case "integer" -> json.isIntegralNumber();
      case "boolean" -> json.isBoolean();
      case "null" -> json.isNull();
      default -> true;
    };
  }

  private static boolean isTime(String text) {
    try {
      OffsetDateTime.parse(text);
      return true;
    } catch (DateTimeParseException e) {
      return false;
    }
  }

  private void demand(boolean holds, String at, String breach) {
    if (!holds) {
      breaches.add(at + ": " + breach);
    }
  }
}
