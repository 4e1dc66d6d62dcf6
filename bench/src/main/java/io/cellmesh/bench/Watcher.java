package io.cellmesh.bench;

/**
 * Told when the first cell of a round has come through, and when the last has and the connector
 * runs still.
 */
interface Watcher {
  Watcher NONE =
      new Watcher() {
        @Override
        public void begins() {}

        @Override
        public void ends() {}
      };

  void begins();

  void ends();
}
