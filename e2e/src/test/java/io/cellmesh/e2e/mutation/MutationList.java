package io.cellmesh.e2e.mutation;

import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The list in {@code e2e/mutations.yaml}.
 *
 * @param invariants what they are called, by their numbers
 */
record MutationList(Map<Integer, String> invariants, List<Mutation> mutations) {
  private static final String SOURCES = "/src/main/java/";
  private static final Set<String> FIELDS =
      Set.of("name", "breaks", "what", "file", "line", "becomes", "killed-by");

  /**
   * Reads the list.
   *
   * @throws IllegalArgumentException naming line, field and rule
   */
  static MutationList parse(String yaml) {
    var root = YamlTree.parse("the list of mutations", yaml).mapping("the list");
    root.allow("the list", Set.of("invariants", "mutations"));
    var invariants = new TreeMap<Integer, String>();
    var named = root.required("invariants").mapping("invariants");
    named.entries().keySet().forEach(n -> invariants.put(number(named, n), named.text(n).text()));
    var mutations = new ArrayList<Mutation>();
    for (var item : root.list("mutations")) {
      var mutation = mutation(item.mapping("a mutation").allow("a mutation", FIELDS), invariants);
      if (mutations.stream().anyMatch(other -> other.name().equals(mutation.name()))) {
        throw YamlTree.refuse(item, "name: \"%s\" stands twice".formatted(mutation.name()));
      }
      mutations.add(mutation);
    }
    return new MutationList(invariants, mutations);
  }

  /**
   * The mutations of some names, all if there are none.
   *
   * @throws IllegalArgumentException if a name is unknown
   */
  List<Mutation> of(List<String> names) {
    for (var name : names) {
      if (mutations.stream().noneMatch(one -> one.name().equals(name))) {
        throw new IllegalArgumentException(
            "--only: no mutation is called \"%s\"; --list names them".formatted(name));
      }
    }
    return mutations.stream().filter(m -> names.isEmpty() || names.contains(m.name())).toList();
  }

  private static Mutation mutation(Mapping item, Map<Integer, String> invariants) {
    int breaks = number(item, item.text("breaks").text());
    if (!invariants.containsKey(breaks)) {
      throw YamlTree.refuse(item.required("breaks"), "breaks: there is no invariant " + breaks);
    }
    var file = item.text("file").text();
    if (!file.contains(SOURCES)) {
      throw YamlTree.refuse(item.required("file"), "file: \"%s\" is no source".formatted(file));
    }
    try {
      return new Mutation(
          item.text("name").text(),
          breaks,
          item.text("what").text(),
          file,
          item.text("line").text(),
          item.text("becomes").text(),
          NamedTest.parse(item.text("killed-by").text()));
    } catch (IllegalArgumentException e) {
      throw YamlTree.refuse(item, "killed-by: " + e.getMessage());
    }
  }

  private static int number(YamlTree where, String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      throw YamlTree.refuse(where, "\"%s\" is not the number of an invariant".formatted(text));
    }
  }
}
