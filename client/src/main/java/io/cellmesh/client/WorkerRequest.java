package io.cellmesh.client;

import java.util.Optional;

/**
 * What is asked of a worker, whichever it is.
 *
 * @param path from the host's address on, encoded
 * @param query all but the deadline, which is another one at each attempt
 * @param json the body; empty for GET
 */
record WorkerRequest(
    String method, String path, Query query, Optional<byte[]> json, Priority priority) {}
