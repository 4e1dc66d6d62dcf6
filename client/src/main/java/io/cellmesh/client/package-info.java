/**
 * Cells and indexes through workers, for applications that hold no password of MySQL: {@link
 * io.cellmesh.client.CellmeshClient} knows the hosts, {@link io.cellmesh.client.Session} reads what
 * it wrote.
 *
 * <p>A call is repeated at another host until its deadline, as far as the budget of retries lets
 * it: cells are immutable, so that doing a call twice does what doing it once does.
 */
package io.cellmesh.client;
