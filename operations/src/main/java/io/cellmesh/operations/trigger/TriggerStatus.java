package io.cellmesh.operations.trigger;

import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Pause;
import io.cellmesh.topics.trigger.Reason;
import io.cellmesh.topics.trigger.TriggerName;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a trigger is.
 *
 * @param members the processes that share its partitions now
 * @param partitions one each of its topic, by number
 * @param pause why it is not called; empty if it is
 * @param halted members that hold themselves for halted
 */
public record TriggerStatus(
    TriggerName name,
    Definition definition,
    Instant createdAt,
    List<Member> members,
    List<PartitionStatus> partitions,
    Optional<Pause> pause,
    List<Halt> halted) {

  public TriggerStatus {
    members = List.copyOf(members);
    partitions = List.copyOf(partitions);
    halted = List.copyOf(halted);
  }

  /**
   * A process of the trigger's group.
   *
   * @param id that Kafka's coordinator gave it
   * @param partitions that it owns
   */
  public record Member(String id, String client, String host, List<Integer> partitions) {
    public Member {
      partitions = List.copyOf(partitions);
    }
  }

  /** A member that does not park what fails, since too much does. */
  public record Halt(String member, Instant at, Optional<Reason> reason) {}

  /** Cells behind the committed offsets; markers of transactions count, too. */
  public long lagCells() {
    return partitions.stream().mapToLong(PartitionStatus::lagCells).sum();
  }

  /** The age of the oldest cell that is not finished; zero if all are. */
  public Duration lag() {
    return partitions.stream()
        .map(PartitionStatus::lag)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  public long parkedRows() {
    return partitions.stream().mapToLong(PartitionStatus::parkedRows).sum();
  }

  public long parkedCells() {
    return partitions.stream().mapToLong(PartitionStatus::parkedCells).sum();
  }

  /** Requests that no owner has carried out yet. */
  public long requests() {
    return partitions.stream().mapToLong(PartitionStatus::requests).sum();
  }

  /** What keeps it from its work, in sentences; empty if nothing does. */
  public List<String> findings() {
    var findings = new ArrayList<String>();
    if (members.isEmpty()) {
      findings.add("does not run");
    }
    for (var halt : halted) {
      findings.add(
          "%s is halted%s"
              .formatted(halt.member(), halt.reason().map(why -> ": " + why.text()).orElse("")));
    }
    partitions.forEach(partition -> partition.finding().ifPresent(findings::add));
    return findings;
  }

  /** Whether it does what it is to do: a trigger that is paused need not run. */
  public boolean works() {
    return findings().isEmpty() || pause.isPresent() && halted.isEmpty() && !isStuck();
  }

  private boolean isStuck() {
    return partitions.stream().anyMatch(partition -> partition.finding().isPresent());
  }
}
