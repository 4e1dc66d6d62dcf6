package io.cellmesh.client;

import java.time.Duration;

/** The words of the worker's contract, {@code openapi.yaml}: its paths, parameters and headers. */
final class WorkerApi {
  static final String CELL = "/v1/{instance}/cells/{row}/{column}/{ref}";
  static final String LATEST = "/v1/{instance}/cells/{row}/{column}";
  static final String ROW = "/v1/{instance}/cells/{row}";
  static final String GET_CELLS = "/v1/{instance}/cells:get";
  static final String PUT_CELLS = "/v1/{instance}/cells:put";
  static final String INDEX = "/v1/{instance}/indexes/{name}";
  static final String READY = "/readyz";

  static final String WAIT = "wait";
  static final String DEADLINE = "deadline";
  static final String READ = "read";
  static final String NOT_BEFORE = "not-before";
  static final String AT_MOST = "at-most";
  static final String SHARD_FIELD = "shard_field";
  static final String FILTER = "filter";
  static final String ORDER = "order";
  static final String FIELDS = "fields";
  static final String COLUMNS = "columns";
  static final String LIMIT = "limit";
  static final String CURSOR = "cursor";

  static final String PRIORITY_HEADER = "Cellmesh-Priority";
  static final String POSITION_HEADER = "Cellmesh-Position";
  static final String SERVED_BY_HEADER = "Cellmesh-Served-By";
  static final String STALE_UP_TO_HEADER = "Cellmesh-Stale-Up-To";
  static final String RETRY_AFTER_HEADER = "Retry-After";

  /** What {@value #STALE_UP_TO_HEADER} says where nobody can tell. */
  static final String UNKNOWN = "unknown";

  /** Most keys or cells of a batch. */
  static final int MAX_BATCH = 500;

  /** Most entries of a page. */
  static final int MAX_PAGE = 1000;

  /** Most values of an index's shard field in one question. */
  static final int MAX_SHARD_FIELDS = 50;

  static final Duration DEFAULT_DEADLINE = Duration.ofSeconds(5);
  static final Duration MAX_DEADLINE = Duration.ofMinutes(1);

  private WorkerApi() {}
}
