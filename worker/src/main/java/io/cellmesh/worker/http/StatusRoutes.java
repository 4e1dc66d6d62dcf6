package io.cellmesh.worker.http;

import io.cellmesh.cell.InvalidCellException;
import io.cellmesh.worker.site.Instance;
import io.cellmesh.worker.status.Status;
import io.cellmesh.worker.status.StatusView;
import io.javalin.http.Context;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The routes by which people see how an instance is. All but that of a row answer with what was
 * seen last; a browser that has it already is told so, by its ETag.
 */
final class StatusRoutes {
  private static final String ETAG = "ETag";
  private static final String IF_NONE_MATCH = "If-None-Match";
  private static final Set<String> NONE = Set.of();
  private static final Set<String> OF_A_ROW = Set.of("position", "deadline");

  /** It shows what has not to be kept by anybody. */
  private static final Map<String, String> HEADERS = Map.of("Cache-Control", "private, no-cache");

  private final Instances instances;
  private final Call call;

  StatusRoutes(Instances instances, Call call) {
    this.instances = instances;
    this.call = call;
  }

  void overview(Context context) {
    show(context, Status::overview);
  }

  void shards(Context context) {
    show(context, Status::shards);
  }

  void indexes(Context context) {
    show(context, Status::indexes);
  }

  void refused(Context context) {
    show(context, Status::refused);
  }

  void triggers(Context context) {
    show(context, Status::triggers);
  }

  void buffers(Context context) {
    show(context, Status::buffers);
  }

  void row(Context context) throws InvalidCellException {
    var instance = instances.of(context);
    var row = CellRoutes.rowKey(context.pathParam("row"));
    var parameters = new Parameters(context, call.clock(), OF_A_ROW);
    call.answer(
        context,
        instance
            .status()
            .row(row, parameters.position(instance), parameters.deadline())
            .thenApply(found -> Reply.ok(HEADERS, StatusJson.bytes(found))));
  }

  private void show(Context context, Function<Status, StatusView> view) {
    Instance instance = instances.of(context);
    // It refuses what is unknown.
    new Parameters(context, call.clock(), NONE);
    var json = StatusJson.bytes(view.apply(instance.status()));
    var tag = StatusJson.tag(json);
    context.header(ETAG, tag);
    if (tag.equals(context.header(IF_NONE_MATCH))) {
      HEADERS.forEach(context::header);
      context.status(304);
    } else {
      Reply.ok(HEADERS, json).send(context);
    }
  }
}
