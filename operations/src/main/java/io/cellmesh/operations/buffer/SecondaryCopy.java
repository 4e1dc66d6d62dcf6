package io.cellmesh.operations.buffer;

import io.cellmesh.storage.BufferListing.ListedCopy;

/** A copy with the name of the cluster whose buffer has it. */
record SecondaryCopy(String secondary, ListedCopy copy) {}
