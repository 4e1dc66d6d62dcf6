package io.cellmesh.triggers;

/** Counts what is in memory. */
final class Held {
  private int cells;
  private long bytes;

  int cells() {
    return cells;
  }

  long bytes() {
    return bytes;
  }

  void add(int size) {
    cells++;
    bytes += size;
  }

  void remove(int size) {
    cells--;
    bytes -= size;
  }

  void removeAll(Held other) {
    cells -= other.cells;
    bytes -= other.bytes;
  }
}
