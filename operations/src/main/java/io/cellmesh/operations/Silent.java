package io.cellmesh.operations;

import io.cellmesh.operations.OperationListener.Step;

/** Hears, and tells nobody. */
final class Silent implements Step {
  static final OperationListener LISTENER =
      new OperationListener() {
        @Override
        public <T> T call(String label, Work<T> work) throws Exception {
          return work.run(new Silent());
        }
      };

  private Silent() {}

  @Override
  public void detail(String text) {}

  @Override
  public void progress(long done, long total) {}

  @Override
  public void result(String text) {}
}
