package io.cellmesh.e2e;

import io.cellmesh.operations.OperationListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/** A listener that ends an operation at one of its moments. */
public final class Mortal implements OperationListener {
  private final List<String> results = new ArrayList<>();
  private final Set<String> halves = ConcurrentHashMap.newKeySet();
  private final Predicate<String> ends;
  private volatile Killed killed;

  private Mortal(Predicate<String> ends) {
    this.ends = ends;
  }

  /** One that lives for ever. */
  public static Mortal immortal() {
    return new Mortal(moment -> false);
  }

  /** One that lives through so many moments. */
  public static Mortal of(int moments) {
    var left = new AtomicInteger(moments);
    return new Mortal(moment -> left.getAndDecrement() == 0);
  }

  /**
   * One that ends behind or in the middle of the first step of which none has ended there: what is
   * before a step is behind the one before. An epoch in a step's name makes it no other.
   *
   * @param past where others have ended
   */
  public static Mortal atNewMoment(Set<String> past) {
    return new Mortal(
        moment -> !moment.startsWith("before ") && !past.contains(Killed.withoutEpoch(moment)));
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
  public List<String> results() {
    return results;
  }

  private void moment(String what) {
    if (killed == null && ends.test(what)) {
      killed = new Killed(what);
      throw killed;
    }
  }

  /** Ends whoever hears it, as a kill does: nothing of the product catches it. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1L;

    Killed(String at) {
      super(at);
    }

    /** Where it was, whatever the epoch. */
    public String moment() {
      return withoutEpoch(getMessage());
    }

    private static String withoutEpoch(String moment) {
      return moment.replaceAll("epoch \\d+", "an epoch");
    }
  }
}
