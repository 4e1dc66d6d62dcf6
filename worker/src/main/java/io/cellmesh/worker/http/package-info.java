/** The routes of {@code openapi.yaml}, and what stands in requests and answers. */
package io.cellmesh.worker.http;
