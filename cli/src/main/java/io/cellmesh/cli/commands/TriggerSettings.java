package io.cellmesh.cli.commands;

import io.cellmesh.operations.OperationException;
import io.cellmesh.operations.trigger.TriggerSetup;
import io.cellmesh.terminal.CellText;
import io.cellmesh.terminal.TimeText;
import io.cellmesh.topics.trigger.Order;
import io.cellmesh.topics.trigger.TriggerName;
import io.cellmesh.triggers.Trigger;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Type;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigException;

/**
 * What can be said of a trigger, but for what it does with a cell: one list for files, command
 * lines and the page.
 */
final class TriggerSettings {
  static final String NAME = "name";
  static final String COLUMNS = "columns";
  static final String TOPIC_OF_COLUMN = "topic.of.column";
  static final String ORDER = "order";
  static final String FROM = "from";
  static final String WHAT_IS_LEFT = "what.is.left";
  static final String THREADS = "threads";
  static final String ATTEMPTS = "attempts";
  static final String AGE = "age";
  static final String BACK_OFF = "back.off";
  static final String FOLLOW = "follow";
  static final String SESSION = "session";

  private static final Pattern RANGE = Pattern.compile("([^.]*)\\.\\.([^.]*)");
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(3650);

  private final Map<String, Object> values;

  private TriggerSettings(Map<String, Object> values) {
    this.values = values;
  }

  /** All of them. */
  static ConfigDef definition() {
    return failures(place(new ConfigDef()));
  }

  private static ConfigDef place(ConfigDef definition) {
    return definition
        .define(
            NAME,
            Type.STRING,
            ConfigDef.NO_DEFAULT_VALUE,
            Importance.HIGH,
            "The trigger's name: 1 to 64 letters, digits, - and _. Processes that give the same share its cells.")
        .define(
            COLUMNS,
            Type.LIST,
            List.of(),
            Importance.HIGH,
            "The columns whose cells it is called with; all if none is named.")
        .define(
            TOPIC_OF_COLUMN,
            Type.BOOLEAN,
            false,
            Importance.MEDIUM,
            "Read the topic of its one column, which sources with trigger.columns write, rather than the log.")
        .define(
            ORDER,
            Type.STRING,
            "shard",
            ValidString.in("shard", "row"),
            Importance.HIGH,
            "Within what cells are called one after the other: shard, or row, where other rows of the shard may overtake.")
        .define(
            FROM,
            Type.STRING,
            "beginning",
            Importance.HIGH,
            "Where it begins when it is first started: beginning, now, a time such as 2026-01-31T12:00:00Z, or an offset for each partition, with commas.")
        .define(
            WHAT_IS_LEFT,
            Type.BOOLEAN,
            false,
            Importance.LOW,
            "From the beginning: begin with the first record that there still is.")
        .define(
            THREADS,
            Type.INT,
            8,
            Range.between(1, 1_000),
            Importance.MEDIUM,
            "How many callbacks run at once in this process.");
  }

  private static ConfigDef failures(ConfigDef definition) {
    return definition
        .define(
            ATTEMPTS,
            Type.INT,
            10,
            Range.atLeast(1),
            Importance.MEDIUM,
            "After how many attempts a cell that fails is parked.")
        .define(
            AGE,
            Type.STRING,
            "365d",
            Importance.LOW,
            "How long after its first failure a cell that fails is parked.")
        .define(
            BACK_OFF,
            Type.STRING,
            "100ms..1m",
            Importance.LOW,
            "The time to the second attempt, which doubles from there on, and the longest.")
        .define(
            FOLLOW,
            Type.BOOLEAN,
            true,
            Importance.LOW,
            "Park later cells of a row behind one that is.")
        .define(
            SESSION,
            Type.STRING,
            "10s",
            Importance.LOW,
            "How long a process may be silent until its partitions go to others. The brokers have bounds of their own for it.");
  }

  /**
   * Reads settings by their names.
   *
   * @param settings texts, or as many as a setting's type says
   * @throws OperationException naming the setting, the value and the rule
   */
  static TriggerSettings parse(Map<String, ?> settings) {
    try {
      return new TriggerSettings(definition().parse(settings));
    } catch (ConfigException e) {
      throw OperationException.invalid(e.getMessage());
    }
  }

  /**
   * What has to be there before it can be started.
   *
   * @throws OperationException naming what can't be asked for
   */
  TriggerSetup setup() {
    boolean own = (Boolean) values.get(TOPIC_OF_COLUMN);
    if (own && columns().size() != 1) {
      throw OperationException.invalid(
          "%s = %s: the topic of a column is read for one column, not for %d"
              .formatted(COLUMNS, CellText.shorten(columns().toString(), 80), columns().size()));
    }
    try {
      return new TriggerSetup(
          new TriggerName(text(NAME)),
          own ? columns().stream().findFirst() : Optional.empty(),
          columns(),
          order(),
          StartText.parse(FROM, "beginning", text(FROM)),
          (Boolean) values.get(WHAT_IS_LEFT),
          (short) -1);
    } catch (IllegalArgumentException e) {
      throw OperationException.invalid(e.getMessage());
    }
  }

  /**
   * The trigger, still without a data centre and a callback.
   *
   * @throws OperationException naming what can't be asked for
   */
  Trigger trigger() {
    var setup = setup();
    var backOff = backOff();
    var trigger =
        Trigger.named(setup.name().text())
            .on(columns().toArray(String[]::new))
            .ordered(setup.order())
            .startingAt(setup.start())
            .threads((Integer) values.get(THREADS))
            .attempts((Integer) values.get(ATTEMPTS))
            .age(within(AGE, text(AGE), SHORTEST, LONGEST))
            .backOff(backOff.get(0), backOff.get(1))
            .rowsFollow((Boolean) values.get(FOLLOW))
            .session(within(SESSION, text(SESSION), Duration.ofSeconds(1), Duration.ofMinutes(30)));
    if (setup.own().isPresent()) {
      trigger.fromTopicOfColumn();
    }
    return setup.whatIsLeft() ? trigger.withWhatIsLeft() : trigger;
  }

  private List<String> columns() {
    return ((List<?>) values.get(COLUMNS)).stream().map(String.class::cast).toList();
  }

  private Order order() {
    return Order.valueOf(text(ORDER).toUpperCase(Locale.ROOT));
  }

  /** The shortest and the longest. */
  private List<Duration> backOff() {
    var bounds = RANGE.matcher(text(BACK_OFF));
    if (!bounds.matches()) {
      throw OperationException.invalid(
          "%s = \"%s\": must be the shortest and the longest time, such as 100ms..1m"
              .formatted(BACK_OFF, CellText.shorten(text(BACK_OFF), 80)));
    }
    var shortest = within(BACK_OFF, bounds.group(1), SHORTEST, LONGEST);
    return List.of(shortest, within(BACK_OFF, bounds.group(2), shortest, LONGEST));
  }

  private static Duration within(String name, String text, Duration least, Duration most) {
    var time = TimeText.parse(name, text);
    if (time.compareTo(least) < 0 || time.compareTo(most) > 0) {
      throw OperationException.invalid(
          "%s = %s: must be %s to %s".formatted(name, text, TimeText.of(least), TimeText.of(most)));
    }
    return time;
  }

  private String text(String name) {
    return (String) values.get(name);
  }
}
