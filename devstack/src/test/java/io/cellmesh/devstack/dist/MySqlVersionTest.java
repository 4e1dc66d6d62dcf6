package io.cellmesh.devstack.dist;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MySqlVersionTest {

  @Test
  @DisplayName("MySQL's own line is understood, with and without a distributor's suffix")
  void mysqlsOwnLineIsUnderstood() {
    assertThat(
            MySqlVersion.parse(
                "/x/bin/mysqld  Ver 8.0.33 for Linux on x86_64 (MySQL Community Server - GPL)"))
        .contains(new MySqlVersion(8, 0, 33));
    assertThat(MySqlVersion.parse("mysqld  Ver 8.0.41-0ubuntu0.24.04.1 for Linux on x86_64"))
        .contains(new MySqlVersion(8, 0, 41));
    assertThat(MySqlVersion.parse("/opt/homebrew/bin/mysqld  Ver 9.7.0 for macos15 on arm64"))
        .contains(new MySqlVersion(9, 7, 0));
  }

  @Test
  void mariaDbIsNotMySql() {
    assertThat(MySqlVersion.parse("mysqld  Ver 10.11.6-MariaDB-0+deb12u1 for debian-linux-gnu"))
        .isEmpty();
    assertThat(MySqlVersion.parse("error while loading shared libraries: libaio.so.1")).isEmpty();
  }

  @Test
  void whatIsTooOldIsNotUsable() {
    assertThat(new MySqlVersion(5, 7, 44).isUsable()).isFalse();
    assertThat(new MySqlVersion(8, 0, 25).isUsable()).isFalse();
    assertThat(new MySqlVersion(8, 0, 26).isUsable()).isTrue();
    assertThat(new MySqlVersion(8, 4, 0).isUsable()).isTrue();
    assertThat(new MySqlVersion(9, 0, 1).isUsable()).isTrue();
  }
}
