package io.cellmesh.bench.report;

import io.cellmesh.bench.Profile;
import io.cellmesh.terminal.Console;
import io.cellmesh.terminal.Table;
import io.cellmesh.terminal.Texts;
import java.util.List;
import java.util.Locale;

/** Where a worker's time went, as {@code bench sink --profile} prints it. */
final class ProfileReport {
  private final Console console;
  private final Profile profile;

  ProfileReport(Console console, Profile profile) {
    this.console = console;
    this.profile = profile;
  }

  void print() {
    console.heading(
        "profile of %s, %s: its worker's threads, processor seconds"
            .formatted(profile.name(), profile.round()));
    var threads = Table.of("thread", "user>", "system>");
    profile.threads().forEach(t -> threads.row(t.name(), seconds(t.user()), seconds(t.system())));
    console.table(threads);
    shares("packages of the topmost frames", profile.packages());
    shares("topmost frames", profile.frames());
    shares("own methods with what others' code does for them", profile.nearest());
    shares("own methods with all that they call", profile.within());
  }

  private void shares(String title, List<Profile.Share> shares) {
    console.line();
    var table =
        Table.of("share>", "%s (of %s)".formatted(title, Texts.count(profile.samples(), "sample")));
    shares.forEach(
        share ->
            table.row(String.format(Locale.ROOT, "%.1f %%", 100 * share.share()), share.what()));
    console.table(table);
  }

  private static String seconds(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
