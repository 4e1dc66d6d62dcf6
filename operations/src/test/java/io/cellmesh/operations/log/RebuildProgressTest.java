package io.cellmesh.operations.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.operations.log.ShardRows.Size;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RebuildProgressTest {
  private final ShardRows rows =
      new ShardRows(
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
    var streaming =
        new SourceOffset(
            Optional.of("u:1"), Optional.empty(), OptionalInt.empty(), OptionalLong.empty());

    assertThat(progress.look(Optional.of(streaming), 0)).isEqualTo(300);
    assertThat(progress.isFinished()).isTrue();
  }

  private static Optional<SourceOffset> rebuild(String shards, int shard, long addedId) {
    return Optional.of(
        new SourceOffset(
            Optional.of("u:1"),
            Optional.of(ShardSet.parse(shards)),
            shard < 0 ? OptionalInt.empty() : OptionalInt.of(shard),
            shard < 0 ? OptionalLong.empty() : OptionalLong.of(addedId)));
  }
}
