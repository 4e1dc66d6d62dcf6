package io.cellmesh.herb;

import io.cellmesh.cell.MeshIdentity;
import io.cellmesh.cell.ReadPlace;
import io.cellmesh.cell.RememberedLog;
import io.cellmesh.deployment.Seed;
import io.cellmesh.deployment.peer.LogAnswer;
import io.cellmesh.deployment.peer.PeerAwayException;
import io.cellmesh.deployment.peer.PeerHttp;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A peer whose herb-replicator has answered. It keeps nothing of the link.
 *
 * @param topic its log
 */
record HttpSide(PeerHttp peer, String topic, LogAnswer answer) implements PeerSide {
  @Override
  public String at() {
    return peer.at();
  }

  @Override
  public RememberedLog log() {
    return answer.log();
  }

  @Override
  public int partitions() {
    return answer.begins().size();
  }

  @Override
  public Optional<MeshIdentity> identity(Consumer<String> doubt) {
    return Optional.of(answer.identity());
  }

  @Override
  public int generation() {
    return answer.generation();
  }

  @Override
  public Map<Integer, Long> committed() {
    return Map.of();
  }

  @Override
  public void commit(Map<Integer, Long> places) {
    // The only place is the one that is kept here.
  }

  @Override
  public List<ReadPlace> places(Map<Integer, Long> next) {
    return IntStream.range(0, partitions()).mapToObj(p -> place(p, next.get(p))).toList();
  }

  private ReadPlace place(int partition, Long next) {
    return new ReadPlace(
        topic,
        partition,
        next == null ? OptionalLong.empty() : OptionalLong.of(next),
        answer.begins().get(partition),
        answer.ends().get(partition));
  }

  @Override
  public Optional<Seed> seed(Consumer<String> doubt) throws InterruptedException {
    try {
      var seed = peer.seed();
      if (seed.isEmpty()) {
        doubt.accept("`cellmesh dc add` makes a seed of what is gone");
      }
      return seed;
    } catch (PeerAwayException e) {
      doubt.accept("whether there is a seed is not known: " + e.getMessage());
      return Optional.empty();
    }
  }

  @Override
  public String text(ReadPlace place) {
    return place.state() == ReadPlace.State.FORGOTTEN
        ? "%s-%d: no place is kept here, and the topic no longer has the records before %d"
            .formatted(place.topic(), place.partition(), place.begin())
        : place.text();
  }

  @Override
  public void close() {
    // Nothing is open.
  }
}
