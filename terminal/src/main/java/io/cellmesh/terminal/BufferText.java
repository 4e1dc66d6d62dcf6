package io.cellmesh.terminal;

import io.cellmesh.operations.buffer.BufferView;
import io.cellmesh.operations.buffer.BufferView.Unreachable;
import io.cellmesh.operations.buffer.MissingRecords;
import io.cellmesh.operations.buffer.PrimaryView;
import java.util.ArrayList;
import java.util.List;

/** What the buffers tell, in sentences. */
public final class BufferText {
  private BufferText() {}

  /** What there is to say about one primary; nothing if all is well. */
  public static List<String> lines(BufferView buffers, PrimaryView view) {
    var lines = new ArrayList<String>();
    if (!view.masterUp()) {
      lines.add(
          view.primary()
              + ": its master "
              + view.master()
              + " does not answer; "
              + (view.positionOf().isEmpty()
                  ? "nor does a minion, so all copies count as waiting"
                  : "what waits is told by minion " + view.positionOf()));
    }
    if (view.waitingCells() > 0) {
      lines.add(
          "%s: %s, the oldest for %s"
              .formatted(
                  view.primary(),
                  Texts.count(view.waitingCells(), "cell waits", "cells wait"),
                  Texts.age(view.oldestWaitingMillis())));
    }
    if (view.keptCells() > 0 && !view.keptFor().isEmpty()) {
      lines.add(
          "%s: %s visible and kept until minion %s has them"
              .formatted(
                  view.primary(),
                  Texts.count(view.keptCells(), "copied cell is", "copied cells are"),
                  Texts.list(view.keptFor())));
    }
    view.gaps().forEach(gap -> lines.add(view.primary() + ": " + gap(buffers, view, gap)));
    return lines;
  }

  /** The servers that could not be asked. */
  public static String line(Unreachable server) {
    return "%s of %s (%s) does not answer%s: %s"
        .formatted(
            server.role(),
            server.cluster(),
            server.address(),
            server.master() ? ", what its buffer holds is not listed" : "",
            server.why());
  }

  private static String gap(BufferView buffers, PrimaryView view, MissingRecords gap) {
    var holders = buffers.mayHold(view.primary());
    return "the offsets "
        + gap
        + " are in no buffer that answers; "
        + (holders.isEmpty()
            ? "the sink reads them again from the topic, or stops and says that they are gone"
            : Texts.list(holders.stream().map(h -> h.cluster() + " " + h.address()).toList())
                + " may hold them");
  }
}
