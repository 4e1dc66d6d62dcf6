package io.cellmesh.connect.sink.simulation;

import java.util.List;

/** The simulation's servers. */
class ModelledStoresTest extends StoresContract {
  private static final int RECORDS = 20;

  @Override
  void with(Case one) throws Throwable {
    var topology = new Schedule(1, 2, 1, 1, List.of()).topology();
    var world = new World(topology, 1, new VirtualTime.Baton(), null);
    for (var log : world.kafka.logs()) {
      for (int i = 0; i < RECORDS; i++) {
        world.kafka.produce(log, new byte[0], new byte[0], null, 0);
      }
    }
    var client = new ModelledClient(world, topology);
    world.time.execute(
        0,
        () -> {
          try {
            one.on(new Stores(topology, client, client, client));
            world.time.end(null);
          } catch (Exception e) {
            world.time.end(e);
          }
        });
    world.time.run();
  }
}
