/** One instance in one data centre: its servers, its topic, and what a worker does with them. */
package io.cellmesh.worker.site;
