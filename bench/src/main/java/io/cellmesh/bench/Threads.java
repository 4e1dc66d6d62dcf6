package io.cellmesh.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What each thread of a process has used of the processors, as Linux tells it. */
final class Threads {
  private static final double TICKS = 100;

  private Threads() {}

  /** By thread id; nothing where there is no /proc. */
  static Map<String, ThreadUse> of(long pid) {
    var tasks = Path.of("/proc", Long.toString(pid), "task");
    var uses = new HashMap<String, ThreadUse>();
    if (Files.isDirectory(tasks)) {
      try (var list = Files.list(tasks)) {
        for (var task : list.toList()) {
          add(task, uses);
        }
      } catch (IOException e) {
        return Map.of();
      }
    }
    return uses;
  }

  /** What was used from one look to the other, the busiest thread first. */
  static List<ThreadUse> between(Map<String, ThreadUse> before, Map<String, ThreadUse> after) {
    var used = new ArrayList<ThreadUse>();
    after.forEach(
        (id, use) -> {
          var old = before.getOrDefault(id, new ThreadUse(use.name(), 0, 0));
          used.add(new ThreadUse(use.name(), use.user() - old.user(), use.system() - old.system()));
        });
    used.sort((a, b) -> Double.compare(b.seconds(), a.seconds()));
    return used;
  }

  private static void add(Path task, Map<String, ThreadUse> uses) throws IOException {
    try {
      uses.put(task.getFileName().toString(), parse(Files.readString(task.resolve("stat"))));
    } catch (NoSuchFileException e) {
      // It has ended since.
    }
  }

  /** A line of {@code /proc/PID/task/TID/stat}; the name in brackets may hold anything. */
  static ThreadUse parse(String stat) {
    var name = stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return new ThreadUse(
        name, Long.parseLong(fields[11]) / TICKS, Long.parseLong(fields[12]) / TICKS);
  }
}
