package io.cellmesh.worker.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Requests by chance from an OpenAPI file: each operation's parameters, headers and body, mostly as
 * their schemas have them and sometimes anything else.
 */
final class RandomRequests {
  private static final Set<String> METHODS = Set.of("get", "put", "post");

  /** What has broken other servers. */
  private static final List<String> NASTY =
      List.of(
          "",
          " ",
          "null",
          "-1",
          "0",
          "9223372036854775807",
          "9223372036854775808",
          "1e400",
          "NaN",
          "true",
          "'; DROP TABLE entity; --",
          "../../etc/passwd",
          "%00",
          "\u0000",
          "\ud83d\ude00",
          "ä".repeat(40),
          "x".repeat(3000),
          "a,b,,",
          ":",
          "::::",
          "{\"a\":",
          "[".repeat(2000),
          "\u202egnp.exe");

  private final JsonNode contract;
  private final Random random;
  private final List<Operation> operations = new ArrayList<>();

  /** An operation of the file. */
  record Operation(String method, String path, JsonNode rules) {}

  /**
   * A request.
   *
   * @param query without its question mark
   * @param body null for none
   */
  record Request(
      Operation operation, String path, String query, Map<String, String> headers, String body) {}

  RandomRequests(JsonNode contract, Random random) {
    this.contract = contract;
    this.random = random;
    contract
        .get("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .properties()
                    .forEach(
                        entry -> {
                          if (METHODS.contains(entry.getKey())) {
                            operations.add(
                                new Operation(
                                    entry.getKey().toUpperCase(Locale.ROOT),
                                    path.getKey(),
                                    entry.getValue()));
                          }
                        }));
  }

  Request next() {
    var operation = operations.get(random.nextInt(operations.size()));
    var path = operation.path();
    for (var parameter : contract.get("paths").get(path).path("parameters")) {
      var rules = resolved(parameter);
      var name = rules.get("name").asText();
      path = path.replace("{" + name + "}", encoded(value(name, rules.get("schema"))));
    }
    var query = new ArrayList<String>();
    var headers = new HashMap<String, String>();
    for (var parameter : operation.rules().path("parameters")) {
      var rules = resolved(parameter);
      boolean given = rules.path("required").asBoolean() || random.nextInt(3) == 0;
      var name = rules.get("name").asText();
      if (given && rules.get("in").asText().equals("query")) {
        query.add(encoded(name) + "=" + encoded(value(name, rules.get("schema"))));
      } else if (given) {
        headers.put(name, value(name, rules.get("schema")).replaceAll("[^ -~]", "?").strip());
      }
    }
    if (random.nextInt(20) == 0) {
      query.add(encoded(nasty()) + "=" + encoded(nasty()));
    }
    return new Request(operation, path, String.join("&", query), headers, body(operation.rules()));
  }

  private String body(JsonNode operation) {
    var schema = operation.at("/requestBody/content/application~1json/schema");
    if (schema.isMissingNode()) {
      return null;
    }
    return random.nextInt(6) == 0 ? nasty() : json("", schema, 0);
  }

  /** The text of a parameter. */
  private String value(String name, JsonNode schema) {
    if (random.nextInt(12) == 0) {
      return nasty();
    }
    if (schema.path("type").asText().equals("array")) {
      return value(name, schema.get("items"));
    }
    if (schema.has("enum")) {
      return schema.get("enum").get(random.nextInt(schema.get("enum").size())).asText();
    }
    return switch (name) {
      case "instance" -> "trips";
      case "row" -> row();
      // Few, so that some meet.
      case "ref" -> Integer.toString(random.nextInt(4));
      case "not-before" -> "dc1:abcdefgh:%d:%d".formatted(random.nextInt(3), random.nextInt(99));
      case "filter" ->
          "f:%s:%s"
              .formatted(
                  List.of("eq", "ge", "in", "between").get(random.nextInt(4)),
                  random.nextBoolean() ? "1,2" : nasty());
      case "order" -> "f:" + (random.nextBoolean() ? "asc" : "desc");
      default ->
          schema.path("type").asText().equals("integer")
              ? Integer.toString(random.nextInt(2000) - 100)
              : "BASE" + random.nextInt(3);
    };
  }

  /** JSON of a schema, or nearly so. */
  private String json(String name, JsonNode schema, int depth) {
    var rules = resolved(schema);
    if (random.nextInt(40) == 0) {
      return random.nextBoolean() ? nasty() : "\"" + nasty() + "\"";
    }
    if (name.equals("row_key")) {
      return "\"" + row() + "\"";
    }
    return switch (rules.path("type").asText()) {
      case "object" -> object(rules, depth);
      case "array" -> {
        var items = new ArrayList<String>();
        for (int i = random.nextInt(4); i >= 0; i--) {
          items.add(json("", rules.get("items"), depth + 1));
        }
        yield "[" + String.join(",", items) + "]";
      }
      case "integer" -> Integer.toString(random.nextInt(20) - 5);
      case "string" -> "\"BASE\"";
      default -> anything(depth);
    };
  }

  private String object(JsonNode rules, int depth) {
    var fields = new ArrayList<String>();
    var required = rules.path("required").toString();
    rules
        .get("properties")
        .properties()
        .forEach(
            property -> {
              boolean needed = required.contains("\"" + property.getKey() + "\"");
              if (needed ? random.nextInt(40) > 0 : random.nextInt(3) == 0) {
                var value = json(property.getKey(), property.getValue(), depth + 1);
                fields.add("\"%s\":%s".formatted(property.getKey(), value));
              }
            });
    if (random.nextInt(30) == 0) {
      fields.add("\"more\":1");
    }
    return "{" + String.join(",", fields) + "}";
  }

  private String anything(int depth) {
    return switch (random.nextInt(depth > 6 ? 5 : 7)) {
      case 0 -> "null";
      case 1 -> Double.toString(random.nextGaussian());
      case 2 -> "\"t\\u00e4xt\"";
      case 3 -> "1e10001";
      case 4 -> Long.toString(random.nextLong());
      case 5 -> "[" + anything(depth + 1) + "," + anything(depth + 1) + "]";
      default -> "{\"a\":" + anything(depth + 1) + ",\"b\":" + anything(depth + 1) + "}";
    };
  }

  private String row() {
    return "00000000-0000-0000-0000-%012d".formatted(random.nextInt(50));
  }

  private String nasty() {
    return NASTY.get(random.nextInt(NASTY.size()));
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? contract.at(node.get("$ref").asText().substring(1)) : node;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
