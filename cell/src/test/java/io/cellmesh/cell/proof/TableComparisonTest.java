package io.cellmesh.cell.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Origin;
import io.cellmesh.cell.proof.Difference.Kind;
import io.cellmesh.cell.proof.FoldedTopic.Entry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TableComparisonTest {
  private static final int CELLS = 2_000;
  private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);

  private final Random random = new Random(17);
  private final List<Entry> cells = FoldedTopic.cells(random, CELLS);

  @Test
  void tables_that_hold_what_the_log_has_told_are_right() {
    var log = log(cells);
    assertThat(log.differences(rows(cells), ALL, log.reached())).isEmpty();
  }

  @Test
  void a_server_that_may_lag_is_compared_as_far_as_it_is() {
    for (int i = 0; i < 50; i++) {
      var rows = cells.subList(0, random.nextInt(CELLS));
      assertThat(log(cells).differences(rows(rows), ALL, Map.of())).isEmpty();
    }
  }

  @Test
  void tables_that_are_ahead_of_what_the_log_has_told_are_right() {
    for (int i = 0; i < 50; i++) {
      var log = log(cells.subList(0, random.nextInt(CELLS)));
      assertThat(log.differences(rows(cells), ALL, log.reached())).isEmpty();
    }
  }

  @Test
  void a_row_that_is_gone_is_named_wherever_it_stood() {
    var log = log(cells);
    for (int gone : List.of(0, 17, CELLS / 2, CELLS - 1)) {
      var rows = new ArrayList<>(cells);
      var cell = rows.remove(gone);
      assertThat(log.differences(rows(rows), ALL, log.reached()))
          .containsExactly(
              new Difference(Kind.MISSING, FoldSource.TABLE, of(cell), cell.id(), cell.id(), 1));
    }
  }

  @Test
  void a_shard_that_is_empty_lacks_all_that_the_log_has() {
    var log = log(cells);
    var rows = cells.stream().filter(cell -> cell.shard() != 2).toList();
    var lost = cells.size() - rows.size();
    assertThat(log.differences(rows(rows), ALL, Map.of())).as("it may lag").isEmpty();
    assertThat(log.differences(rows(rows), Set.of(0, 1, 3), log.reached())).isEmpty();
    assertThat(log.differences(rows(rows), ALL, log.reached()))
        .isNotEmpty()
        .allSatisfy(found -> assertThat(found.kind()).isEqualTo(Kind.MISSING))
        .extracting(Difference::count)
        .satisfies(
            counts -> assertThat(counts.stream().mapToLong(Long::longValue).sum()).isEqualTo(lost));
  }

  @Test
  void a_body_that_is_changed_is_found_with_its_block_of_ids() {
    var log = log(cells);
    for (int changed : List.of(0, 1_000, CELLS - 1)) {
      var rows = new ArrayList<>(cells);
      var cell = rows.get(changed);
      rows.set(changed, new Entry(cell.shard(), cell.id(), cell.digest() + 1));
      assertThat(log.differences(rows(rows), ALL, log.reached()))
          .singleElement()
          .satisfies(
              found -> {
                assertThat(found.kind()).isEqualTo(Kind.CHANGED);
                assertThat(found.cells()).isEqualTo(of(cell));
                assertThat(found.first()).isEqualTo(cell.id() / 64 * 64);
              });
    }
  }

  @Test
  void two_rows_that_have_changed_places_are_found() {
    var log = log(cells);
    var rows = new ArrayList<>(cells);
    int one = 500;
    int other = one + 1;
    while (rows.get(other).shard() != rows.get(one).shard()) {
      other++;
    }
    Collections.swap(rows, one, other);
    var late = cells.get(one);
    assertThat(log.differences(rows(rows), ALL, log.reached()))
        .containsExactly(
            new Difference(Kind.INVERTED, FoldSource.TABLE, of(late), late.id(), late.id(), 1));
    assertThat(log(rows).differences(rows(rows), ALL, log.reached()))
        .as("a log that has them so as well is told of elsewhere")
        .isEmpty();
  }

  @Test
  void a_row_that_the_log_has_not_is_named_once_the_log_has_gone_on() {
    var cell = cells.get(300);
    var told = new ArrayList<>(cells);
    told.remove(cell);
    var log = log(told);
    assertThat(log.differences(rows(cells), ALL, log.reached()))
        .containsExactly(
            new Difference(Kind.EXTRA, FoldSource.TABLE, of(cell), cell.id(), cell.id(), 1));
  }

  @Test
  void what_expired_before_it_was_folded_is_not_compared() {
    var folded = new FoldedTopic(FoldSource.LOG, false);
    folded.fold(cells.subList(1_000, CELLS));
    folded.store();
    var log = new TableComparison();
    folded.tell(log::log);
    assertThat(log.differences(rows(cells), ALL, log.reached())).isEmpty();
  }

  /** As in a data centre that came back before herb-replicator was there. */
  @Test
  void what_stands_out_of_order_where_the_log_expired_unfolded_is_not_told() {
    var rows = List.of(cell(100), cell(300), cell(200), cell(400), cell(500));
    var folded = new FoldedTopic(FoldSource.LOG, false);
    folded.fold(List.of(cell(400), cell(500)));
    folded.store();
    var log = new TableComparison();
    folded.tell(log::log);
    assertThat(log.differences(rows(rows), ALL, log.reached())).isEmpty();
    assertThat(log(rows).differences(rows(rows), ALL, Map.of())).isEmpty();
  }

  private static Entry cell(long id) {
    return new Entry(2, id, id * 31);
  }

  /** One record must hold it, of Kafka's 1 MiB. */
  @Test
  void a_verdict_of_servers_that_all_differ_is_one_record() {
    var cells = new OriginShard("a-data-centre-with-a-long-name", 1, 65_535);
    long id = Long.MAX_VALUE - 63;
    var found =
        Collections.nCopies(
            5_000, new Difference(Kind.MISSING, FoldSource.TABLE, cells, id, id + 63, 64));
    var servers =
        IntStream.range(0, 256 * 3)
            .mapToObj(n -> TableVerdict.OfServer.read("database-%d:3306".formatted(n), 7, found))
            .toList();
    var verdict = new TableVerdict(7, 1_000, Duration.ZERO, servers);
    assertThat(verdict.value()).hasSizeLessThan(800_000);
    assertThat(TableVerdict.read(verdict.key(), verdict.value())).contains(verdict);
    assertThat(verdict.found()).isEqualTo(5_000L * servers.size());
    assertThat(verdict.servers())
        .allSatisfy(server -> assertThat(server.differences()).isNotEmpty());
    assertThat(new TableVerdict(7, 1_000, Duration.ZERO, servers.subList(0, 3)).servers())
        .allSatisfy(server -> assertThat(server.differences()).hasSize(TableVerdict.TOLD));
  }

  @Test
  void a_verdict_reads_as_it_was_written() {
    var found =
        new Difference(Kind.CHANGED, FoldSource.TABLE, new OriginShard("dc2", 1, 42), 64, 127, 1);
    var verdict =
        new TableVerdict(
            7,
            1_000,
            Duration.ofMillis(250),
            List.of(
                TableVerdict.OfServer.read("h:1", 12, List.of(found)),
                TableVerdict.OfServer.unread("h:2", "no answer", OptionalLong.of(400)),
                TableVerdict.OfServer.unread("h:3", "no answer", OptionalLong.empty())));
    assertThat(TableVerdict.read(verdict.key(), verdict.value())).contains(verdict);
    assertThat(verdict.readAt("h:1")).hasValue(1_000);
    assertThat(verdict.readAt("h:2")).hasValue(400);
    assertThat(verdict.readAt("h:3")).isEmpty();
    assertThat(verdict.readAt("h:4")).as("a server that has come since").isEmpty();
    assertThat(verdict.found()).isEqualTo(1);
    assertThat(TableVerdict.isKey(verdict.key())).isTrue();
    assertThat(BucketKey.parse(verdict.key())).isEmpty();
    assertThat(FoldPlace.read(verdict.key(), verdict.value())).isEmpty();
  }

  private static TableComparison log(List<Entry> entries) {
    var log = new TableComparison();
    FoldedTopic.of(FoldSource.LOG, entries).tell(log::log);
    return log;
  }

  private static Map<BucketKey, Bucket> rows(List<Entry> entries) {
    var fold = new PartitionFold(FoldSource.TABLE, true);
    for (var entry : entries) {
      fold.fold(new Origin("dc2", entry.id()), entry.shard(), entry.digest(), 0, 0);
    }
    return fold.takeChanged();
  }

  private static OriginShard of(Entry cell) {
    return new OriginShard("dc2", 1, cell.shard());
  }
}
