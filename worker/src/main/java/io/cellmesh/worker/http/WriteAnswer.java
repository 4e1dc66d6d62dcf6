package io.cellmesh.worker.http;

import io.cellmesh.cell.Envelope;
import io.cellmesh.cell.RecordPosition;
import io.cellmesh.worker.position.Outage;
import io.cellmesh.worker.position.Outcome;
import io.cellmesh.worker.position.Outcome.Buffered;
import io.cellmesh.worker.position.Outcome.Conflict;
import io.cellmesh.worker.position.Outcome.Late;
import io.cellmesh.worker.position.Outcome.Rejected;
import io.cellmesh.worker.position.Outcome.Replicated;
import io.cellmesh.worker.position.Outcome.Secured;
import io.cellmesh.worker.position.Outcome.Visible;
import io.cellmesh.worker.position.WaitFor;
import io.cellmesh.worker.site.Written;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a writer is told.
 *
 * @param state how far the cell has come; empty if it will come nowhere
 * @param position of its record; empty if it is not known to have one
 */
record WriteAnswer(
    int status,
    Optional<String> state,
    Optional<RecordPosition> position,
    Optional<Outage> down,
    Optional<Problem> problem) {

  static WriteAnswer of(Written written) {
    var at = written.position();
    Outcome outcome = written.outcome();
    if (outcome instanceof Replicated) {
      return told(200, WaitFor.REPLICATED.text(), at, Optional.empty());
    } else if (outcome instanceof Visible) {
      return told(200, WaitFor.VISIBLE.text(), at, Optional.empty());
    } else if (outcome instanceof Secured) {
      return told(202, WaitFor.SECURED.text(), at, Optional.empty());
    } else if (outcome instanceof Buffered buffered) {
      return told(202, "buffered", at, Optional.of(buffered.outage()));
    } else if (outcome instanceof Late late) {
      return told(202, late.reached().text(), at, late.outage());
    } else if (outcome instanceof Conflict conflict) {
      return refused(conflict(conflict, at), at);
    } else if (outcome instanceof Rejected rejected) {
      return refused(rejected(rejected, at), at);
    }
    throw new IllegalStateException("unknown outcome " + outcome);
  }

  /** Of a write that is not known to be accepted. */
  static WriteAnswer of(Problem problem) {
    return new WriteAnswer(
        problem.status(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(problem));
  }

  /** As an answer of its own. */
  Reply reply() {
    var headers = new LinkedHashMap<String, String>();
    position.ifPresent(at -> headers.put(Headers.POSITION, at.toString()));
    return problem.isPresent()
        ? Reply.of(problem.get(), headers)
        : new Reply(status, headers, "application/json", Json.bytes(fields()));
  }

  /** As one of several. */
  Map<String, Object> fields() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("status", status);
    state.ifPresent(text -> fields.put("state", text));
    position.ifPresent(at -> fields.put("position", at.toString()));
    down.ifPresent(outage -> fields.put("down", fields(outage)));
    problem.ifPresent(why -> fields.put("problem", why.fields()));
    return fields;
  }

  private static Map<String, Object> fields(Outage outage) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cluster", outage.cluster());
    fields.put("master", outage.master());
    fields.put("since", Envelope.timestamp(outage.since()));
    return fields;
  }

  private static WriteAnswer told(
      int status, String state, RecordPosition at, Optional<Outage> down) {
    return new WriteAnswer(status, Optional.of(state), Optional.of(at), down, Optional.empty());
  }

  private static WriteAnswer refused(Problem problem, RecordPosition at) {
    return new WriteAnswer(
        problem.status(),
        Optional.empty(),
        Optional.of(at),
        Optional.empty(),
        Optional.of(problem));
  }

  private static Problem conflict(Conflict conflict, RecordPosition at) {
    return new Problem(
        409,
        "conflict",
        "The cell exists with another body",
        "body: the key is there with another body, which stays",
        Map.of(
            "field", "body",
            "rule", "a cell never changes",
            "position", at.toString(),
            "kept", conflict.kept(),
            "refused", conflict.refused(),
            "final", conflict.isFinal()));
  }

  private static Problem rejected(Rejected rejected, RecordPosition at) {
    return new Problem(
        422,
        "rejected",
        "The sink refused the record",
        rejected
            .reason()
            .orElse("the record became no cell; the topic of rejected records says why"),
        Map.of("position", at.toString()));
  }
}
