package io.cellmesh.worker.security;

import io.cellmesh.cell.Names;
import io.cellmesh.cell.Printable;
import io.cellmesh.cell.yaml.YamlException;
import io.cellmesh.cell.yaml.YamlTree;
import io.cellmesh.cell.yaml.YamlTree.Mapping;
import io.cellmesh.cell.yaml.YamlTree.Scalar;
import io.cellmesh.cell.yaml.YamlTree.Sequence;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Every token that counts.
 *
 * @param known in the file's order
 */
record Tokens(List<Known> known) {
  private static final int MOST = 1_000;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,47}");
  private static final Pattern HASH = Pattern.compile("sha256:([0-9a-f]{64})");

  /** A token's hash, and whose it is. */
  record Known(byte[] sha256, Caller caller) {}

  Tokens {
    known = List.copyOf(known);
  }

  /**
   * Whose a token is; empty if it is none of these. How long it takes says nothing about which of
   * them it is like: all are compared, each to its end.
   */
  Optional<Caller> callerOf(String token) {
    if (!Token.isOne(token)) {
      return Optional.empty();
    }
    var sha256 = Token.hash(token);
    Optional<Caller> caller = Optional.empty();
    for (var each : known) {
      if (MessageDigest.isEqual(each.sha256, sha256)) {
        caller = Optional.of(each.caller);
      }
    }
    return caller;
  }

  /**
   * Reads a tokens file.
   *
   * @throws YamlException naming line and rule, and no value that may be a secret
   */
  static Tokens parse(String yaml) {
    var file = YamlTree.parse("the tokens file", yaml).mapping("the tokens file");
    var entries = file.allow("the tokens file", Set.of("tokens")).list("tokens");
    if (entries.size() > MOST) {
      throw YamlTree.refuse(file, "tokens: more than " + MOST);
    }
    var known = new ArrayList<Known>();
    var names = new HashSet<String>();
    var hashes = new HashSet<String>();
    for (var entry : entries) {
      var token = token(entry.mapping("a token"));
      known.add(token);
      if (!names.add(token.caller.name())) {
        throw YamlTree.refuse(entry, "name: %s stands twice".formatted(token.caller.name()));
      }
      if (!hashes.add(HexFormat.of().formatHex(token.sha256))) {
        throw YamlTree.refuse(
            entry, "hash: that of %s stands twice".formatted(token.caller.name()));
      }
    }
    return new Tokens(known);
  }

  static String text(byte[] utf8) throws CharacterCodingException {
    return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
  }

  /**
   * @throws IllegalArgumentException naming the rule
   */
  static String checkName(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "name: \"%s\" is not 1 to 48 of A-Z, a-z, 0-9, _, . and -, the first a letter or digit"
              .formatted(Printable.of(name)));
    }
    return name;
  }

  /**
   * @throws IllegalArgumentException naming the rule
   */
  static String checkInstance(String instance) {
    return instance.equals(Caller.EVERY) ? instance : Names.check("instance", instance);
  }

  /**
   * @throws IllegalArgumentException naming the rule
   */
  static Right right(String text) {
    return Right.of(text)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "rights: \"%s\" is none of %s".formatted(Printable.of(text), rights())));
  }

  private static String rights() {
    return Arrays.stream(Right.values()).map(Right::text).collect(Collectors.joining(", "));
  }

  private static Known token(Mapping entry) {
    entry.allow("a token", Set.of("name", "hash", "rights"));
    var name = entry.text("name");
    held(name, () -> checkName(name.text()));
    var hash = HASH.matcher(entry.text("hash").text());
    if (!hash.matches()) {
      // What stands there may be the token itself.
      throw YamlTree.refuse(
          entry.text("hash"),
          "hash must be sha256: and 64 of 0-9 and a-f, as `worker token` has it");
    }
    return new Known(
        HexFormat.of().parseHex(hash.group(1)),
        new Caller(name.text(), rights(entry.required("rights").mapping("rights"))));
  }

  private static Map<String, Set<Right>> rights(Mapping entry) {
    var rights = new LinkedHashMap<String, Set<Right>>();
    entry
        .entries()
        .forEach(
            (instance, list) -> {
              held(list, () -> checkInstance(instance));
              if (!(list instanceof Sequence names)) {
                throw YamlTree.refuse(list, "the rights in %s must be a list".formatted(instance));
              }
              var of = EnumSet.noneOf(Right.class);
              for (var name : names.items()) {
                held(name, () -> of.add(right(name instanceof Scalar text ? text.text() : "")));
              }
              rights.put(instance, of);
            });
    return rights;
  }

  private static void held(YamlTree where, Runnable rule) {
    try {
      rule.run();
    } catch (IllegalArgumentException e) {
      throw YamlTree.refuse(where, e.getMessage());
    }
  }
}
