package io.cellmesh.worker.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What a worker logs of its calls while this is open, with what a line of JSON has beside it. */
final class LogLines implements AutoCloseable {
  private final Logger logger = (Logger) LoggerFactory.getLogger("cellmesh.worker");
  private final Appender appender = new Appender();

  private static final class Appender extends AppenderBase<ILoggingEvent> {
    private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

    @Override
    protected void append(ILoggingEvent event) {
      events.add(event);
    }
  }

  LogLines() {
    appender.start();
    logger.setLevel(Level.INFO);
    logger.setAdditive(false);
    logger.addAppender(appender);
  }

  /** The messages of the log of that name. */
  List<String> of(String name) {
    return appender.events.stream()
        .filter(event -> event.getLoggerName().equals("cellmesh.worker." + name))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }

  /** All there is. */
  String text() {
    return appender.events.stream()
        .map(event -> event.getFormattedMessage() + " " + event.getKeyValuePairs())
        .toList()
        .toString();
  }

  @Override
  public void close() {
    logger.detachAppender(appender);
    logger.setLevel(null);
    logger.setAdditive(true);
  }
}
