package io.cellmesh.operations.trigger;

import io.cellmesh.cell.CellKey;
import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.instance.InstanceTopics;
import io.cellmesh.topics.Consumers;
import io.cellmesh.topics.LogOffsets;
import io.cellmesh.topics.LogShape;
import io.cellmesh.topics.trigger.Definition;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.Start;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.topics.trigger.TriggerRefusedException;
import io.cellmesh.topics.trigger.TriggerRegistry;
import io.cellmesh.topics.trigger.TriggerRegistry.Created;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What is asked of a trigger that is to be created.
 *
 * @param own the column whose topic it reads instead of the log; empty for the log
 * @param columns whose cells it is called with; empty for all of its topic
 * @param whatIsLeft whether to begin with the first record that there still is
 * @param replication of topics that are missing; -1 for the brokers' default
 */
public record TriggerSetup(
    TriggerName name,
    Optional<String> own,
    List<String> columns,
    Order order,
    Start start,
    boolean whatIsLeft,
    short replication) {
  private static final Pattern IN_TOPIC = Pattern.compile("[A-Za-z0-9._-]+");
  private static final int LONGEST_TOPIC = 249;

  /**
   * @throws OperationException naming what can't be asked for
   */
  public TriggerSetup {
    columns = List.copyOf(columns);
    for (var column : columns) {
      if (column.isEmpty() || column.codePointCount(0, column.length()) > CellKey.MAX_COLUMN_NAME) {
        throw OperationException.invalid(
            "column = \"%s\": must be 1 to %d characters"
                .formatted(shown(column), CellKey.MAX_COLUMN_NAME));
      }
    }
    own.ifPresent(TriggerSetup::checkInTopic);
    if (own.isPresent() && columns.stream().anyMatch(column -> !column.equals(own.get()))) {
      throw OperationException.invalid(
          "column = %s: the topic of %s has no other columns"
              .formatted(String.join(", ", columns), own.get()));
    }
  }

  /**
   * Makes the topics that are missing and creates the trigger, in all partitions or in none. The
   * same again changes nothing.
   *
   * @throws OperationException if there is another one of that name, or it can't begin there
   */
  public Created run(TriggerSite site) throws InterruptedException {
    try {
      checkTopic(site);
      createTopics(site);
      return new TriggerRegistry(site.kafka(), site.dc().topology())
          .create(name, definition(site), whatIsLeft);
    } catch (TriggerRefusedException e) {
      throw OperationException.refused(e.getMessage());
    }
  }

  /**
   * Sees to it that a process can start the trigger itself: makes its topics where one is missing,
   * for which it needs an operator's rights.
   *
   * @throws OperationException if there is no one topic that it could read
   */
  public void prepare(TriggerSite site) throws InterruptedException {
    checkTopic(site);
    if (lacksTopic(site)) {
      createTopics(site);
    }
  }

  private boolean lacksTopic(TriggerSite site) {
    var needed = new HashSet<>(List.of(site.topics().triggerState(), site.topics().parked()));
    own.map(site.topics()::trigger).ifPresent(needed::add);
    try (var client = Consumers.open(site.kafka())) {
      return !client.listTopics().keySet().containsAll(needed);
    }
  }

  private void createTopics(TriggerSite site) throws InterruptedException {
    try (var admin = Consumers.admin(site.kafka())) {
      new InstanceTopics(admin, site.topics(), site.dc().topology().shards(), replication)
          .createForTriggers(own.stream().toList());
    }
  }

  private Definition definition(TriggerSite site) {
    var topic = own.map(site.topics()::trigger).orElse(site.topics().log());
    return new Definition(topic, own.map(List::of).orElse(columns), order, start);
  }

  private void checkTopic(TriggerSite site) {
    if (own.isEmpty()) {
      try (var client = Consumers.open(site.kafka())) {
        if (LogOffsets.of(client, site.dc().topology()).shape() == LogShape.TOPIC) {
          throw OperationException.invalid(
              "the log has a topic for each shard, and a trigger reads one with %d partitions: say --topic-of COLUMN"
                  .formatted(site.partitions()));
        }
      }
    }
  }

  private static void checkInTopic(String column) {
    if (!IN_TOPIC.matcher(column).matches() || column.length() > LONGEST_TOPIC / 2) {
      throw OperationException.invalid(
          "topic of column = \"%s\": must be 1 to %d letters (a to z, A to Z), digits, ., - and _ to be part of a topic's name"
              .formatted(shown(column), LONGEST_TOPIC / 2));
    }
  }

  private static String shown(String text) {
    return text.length() > 80 ? text.substring(0, 80) + "…" : text;
  }
}
