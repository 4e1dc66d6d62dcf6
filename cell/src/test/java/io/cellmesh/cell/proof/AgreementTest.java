package io.cellmesh.cell.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Origin;
import io.cellmesh.cell.proof.Difference.Kind;
import io.cellmesh.cell.proof.FoldedTopic.Entry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AgreementTest {
  private static final int CELLS = 2_000;

  private final Random random = new Random(11);
  private final List<Entry> cells = FoldedTopic.cells(random, CELLS);

  @Test
  void data_centres_that_hold_the_same_agree_up_to_the_last_cell() {
    var verdict = verdict(cells, cells, cells);
    assertThat(verdict.agrees()).isTrue();
    assertThat(verdict.agreed()).isEqualTo(CELLS);
    assertThat(verdict.held()).isEqualTo(CELLS);
    assertThat(verdict.waiting()).isZero();
    assertThat(verdict.agreedTo()).allSatisfy((shard, id) -> assertThat(id).isEqualTo(last(shard)));
  }

  @Test
  void one_that_is_behind_agrees_as_far_as_it_is() {
    for (int i = 0; i < 50; i++) {
      int arrived = random.nextInt(CELLS);
      var verdict = verdict(cells, cells.subList(0, arrived), cells.subList(0, arrived / 2));
      assertThat(verdict.agrees()).isTrue();
      assertThat(verdict.absent()).isEmpty();
      assertThat(verdict.waiting()).isEqualTo(CELLS - arrived);
      assertThat(verdict.waitingSince().isPresent()).isTrue();
      // One that is ahead of what the origin has told agrees as well.
      assertThat(verdict(cells.subList(0, arrived), cells, cells).agrees()).isTrue();
    }
  }

  @Test
  void while_cells_flow_a_link_that_stands_still_is_seen_to_be_late() {
    var log = FoldedTopic.of(FoldSource.LOG, cells);
    var agreement = FoldedTopic.agreement(log, cells, cells);
    long first = last(0) + 1;
    for (int i = 0; i < 640; i++) {
      log.fold(List.of(new Entry(0, first + i, 1)));
      log.store();
      log.tell(agreement::there);
    }
    var verdict = agreement.verdict();
    assertThat(verdict.waiting()).isEqualTo(640);
    long written = FoldedTopic.TIME + CELLS + 1;
    assertThat(verdict.waitingSince().orElseThrow()).isBetween(written, written + Bucket.BLOCK);

    log.restart();
    log.fold(List.of(new Entry(0, first + 640, 1)));
    log.store();
    log.tell(agreement::there);
    assertThat(agreement.verdict().waitingSince()).isEqualTo(verdict.waitingSince());
  }

  @Test
  void what_was_folded_without_times_of_blocks_is_as_old_as_its_last_cell() {
    var key = new BucketKey(FoldSource.LOG, new OriginShard("dc2", 1, 0), 0);
    var fold = new PartitionFold(FoldSource.LOG, true);
    fold.fold(new Origin("dc2", 1), 0, 1, 0, 1_000);
    fold.fold(new Origin("dc2", 100), 0, 1, 1, 2_000);
    var text = new String(BucketCodec.write(fold.takeChanged().get(key)), StandardCharsets.UTF_8);
    assertThat(read(key, text).orElseThrow().atBeyond(0)).isEqualTo(1_000);
    var without = text.replaceAll(",\"ages\":\"[^\"]*\"", "");
    assertThat(without).isNotEqualTo(text);
    assertThat(read(key, without).orElseThrow().atBeyond(0)).isEqualTo(2_000);
    assertThat(read(key, text.replace("\"ages\":\"", "\"ages\":\"AAAA")))
        .as("no whole number of them")
        .isEmpty();
  }

  @Test
  void a_cell_that_is_missing_is_named() {
    for (int i = 0; i < 50; i++) {
      int lost = random.nextInt(CELLS / 2);
      var arrived = new ArrayList<>(cells);
      var cell = arrived.remove(lost);
      var verdict = verdict(cells, arrived, arrived);
      assertThat(verdict.differences())
          .containsExactly(
              new Difference(Kind.MISSING, FoldSource.MESH, of(cell), cell.id(), cell.id(), 1));
      assertThat(verdict.absent()).hasSize(1);
      assertThat(verdict.agreed()).isBetween(CELLS - 64L, CELLS - 1L);
      assertThat(verdict.agreedTo().get(cell.shard())).isEqualTo(cell.id() - 1);
    }
  }

  @Test
  void a_bucket_of_which_nothing_has_arrived_is_missing_once_a_later_one_has() {
    var own = cells.stream().filter(cell -> cell.shard() == 0).toList();
    long number = own.stream().mapToLong(c -> Bucket.numberOf(c.id())).distinct().toArray()[1];
    assertThat(number).isLessThan(Bucket.numberOf(last(0)));
    var lost = own.stream().filter(cell -> Bucket.numberOf(cell.id()) == number).toList();
    var arrived = new ArrayList<>(cells);
    arrived.removeAll(lost);
    assertThat(verdict(cells, arrived, cells).differences())
        .containsExactly(
            new Difference(
                Kind.MISSING,
                FoldSource.MESH,
                new OriginShard("dc2", 1, 0),
                lost.get(0).id(),
                lost.get(lost.size() - 1).id(),
                lost.size()));
  }

  @Test
  void a_cell_that_is_changed_is_found_with_its_block() {
    for (int i = 0; i < 50; i++) {
      int at = random.nextInt(CELLS);
      var arrived = new ArrayList<>(cells);
      var cell = arrived.get(at);
      arrived.set(at, new Entry(cell.shard(), cell.id(), cell.digest() + 1));
      for (var verdict : List.of(verdict(cells, arrived, cells), verdict(cells, cells, arrived))) {
        assertThat(verdict.differences()).hasSize(1);
        var difference = verdict.differences().get(0);
        assertThat(difference.kind()).isEqualTo(Kind.CHANGED);
        assertThat(difference.cells()).isEqualTo(of(cell));
        assertThat(cell.id()).isBetween(difference.first(), difference.last());
      }
    }
  }

  @Test
  void cells_that_change_places_are_inverted() {
    for (int i = 0; i < 50; i++) {
      var arrived = new ArrayList<>(cells);
      int at = random.nextInt(CELLS - 200);
      int other = at + 1;
      while (arrived.get(other).shard() != arrived.get(at).shard()) {
        other++;
      }
      Collections.swap(arrived, at, other);
      var verdict = verdict(cells, arrived, cells);
      assertThat(verdict.differences())
          .containsExactly(
              new Difference(
                  Kind.INVERTED,
                  FoldSource.MESH,
                  of(cells.get(at)),
                  cells.get(at).id(),
                  cells.get(at).id(),
                  1));
      assertThat(verdict.agreed()).isEqualTo(CELLS);
    }
  }

  @Test
  void a_cell_that_the_origin_has_not_is_named() {
    var arrived = new ArrayList<>(cells);
    arrived.removeIf(cell -> cell.shard() == 0 && cell.id() < 1_000);
    var cell =
        cells.stream().filter(c -> c.shard() == 0 && c.id() < 1_000).findFirst().orElseThrow();
    var without = new ArrayList<>(arrived);
    arrived.add(0, cell);
    assertThat(verdict(without, arrived, without).differences())
        .containsExactly(
            new Difference(Kind.EXTRA, FoldSource.MESH, of(cell), cell.id(), cell.id(), 1));
  }

  @Test
  void a_cell_behind_the_last_of_the_origin_is_named_once_that_rests() {
    var arrived = new ArrayList<>(cells);
    arrived.add(new Entry(0, last(0) + 5, 1));
    var there = FoldedTopic.of(FoldSource.LOG, cells);
    var agreement = FoldedTopic.agreement(there, arrived, cells);
    assertThat(agreement.verdict().agrees()).isTrue();
    there.tellPlace(agreement::there, FoldedTopic.TIME + 5_000);
    assertThat(agreement.verdict().agrees()).isTrue();
    there.tellPlace(agreement::there, FoldedTopic.TIME + 20_000);
    assertThat(agreement.verdict().differences())
        .containsExactly(
            new Difference(
                Kind.EXTRA,
                FoldSource.MESH,
                new OriginShard("dc2", 1, 0),
                last(0) + 1,
                last(0) + 5,
                1));
  }

  @Test
  void an_origin_whose_clock_is_ahead_does_not_lack_what_it_has_just_written() {
    var there = FoldedTopic.of(FoldSource.LOG, cells.subList(0, CELLS - 100));
    var agreement = FoldedTopic.agreement(there, cells, cells);
    long now = FoldedTopic.TIME + CELLS;
    there.tellPlace(agreement::there, now + 15_000);
    assertThat(agreement.verdict().differences()).isEmpty();
    there.tellPlace(agreement::there, now + 25_001);
    assertThat(agreement.verdict().differences())
        .isNotEmpty()
        .allSatisfy(found -> assertThat(found.kind()).isEqualTo(Kind.EXTRA));
  }

  @Test
  void what_is_not_in_the_log_here_is_absent_and_no_difference_in_itself() {
    var held = new ArrayList<>(cells);
    var cell = held.remove(77);
    var verdict = verdict(cells, cells, held);
    assertThat(verdict.agrees()).isTrue();
    assertThat(verdict.absent())
        .containsExactly(
            new Difference(Kind.ABSENT, FoldSource.LOG, of(cell), cell.id(), cell.id(), 1));
    assertThat(verdict.absentCells()).isEqualTo(1);
  }

  @Test
  void repeats_are_counted_and_differ_in_nothing() {
    var arrived = new ArrayList<>(cells);
    arrived.addAll(cells.subList(CELLS - 30, CELLS));
    var verdict = verdict(cells, arrived, cells);
    assertThat(verdict.repeats()).isEqualTo(30);
    assertThat(verdict.agrees()).isTrue();
    assertThat(verdict.agreed()).isEqualTo(CELLS);
  }

  @Test
  void what_was_never_folded_is_not_compared() {
    var cut = new FoldedTopic(FoldSource.MESH, false);
    cut.fold(cells.subList(900, CELLS));
    cut.store();
    var agreement = new Agreement("dc2", FoldedTopic.SHARDS);
    FoldedTopic.of(FoldSource.LOG, cells).tell(agreement::there);
    cut.tell(agreement::here);
    var verdict = agreement.verdict();
    assertThat(verdict.agrees()).isTrue();
    assertThat(verdict.agreed()).isBetween(500L, CELLS - 900L);
    assertThat(verdict.provenAt()).isEmpty();
  }

  /** Neither is a bucket completed of which the last cells have expired. */
  @Test
  void agreement_goes_on_behind_what_expired_before_it_was_folded() {
    for (var cutSource : List.of(FoldSource.MESH, FoldSource.LOG)) {
      var cut = new FoldedTopic(cutSource, true);
      cut.fold(cells.subList(0, 700));
      cut.expire(cells.subList(700, 1_200));
      cut.fold(cells.subList(1_200, CELLS));
      cut.store();
      var whole =
          FoldedTopic.of(cutSource == FoldSource.MESH ? FoldSource.LOG : FoldSource.MESH, cells);
      var agreement = new Agreement("dc2", FoldedTopic.SHARDS);
      (cutSource == FoldSource.LOG ? cut : whole).tell(agreement::there);
      (cutSource == FoldSource.MESH ? cut : whole).tell(agreement::here);
      var verdict = agreement.verdict();
      assertThat(verdict.agrees()).isTrue();
      assertThat(verdict.agreedTo())
          .hasSize(FoldedTopic.SHARDS.count())
          .allSatisfy((shard, id) -> assertThat(id).isEqualTo(last(shard)));
    }
  }

  @Test
  void what_may_have_expired_before_it_was_folded_is_not_waited_for_and_what_came_later_is() {
    var mesh = FoldedTopic.of(FoldSource.MESH, cells.subList(0, 900));
    var agreement = new Agreement("dc2", FoldedTopic.SHARDS);
    var log = FoldedTopic.of(FoldSource.LOG, cells);
    log.tell(agreement::there);
    mesh.tell(agreement::here);
    mesh.tellPlace(agreement::here, FoldedTopic.TIME + CELLS);
    assertThat(agreement.verdict().waiting()).isEqualTo(CELLS - 900);

    mesh.tellPlace(agreement::here, FoldedTopic.TIME + CELLS, FoldedTopic.TIME + CELLS + 1);
    assertThat(agreement.verdict().waiting()).isZero();
    assertThat(agreement.verdict().waitingSince()).isEmpty();

    log.fold(List.of(new Entry(0, last(0) + 5_000, 1)));
    log.fold(List.of(new Entry(0, last(0) + 5_001, 1)));
    log.store();
    log.tell(agreement::there);
    assertThat(agreement.verdict().waiting()).isEqualTo(2);
  }

  @Test
  void what_may_have_expired_in_the_origins_log_before_it_was_folded_is_not_called_extra() {
    var log = FoldedTopic.of(FoldSource.LOG, cells.subList(0, 900));
    var agreement = new Agreement("dc2", FoldedTopic.SHARDS);
    log.tell(agreement::there);
    FoldedTopic.of(FoldSource.MESH, cells).tell(agreement::here);
    long later = FoldedTopic.TIME + CELLS + 60_000;
    log.tellPlace(agreement::there, later);
    assertThat(agreement.verdict().differences())
        .isNotEmpty()
        .allSatisfy(found -> assertThat(found.kind()).isEqualTo(Kind.EXTRA));

    log.tellPlace(agreement::there, later, FoldedTopic.TIME + CELLS + 1);
    assertThat(agreement.verdict().differences()).isEmpty();
  }

  @Test
  void what_a_data_centre_of_the_same_name_wrote_before_is_not_compared_and_all_behind_it_is() {
    var own = cells.stream().filter(cell -> cell.shard() == 0).toList();
    int at = own.size() / 2;
    // In the middle of a bucket.
    while (Bucket.numberOf(own.get(at).id()) != Bucket.numberOf(own.get(at + 1).id())) {
      at++;
    }
    long before = own.get(at).id();
    var gone = own.subList(0, at + 1);
    var there = new ArrayList<>(cells);
    // One that nobody had any more, and one that comes back with another body.
    there.remove(gone.get(0));
    var kept = gone.get(gone.size() - 1);
    there.set(there.indexOf(kept), new Entry(0, kept.id(), kept.digest() + 1));
    assertThat(verdict(there, cells, cells).differences()).isNotEmpty();

    var agreement = FoldedTopic.agreement(FoldedTopic.of(FoldSource.LOG, there), cells, cells);
    var start = new ProofStart(0, before);
    agreement.there(start.key().getBytes(StandardCharsets.UTF_8), start.value());
    assertThat(agreement.verdict().differences()).isEmpty();
    assertThat(agreement.verdict().absent()).isEmpty();

    var behind = cells.stream().filter(c -> c.shard() == 0 && c.id() > before + 200).findFirst();
    var lacking = new ArrayList<>(cells);
    lacking.remove(behind.orElseThrow());
    FoldedTopic.of(FoldSource.MESH, lacking).tell(agreement::here);
    assertThat(agreement.verdict().differences())
        .extracting(Difference::kind)
        .contains(Kind.MISSING);
  }

  @Test
  void one_that_took_a_name_over_and_has_written_nothing_yet_agrees() {
    var nothing = new FoldedTopic(FoldSource.LOG, true);
    var agreement = FoldedTopic.agreement(nothing, cells, cells);
    nothing.tellPlace(agreement::there, FoldedTopic.TIME + 60_000);
    assertThat(agreement.verdict().agrees()).isFalse();
    for (int shard = 0; shard < FoldedTopic.SHARDS.count(); shard++) {
      var start = new ProofStart(shard, last(shard));
      agreement.there(start.key().getBytes(StandardCharsets.UTF_8), start.value());
    }
    assertThat(agreement.verdict().differences()).isEmpty();
  }

  @Test
  void a_shard_of_which_all_had_expired_before_it_was_folded_is_not_compared() {
    for (boolean whole : List.of(true, false)) {
      var there = new FoldedTopic(FoldSource.LOG, whole);
      there.fold(cells.stream().filter(cell -> cell.shard() != 0).toList());
      there.store();
      var agreement = FoldedTopic.agreement(there, cells, cells);
      there.tellPlace(agreement::there, FoldedTopic.TIME + 60_000);
      assertThat(agreement.verdict().agrees()).as("whole: %s", whole).isEqualTo(!whole);
    }
  }

  @Test
  void what_agreed_and_is_written_again_otherwise_is_noticed() {
    var there = FoldedTopic.of(FoldSource.LOG, cells);
    var agreement = FoldedTopic.agreement(there, cells, cells);
    assertThat(agreement.verdict().agreed()).isEqualTo(CELLS);
    var first = cells.stream().filter(c -> c.shard() == 0).findFirst().orElseThrow();
    var cell = new Entry(0, first.id(), first.digest() + 1);
    FoldedTopic.of(FoldSource.MESH, List.of(cell)).tell(agreement::here);
    assertThat(agreement.verdict().agrees()).isFalse();
    FoldedTopic.of(FoldSource.MESH, cells).tell(agreement::here);
    assertThat(agreement.verdict().agrees()).isTrue();
    assertThat(agreement.verdict().agreed()).isEqualTo(CELLS);
  }

  private Verdict verdict(List<Entry> there, List<Entry> mesh, List<Entry> log) {
    return FoldedTopic.agreement(FoldedTopic.of(FoldSource.LOG, there), mesh, log).verdict();
  }

  private long last(int shard) {
    return cells.stream().filter(c -> c.shard() == shard).mapToLong(Entry::id).max().orElseThrow();
  }

  private static Optional<Bucket> read(BucketKey key, String text) {
    return BucketCodec.read(key, text.getBytes(StandardCharsets.UTF_8));
  }

  private static OriginShard of(Entry cell) {
    return new OriginShard("dc2", 1, cell.shard());
  }
}
