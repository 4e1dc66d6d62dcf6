package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.operations.mesh.CellDifference;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import io.cellmesh.operations.mesh.LinkProof;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ProvedAgreementTest {
  private static final long MOMENT = 1_000_000;
  private static final long NOW = MOMENT + 5_000;
  private static final UUID ROW = UUID.fromString("6f9619ff-8b86-d011-b42d-00cf4fc964ff");

  @Test
  void who_was_heard_of_since_with_no_older_cell_waiting_agrees() {
    assertThat(missing(verdict(MOMENT + 1, OptionalLong.empty()))).isEmpty();
    assertThat(missing(verdict(MOMENT + 1, OptionalLong.of(MOMENT + 1)))).isEmpty();
  }

  @Test
  void who_was_not_heard_of_since_does_not() {
    assertThat(missing(verdict(MOMENT - 1, OptionalLong.empty())))
        .containsExactly("dc1 in dc2: not all partitions were folded since");
  }

  @Test
  void a_cell_that_waits_since_before_is_told() {
    assertThat(missing(verdict(MOMENT + 1, OptionalLong.of(MOMENT - 1_000))))
        .containsExactly("dc1 in dc2: cells wait, the oldest for 6.0 s");
  }

  @Test
  void what_waits_beside_younger_cells_of_its_bucket_is_told() {
    var verdict = verdict(MOMENT + 1, OptionalLong.of(MOMENT + 1));
    verdict.agreedTo().put(7, 639L);
    var link = new LinkProof("dc1", "dc2", Optional.of(verdict), "", List.of(), 0, none(), NOW);

    assertThat(missing(link, 7, 702)).isEmpty();
    assertThat(missing(link, 7, 703))
        .containsExactly(
            "dc1 in dc2: of shard 7 all agrees up to origin_id 639, and 703 was there");
  }

  private static List<String> missing(LinkProof link, int shard, long written) {
    return ProvedAgreement.missing(List.of(link), MOMENT, Map.of("dc1", Map.of(shard, written)));
  }

  @Test
  void a_link_that_can_not_be_read_does_not_agree() {
    var link =
        new LinkProof("dc1", "dc2", Optional.empty(), "dc2: away", List.of(), 0, none(), NOW);

    assertThat(ProvedAgreement.missing(List.of(link), MOMENT, Map.of()))
        .containsExactly("dc1 in dc2: dc2: away");
  }

  @Test
  void a_difference_is_named() {
    var cell =
        new CellDifference(
            Kind.UNLOGGED,
            7,
            12,
            new CellKey(ROW, "BASE", 1),
            Optional.of("9f2b"),
            Optional.of("9f2b"));
    var link =
        new LinkProof(
            "dc1",
            "dc2",
            Optional.of(verdict(MOMENT + 1, OptionalLong.empty())),
            "",
            List.of(cell),
            0,
            none(),
            NOW);

    assertThat(ProvedAgreement.missing(List.of(link), MOMENT, Map.of()))
        .containsExactly(
            "dc1 in dc2: 1 differences, such as dc1 not in the log, shard 7, origin_id 12: "
                + cell.key());
  }

  private static List<String> missing(Verdict verdict) {
    var link = new LinkProof("dc1", "dc2", Optional.of(verdict), "", List.of(), 0, none(), NOW);
    return ProvedAgreement.missing(List.of(link), MOMENT, Map.of());
  }

  private static Verdict verdict(long at, OptionalLong waitingSince) {
    return new Verdict(
        1,
        1,
        waitingSince.isPresent() ? 1 : 0,
        waitingSince,
        0,
        new TreeMap<>(),
        List.of(),
        List.of(),
        OptionalLong.of(at),
        OptionalLong.of(at + 1));
  }

  private static <T> Optional<T> none() {
    return Optional.empty();
  }
}
