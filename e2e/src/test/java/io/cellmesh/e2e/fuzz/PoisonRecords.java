package io.cellmesh.e2e.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Records that each stopped a task or an index for good once, for every test that wants them. */
public final class PoisonRecords {
  private static final UUID ROW = UUID.fromString("6f9619ff-8b86-d011-b42d-00cf4fc964ff");

  private PoisonRecords() {}

  /**
   * A record.
   *
   * @param mesh whether it stands in the mesh's topic, where a stranger put it, or in the cells'
   * @param reason a sink's reason to reject it; empty if it is to be stored
   */
  public record Poisoned(String kind, boolean mesh, String value, Optional<String> reason) {
    public byte[] key() {
      return ROW.toString().getBytes(StandardCharsets.US_ASCII);
    }

    public byte[] bytes() {
      return value.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
      return kind;
    }
  }

  public static List<Poisoned> all() {
    var exponent = Optional.of("body: a number's exponent is not within ±10,000");
    return List.of(
        own("a number that arithmetic can't hold", "{\"x\":100E2147483647}", exponent),
        own("another under its key", "{\"x\":101E2147483647}", exponent),
        own(
            "a date beyond the calendar",
            "{\"at\":\"+999999999-12-31T23:59:59-18:00\"}",
            Optional.empty()),
        own(
            "a body that outgrows the limit in the log",
            "[" + "1e6,".repeat(150_000) + "1]",
            Optional.of("body: 1500003 bytes of JSON are over the limit of 1048576")),
        own(
            "a body over another data centre's limit",
            "\"" + "a".repeat(5_000) + "\"",
            Optional.empty()),
        mesh("an older store's number", "100E2147483647", "1", Optional.empty()),
        mesh(
            "a negative origin_id",
            "1",
            "-1",
            Optional.of("origin_id = \"-1\": negative; it is an added_id")));
  }

  private static Poisoned own(String kind, String body, Optional<String> reason) {
    return new Poisoned(kind, false, envelope(body, ""), reason);
  }

  private static Poisoned mesh(String kind, String body, String originId, Optional<String> reason) {
    var origin = ",\"origin\":\"dc3\",\"origin_id\":" + originId;
    return new Poisoned(kind, true, envelope(body, origin), reason);
  }

  private static String envelope(String body, String origin) {
    return "{\"row_key\":\"%s\",\"column_name\":\"BASE\",\"ref_key\":1,\"body\":%s%s}"
        .formatted(ROW, body, origin);
  }
}
