package io.cellmesh.operations.mesh.joining;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.LinkHold;
import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.cell.proof.Verdict;
import io.cellmesh.operations.mesh.LinkProof;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** When a data centre that joins is said to agree with the others. */
class JoiningProofTest {
  private static final long NOW = 1_000_000;
  private static final LinkProof ELSEWHERE =
      new LinkProof("dc1", "dc2", Optional.empty(), "out of reach", List.of(), 0, Optional.empty(), NOW);

  private final JoiningProof proof = new JoiningProof("dc3");

  @Test
  void what_is_only_between_the_others_does_not_count() {
    assertThat(proof.lack(List.of(ELSEWHERE, link("dc1", "dc3", 10, 10)))).isEmpty();
  }

  @Test
  void both_directions_count() {
    var unread = new LinkProof("dc3", "dc1", Optional.empty(), "can't be read", List.of(), 0, Optional.empty(), NOW);
    assertThat(proof.lack(List.of(link("dc1", "dc3", 10, 10), unread)))
        .contains("cells of dc3 in dc1: can't be read");
  }

  @Test
  void what_has_arrived_must_have_come_into_its_log_and_what_comes_later_need_not() {
    assertThat(proof.lack(List.of(link("dc1", "dc3", 1_000, 400))))
        .contains("cells of dc1 in dc3: 400 of 1,000 that have arrived are in its log");
    assertThat(proof.lack(List.of(link("dc1", "dc3", 3_000, 1_000)))).isEmpty();
  }

  @Test
  void cells_that_were_not_taken_for_a_reason_count_as_being_there() {
    assertThat(proof.lack(List.of(of("dc1", "dc3", verdict(10, 9, 0, NOW, absent()))))).isEmpty();
  }

  @Test
  void cells_that_wait_for_long_are_missing_and_those_on_their_way_are_not() {
    assertThat(proof.lack(List.of(of("dc1", "dc3", verdict(10, 10, 7, NOW - 31_000, List.of())))))
        .contains("cells of dc1 in dc3: 7 have not arrived, for 31 s");
    assertThat(proof.lack(List.of(of("dc1", "dc3", verdict(10, 10, 7, NOW - 9_000, List.of())))))
        .isEmpty();
  }

  @Test
  void a_peer_that_is_given_up_as_lost_is_not_joined() {
    var hold = new LinkHold(LinkHold.Kind.LOST, Instant.EPOCH, "anna");
    var lost =
        new LinkProof(
            "dc2", "dc3", Optional.empty(), hold.text(), List.of(), 0, Optional.of(hold), NOW);
    assertThat(proof.lack(List.of(link("dc1", "dc3", 10, 10), lost)).orElseThrow())
        .startsWith("cells of dc2 in dc3: given up as lost");
  }

  private static LinkProof link(String origin, String datacenter, long agreed, long held) {
    return of(origin, datacenter, verdict(agreed, held, 0, NOW, List.of()));
  }

  private static LinkProof of(String origin, String datacenter, Verdict verdict) {
    return new LinkProof(origin, datacenter, Optional.of(verdict), "", List.of(), 0, Optional.empty(), NOW);
  }

  private static List<Difference> absent() {
    return List.of(
        new Difference(
            Difference.Kind.ABSENT, FoldSource.LOG, new OriginShard("dc1", 1, 3), 5, 5, 1));
  }

  private static Verdict verdict(
      long agreed, long held, long waiting, long since, List<Difference> absent) {
    return new Verdict(
        agreed,
        held,
        waiting,
        waiting == 0 ? OptionalLong.empty() : OptionalLong.of(since),
        0,
        new TreeMap<>(),
        List.of(),
        absent,
        OptionalLong.of(NOW),
        OptionalLong.of(NOW));
  }
}
