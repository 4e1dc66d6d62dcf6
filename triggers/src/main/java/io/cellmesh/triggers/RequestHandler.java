package io.cellmesh.triggers;

import io.cellmesh.topics.trigger.ParkedRow;
import io.cellmesh.topics.trigger.Request;
import io.cellmesh.topics.trigger.StateKey;
import io.cellmesh.topics.trigger.StateRecord;
import io.cellmesh.topics.trigger.TriggerStates;
import io.cellmesh.triggers.OwnedPartition.Stage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries out what an operator asks for in the state topic: replays, discards and rewinds. A
 * request is removed in the transaction that carries it out, so it is done once and by the owner.
 */
final class RequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final TriggerOptions options;
  private final OwnedPartitions owned;
  private final SharedDispatcher dispatcher;
  private final TriggerStates states;
  private final Replays replays;
  private final StateWriter writer;

  RequestHandler(
      TriggerOptions options,
      OwnedPartitions owned,
      SharedDispatcher dispatcher,
      TriggerStates states,
      Replays replays,
      StateWriter writer) {
    this.options = options;
    this.owned = owned;
    this.dispatcher = dispatcher;
    this.states = states;
    this.replays = replays;
    this.writer = writer;
  }

  /** Goes on with the first request of each partition; no commit may be under way. */
  void carryOut() throws InterruptedException {
    for (var partition : owned.all()) {
      if (partition.stage == Stage.RUNNING || partition.stage == Stage.HALTED) {
        var requests = states.partition(options.name(), partition.at.partition()).requests();
        // What is carried out is to be read for a while yet.
        partition.done.retainAll(requests.keySet());
        if (partition.request.isPresent() && !requests.containsKey(partition.request.get())) {
          abandon(partition);
        }
        if (partition.waiting.isPresent() && !requests.containsKey(partition.waiting.get())) {
          // What it stopped goes on only anew.
          owned.again(partition.at);
          continue;
        }
        var first =
            requests.entrySet().stream()
                .filter(request -> !partition.done.contains(request.getKey()))
                .filter(request -> isPossible(partition, request.getValue()))
                .sorted(
                    Comparator.comparing(
                        request -> turn(partition, request.getKey(), request.getValue())))
                .findFirst();
        if (first.isPresent()) {
          carryOut(partition, first.get().getKey(), first.get().getValue());
        }
      }
    }
  }

  /** Where a partition waits for a person, only going on elsewhere is. */
  private static boolean isPossible(OwnedPartition partition, Request request) {
    return partition.stage == Stage.RUNNING || request instanceof Request.Rewind;
  }

  /**
   * While nobody is called back for, a replay keeps no request waiting that calls nobody; and what
   * such a one has stopped does not go on before it is carried out.
   */
  private int turn(OwnedPartition partition, String id, Request request) {
    if (partition.waiting.filter(id::equals).isPresent()) {
      return 0;
    }
    boolean calls = request instanceof Request.Replay || request instanceof Request.ReplayAll;
    return calls && replays.isPaused() ? 2 : 1;
  }

  /** Somebody took the request back. */
  private void abandon(OwnedPartition partition) {
    var rows = replays.rows(partition.at);
    replays.forget(partition.at);
    rows.forEach(row -> release(partition, row));
    partition.request = Optional.empty();
  }

  private void carryOut(OwnedPartition partition, String id, Request request)
      throws InterruptedException {
    if (partition.request.filter(id::equals).isPresent() && !(request instanceof Request.Rewind)) {
      replay(partition, id);
      return;
    }
    if (request instanceof Request.Rewind rewind) {
      rewind(partition, id, rewind.offset());
    } else if (request instanceof Request.Discard discard) {
      discard(partition, id, discard.row());
    } else {
      var rows =
          request instanceof Request.Replay one
              ? Set.of(one.row())
              : Set.copyOf(partition.markers.keySet());
      partition.request = Optional.of(id);
      replays.begin(partition.at, rows);
      replay(partition, id);
    }
  }

  /** Also a row that is replayed just now, whose later cells come after its last callback. */
  private void discard(OwnedPartition partition, String id, UUID row) throws InterruptedException {
    if (!replays.stop(partition.at, List.of(row))) {
      partition.waiting = Optional.of(id);
    } else if (finishRow(partition, row, Optional.of(id))) {
      partition.waiting = Optional.empty();
      partition.done.add(id);
    }
  }

  private void rewind(OwnedPartition partition, String id, long offset)
      throws InterruptedException {
    boolean running = partition.stage == Stage.RUNNING;
    if (running) {
      owned.pause(partition);
      int left =
          dispatcher.with(
              (core, now) -> {
                core.revoke(partition.at);
                return core.running(partition.at);
              });
      if (!replays.stop(partition.at, replays.rows(partition.at)) || left > 0) {
        partition.waiting = Optional.of(id);
        return;
      }
    }
    var done = StateRecord.removal(new StateKey.OfRequest(options.name(), id));
    var commit = new Commit(offset, "");
    var outcome =
        writer.write(List.of(done), partition.at.partition(), Map.of(partition.at, commit));
    LOG.info(
        "Trigger {} begins again on {} at offset {}: {}",
        options.name(),
        partition.at,
        offset,
        outcome);
    // Whatever became of it, what is committed says where to go on.
    owned.again(partition.at);
  }

  /** Takes a row's marker away, so that its later cells are called again. */
  private boolean finishRow(OwnedPartition partition, UUID row, Optional<String> request)
      throws InterruptedException {
    var records = new ArrayList<StateRecord>();
    records.add(StateRecord.removal(new StateKey.OfRow(options.name(), row)));
    request.ifPresent(
        id -> records.add(StateRecord.removal(new StateKey.OfRequest(options.name(), id))));
    if (!writer.writeWithPlace(partition, records)) {
      return false;
    }
    partition.markers.remove(row);
    dispatcher.feed(
        (core, now) -> {
          core.unpark(partition.at, row);
          return null;
        });
    return true;
  }

  /** Moves a row's marker behind what was replayed of it; with the last row the request goes. */
  private void replay(OwnedPartition partition, String id) throws InterruptedException {
    for (var row : replays.rows(partition.at)) {
      var marker = partition.markers.get(row);
      if (marker == null) {
        done(partition, row);
        continue;
      }
      var progress = replays.progress(partition.at, row, marker);
      long next = progress.next();
      if (next > marker.last()) {
        if (!finishRow(partition, row, Optional.empty())) {
          return;
        }
        done(partition, row);
      } else if (progress.hasEnded() || next > marker.next() && progress.mayWrite()) {
        var moved =
            new ParkedRow(
                marker.first(),
                next,
                marker.last(),
                Math.max(1, marker.count() - progress.sinceWritten()),
                marker.since(),
                marker.reason());
        if (!writer.writeWithPlace(
            partition, List.of(StateRecord.of(new StateKey.OfRow(options.name(), row), moved)))) {
          return;
        }
        partition.markers.put(row, moved);
        progress.written();
        if (progress.hasEnded()) {
          LOG.warn(
              "Trigger {}: row {} stays parked, its replay failed: {}",
              options.name(),
              row,
              progress.failure());
          done(partition, row);
        }
      }
    }
    if (replays.rows(partition.at).isEmpty()
        && writer.writeWithPlace(
            partition, List.of(StateRecord.removal(new StateKey.OfRequest(options.name(), id))))) {
      partition.request = Optional.empty();
      partition.done.add(id);
    }
  }

  private void done(OwnedPartition partition, UUID row) {
    if (replays.done(partition.at, row)) {
      release(partition, row);
    }
  }

  private void release(OwnedPartition partition, UUID row) {
    dispatcher.feed(
        (core, now) -> {
          core.release(partition.at, options.shards().of(row));
          return null;
        });
  }
}
