package io.cellmesh.connect.sink.simulation;

import io.cellmesh.cell.ShardSet;
import io.cellmesh.cell.Shards;
import io.cellmesh.cell.Topology;
import io.cellmesh.cell.Topology.Server;
import io.cellmesh.cell.Topology.StorageCluster;
import io.cellmesh.connect.sink.simulation.Step.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * What happens in a run. The same schedule always goes the same way.
 *
 * @param seed of all that is drawn while it runs
 * @param clusters how many
 * @param minions of each
 * @param tasks with which it begins
 * @param keeps whether Kafka keeps everything, and any number of servers may be lost
 */
record Schedule(long seed, int clusters, int minions, int tasks, boolean keeps, List<Step> steps) {
  private static final int SHARDS = 6;
  private static final int PARTITIONS = 2;
  private static final int SERVERS = 9;
  private static final Kind[] FAULTS = Kind.values();

  /** One fault of so many lasts until all is made well. */
  private static final int LONG = 12;

  /** In one schedule of so many two clusters are out at once. */
  private static final int OVERLAPPING = 6;

  /** In one schedule of so many nothing leaves Kafka. */
  private static final int KEPT = 4;

  /** Draws a schedule. */
  static Schedule of(long seed) {
    var random = new Random(seed * 0x9E3779B97F4A7C15L);
    int horizon = 8_000 + random.nextInt(17_000);
    var steps = new ArrayList<Step>();
    int productions = 5 + random.nextInt(12);
    for (int i = 0; i < productions; i++) {
      steps.add(new Step(random.nextInt(horizon), Kind.PRODUCE, random.nextInt(4), size(random)));
    }
    int faults = 2 + random.nextInt(9);
    // Some runs know few kinds of faults, so that these meet each other more often.
    var kinds = new ArrayList<Kind>();
    for (int i = 0; i < 2 + random.nextInt(5); i++) {
      kinds.add(FAULTS[1 + random.nextInt(FAULTS.length - 1)]);
    }
    for (int i = 0; i < faults; i++) {
      var kind = kinds.get(random.nextInt(kinds.size()));
      int millis = random.nextInt(LONG) == 0 ? 40_000 : 100 << random.nextInt(8);
      steps.add(new Step(random.nextInt(horizon), kind, random.nextInt(60), millis));
    }
    for (int at = 2000; at < horizon; at += 1500 + random.nextInt(4000)) {
      steps.add(new Step(at, Kind.RETAIN, 0, 0));
    }
    boolean keeps = random.nextInt(KEPT) == 0;
    if (keeps && random.nextBoolean()) {
      loseMuch(steps, horizon, random);
    }
    int clusters = random.nextInt(4) == 0 ? 2 : 3;
    int minions = 1 + random.nextInt(2);
    if (clusters > 2 && random.nextInt(OVERLAPPING) == 0) {
      crashTwo(steps, random.nextInt(horizon), minions, random);
    }
    steps.sort(Comparator.comparingLong(Step::at));
    return new Schedule(seed, clusters, minions, 1 + random.nextInt(2), keeps, steps);
  }

  /** Servers are lost whose minions had not received everything: what they had only Kafka has. */
  private static void loseMuch(List<Step> steps, int horizon, Random random) {
    int at = random.nextInt(horizon / 2);
    for (int server = 0; server < SERVERS; server++) {
      steps.add(new Step(at, Kind.CUT, server, 20_000));
    }
    for (int i = 0; i < 3; i++) {
      int later = at + 1000 + random.nextInt(6000);
      steps.add(new Step(later, Kind.LOSE, random.nextInt(60), 1));
    }
  }

  /** Two masters die, one of them for long: what comes meanwhile stands in one copy at first. */
  private static void crashTwo(List<Step> steps, int at, int minions, Random random) {
    int first = random.nextInt(3);
    int second = (first + 1 + random.nextInt(2)) % 3;
    steps.add(new Step(at, Kind.CRASH, first * (1 + minions), 40_000));
    steps.add(new Step(at + 100, Kind.CRASH, second * (1 + minions), 1000 + random.nextInt(3000)));
    for (int i = 0; i < 3; i++) {
      steps.add(new Step(at + random.nextInt(1000), Kind.PRODUCE, random.nextInt(4), 2));
    }
  }

  private static int size(Random random) {
    return 1 + random.nextInt(random.nextInt(4) == 0 ? 30 : 8);
  }

  Schedule with(List<Step> some) {
    return new Schedule(seed, clusters, minions, tasks, keeps, List.copyOf(some));
  }

  Topology topology() {
    var all = new ArrayList<StorageCluster>();
    int each = SHARDS / clusters;
    for (int c = 0; c < clusters; c++) {
      int number = 10 * (c + 1);
      var minions = new ArrayList<Server>();
      for (int m = 1; m <= this.minions; m++) {
        minions.add(server(number + m, c));
      }
      all.add(
          new StorageCluster(
              "c" + (c + 1),
              ShardSet.parse(each * c + "-" + (each * (c + 1) - 1)),
              1,
              server(number, c),
              minions));
    }
    return new Topology("trips", new Shards(SHARDS, PARTITIONS), "dc1", all);
  }

  private static Server server(int number, int cluster) {
    return new Server("db" + number, 3306, "rack" + cluster);
  }

  @Override
  public String toString() {
    return "seed %d, %d clusters with %d minions each, %d tasks%s, %d steps:\n%s"
        .formatted(
            seed,
            clusters,
            minions,
            tasks,
            keeps ? ", Kafka keeps everything" : "",
            steps.size(),
            steps.stream().map(Step::toString).collect(Collectors.joining("\n")));
  }
}
