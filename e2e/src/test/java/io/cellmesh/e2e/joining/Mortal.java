package io.cellmesh.e2e.joining;

import io.cellmesh.operations.OperationListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A listener that ends a joining at one of its moments. */
final class Mortal implements OperationListener {
  private final List<String> results = new ArrayList<>();
  private final Set<String> halves = ConcurrentHashMap.newKeySet();
  private volatile Killed killed;
  private int left;

  Mortal() {
    this(Integer.MAX_VALUE);
  }

  Mortal(int moments) {
    this.left = moments;
  }

  @Override
  public <T> T call(String label, Work<T> work) throws Exception {
    moment("before " + label);
    try {
      return work.run(
          new Step() {
            @Override
            public void detail(String text) {
              // Nobody follows.
            }

            @Override
            public void progress(long done, long total) {
              if (done * 2 >= total && halves.add(label)) {
                moment("in the middle of " + label);
              }
            }

            @Override
            public void result(String text) {
              results.add(text);
            }
          });
    } finally {
      // What a thread of the work's own has thrown may have become something else.
      if (killed != null) {
        throw killed;
      }
      moment("after " + label);
    }
  }

  /** What its steps have said that they did, also those before its end. */
  List<String> results() {
    return results;
  }

  private void moment(String what) {
    if (left-- == 0) {
      killed = new Killed(what);
      throw killed;
    }
  }

  /** Ends whoever hears it, as a kill does: nothing of the product catches it. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(String at) {
      super(at);
    }
  }
}
