package io.cellmesh.connect.sink.index;

import io.cellmesh.connect.sink.Version;
import java.util.Collection;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;

/**
 * The shell that Connect sees. What {@code put} took in is in MySQL or with the dead letters when
 * it returns, so Connect's own offsets are the right ones.
 */
public final class IndexSinkTask extends SinkTask {
  private IndexSink sink;
  private long retryBackoff;

  @Override
  public String version() {
    return Version.get();
  }

  @Override
  public void start(Map<String, String> settings) {
    var reporter = context.errantRecordReporter();
    if (reporter == null) {
      throw new ConnectException(
          "errors.tolerance must be all and errors.deadletterqueue.topic.name must be set: malformed records have nowhere to go otherwise");
    }
    var config = new IndexSinkConfig(settings);
    retryBackoff = config.retryBackoff();
    sink = IndexSink.start(config, reporter);
  }

  /** While a master is away, Connect brings the same records again after the back-off. */
  @Override
  public void put(Collection<SinkRecord> records) {
    try {
      sink.put(records);
    } catch (RetriableException e) {
      context.timeout(retryBackoff);
      throw e;
    }
  }

  @Override
  public void stop() {
    if (sink != null) {
      sink.close();
    }
  }
}
