package io.cellmesh.herb;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.yaml.YamlException;
import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import io.cellmesh.cell.yaml.YamlTree.Scalar;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** Reads {@code cohorts.yaml}. What stands beside {@code instances} holds for each of them. */
final class CohortYaml {
  private static final String COHORT = "the cohort";
  private static final String INSTANCES = "instances";
  private static final String INSTANCE = "instance";
  private static final String DC = "dc";
  private static final String PEERS = "peers";
  private static final String LIMITS = "limits";

  /** The largest record passes in about a minute, long before the group would miss the link. */
  private static final int MIN_BYTES = 64 << 10;

  /** What a broker gives at most, by its own default. */
  private static final int MAX_FETCH_BYTES = 55 << 20;

  private static final int MAX_RECORDS = 1_000_000;
  private static final int SHOWN = 40;

  private final Mapping root;
  private final Path base;

  private CohortYaml(Mapping root, Path base) {
    this.root = root;
    this.base = base;
  }

  /**
   * Reads the entries in their order.
   *
   * @param source what the text is, for messages
   * @param base the directory that files are relative to
   * @throws IllegalArgumentException naming source, line, field and rule
   */
  static List<CohortEntry> parse(String source, String yaml, Path base) {
    try {
      var root = YamlTree.parse(COHORT, yaml).mapping(COHORT);
      return new CohortYaml(root, base).entries();
    } catch (YamlException e) {
      throw new IllegalArgumentException(source + ": " + e.getMessage(), e);
    }
  }

  private List<CohortEntry> entries() {
    root.allow(COHORT, Set.of(DC, LIMITS, INSTANCES));
    var entries = new LinkedHashMap<String, CohortEntry>();
    for (var item : root.list(INSTANCES)) {
      var entry = entry(item.mapping(INSTANCES));
      if (entries.put(entry.instance(), entry) != null) {
        throw YamlTree.refuse(
            item, "%s: \"%s\" stands there twice".formatted(INSTANCE, entry.instance()));
      }
    }
    if (entries.isEmpty()) {
      throw YamlTree.refuse(root.required(INSTANCES), INSTANCES + ": there is none");
    }
    return List.copyOf(entries.values());
  }

  private CohortEntry entry(Mapping entry) {
    entry.allow(INSTANCES, Set.of(INSTANCE, "deployment", DC, PEERS, LIMITS));
    return new CohortEntry(
        name(INSTANCE, entry.text(INSTANCE)),
        base.resolve(entry.text("deployment").text()),
        said(entry, DC).map(dc -> name(DC, dc)),
        peers(entry),
        limits(entry));
  }

  private static String name(String field, Scalar value) {
    try {
      return Names.check(field, shortened(value));
    } catch (IllegalArgumentException e) {
      throw YamlTree.refuse(value, e.getMessage());
    }
  }

  private static Optional<Set<String>> peers(Mapping entry) {
    if (!entry.entries().containsKey(PEERS)) {
      return Optional.empty();
    }
    var peers = new LinkedHashSet<String>();
    for (var item : entry.list(PEERS)) {
      if (!(item instanceof Scalar text)) {
        throw YamlTree.refuse(item, PEERS + " must be a list of texts");
      }
      if (!peers.add(name(PEERS, text))) {
        throw YamlTree.refuse(item, "%s: \"%s\" stands there twice".formatted(PEERS, text.text()));
      }
    }
    if (peers.isEmpty()) {
      throw YamlTree.refuse(
          entry.required(PEERS), PEERS + ": there is none; leave it out to have them all");
    }
    return Optional.of(peers);
  }

  private LinkLimits limits(Mapping entry) {
    var otherwise = LinkLimits.SHARED;
    var bytes = limit(entry, "bytes_per_second", MIN_BYTES, Integer.MAX_VALUE);
    return new LinkLimits(
        bytes.isPresent() ? OptionalInt.of(bytes.get()) : otherwise.bytesPerSecond(),
        limit(entry, "fetch_bytes", MIN_BYTES, MAX_FETCH_BYTES).orElse(otherwise.fetchBytes()),
        limit(entry, "records", 1, MAX_RECORDS).orElse(otherwise.records()));
  }

  /** An entry's own, else the one for all. */
  private Optional<Integer> limit(Mapping entry, String name, int least, int most) {
    for (var said : List.of(entry, root)) {
      if (said.entries().containsKey(LIMITS)) {
        var limits = said.required(LIMITS).mapping(LIMITS);
        limits.allow(LIMITS, Set.of("bytes_per_second", "fetch_bytes", "records"));
        if (limits.entries().containsKey(name)) {
          return Optional.of(whole(name, limits.text(name), least, most));
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Scalar> said(Mapping entry, String field) {
    if (entry.entries().containsKey(field)) {
      return Optional.of(entry.text(field));
    }
    return root.entries().containsKey(field) ? Optional.of(root.text(field)) : Optional.empty();
  }

  private static int whole(String field, Scalar value, int least, int most) {
    try {
      int number = Integer.parseInt(value.text());
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Said below, as one that is out of its range.
    }
    throw YamlTree.refuse(
        value,
        "%s: \"%s\" is not a whole number from %d to %d"
            .formatted(field, shortened(value), least, most));
  }

  private static String shortened(Scalar value) {
    var text = value.text();
    // A name that is longer breaks its rule as it is.
    return text.length() <= SHOWN + 8 ? text : text.substring(0, SHOWN) + "…";
  }
}
