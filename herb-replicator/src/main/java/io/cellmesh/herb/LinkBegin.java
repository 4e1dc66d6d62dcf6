package io.cellmesh.herb;

import io.cellmesh.cell.RememberedLog;

/**
 * What a link has made sure of before it runs.
 *
 * @param terms that it holds records against
 * @param log that it reads
 */
record LinkBegin(LinkTerms terms, RememberedLog log) {}
