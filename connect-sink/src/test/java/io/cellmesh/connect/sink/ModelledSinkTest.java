package io.cellmesh.connect.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.cellmesh.cell.Topology;
import io.cellmesh.connect.sink.base.MetricsHome;
import java.util.Random;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random histories of polls, failures, redeliveries, rewinds, outages, promotions, rebalances,
 * zombies and retention that takes what is committed, over two and three clusters. At each step no
 * position is past a cell that its tables lack, and no offset is committed whose cells are not
 * secured; in the end every cell is in its tables, in order.
 */
class ModelledSinkTest {
  private static final int SEEDS = 150;
  private static final int STEPS = 120;

  private static SinkMetrics two;
  private static SinkMetrics three;

  @BeforeAll
  static void start() {
    two = new SinkMetrics(MetricsHome.nowhere(), topology(2));
    three = new SinkMetrics(MetricsHome.nowhere(), topology(3));
  }

  @AfterAll
  static void stop() {
    two.close();
    three.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void whatever_happens_nothing_is_skipped_committed_too_early_or_taken_for_another_topic(
      int clusters) {
    int halted = 0;
    for (long seed = 0; seed < SEEDS; seed++) {
      try {
        var world = world(clusters, seed);
        for (int i = 0; i < STEPS; i++) {
          world.step();
        }
        world.settle();
      } catch (AssertionError | RuntimeException e) {
        if (!(e instanceof ConnectException) || !e.getMessage().contains("retention is over")) {
          throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
        }
        halted++;
      }
    }
    assertThat(halted).as("worlds that halt in words, with all copies out of reach").isLessThan(5);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void a_recreated_topic_that_is_shorter_or_has_a_new_owner_is_always_noticed(int clusters) {
    for (long seed = 0; seed < SEEDS; seed++) {
      var random = new Random(seed);
      var world = world(clusters, seed);
      for (int i = 0; i < STEPS / 4; i++) {
        world.step();
      }
      world.settle();
      var topic = world.anyTopic();
      long read = topic.end;
      if (read == 0) {
        continue;
      }
      topic.recreate();
      boolean owner = random.nextBoolean();
      topic.produce(1 + random.nextInt(owner ? (int) read * 2 : (int) read), false, random);
      if (owner) {
        world.newOwner(0);
      }
      if (topic.end == read || (topic.end > read && !owner)) {
        // Nothing is delivered, or what is follows on: not noticed (docs/design/0007).
        continue;
      }
      assertThat(noticed(world, topic)).as("seed " + seed).isTrue();
    }
  }

  private static boolean noticed(ModelledWorld world, ModelledTopic topic) {
    try {
      for (int i = 0; i < 60; i++) {
        world.iterate();
        if (i % 20 == 19) {
          world.produce(topic, 1);
        }
      }
      return false;
    } catch (ConnectException e) {
      return e.getMessage().contains("is not the topic that was read before");
    }
  }

  private static ModelledWorld world(int clusters, long seed) {
    return new ModelledWorld(topology(clusters), clusters == 2 ? two : three, seed);
  }

  private static Topology topology(int clusters) {
    return clusters == 2 ? TwoClusters.TOPOLOGY : ThreeClusters.TOPOLOGY;
  }
}
