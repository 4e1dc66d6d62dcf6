package io.cellmesh.worker.http;

/** The headers of requests and answers that are Cellmesh's own, or used by it in its own way. */
final class Headers {
  static final String POSITION = "Cellmesh-Position";
  static final String SERVED_BY = "Cellmesh-Served-By";
  static final String STALE_UP_TO = "Cellmesh-Stale-Up-To";
  static final String PRIORITY = "Cellmesh-Priority";
  static final String RETRY_AFTER = "Retry-After";
  static final String REQUEST_ID = "X-Request-Id";

  private Headers() {}
}
