package io.cellmesh.client;

import io.cellmesh.cell.CellKey;
import io.cellmesh.client.WriteResult.Accepted;
import io.cellmesh.client.WriteResult.Buffered;
import io.cellmesh.client.WriteResult.Conflict;
import io.cellmesh.client.WriteResult.Rejected;
import io.cellmesh.client.WriteResult.Replicated;
import io.cellmesh.client.WriteResult.Secured;
import io.cellmesh.client.WriteResult.Visible;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/** Reads what workers say of writes. */
final class Writes {
  private static final int OK = 200;
  private static final int UNDER_WAY = 202;
  private static final int CONFLICT = 409;
  private static final int REJECTED = 422;

  private Writes() {}

  /** The answer to a PUT. */
  static Optional<WriteResult> single(Reply reply) throws WrongAnswerException {
    var header = reply.header(WorkerApi.POSITION_HEADER);
    return isResult(reply.status())
        ? Optional.of(result(reply.status(), reply.body().fields(), header))
        : Optional.empty();
  }

  /** One cell's part of the answer to a batch. */
  static Outcome<WriteResult> part(CellKey key, Part json) throws WrongAnswerException {
    var fields = json.fields();
    int status = Numbers.integer(fields, "status");
    var problem = fields.part("problem");
    if (!isResult(status)) {
      return Reads.failed(key.toString(), status, problem);
    }
    var told = status < CONFLICT ? fields : required(problem).fields();
    return new Outcome.Done<>(result(status, told, fields.text("position")));
  }

  private static boolean isResult(int status) {
    return status == OK || status == UNDER_WAY || status == CONFLICT || status == REJECTED;
  }

  private static Part required(Optional<Part> problem) throws WrongAnswerException {
    return problem.orElseThrow(() -> new WrongAnswerException("problem is missing"));
  }

  private static WriteResult result(int status, Part.Fields told, Optional<String> place)
      throws WrongAnswerException {
    var position = position(place.or(() -> told.text("position")));
    return switch (status) {
      case CONFLICT ->
          new Conflict(
              position,
              told.required("kept"),
              told.required("refused"),
              told.text("final").filter("true"::equals).isPresent());
      case REJECTED -> new Rejected(position, told.text("detail").orElse(""));
      default -> state(told, position);
    };
  }

  private static WriteResult state(Part.Fields told, Optional<Position> position)
      throws WrongAnswerException {
    var down = down(told.part("down"));
    var state = told.required("state");
    return switch (state) {
      case "accepted" -> new Accepted(position, down);
      case "secured" -> new Secured(position, down);
      case "buffered" ->
          new Buffered(
              position, down.orElseThrow(() -> new WrongAnswerException("down is missing")));
      case "visible" -> new Visible(position);
      case "replicated" -> new Replicated(position);
      default -> throw new WrongAnswerException("state: unknown");
    };
  }

  private static Optional<DownMaster> down(Optional<Part> json) throws WrongAnswerException {
    if (json.isEmpty()) {
      return Optional.empty();
    }
    var down = json.get().fields();
    try {
      return Optional.of(
          new DownMaster(
              down.required("cluster"),
              down.required("master"),
              Instant.parse(down.required("since"))));
    } catch (DateTimeException e) {
      throw new WrongAnswerException("since: no time");
    }
  }

  private static Optional<Position> position(Optional<String> text) throws WrongAnswerException {
    if (text.isEmpty()) {
      return Optional.empty();
    }
    var position = Position.parse(text.get());
    if (position.isEmpty()) {
      throw new WrongAnswerException("position: not DC:TOPIC:PARTITION:OFFSET");
    }
    return position;
  }
}
