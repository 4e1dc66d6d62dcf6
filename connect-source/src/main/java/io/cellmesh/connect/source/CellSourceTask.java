package io.cellmesh.connect.source;

import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** The shell of {@link CellSource}. */
public final class CellSourceTask extends SourceTask {
  private volatile CellSource source;

  @Override
  public String version() {
    return Version.current();
  }

  @Override
  public void start(Map<String, String> props) {
    source = CellSource.start(new CellSourceConfig(props), context);
  }

  @Override
  public List<SourceRecord> poll() throws InterruptedException {
    return source.poll();
  }

  @Override
  public void stop() {
    if (source != null) {
      source.stop();
    }
  }
}
