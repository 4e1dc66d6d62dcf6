package io.cellmesh.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cellmesh.deployment.DeploymentException;
import io.cellmesh.worker.security.Limits;
import io.cellmesh.worker.security.TlsFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ListenOptionsTest {
  @Command
  private static final class Some {
    @Mixin private ListenOptions listen;
  }

  private static ListenOptions of(String... args) {
    var some = new Some();
    new CommandLine(some).parseArgs(args);
    return some.listen;
  }

  @Test
  void by_default_it_listens_on_the_loopback_interface_in_the_clear_and_logs_each_call() {
    var listen = of();

    assertThat(listen.at().getAddress().isLoopbackAddress()).isTrue();
    assertThat(listen.at().getPort()).isEqualTo(8080);
    assertThat(listen.protection().tokens()).isEmpty();
    assertThat(listen.protection().tls()).isEmpty();
    assertThat(listen.protection().accessLog()).isTrue();
    assertThat(listen.protection().limits()).isEqualTo(Limits.USUAL);
    assertThat(listen.url(1)).matches("http://(localhost|127.0.0.1):1/");
  }

  @Test
  void what_is_given_is_taken() {
    var protection =
        of(
                "--tokens=t",
                "--tls-certificate=c",
                "--tls-key=k",
                "--tls-client-ca=a",
                "--no-access-log",
                "--max-connections=7")
            .protection();

    assertThat(protection.tokens()).contains(Path.of("t"));
    assertThat(protection.tls())
        .contains(new TlsFiles(Path.of("c"), Path.of("k"), Optional.of(Path.of("a"))));
    assertThat(protection.accessLog()).isFalse();
    assertThat(protection.limits().connections()).isEqualTo(7);
    assertThat(of("--bind=0.0.0.0", "--tls-certificate=c").url(1)).isEqualTo("https://0.0.0.0:1/");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--tls-certificate=c",
        "--tls-key=k",
        "--tls-client-ca=a",
        "--tls-key=k --tls-client-ca=a",
        "--max-connections=0",
      })
  void what_does_not_go_together_is_refused(String args) {
    var listen = of(List.of(args.split(" ")).toArray(String[]::new));

    assertThatThrownBy(listen::protection).isInstanceOf(DeploymentException.class);
  }
}
