package io.cellmesh.operations.mesh;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.proof.Difference;
import io.cellmesh.cell.proof.FoldSource;
import io.cellmesh.cell.proof.OriginShard;
import io.cellmesh.cell.proof.TableVerdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TableProofTest {
  private static final long NOW = Duration.ofDays(20_000).toMillis();
  private static final String MASTER = "db1:3306";
  private static final String MINION = "db2:3306";
  private static final Map<String, Set<Integer>> SERVERS =
      Map.of(MASTER, Set.of(0, 1), MINION, Set.of(0, 1));

  @Test
  void tables_agree_that_were_read_of_late_on_every_server() {
    assertThat(proof(verdict(0, 9, both()), verdict(1, 3, both())).agrees()).isTrue();
  }

  @Test
  void a_server_that_was_never_read_is_not_proved_and_says_why() {
    var unread = TableVerdict.OfServer.unread(MINION, "no answer", OptionalLong.empty());
    var proof = proof(verdict(0, 0, List.of(read(MASTER), unread)), verdict(1, 0, both()));
    assertThat(proof.doubts())
        .isEqualTo(Map.of(MINION, "not read yet in 1 of 2 partitions: no answer"));
    assertThat(proof.agrees()).isFalse();
  }

  @Test
  void a_server_that_came_after_the_last_look_is_not_proved() {
    var before = List.of(read(MASTER));
    assertThat(proof(verdict(0, 0, before), verdict(1, 0, before)).doubts())
        .isEqualTo(Map.of(MINION, "not read yet"));
  }

  @Test
  void a_partition_that_nobody_has_looked_at_is_not_proved() {
    assertThat(proof(verdict(0, 0, both())).doubts())
        .isEqualTo(
            Map.of(
                MASTER, "not read yet in 1 of 2 partitions",
                MINION, "not read yet in 1 of 2 partitions"));
  }

  @Test
  void a_server_that_could_not_be_read_of_late_is_not_proved_after_a_while() {
    assertThat(proof(verdict(0, 0, without(10)), verdict(1, 0, both())).agrees()).isTrue();
    assertThat(proof(verdict(0, 0, without(12)), verdict(1, 0, both())).doubts())
        .isEqualTo(Map.of(MINION, "not read for 12 min: no answer"));
  }

  @Test
  void nothing_is_proved_any_more_where_reading_has_ended() {
    assertThat(proof(verdict(0, 11, both()), verdict(1, 11, both())).doubts())
        .isEqualTo(Map.of(MASTER, "not read for 11 min", MINION, "not read for 11 min"));
  }

  @Test
  void where_a_round_takes_long_tables_may_be_read_seldom() {
    var hour = Duration.ofHours(1);
    var first = new TableVerdict(0, at(120), hour, both());
    var second = new TableVerdict(1, at(60), hour, both());
    assertThat(proof(first, second).agrees()).isTrue();
    var late = new TableVerdict(0, at(4 * 60 + 11), hour, both());
    assertThat(proof(late, second).doubts()).containsOnlyKeys(MASTER, MINION);
  }

  @Test
  void where_nobody_is_to_read_tables_these_stand_in_nobodys_way() {
    assertThat(new TableProof("dc1", 2, SERVERS, false, List.of(), NOW).agrees()).isTrue();
    assertThat(new TableProof("dc1", 2, SERVERS, true, List.of(), NOW).agrees()).isFalse();
  }

  @Test
  void a_difference_is_none_the_less_one_where_all_was_read() {
    var missing =
        new Difference(
            Difference.Kind.MISSING, FoldSource.TABLE, new OriginShard("dc2", 1, 0), 7, 7, 1);
    var wrong = TableVerdict.OfServer.read(MASTER, 5, List.of(missing));
    var proof = proof(verdict(0, 0, List.of(wrong, read(MINION))), verdict(1, 0, both()));
    assertThat(proof.doubts()).isEmpty();
    assertThat(proof.agrees()).isFalse();
  }

  private static TableProof proof(TableVerdict... verdicts) {
    return new TableProof("dc1", 2, SERVERS, true, List.of(verdicts), NOW);
  }

  private static TableVerdict verdict(
      int partition, long minutesAgo, List<TableVerdict.OfServer> servers) {
    return new TableVerdict(partition, at(minutesAgo), Duration.ofSeconds(2), servers);
  }

  private static List<TableVerdict.OfServer> both() {
    return List.of(read(MASTER), read(MINION));
  }

  private static List<TableVerdict.OfServer> without(long minutesAgo) {
    var before = OptionalLong.of(at(minutesAgo));
    return List.of(read(MASTER), TableVerdict.OfServer.unread(MINION, "no answer", before));
  }

  private static TableVerdict.OfServer read(String address) {
    return TableVerdict.OfServer.read(address, 5, List.of());
  }

  private static long at(long minutesAgo) {
    return NOW - Duration.ofMinutes(minutesAgo).toMillis();
  }
}
