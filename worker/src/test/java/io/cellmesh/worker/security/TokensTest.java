package io.cellmesh.worker.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.DeploymentException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TokensTest {
  private static final String HASH = "sha256:" + "0123456789abcdef".repeat(4);

  @Test
  void a_token_that_was_drawn_is_known_by_its_entry_with_its_rights_and_no_others() {
    var billing = NewToken.draw("billing", List.of("trips:read,write", "users:indexes"));
    var watcher = NewToken.draw("watcher", List.of("*:status"));
    var tokens = Tokens.parse("tokens:\n" + billing.entry() + "\n" + watcher.entry() + "\n");

    var caller = tokens.callerOf(billing.token()).orElseThrow();
    assertThat(caller.name()).isEqualTo("billing");
    assertThat(caller.may(Right.READ, "trips")).isTrue();
    assertThat(caller.may(Right.WRITE, "trips")).isTrue();
    assertThat(caller.may(Right.INDEXES, "trips")).isFalse();
    assertThat(caller.may(Right.INDEXES, "users")).isTrue();
    assertThat(caller.may(Right.READ, "users")).isFalse();
    assertThat(caller.maySomewhere(Right.INDEXES)).isTrue();
    assertThat(caller.maySomewhere(Right.STATUS)).isFalse();
    assertThat(tokens.callerOf(watcher.token()).orElseThrow().may(Right.STATUS, "any")).isTrue();
    assertThat(tokens.callerOf(watcher.token()).orElseThrow().may(Right.READ, "any")).isFalse();
  }

  @Test
  void a_token_is_new_each_time_has_256_bits_and_is_shown_by_nothing_but_itself() {
    var first = NewToken.draw("a", List.of("trips:read"));
    var second = NewToken.draw("a", List.of("trips:read"));

    assertThat(first.token()).matches("cm_[A-Za-z0-9_-]{43}").isNotEqualTo(second.token());
    assertThat(first.entry()).doesNotContain(first.token());
    assertThat(first.toString()).doesNotContain(first.token());
    assertThat(Tokens.parse("tokens:\n" + first.entry()).callerOf(second.token())).isEmpty();
  }

  @Test
  void what_somebody_made_up_himself_is_no_token_even_if_its_hash_is_there() {
    var hash = HexFormat.of().formatHex(Token.hash("password"));
    var tokens =
        Tokens.parse(
            "tokens: [{name: a, hash: 'sha256:%s', rights: {trips: [read]}}]".formatted(hash));

    assertThat(tokens.callerOf("password")).isEmpty();
    assertThat(tokens.callerOf("")).isEmpty();
    assertThat(tokens.callerOf("sha256:" + hash)).isEmpty();
  }

  @Test
  void no_tokens_at_all_let_nobody_in() {
    assertThat(Tokens.parse("tokens: []").known()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "token: []|unknown field \"token\"",
        "tokens: 1|tokens must be a list",
        "tokens: [1]|line 1: a token must be a mapping",
        "tokens: [{hash: H, rights: {}}]|name is missing",
        "tokens: [{name: -a, hash: H, rights: {}}]|name: \"-a\" is not 1 to 48 of",
        "tokens: [{name: a, rights: {}}]|hash is missing",
        "tokens: [{name: a, hash: cm_secret, rights: {}}]|hash must be sha256: and 64",
        "tokens: [{name: a, hash: H}]|rights is missing",
        "tokens: [{name: a, hash: H, rights: {Trips: [read]}}]|instance: \"Trips\" is not",
        "tokens: [{name: a, hash: H, rights: {trips: read}}]|must be a list",
        "tokens: [{name: a, hash: H, rights: {trips: [delete]}}]|\"delete\" is none of read, write, indexes, status",
        "tokens: [{name: a, hash: H, rights: {}, admin: 1}]|unknown field \"admin\"",
        "tokens: [{name: a, hash: H, rights: {}},{name: b, hash: H, rights: {}}]|hash: that of b stands twice",
      })
  void a_file_that_breaks_a_rule_is_refused_by_line_and_rule(String yaml, String rule) {
    assertThatThrownBy(() -> Tokens.parse(yaml.replace("H", HASH)))
        .hasMessageStartingWith("line 1: ")
        .hasMessageContaining(rule)
        .hasMessageNotContaining("cm_secret");
  }

  @Test
  void two_of_one_name_are_refused_since_logs_would_mix_them_up() {
    var yaml =
        "tokens:\n"
            + NewToken.draw("a", List.of("trips:read")).entry()
            + "\n"
            + NewToken.draw("a", List.of("trips:read")).entry();

    assertThatThrownBy(() -> Tokens.parse(yaml)).hasMessage("line 3: name: a stands twice");
  }

  @Test
  void a_thousand_are_the_most() {
    var entries =
        IntStream.range(0, 1_001)
            .mapToObj(i -> NewToken.draw("t" + i, List.of("trips:read")).entry())
            .collect(Collectors.joining("\n"));

    assertThatThrownBy(() -> Tokens.parse("tokens:\n" + entries))
        .hasMessageContaining("more than 1000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"trips", "trips:", "trips:read,", "trips:delete", "Trips:read", ":read"})
  void rights_are_instance_and_known_names(String rights) {
    assertThatThrownBy(() -> NewToken.draw("a", List.of(rights)))
        .isInstanceOf(DeploymentException.class);
    assertThatThrownBy(() -> NewToken.draw("a", List.of("trips:read", "trips:write")))
        .hasMessage("rights: trips is given twice");
    assertThatThrownBy(() -> NewToken.draw("two words", List.of("trips:read")))
        .isInstanceOf(DeploymentException.class)
        .hasMessageContaining("name");
  }
}
