package io.cellmesh.operations.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.LogOffset;
import io.cellmesh.cell.LogOffset.Place;
import io.cellmesh.cell.ShardSet;
import io.cellmesh.storage.EntityCounts;
import io.cellmesh.storage.EntityCounts.Size;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RebuildProgressTest {
  private final EntityCounts rows =
      new EntityCounts(
          Map.of(0, new Size(100, 100), 1, new Size(200, 400), 2, new Size(50, 50)), true);
  private final RebuildProgress progress = new RebuildProgress(rows, ShardSet.parse("0-1"));

  @Test
  void onlyTheShardsThatAreRebuiltCount() {
    assertThat(progress.total()).isEqualTo(300);
    assertThat(progress.look(rebuild("0-1", -1, 0), 1_000)).isZero();
  }

  @Test
  void finishedShardsAndThePartOfTheOneInWorkAreDone() {
    assertThat(progress.look(rebuild("1", 1, 200), 0)).isEqualTo(200);
  }

  @Test
  void betweenTwoFlushesTheLogTellsButNeverTheEnd() {
    progress.look(rebuild("0-1", -1, 0), 1_000);

    assertThat(progress.look(rebuild("0-1", -1, 0), 1_060)).isEqualTo(60);
    assertThat(progress.look(rebuild("0-1", -1, 0), 9_000)).isEqualTo(299);
    assertThat(progress.isFinished()).isFalse();
  }

  @Test
  void itNeverFalls() {
    progress.look(rebuild("0-1", -1, 0), 1_000);
    progress.look(rebuild("0-1", -1, 0), 1_090);

    assertThat(progress.look(rebuild("0-1", 0, 50), 1_095)).isEqualTo(90);
  }

  @Test
  void itIsDoneWhenTheOffsetStreams() {
    var streaming = LogOffset.after("u:1");

    assertThat(progress.look(Optional.of(streaming), 0)).isEqualTo(300);
    assertThat(progress.isFinished()).isTrue();
  }

  private static Optional<LogOffset> rebuild(String shards, int shard, long addedId) {
    return Optional.of(
        new LogOffset(
            Optional.of("u:1"),
            shard < 0 ? Optional.empty() : Optional.of(new Place(shard, addedId)),
            Optional.of(ShardSet.parse(shards))));
  }
}
