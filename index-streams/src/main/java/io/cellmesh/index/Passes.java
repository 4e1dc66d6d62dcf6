package io.cellmesh.index;

import io.cellmesh.cell.index.IndexDefinitionException;
import io.cellmesh.deployment.MissingRightException;
import io.cellmesh.deployment.Pass;
import io.cellmesh.deployment.PassStore;
import io.cellmesh.deployment.StoredPasses;
import io.cellmesh.deployment.StoredPasses.Place;
import io.cellmesh.index.TopicCheck.UnusableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs what the store says: an application for each pass. Only a removal that is said there ends
 * one; a store that is gone, empty or can't be read changes nothing of what runs.
 *
 * <p>A pass that can't be started is refused with the reason, which stops no other; it is tried
 * again at each look. Only one thread looks and closes; any may ask what runs.
 */
final class Passes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Passes.class);
  private static final String PUBLISH =
      "`cellmesh index publish` writes the passes of the catalogue there again";

  private final PassStore store;
  private final LocalState state;
  private final Starter starter;
  private final Map<String, Running> running = new ConcurrentSkipListMap<>();
  private final Map<String, Exception> refused = new ConcurrentSkipListMap<>();
  private volatile Optional<String> unread = Optional.empty();

  private StoredPasses stored = StoredPasses.NONE;
  private final Map<String, Pass> wanted = new TreeMap<>();
  private final Map<String, Pass> started = new HashMap<>();
  private final Set<String> removed = new TreeSet<>();
  private Optional<Place> place = Optional.empty();
  private final Set<String> told = new HashSet<>();

  /** Starts the application of a pass. */
  interface Starter {
    Running start(Pass pass) throws UnusableException, InterruptedException;
  }

  /** The application of a pass. */
  interface Running extends AutoCloseable {
    /** Whether it has come to an end that nobody asked for. */
    boolean hasFailed();

    PassHealth health();

    /** Commits and stops; its local state stays. */
    @Override
    void close();
  }

  Passes(PassStore store, LocalState state, Starter starter) {
    this.store = store;
    this.state = state;
    this.starter = starter;
  }

  /** Starts what is new or has failed, closes what was removed and removes its local state. */
  void look() throws InterruptedException {
    read();
    for (var name : new ArrayList<>(running.keySet())) {
      if (running.get(name).hasFailed()) {
        close(name, "has failed and is started again");
      }
    }
    removeStates();
    for (var pass : wanted.values()) {
      if (!running.containsKey(pass.name())) {
        start(pass);
      }
    }
  }

  /** By the passes' names. */
  Map<String, Running> running() {
    return Collections.unmodifiableMap(running);
  }

  /** Why the others don't run. */
  Map<String, Exception> refused() {
    return Collections.unmodifiableMap(refused);
  }

  /** Why nobody knows whether there are more passes; empty if the store was read. */
  Optional<String> unread() {
    return unread;
  }

  /** Closes all of them at the same time. */
  @Override
  public void close() {
    var closing =
        running.values().stream()
            .map(r -> CompletableFuture.runAsync(r::close, task -> new Thread(task).start()))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(closing).join();
    running.clear();
  }

  private void read() throws InterruptedException {
    try {
      stored = store.read(stored);
    } catch (MissingRightException e) {
      tellUnread(Level.ERROR, e.inRole(PassRights.ROLE).getMessage());
      return;
    } catch (KafkaException e) {
      tellUnread(passes(e.getCause()) ? Level.WARN : Level.ERROR, e.getMessage());
      return;
    }
    if (stored.place().isEmpty()) {
      tellUnread(Level.ERROR, "there is no %s; %s".formatted(store, PUBLISH));
      return;
    }
    unread = Optional.empty();
    noteRecreated();
    for (var name : stored.removed()) {
      if (running.containsKey(name)) {
        close(name, "was removed");
      }
      wanted.remove(name);
      refused.remove(name);
      removed.add(name);
    }
    wanted.putAll(stored.passes());
    noteChanged();
    refuseUnreadable();
    noteLeft();
  }

  /** As a broker's restart does; health and metric say so while it lasts. */
  private static boolean passes(Throwable failure) {
    return failure instanceof TimeoutException || failure instanceof RetriableException;
  }

  private void tellUnread(Level level, String why) {
    if (!unread.equals(Optional.of(why))) {
      LOG.atLevel(level).log("What runs goes on, and no state is removed: {}", why);
      unread = Optional.of(why);
    }
  }

  private void noteRecreated() {
    var now = stored.place();
    boolean other = place.isPresent() && !place.map(Place::topic).equals(now.map(Place::topic));
    if (other) {
      LOG.warn(
          "{} is another topic than before: passes go on that it does not mention; {}",
          store,
          PUBLISH);
    }
    place = now;
  }

  /** A pass never changes. */
  private void noteChanged() {
    for (var pass : stored.passes().values()) {
      var runs = running.containsKey(pass.name()) ? started.get(pass.name()) : pass;
      if (!pass.equals(runs)) {
        tell(
            "Pass %s runs with the definitions that it began with, but %s now has others; put them back"
                .formatted(pass.name(), store));
      }
    }
  }

  private void refuseUnreadable() {
    stored
        .unreadable()
        .forEach(
            (name, why) -> {
              var text = "%s: %s".formatted(store, why);
              if (wanted.containsKey(name)) {
                tell("Pass %s goes on as it was: %s".formatted(name, text));
              } else {
                refuse(name, new IndexDefinitionException(text));
              }
            });
  }

  /** What somebody has lost is not what somebody has removed. */
  private void noteLeft() {
    for (var name : state.passes()) {
      boolean known =
          wanted.containsKey(name)
              || stored.unreadable().containsKey(name)
              || removed.contains(name);
      if (!known) {
        tell(
            "The local state of pass %s stays in %s, though %s does not mention it: %s; or delete the directory if the pass was dropped"
                .formatted(name, state.of(name), store, PUBLISH));
      }
    }
  }

  /** Once. */
  private void tell(String warning) {
    if (told.add(warning)) {
      LOG.warn("{}", warning);
    }
  }

  /** What can't be removed is tried again by the next look. */
  private void removeStates() {
    for (var name : List.copyOf(removed)) {
      try {
        if (state.remove(name)) {
          LOG.info("Removed the local state of pass {}", name);
        }
        removed.remove(name);
      } catch (IOException e) {
        tell("The local state of pass %s can't be removed: %s".formatted(name, e));
      }
    }
  }

  private void start(Pass pass) throws InterruptedException {
    var name = pass.name();
    try {
      running.put(name, starter.start(pass));
      started.put(name, pass);
      refused.remove(name);
      LOG.info(
          "Pass {} keeps {}{}",
          name,
          pass.definitions().stream().map(d -> d.label()).toList(),
          pass.backfill() ? ", with a backfill" : "");
    } catch (IllegalArgumentException | UnusableException | KafkaException e) {
      refuse(name, e);
    }
  }

  private void refuse(String name, Exception e) {
    var before = refused.put(name, e);
    if (before == null || !Objects.equals(before.getMessage(), e.getMessage())) {
      LOG.error("Pass {} is not started: {}", name, e.getMessage());
    }
  }

  private void close(String name, String why) {
    LOG.info("Pass {} {}", name, why);
    running.remove(name).close();
  }
}
