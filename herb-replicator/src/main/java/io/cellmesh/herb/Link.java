package io.cellmesh.herb;

/** A link as its instance sees it. */
interface Link extends Part {
  /** The data centre whose cells it carries. */
  String peer();

  LinkHealth health();
}
