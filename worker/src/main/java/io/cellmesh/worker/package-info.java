/** The worker node: cells and indexes over HTTP, for those who know neither MySQL nor topics. */
package io.cellmesh.worker;
