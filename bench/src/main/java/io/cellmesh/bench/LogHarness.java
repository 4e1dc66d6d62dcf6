package io.cellmesh.bench;

import io.cellmesh.devstack.DevStackException;
import io.cellmesh.devstack.Progress;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;

/**
 * Takes a source connector through its rounds: in each it reads what was written since it rested.
 */
final class LogHarness implements AutoCloseable {
  private static final Duration FIRST_RECORD = Duration.ofMinutes(1);
  private static final int PATIENCE_SECONDS = 8;

  private final LogSource source;
  private final ConnectorDriver driver;
  private final Progress progress;
  private long read;

  /** Of the log, while the connector rests: what comes later belongs to the next round. */
  private long before;

  private Map<TopicPartition, Long> begins = Map.of();

  LogHarness(LogSource source, Progress progress) {
    this.source = source;
    this.driver = new ConnectorDriver(source);
    this.progress = progress;
  }

  LogSource source() {
    return source;
  }

  /** Creates the connector, running. */
  void create() throws Exception {
    driver.create("RUNNING");
  }

  /**
   * Has the connector stream, so that Connect knows where it stands; it runs still afterwards.
   * Debezium begins at a moment of its own, so single cells are written until one has come through.
   */
  void begin() throws Exception {
    progress.step(source.name() + ": first record");
    CountWait.atMost(FIRST_RECORD, Duration.ofMillis(500))
        .until(
            1,
            this::visibleOrPrimed,
            none -> new DevStackException(source.name() + ": no record ever came"));
  }

  /** How many records there are; writes one more cell if there are none. */
  private long visibleOrPrimed() throws SQLException, InterruptedException {
    long visible = source.visible();
    if (visible == 0) {
      source.servers().write(1);
    }
    return visible;
  }

  /**
   * Creates the connector, which begins at the instance's creation, and has it read all that was
   * written before.
   *
   * @return seconds until the first record was there
   */
  double beginLate() throws Exception {
    long start = System.nanoTime();
    create();
    driver.await(1);
    double seconds = (System.nanoTime() - start) / 1e9;
    progress.step("%s: first record after %.1f s".formatted(source.name(), seconds));
    driver.await(source.servers().written());
    rest();
    return seconds;
  }

  /** The same connector with other settings, while it rests. */
  LogHarness changed(String name, Map<String, String> settings) throws Exception {
    var changed = new LogHarness(source.with(name, settings), progress);
    changed.read = read;
    changed.before = before;
    changed.begins = begins;
    changed.driver.change();
    return changed;
  }

  void run() {
    driver.run();
  }

  /**
   * For a connector that has read everything. Connect ends its tasks some time after it was asked
   * to: what they still read of the next round's cells would be missing there, so they are waited
   * for, and the log's end is noted before anybody writes.
   */
  void rest() throws InterruptedException {
    driver.rest();
    Processor.awaitQuiet(PATIENCE_SECONDS);
    read = source.servers().written();
    before = source.log().records();
    begins = source.log().ends();
  }

  /** Has the connector read what was written since it rested; then it rests again. */
  Round measure(Watcher watcher) throws Exception {
    Processor.awaitQuiet(PATIENCE_SECONDS);
    long count = source.servers().written() - read;
    long behind = before;
    var since = begins;
    var round = driver.measure(behind, behind + count, watcher);
    rest();
    check(before - behind, count, "records");
    check(source.log().keysSince(since), count, "different keys");
    progress.step("%s: %s".formatted(source.name(), round));
    return round;
  }

  @Override
  public void close() {
    source.log().close();
  }

  private void check(long found, long wanted, String what) {
    if (found != wanted) {
      throw new DevStackException(
          "%s: %,d %s after %,d cells".formatted(source.name(), found, what, wanted));
    }
  }
}
