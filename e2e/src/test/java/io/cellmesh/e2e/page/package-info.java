/** The worker's page in a real browser, before the whole system. */
package io.cellmesh.e2e.page;
