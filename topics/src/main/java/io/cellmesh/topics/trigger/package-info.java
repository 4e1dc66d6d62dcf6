/** What the state topic of triggers and the parked records hold (design note 23). */
package io.cellmesh.topics.trigger;
