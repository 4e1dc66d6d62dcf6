package io.cellmesh.connect.sink.simulation;

import java.util.List;

/** The simulation's servers. */
class ModelledStoresTest implements PrimaryStoreContract, BufferStoreContract {
  private static final int RECORDS = 20;

  @Override
  public void with(Case one) throws Throwable {
    var schedule = new Schedule(1, 2, 1, 1, false, List.of());
    var topology = schedule.topology();
    var world = new World(schedule, new VirtualTime.Baton(), null);
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
            one.on(
                new Stores(
                    topology,
                    client,
                    new ModelledBuffers(world, client),
                    new ModelledLedger(client)));
            world.time.end(null);
          } catch (Exception e) {
            world.time.end(e);
          }
        });
    world.time.run();
  }
}
