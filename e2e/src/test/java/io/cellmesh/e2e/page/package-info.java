/** The worker's page in a real browser, and what goes through a worker, before the whole system. */
package io.cellmesh.e2e.page;
