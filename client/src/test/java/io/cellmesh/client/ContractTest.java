package io.cellmesh.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The client's words are those of the worker's contract. */
class ContractTest {
  private static final Path FILE =
      Path.of("..", "worker", "src", "main", "resources", "openapi.yaml");

  private JsonNode contract;

  @BeforeEach
  void read() throws Exception {
    assumeThat(FILE).exists();
    contract = new YAMLMapper().readTree(Files.readString(FILE));
  }

  @Test
  void the_contract_has_every_path_that_is_called_and_its_parameters() {
    assertThat(parameters(WorkerApi.CELL, "put"))
        .contains(WorkerApi.WAIT, WorkerApi.DEADLINE, WorkerApi.PRIORITY_HEADER);
    assertThat(parameters(WorkerApi.PUT_CELLS, "post"))
        .contains(WorkerApi.WAIT, WorkerApi.DEADLINE, WorkerApi.PRIORITY_HEADER);
    for (var path : List.of(WorkerApi.CELL, WorkerApi.LATEST, WorkerApi.ROW)) {
      assertThat(parameters(path, "get"))
          .contains(
              WorkerApi.READ, WorkerApi.NOT_BEFORE, WorkerApi.DEADLINE, WorkerApi.PRIORITY_HEADER);
    }
    assertThat(parameters(WorkerApi.LATEST, "get")).contains(WorkerApi.AT_MOST);
    assertThat(parameters(WorkerApi.GET_CELLS, "post"))
        .contains(
            WorkerApi.READ, WorkerApi.NOT_BEFORE, WorkerApi.DEADLINE, WorkerApi.PRIORITY_HEADER);
    assertThat(parameters(WorkerApi.INDEX, "get"))
        .contains(
            WorkerApi.SHARD_FIELD,
            WorkerApi.FILTER,
            WorkerApi.ORDER,
            WorkerApi.FIELDS,
            WorkerApi.COLUMNS,
            WorkerApi.LIMIT,
            WorkerApi.CURSOR,
            WorkerApi.READ,
            WorkerApi.DEADLINE,
            WorkerApi.PRIORITY_HEADER);
    assertThat(contract.at("/paths").path(WorkerApi.READY).path("get").isMissingNode()).isFalse();
  }

  @Test
  void the_words_of_parameters_are_the_same() {
    assertThat(words("/components/parameters/wait/schema/enum"))
        .isEqualTo(texts(Arrays.stream(Reached.values()).map(Reached::text).toList()));
    assertThat(words("/components/parameters/read/schema/enum"))
        .isEqualTo(texts(Arrays.stream(ReadFrom.values()).map(ReadFrom::text).toList()));
    assertThat(words("/components/parameters/priority/schema/enum"))
        .isEqualTo(texts(Arrays.stream(Priority.values()).map(Priority::text).toList()));
    assertThat(words("/components/schemas/Write/properties/state/enum"))
        .isEqualTo(Set.of("accepted", "secured", "buffered", "visible", "replicated"));
  }

  @Test
  void the_headers_of_answers_are_the_same() {
    assertThat(headers("written")).contains(WorkerApi.POSITION_HEADER);
    assertThat(headers("underWay")).contains(WorkerApi.POSITION_HEADER);
    assertThat(headers("conflict")).contains(WorkerApi.POSITION_HEADER);
    assertThat(headers("rejected")).contains(WorkerApi.POSITION_HEADER);
    assertThat(headers("cell")).contains(WorkerApi.SERVED_BY_HEADER, WorkerApi.STALE_UP_TO_HEADER);
    assertThat(names(operation(WorkerApi.INDEX, "get").at("/responses/200/headers")))
        .contains(WorkerApi.SERVED_BY_HEADER, WorkerApi.STALE_UP_TO_HEADER);
    assertThat(headers("absent"))
        .contains(WorkerApi.SERVED_BY_HEADER, WorkerApi.STALE_UP_TO_HEADER);
    assertThat(headers("overload")).contains(WorkerApi.RETRY_AFTER_HEADER);
    assertThat(headers("unavailable")).contains(WorkerApi.RETRY_AFTER_HEADER);
  }

  @Test
  void the_fields_of_answers_are_the_same() {
    assertThat(fields("Write")).contains("status", "state", "position", "down", "problem");
    assertThat(fields("Down")).contains("cluster", "master", "since");
    assertThat(fields("Read")).contains("status", "cells", "served_by", "stale_up_to", "problem");
    assertThat(fields("Row")).contains("cells");
    assertThat(fields("Page")).contains("entries", "next");
    assertThat(fields("Problem"))
        .contains(
            "type", "title", "detail", "field", "rule", "position", "kept", "refused", "final");
    assertThat(fields("Key")).contains("row_key", "column_name", "ref_key", "at_most");
    assertThat(fields("NewCell")).contains("v", "row_key", "column_name", "ref_key", "body");
  }

  @Test
  void what_an_answer_must_have_is_what_the_client_takes_it_for_wrong_without() {
    assertThat(words("/components/schemas/Conflict/allOf/1/required")).contains("kept", "refused");
    assertThat(words("/components/schemas/Read/then/required")).contains("cells");
    assertThat(words("/components/schemas/Write/allOf/0/then/required")).contains("state");
    assertThat(words("/components/schemas/Write/allOf/3/then/required")).contains("down");
    assertThat(contract.at("/components/schemas/Down/properties/since/format").asText())
        .isEqualTo("date-time");
  }

  @Test
  void the_bounds_are_the_same() {
    var deadline = contract.at("/components/parameters/deadline/schema");
    assertThat(Duration.ofMillis(deadline.path("maximum").asLong()))
        .isEqualTo(WorkerApi.MAX_DEADLINE);
    for (var list :
        List.of(
            operation(WorkerApi.GET_CELLS, "post").findValue("keys"),
            operation(WorkerApi.PUT_CELLS, "post").findValue("cells"))) {
      assertThat(list.path("maxItems").asInt()).isEqualTo(WorkerApi.MAX_BATCH);
    }
    var values = parameter(WorkerApi.INDEX, "get", WorkerApi.SHARD_FIELD);
    assertThat(values.at("/schema/maxItems").asInt()).isEqualTo(WorkerApi.MAX_SHARD_FIELDS);
    var limit = parameter(WorkerApi.INDEX, "get", WorkerApi.LIMIT);
    assertThat(limit.at("/schema/maximum").asInt()).isEqualTo(WorkerApi.MAX_PAGE);
  }

  private JsonNode operation(String path, String method) {
    return contract.path("paths").path(path).path(method);
  }

  private Set<String> parameters(String path, String method) {
    return StreamSupport.stream(operation(path, method).path("parameters").spliterator(), false)
        .map(this::resolved)
        .map(parameter -> parameter.path("name").asText())
        .collect(Collectors.toSet());
  }

  private JsonNode parameter(String path, String method, String name) {
    return StreamSupport.stream(operation(path, method).path("parameters").spliterator(), false)
        .map(this::resolved)
        .filter(parameter -> parameter.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? contract.at(node.path("$ref").asText().substring(1)) : node;
  }

  private Set<String> headers(String response) {
    return names(contract.at("/components/responses").path(response).path("headers"));
  }

  private Set<String> fields(String schema) {
    return names(contract.at("/components/schemas").path(schema).path("properties"));
  }

  private Set<String> words(String pointer) {
    var words = new TreeSet<String>();
    contract.at(pointer).forEach(word -> words.add(word.asText()));
    return words;
  }

  private static Set<String> names(JsonNode object) {
    var names = new TreeSet<String>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<String> texts(List<String> words) {
    return new TreeSet<>(words);
  }
}
