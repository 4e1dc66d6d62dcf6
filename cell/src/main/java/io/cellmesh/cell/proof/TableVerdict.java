package io.cellmesh.cell.proof;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cellmesh.cell.proof.Difference.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * What came of the last reading of the entity tables whose shards lie in a partition, as {@code
 * trips.checkpoint} has it. It also says where reading goes on: with the partition whose verdict is
 * the oldest.
 *
 * @param at when it was ended, in milliseconds since 1970
 * @param took how long it lasted: all of them together are a round
 * @param servers what each server has that holds some of the shards
 */
public record TableVerdict(int partition, long at, Duration took, List<OfServer> servers) {
  /** Differences of a server that are told one by one. */
  public static final int TOLD = 50;

  /** Those of all servers together: the verdict is one record, and must not grow with them. */
  private static final int TOLD_IN_ALL = 2_000;

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Pattern KEY = Pattern.compile("table\\|scrub\\|(\\d{1,9})");

  public TableVerdict {
    int each = Math.min(TOLD, Math.max(1, TOLD_IN_ALL / Math.max(1, servers.size())));
    servers = servers.stream().map(server -> server.telling(each)).toList();
  }

  /**
   * Of one server.
   *
   * @param address as the topology has it
   * @param unread why it could not be read; empty if it was
   * @param before when one was read last that could not be read now, in milliseconds since 1970;
   *     empty if it never was, and if it was read now
   * @param rows that were read
   * @param found how many differences there are
   * @param differences the first {@value TableVerdict#TOLD} of them, or fewer where many servers
   *     differ
   */
  public record OfServer(
      String address,
      String unread,
      OptionalLong before,
      long rows,
      long found,
      List<Difference> differences) {
    public OfServer {
      differences = differences.stream().limit(TOLD).toList();
    }

    private OfServer telling(int most) {
      return differences.size() <= most
          ? this
          : new OfServer(address, unread, before, rows, found, differences.subList(0, most));
    }

    /** One that was read. */
    public static OfServer read(String address, long rows, List<Difference> differences) {
      return new OfServer(address, "", OptionalLong.empty(), rows, differences.size(), differences);
    }

    /**
     * One that was not.
     *
     * @param before when it was read last, in milliseconds since 1970; empty if it never was
     */
    public static OfServer unread(String address, String why, OptionalLong before) {
      return new OfServer(address, why, before, 0, 0, List.of());
    }
  }

  /** How many differences all servers have. */
  public long found() {
    return servers.stream().mapToLong(OfServer::found).sum();
  }

  /** Rows that were read on all servers. */
  public long rows() {
    return servers.stream().mapToLong(OfServer::rows).sum();
  }

  /**
   * When a server's tables were read last, in milliseconds since 1970; empty if they never were.
   *
   * @param address as the topology has it
   */
  public OptionalLong readAt(String address) {
    return servers.stream()
        .filter(server -> server.address().equals(address))
        .map(server -> server.unread().isEmpty() ? OptionalLong.of(at) : server.before())
        .findFirst()
        .orElse(OptionalLong.empty());
  }

  /** The key in {@code trips.checkpoint}: {@code table|scrub|7}. */
  public String key() {
    return "table|scrub|%d".formatted(partition);
  }

  /** Whether a key is one of these. */
  public static boolean isKey(String key) {
    return KEY.matcher(key).matches();
  }

  /** Writes the value. */
  public byte[] value() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("at", at);
    fields.put("took_ms", took.toMillis());
    fields.put("servers", servers.stream().map(TableVerdict::fields).toList());
    try {
      return MAPPER.writeValueAsBytes(fields);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Reads a record of {@code trips.checkpoint}; empty if it tells something else. */
  public static Optional<TableVerdict> read(String key, byte[] value) {
    var named = KEY.matcher(key);
    if (!named.matches() || value == null) {
      return Optional.empty();
    }
    try {
      var fields = MAPPER.readTree(value);
      var servers = new ArrayList<OfServer>();
      fields.path("servers").forEach(server -> servers.add(server(server)));
      return Optional.of(
          new TableVerdict(
              Integer.parseInt(named.group(1)),
              fields.path("at").asLong(),
              Duration.ofMillis(fields.path("took_ms").asLong()),
              servers));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Map<String, Object> fields(OfServer server) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("address", server.address());
    if (!server.unread().isEmpty()) {
      fields.put("unread", server.unread());
      server.before().ifPresent(at -> fields.put("read_at", at));
    }
    fields.put("rows", server.rows());
    fields.put("found", server.found());
    fields.put("differences", server.differences().stream().map(TableVerdict::fields).toList());
    return fields;
  }

  private static Map<String, Object> fields(Difference found) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("kind", found.kind().text());
    fields.put("origin", found.cells().origin());
    fields.put("generation", found.cells().generation());
    fields.put("shard", found.cells().shard());
    fields.put("first", found.first());
    fields.put("last", found.last());
    fields.put("count", found.count());
    return fields;
  }

  private static OfServer server(JsonNode fields) {
    var differences = new ArrayList<Difference>();
    for (var found : fields.path("differences")) {
      difference(found).ifPresent(differences::add);
    }
    return new OfServer(
        fields.path("address").asText(),
        fields.path("unread").asText(),
        fields.has("read_at")
            ? OptionalLong.of(fields.path("read_at").asLong())
            : OptionalLong.empty(),
        fields.path("rows").asLong(),
        fields.path("found").asLong(),
        differences);
  }

  private static Optional<Difference> difference(JsonNode fields) {
    var text = fields.path("kind").asText();
    return Arrays.stream(Kind.values())
        .filter(kind -> kind.text().equals(text))
        .findFirst()
        .map(
            kind ->
                new Difference(
                    kind,
                    FoldSource.TABLE,
                    new OriginShard(
                        fields.path("origin").asText(),
                        fields.path("generation").asInt(),
                        fields.path("shard").asInt()),
                    fields.path("first").asLong(),
                    fields.path("last").asLong(),
                    fields.path("count").asLong()));
  }
}
