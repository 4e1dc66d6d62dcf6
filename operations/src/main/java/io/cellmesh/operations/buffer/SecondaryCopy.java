package io.cellmesh.operations.buffer;

import io.cellmesh.storage.BufferListing.HeldCopy;

/** A copy with the name of the cluster whose buffer has it. */
record Held(String secondary, HeldCopy copy) {}
