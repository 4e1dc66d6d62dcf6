package io.cellmesh.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.cell.proof.TableVerdict;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.operations.mesh.CellDifference;
import io.cellmesh.operations.mesh.LinkProof;
import io.cellmesh.operations.mesh.TableProof;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MeshReportTest {
  private static final long NOW = 100_000;
  private static final Difference MISSING =
      new Difference(
          Difference.Kind.MISSING, FoldSource.MESH, new OriginShard("dc2", 1, 42), 17, 17, 1);

  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
  private final Console console = new Console(out, out, Terminal.NONE);

  @Test
  void data_centres_that_agree_are_a_line_each() {
    var report = new MeshReport(List.of(link(List.of(), List.of(), NOW - 5_000)));
    assertThat(report.agree()).isTrue();
    assertThat(print(report))
        .containsPattern("dc2 +dc1 +1,234 +3 +2 s +7 +0 +0 +✓")
        .hasLineCount(3);
  }

  @Test
  void a_data_centre_that_has_lost_cells_of_its_own_agrees_with_nobody() {
    var links = List.of(link(List.of(), List.of(), NOW - 5_000));
    assertThat(new MeshReport(links).agree()).isTrue();
    var report = new MeshReport(links, List.of("dc2 went back in time"), Map.of(), List.of());
    assertThat(report.agree()).isFalse();
    assertThat(print(report)).contains("dc2 went back in time");
  }

  @Test
  void what_differs_is_named_and_what_is_exempt_is_not_wrong() {
    var refused = cell(CellDifference.Kind.REFUSED);
    assertThat(link(List.of(), List.of(refused), NOW).agrees()).isTrue();
    assertThat(link(List.of(), List.of(refused), NOW).conflicts()).isEqualTo(1);

    var lost = cell(CellDifference.Kind.MISSING);
    var report = new MeshReport(List.of(link(List.of(MISSING), List.of(refused, lost), NOW)));
    assertThat(report.agree()).isFalse();
    assertThat(print(report))
        .contains(
            "in dc1: dc2 missing in the mesh, shard 42, origin_id 17 (1 cell)",
            "in dc1: dc2 missing shard 42, origin_id 30: ",
            ", there aa, here bb")
        .doesNotContain("refused");
  }

  @Test
  void what_was_not_heard_of_is_not_proved() {
    var silent = new MeshReport(List.of(link(List.of(), List.of(), NOW - 61_000)));
    assertThat(silent.agree()).isFalse();
    assertThat(print(silent))
        .contains("dc2 in dc1 is not proved: a partition was heard of 61 s ago");

    var unreadable =
        new LinkProof(
            "dc2", "dc1", Optional.empty(), "dc1: no answer", List.of(), 0, Optional.empty(), NOW);
    assertThat(new MeshReport(List.of(unreadable)).agree()).isFalse();
    assertThat(print(new MeshReport(List.of(unreadable))))
        .contains("is not proved: dc1: no answer");
  }

  @Test
  void a_link_that_is_paused_is_said_to_be_and_a_lost_data_centre_makes_nothing_wrong() {
    var since = Instant.parse("2026-01-31T12:00:00Z");
    var paused =
        new LinkProof(
            "dc2",
            "dc1",
            link(List.of(), List.of(), NOW).verdict(),
            "",
            List.of(),
            0,
            Optional.of(new LinkHold(LinkHold.Kind.PAUSED, since, "anna@ops1")),
            NOW);
    var lost =
        new LinkProof(
            "dc3",
            "dc1",
            Optional.empty(),
            "dc3: no answer",
            List.of(),
            0,
            Optional.of(new LinkHold(LinkHold.Kind.LOST, since, "anna@ops1")),
            NOW);
    var report = new MeshReport(List.of(paused, lost));
    assertThat(report.agree()).isTrue();
    assertThat(print(report))
        .contains(
            "dc2 in dc1: paused since 2026-01-31T12:00:00Z by anna@ops1",
            "dc3 in dc1: given up as lost since 2026-01-31T12:00:00Z by anna@ops1")
        .doesNotContain("not proved");
  }

  @Test
  void a_paused_link_is_still_held_against_its_origin() {
    var hold = new LinkHold(LinkHold.Kind.PAUSED, Instant.EPOCH, "anna@ops1");
    var paused =
        new LinkProof(
            "dc2", "dc1", Optional.empty(), "dc1: no answer", List.of(), 0, Optional.of(hold), NOW);
    assertThat(paused.agrees()).isFalse();
  }

  @Test
  void what_waits_for_a_sink_is_told_where_something_does() {
    var report =
        new MeshReport(
            List.of(link(List.of(), List.of(), NOW)),
            List.of(),
            new TreeMap<>(Map.of("dc1", 4_000L, "dc2", 0L)),
            List.of());
    assertThat(print(report))
        .contains(
            "in dc1: 4,000 cells of its peers wait for its sink; links bring more as it takes them")
        .doesNotContain("in dc2:");
    assertThat(report.document().get("unsunk_cells")).isEqualTo(report.unsunk());
  }

  @Test
  void what_was_found_in_tables_is_named_with_its_server() {
    var changed =
        new Difference(
            Difference.Kind.CHANGED, FoldSource.TABLE, new OriginShard("dc2", 1, 42), 0, 63, 1);
    var right =
        new TableVerdict(
            0, NOW, Duration.ZERO, List.of(TableVerdict.OfServer.read("db1:3306", 500, List.of())));
    var wrong =
        new TableVerdict(
            1,
            NOW,
            Duration.ZERO,
            List.of(
                TableVerdict.OfServer.read("db1:3306", 500, List.of(changed)),
                TableVerdict.OfServer.unread("db2:3306", "no answer", OptionalLong.of(NOW - 1))));
    var links = List.of(link(List.of(), List.of(), NOW));
    var servers = Map.of("db1:3306", Set.of(0, 1), "db2:3306", Set.of(1));
    var good = new TableProof("dc1", 1, Map.of("db1:3306", Set.of(0)), true, List.of(right), NOW);
    assertThat(new MeshReport(links, List.of(), Map.of(), List.of(good)).agree()).isTrue();
    var bad = new TableProof("dc1", 2, servers, true, List.of(right, wrong), NOW);
    var none = new TableProof("dc2", 2, servers, false, List.of(), NOW);
    var report = new MeshReport(links, List.of(), Map.of(), List.of(bad, none));
    assertThat(report.agree()).isFalse();
    assertThat(print(report))
        .contains(
            "tables of dc1: 1,000 rows read, all of them within ",
            "in dc1: dc2 changed in the table, shard 42, origin_id 0 to 63 (1 blocks of 64 ids), at db1:3306",
            "in dc1: the tables at db2:3306 were not read: no answer",
            "tables of dc2: nobody reads them");
    report.print(console, true);
    assertThat(text())
        .contains("\"unread\" : \"no answer\"", "\"found\" : 1", "\"in\" : \"table\"");
  }

  @Test
  void tables_that_were_not_read_are_not_proved() {
    var links = List.of(link(List.of(), List.of(), NOW));
    var read =
        new TableVerdict(
            0,
            NOW,
            Duration.ZERO,
            List.of(
                TableVerdict.OfServer.read("db1:3306", 500, List.of()),
                TableVerdict.OfServer.unread("db2:3306", "no answer", OptionalLong.empty())));
    var servers = new TreeMap<String, Set<Integer>>();
    for (int n = 1; n <= 9; n++) {
      servers.put("db%d:3306".formatted(n), Set.of(0));
    }
    var some = new TableProof("dc1", 1, servers, true, List.of(read), NOW);
    var none = new TableProof("dc2", 1, servers, true, List.of(), NOW);
    var report = new MeshReport(links, List.of(), Map.of(), List.of(some, none));
    assertThat(report.agree()).isFalse();
    assertThat(print(report))
        .contains(
            "in dc1: the tables at db2:3306 are not proved: not read yet: no answer",
            "in dc1: the tables at db3:3306, db4:3306, db5:3306, db6:3306, db7:3306 and 2 more are"
                + " not proved: not read yet",
            "tables of dc2: not proved: nobody has read them yet; a worker does")
        .doesNotContain("were not read", "in dc2: the tables");
    report.print(console, true);
    assertThat(text()).contains("\"doubt\" : \"not read yet: no answer\"");
  }

  @Test
  void machines_are_told_the_same() {
    var lost = cell(CellDifference.Kind.UNLOGGED);
    new MeshReport(List.of(link(List.of(MISSING), List.of(lost), NOW))).print(console, true);
    assertThat(text())
        .contains("\"agree\" : false", "\"first\" : 17", "\"kind\" : \"not in the log\"");
  }

  @Test
  void cells_are_named_a_line_each() {
    assertThat(MeshReport.printCells(console, List.of())).isTrue();
    assertThat(MeshReport.printCells(console, List.of(cell(CellDifference.Kind.REFUSED)))).isTrue();
    assertThat(MeshReport.printCells(console, List.of(cell(CellDifference.Kind.CHANGED))))
        .isFalse();
    assertThat(text()).contains("no cell differs", "changed shard 42, origin_id 30: ");
  }

  private static CellDifference cell(CellDifference.Kind kind) {
    return new CellDifference(
        kind, 42, 30, new CellKey(new UUID(1, 2), "BASE", 1), Optional.of("aa"), Optional.of("bb"));
  }

  private static LinkProof link(
      List<Difference> differences, List<CellDifference> absent, long heard) {
    var verdict =
        new Verdict(
            1_234,
            1_200,
            3,
            OptionalLong.of(NOW - 2_000),
            7,
            new TreeMap<>(Map.of(42, 16L)),
            differences,
            List.of(),
            OptionalLong.of(heard),
            OptionalLong.of(NOW));
    return new LinkProof("dc2", "dc1", Optional.of(verdict), "", absent, 0, Optional.empty(), NOW);
  }

  private String print(MeshReport report) {
    report.print(console, false);
    return text();
  }

  private String text() {
    return printed.toString(StandardCharsets.UTF_8);
  }
}
