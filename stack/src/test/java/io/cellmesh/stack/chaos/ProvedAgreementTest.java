package io.cellmesh.stack.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.CellKey;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.operations.mesh.CellDifference;
import io.cellmesh.operations.mesh.CellDifference.Kind;
import io.cellmesh.operations.mesh.LinkProof;
import java.util.List;
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
  void a_link_that_can_not_be_read_does_not_agree() {
    var link =
        new LinkProof("dc1", "dc2", Optional.empty(), "dc2: away", List.of(), 0, none(), NOW);

    assertThat(ProvedAgreement.missing(List.of(link), MOMENT))
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

    assertThat(ProvedAgreement.missing(List.of(link), MOMENT))
        .containsExactly(
            "dc1 in dc2: 1 differences, such as dc1 not in the log, shard 7, origin_id 12: "
                + cell.key());
  }

  private static List<String> missing(Verdict verdict) {
    var link = new LinkProof("dc1", "dc2", Optional.of(verdict), "", List.of(), 0, none(), NOW);
    return ProvedAgreement.missing(List.of(link), MOMENT);
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
