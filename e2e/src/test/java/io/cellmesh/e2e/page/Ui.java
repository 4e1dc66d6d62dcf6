package io.cellmesh.e2e.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.ColorScheme;
import io.cellmesh.cell.TopologyYaml;
import io.cellmesh.deployment.DataCenter;
import io.cellmesh.deployment.Deployment;
import io.cellmesh.e2e.Command;
import io.cellmesh.e2e.faults.Figures;
import io.cellmesh.stack.Stack;
import io.cellmesh.worker.Worker;
import io.cellmesh.worker.security.Protection;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What a person sees and clicks, in a real Chromium, of a real instance. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class Ui extends BrowsedWorker {
  /**
   * Three seconds is what is promised, of a machine that does nothing else meanwhile. Elsewhere it
   * is as long as anything of a page is waited for: beside another fork's data centres a machine
   * needed 15 once.
   */
  private static final Duration SOON = Duration.ofSeconds(Figures.isFull() ? 3 : 30);

  private static final String TOKEN = "a token that nobody else has";

  /** Where each view is, and something that stands there once it has looked. */
  private static final Map<String, String> VIEWS =
      Map.of(
          "overview",
          "trips-sink",
          "shards/cells/7",
          "Shard 7",
          "row/" + Seed.ROW,
          "What each place said",
          "indexes",
          "serving",
          "refused",
          "the provider says: card declined",
          "triggers",
          "billing",
          "buffers",
          "its master answers");

  Ui(Stack stack) {
    super(stack);
  }

  @Test
  @Order(1)
  void the_first_thing_that_is_seen_is_whether_all_is_well() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = open(context, "");
      assertThat(page.locator(".verdict")).containsText("All is well");
      assertThat(page.locator(".verdict")).containsText("Nothing waits");
      assertThat(page.getByRole(AriaRole.STATUS)).hasText("");
      assertThat(page.locator(".alarm.note").first()).containsText("rejected in the last hour");
      for (var part : List.of("c1 master", "c3 minion", "trips-source-c2", "index-streams")) {
        assertThat(page.locator("main")).containsText(part);
      }
      assertThat(page.locator("main")).containsText("trips.cells → entity");
      assertThat(page.locator("time").first()).hasAttribute("title", Pattern.compile(".*UTC"));
      assertThat(faults).isEmpty();
    }
  }

  @Test
  @Order(2)
  void a_person_clicks_through_all_views_and_finds_each_thing_with_its_reason() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = open(context, "");
      click(page, "Refused");
      var refused = page.locator("main");
      assertThat(refused).containsText("row_key");
      assertThat(refused).containsText(Seed.ROW + "/BASE/1");
      assertThat(refused).containsText("the provider says: card declined");
      assertThat(refused).containsText("driver_partner_uuid");
      assertThat(refused).containsText("trips.cells-");
      click(page, "Triggers");
      assertThat(page.locator("main")).containsText("runs");
      assertThat(page.locator("main")).containsText("1 row, 1 cell");
      click(page, "Indexes");
      assertThat(page.locator("main")).containsText("serving");
      page.getByText("What can be done, and how").click();
      assertThat(page.locator("main")).containsText("cellmesh index verify driver_partner_index");
      click(page, "Buffers");
      assertThat(page.locator(".card")).hasCount(3);
      click(page, "Shards");
      page.getByLabel("Cells", exactly()).check();
      page.getByRole(AriaRole.BUTTON, named("Shard 7: ")).click();
      assertThat(page.locator(".detail")).containsText("cellmesh tail --shard 7 --follow");
      assertThat(page.locator(".shard")).hasCount(64);
      assertThat(page.locator(".cluster").first()).not().containsText(", 0 in all");
      page.waitForCondition(() -> sum(page) > 60);

      click(page, "Row");
      page.getByLabel("Row key").fill(Seed.ROW.toString());
      page.getByLabel(Pattern.compile("Position.*")).fill(position);
      page.getByRole(AriaRole.BUTTON, named("Look")).click();
      var latest = page.locator("tr[data-key='BASE/2']");
      assertThat(latest).containsText("latest");
      assertThat(latest.locator("[data-label=topic]")).containsText("yes");
      assertThat(latest.locator("[data-label=master]")).containsText("yes");
      assertThat(page.locator("main")).containsText("no copy is held");
      page.getByLabel("Row key").fill("nonsense");
      page.getByRole(AriaRole.BUTTON, named("Look")).click();
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("row_key");
      faults.removeIf(fault -> fault.contains("400"));
      assertThat(faults).isEmpty();
    }
  }

  @Test
  @Order(3)
  void a_text_that_would_be_html_stays_a_text() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = open(context, "row/" + Seed.ROW);
      assertThat(page.locator("main")).containsText("<img src=x");
      click(page, "Refused");
      assertThat(page.locator("main")).containsText(Seed.HOSTILE);
      assertThat(page.locator("img")).hasCount(0);
      assertThat(page).hasTitle("Refused · trips · Cellmesh");
      var hole = "() => { const d = document.createElement('div'); d.innerHTML = '<b>x</b>'; }";
      try {
        page.evaluate(hole);
        fail("the browser lets the page make HTML of a text");
      } catch (PlaywrightException e) {
        assertThat(e.getMessage()).contains("TrustedHTML");
      }
      faults.removeIf(fault -> fault.contains("TrustedHTML"));
      assertThat(faults).isEmpty();
    }
  }

  @Test
  @Order(4)
  void the_keyboard_is_enough() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = open(context, "");
      assertThat(page.locator(".verdict")).isVisible();
      page.keyboard().press("Tab");
      assertThat(page.getByText("Skip to the content")).isFocused();
      page.keyboard().press("Enter");
      assertThat(page.locator("main")).isFocused();
      page.getByRole(AriaRole.LINK, named("Shards")).focus();
      page.keyboard().press("Enter");
      page.locator(".shard").first().focus();
      page.keyboard().press("ArrowRight");
      page.keyboard().press("ArrowRight");
      page.keyboard().press("ArrowLeft");
      page.keyboard().press("Enter");
      assertThat(page.locator(".detail h3")).hasText("Shard 1");
      page.waitForTimeout(1_500);
      assertThat(page.locator(".shard[data-shard='1']")).isFocused();
      page.getByLabel("Theme").selectOption("dark");
      page.reload();
      assertThat(page.locator("html")).hasAttribute("data-theme", "dark");
    }
  }

  @Test
  @Order(5)
  void a_page_of_which_a_file_did_not_come_is_loaded_anew() {
    for (var file : List.of("page.js", "text.js", "page.css")) {
      try (var context = context(DESK, ColorScheme.LIGHT)) {
        var page = context.newPage();
        page.route("**/ui/" + file, Route::abort, new Page.RouteOptions().setTimes(1));
        page.navigate(url(""));
        assertThat(page.locator(".verdict")).hasCSS("border-left-width", "4px");
      }
    }
  }

  @Test
  @Order(6)
  void an_address_that_names_nothing_shows_the_overview() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      for (var view : List.of("row/%", "constructor")) {
        assertThat(open(context, view).locator(".verdict")).isVisible();
        assertThat(faults).isEmpty();
      }
    }
  }

  @Test
  @Order(7)
  void a_row_is_shown_though_a_question_got_lost_or_may_be_asked_for_again() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = context.newPage();
      for (var lost : List.of("**/healthz", "**/status/rows/**")) {
        page.route(lost, Route::abort, new Page.RouteOptions().setTimes(1));
      }
      page.navigate(url("row/" + Seed.ROW));
      assertThat(page.getByRole(AriaRole.ALERT)).containsText("does not answer");
      page.getByRole(AriaRole.BUTTON, named("Look")).click();
      assertThat(page.locator("main")).containsText("What each place said");
    }
  }

  @Test
  @Order(8)
  void every_view_can_be_read_in_both_themes_on_a_desk_and_on_a_phone() throws Exception {
    for (var theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      for (int width : new int[] {DESK, PHONE}) {
        try (var context = context(width, theme)) {
          var page = open(context, "");
          for (var view : VIEWS.entrySet()) {
            page.evaluate("hash => { location.hash = hash; }", view.getKey());
            assertThat(page.locator("main")).containsText(view.getValue());
            look(page, view.getKey(), theme, width);
          }
        }
      }
    }
    assertThat(faults).isEmpty();
  }

  @Test
  @Order(9)
  void a_worker_that_asks_for_a_token_is_given_it_and_it_is_kept_in_the_tab_alone() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = context.newPage();
      page.route("**/v1/**", Ui::demandToken);
      page.navigate(url(""));
      var dialog = page.getByRole(AriaRole.DIALOG);
      assertThat(dialog).containsText("This worker asks for a token");
      page.getByLabel("Token", exactly()).fill("another");
      page.getByRole(AriaRole.BUTTON, named("Sign on")).click();
      assertThat(dialog).isVisible();
      page.getByLabel("Token", exactly()).fill(TOKEN);
      page.getByRole(AriaRole.BUTTON, named("Sign on")).click();
      assertThat(page.locator(".verdict")).containsText("All is well");
      assertThat(dialog).not().isVisible();
      assertThat(page.evaluate("() => JSON.stringify(localStorage) + document.cookie").toString())
          .doesNotContain(TOKEN);
      page.reload();
      assertThat(page.locator(".verdict")).containsText("All is well");
    }
  }

  private static void demandToken(Route route) {
    if (("Bearer " + TOKEN).equals(route.request().headers().get("authorization"))) {
      route.resume();
    } else {
      route.fulfill(
          new Route.FulfillOptions()
              .setStatus(401)
              .setContentType("application/problem+json")
              .setBody("{\"status\":401,\"detail\":\"no token, or one that is not known\"}"));
    }
  }

  @Test
  @Order(10)
  void a_row_is_looked_for_in_the_other_data_centres_too() throws Exception {
    var here = stack().deployment().datacenters().get(0);
    var yaml = TopologyYaml.write(here.topology()).replace("datacenter: dc1", "datacenter: dc2");
    var there = new DataCenter("dc2", TopologyYaml.parse(yaml), here.store(), here.access());
    var at = new InetSocketAddress("127.0.0.1", 0);
    var both = new Deployment("both", List.of(here, there));
    try (var other = Worker.start(at, Protection.LOOPBACK, Map.of(here, both))) {
      var json = get(other.port(), "/v1/trips/status/rows/" + Seed.ROW);
      assertThat(json).contains("\"peer-dc2\":\"yes\"");
    }
  }

  @Test
  @Order(11)
  void a_master_that_is_killed_is_told_soon_on_every_view() throws Exception {
    var c1 = stack().devStack().cluster("dc1", "c1");
    var minion = "127.0.0.1:" + c1.minions().get(0).port();
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      context.grantPermissions(List.of("clipboard-read", "clipboard-write"));
      var elsewhere = open(context, "indexes");
      assertThat(elsewhere.locator("main")).containsText("serving");
      var page = open(context, "");
      assertThat(page.locator(".verdict")).containsText("All is well");

      long begun = System.nanoTime();
      c1.master().kill();
      try {
        var server = "127.0.0.1:%d of c1".formatted(c1.master().port());
        awaitText(page, ".alarm.down", server + " does not answer");
        awaitText(elsewhere, "#strip", "does not answer");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
        var alarm = page.locator(".alarm.down", new Page.LocatorOptions().setHasText(server));
        seeWhatADeadMasterMeans(page, alarm, minion);

        c1.master().start();
        c1.master().awaitReady();
        assertThat(alarm).containsText("takes no writes");
        assertThat(alarm.locator("code").first())
            .hasText("cellmesh promote --cluster c1 --to 127.0.0.1:" + c1.master().port());
      } finally {
        // The class that comes after this one has the same servers.
        if (!c1.master().isAlive()) {
          c1.master().start();
          c1.master().awaitReady();
        }
        c1.master().openMaster();
      }
      assertThat(page.locator(".verdict")).containsText("All is well");
      assertThat(page.getByRole(AriaRole.STATUS)).hasText("All is well again");
    }
  }

  private void seeWhatADeadMasterMeans(Page page, Locator alarm, String minion) throws Exception {
    assertThat(page.getByRole(AriaRole.STATUS)).containsText("does not answer");
    assertThat(page).hasTitle(Pattern.compile("^✕"));
    assertThat(alarm).containsText(Pattern.compile("for \\d+ s, since "));
    var command = "cellmesh promote --cluster c1 --to " + minion + " --dry-run";
    assertThat(alarm.locator("code").first()).hasText(command);
    alarm.getByRole(AriaRole.BUTTON).first().click();
    page.waitForCondition(
        () -> command.equals(page.evaluate("() => navigator.clipboard.readText()")));
    var run = Command.on(stack().devStack().stateDir(), command.split(" ", 2)[1].split(" "));
    assertThat(run.exit()).as("it is a command: " + run.err()).isNotEqualTo(2);

    var waiting = Seed.rowOf(topology(), "c1");
    seed.put(waiting, "BASE", 1, "1", "?wait=accepted");
    click(page, "Buffers");
    assertThat(page.locator("main")).containsText(waiting.toString());
    assertThat(page.locator("main")).containsText("its master does not answer");
    click(page, "Overview");
    assertThat(alarm).containsText("1 cell waits for it in the buffers");
    report.add(page, "overview-down", "light", DESK);
    picture(page, "overview-down");
    page.setViewportSize(PHONE, 844);
    report.add(page, "overview-down", "light", PHONE);
    page.setViewportSize(DESK, 900);
  }

  /** Looks every 50 ms, where an assertion would come to look once a second. */
  private static void awaitText(Page page, String selector, String text) {
    page.waitForFunction(
        "([selector, text]) => [...document.querySelectorAll(selector)].some(e => e.textContent.includes(text))",
        List.of(selector, text),
        new Page.WaitForFunctionOptions().setPollingInterval(50));
  }

  @Test
  @Order(12)
  void a_worker_that_is_gone_is_told_and_what_is_shown_is_said_to_be_old() {
    try (var context = context(DESK, ColorScheme.LIGHT)) {
      var page = open(context, "");
      assertThat(page.locator(".verdict")).isVisible();
      worker.close();
      worker = null;
      assertThat(page.locator("#strip")).containsText("this worker does not answer");
      assertThat(page.locator("#live")).hasText("no answer");
      assertThat(page.getByRole(AriaRole.STATUS)).containsText("Stale");
      assertThat(page.locator(".verdict")).isVisible();
      report.add(page, "stale", "light", DESK);
    }
  }

  /** Of what the buttons of the shards say: all cells that are shown. */
  private static long sum(Page page) {
    return page.locator(".shard").all().stream()
        .map(shard -> shard.getAttribute("aria-label"))
        .map(label -> label.replaceAll("Shard \\d+: ([0-9,]+),.*", "$1").replace(",", ""))
        .collect(Collectors.summingLong(Long::parseLong));
  }
}
