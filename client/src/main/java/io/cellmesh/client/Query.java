package io.cellmesh.client;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The parameters of a request; immutable. */
record Query(List<Parameter> parameters) {
  static final Query EMPTY = new Query(List.of());

  record Parameter(String name, String value) {}

  Query {
    parameters = List.copyOf(parameters);
  }

  Query with(String name, String value) {
    var more = new ArrayList<>(parameters);
    more.add(new Parameter(name, value));
    return new Query(more);
  }

  Query without(String name) {
    return new Query(parameters.stream().filter(each -> !each.name().equals(name)).toList());
  }

  /** As it stands behind the question mark. */
  @Override
  public String toString() {
    return parameters.stream()
        .map(each -> Keys.encode(each.name()) + "=" + Keys.encode(each.value()))
        .collect(Collectors.joining("&"));
  }
}
