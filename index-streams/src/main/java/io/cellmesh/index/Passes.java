package io.cellmesh.index;

import io.cellmesh.index.TopicCheck.UnusableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs what a directory says: one application for each of its subdirectories, which are the passes.
 *
 * <p>A pass that can't be started is refused with the reason, which stops no other; it is tried
 * again at each look. Only one thread looks and closes; any may ask what runs.
 */
final class Passes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Passes.class);

  private final Path directory;
  private final String instance;
  private final LocalState state;
  private final Starter starter;
  private final Map<String, Running> running = new ConcurrentSkipListMap<>();
  private final Map<String, Exception> refused = new ConcurrentSkipListMap<>();

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

  /**
   * @param directory of the passes; must exist
   * @param instance the datastore of every definition
   */
  Passes(Path directory, String instance, LocalState state, Starter starter) {
    this.directory = directory;
    this.instance = instance;
    this.state = state;
    this.starter = starter;
  }

  /**
   * Starts what is new or has failed, closes what is gone and removes its local state.
   *
   * @throws IOException if the directory can't be listed; then everything stays as it is
   */
  void look() throws IOException, InterruptedException {
    var names = names();
    for (var known : new ArrayList<>(running.keySet())) {
      if (!names.contains(known)) {
        close(known, "is gone");
      } else if (running.get(known).hasFailed()) {
        close(known, "has failed and is started again");
      }
    }
    refused.keySet().retainAll(names);
    for (var name : names) {
      if (!running.containsKey(name)) {
        start(name);
      }
    }
    state.keepOnly(names);
  }

  /** By the passes' names. */
  Map<String, Running> running() {
    return Collections.unmodifiableMap(running);
  }

  /** Why the others don't run. */
  Map<String, Exception> refused() {
    return Collections.unmodifiableMap(refused);
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

  private void start(String name) throws InterruptedException {
    try {
      var pass = Pass.read(directory.resolve(name), instance);
      running.put(name, starter.start(pass));
      refused.remove(name);
      LOG.info(
          "Pass {} keeps {}{}",
          name,
          pass.definitions().stream().map(d -> d.label()).toList(),
          pass.backfill() ? ", with a backfill" : "");
    } catch (IOException | IllegalArgumentException | UnusableException | KafkaException e) {
      var before = refused.put(name, e);
      if (before == null || !reason(before).equals(reason(e))) {
        LOG.error("Pass {} is not started: {}", name, reason(e));
      }
    }
  }

  private void close(String name, String why) {
    LOG.info("Pass {} {}", name, why);
    running.remove(name).close();
  }

  /** A name that begins with a point is that of a pass that is still being written. */
  private SortedSet<String> names() throws IOException {
    var names = new TreeSet<String>();
    try (var entries = Files.newDirectoryStream(directory, Files::isDirectory)) {
      for (var entry : entries) {
        var name = entry.getFileName().toString();
        if (!name.startsWith(".")) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** What to say about a refusal; the messages of I/O errors are often but a path. */
  static String reason(Exception refusal) {
    return refusal instanceof IOException ? refusal.toString() : refusal.getMessage();
  }
}
