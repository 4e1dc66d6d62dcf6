package io.cellmesh.terminal;

import io.cellmesh.cell.Topics;
import io.cellmesh.operations.log.RebuildMonitor;
import io.cellmesh.operations.log.RebuildPlan;
import io.cellmesh.operations.log.RebuildStep;
import io.cellmesh.operations.log.RebuildStep.Begin;
import io.cellmesh.operations.log.RebuildStep.GoOn;
import java.util.ArrayList;
import java.util.List;

/** What a rebuild says of itself. */
public final class RebuildText {
  private final Topics topics;
  private final RebuildPlan plan;

  public RebuildText(Topics topics, RebuildPlan plan) {
    this.topics = topics;
    this.plan = plan;
  }

  /** Whether anything changes that a person should agree to. */
  public boolean asks() {
    return plan.steps().stream().anyMatch(Begin.class::isInstance);
  }

  /** What will be done, and what consumers will see of it. */
  public List<String> intentions(RebuildMonitor watch) {
    var lines = new ArrayList<String>();
    plan.steps().forEach(step -> lines.add(intention(step)));
    if (asks()) {
      lines.add(
          "%s%s cells are written again. Consumers of %s keep their offsets and see them once more: drop what was seen, by row_key, column_name and ref_key. New cells of these clusters follow when their rebuild is done."
              .formatted(
                  watch.isExact() ? "" : "About ",
                  Texts.count(watch.total()),
                  plan.written(topics)));
    }
    return lines;
  }

  public String deletion(long records) {
    return "Before that the %s records of %s are deleted for good. A consumer that has not read to the end goes on where its auto.offset.reset says."
        .formatted(Texts.count(records), plan.written(topics));
  }

  public List<String> outcome() {
    var lines = new ArrayList<String>();
    for (var step : plan.steps()) {
      if (!(step instanceof RebuildStep.Leave)) {
        lines.add(step.connector().cluster().name() + ": rebuilt; it streams on");
      }
    }
    return lines;
  }

  private static String intention(RebuildStep step) {
    var name = step.connector().cluster().name();
    var connector = step.connector().name();
    if (step instanceof Begin begin) {
      return begin.again()
          ? "%s: a rebuild is in progress; %s is stopped and begins again with shards %s"
              .formatted(name, connector, begin.shards())
          : "%s: %s is stopped and reads shards %s again from the entity tables, then goes on with the binlog"
              .formatted(name, connector, begin.shards());
    }
    if (step instanceof GoOn goOn) {
      return "%s: a rebuild is in progress and goes on; of %s shards %s remain"
          .formatted(name, connector, goOn.remaining());
    }
    return "%s: rebuilt, and streams; name it with --cluster to rebuild it once more"
        .formatted(name);
  }
}
