# Starts a program of Cellmesh on the Java at hand (JAVA_HOME, else PATH). Sourced by the programs beside it.

fail() {
  printf '%s: %s\n' "${0##*/}" "$1" >&2
  exit 3
}

# Echoes the major version of a java command; nothing if it does not run. The file beside it is read
# where there is one, since starting a JVM only to ask costs a tenth of a second.
java_major() {
  release=$(dirname "$(dirname "$1")")/release
  if [ -r "$release" ]; then
    version=$(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$release")
  else
    version=$("$1" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
  fi
  printf '%s\n' "${version#1.}" | sed 's/[^0-9].*//'
}

# Sets java to a command of Java 17 or later.
find_java() {
  if [ -n "${JAVA_HOME:-}" ]; then
    java=$JAVA_HOME/bin/java
    [ -x "$java" ] || fail "JAVA_HOME is $JAVA_HOME, which has no bin/java; set it to a Java 17 or later."
  else
    java=
    # Apple's own java command only knows how to point at others.
    if [ -x /usr/libexec/java_home ]; then
      apple=$(/usr/libexec/java_home -v 17+ 2>/dev/null || true)
      [ -z "$apple" ] || java=$apple/bin/java
    fi
    [ -n "$java" ] || java=$(command -v java || true)
    [ -n "$java" ] || fail "no java on PATH; install Java 17 or later, or set JAVA_HOME to one."
  fi
  major=$(java_major "$java")
  [ -n "$major" ] || fail "$java does not run; set JAVA_HOME to a Java 17 or later."
  [ "$major" -ge 17 ] || fail "$java is Java $major; Cellmesh needs 17 or later: set JAVA_HOME to one."
}

# Sets home to where Cellmesh is, and jar to that of a module, whose manifest names all others that it needs.
find_module() {
  home=$(dirname "$bin")
  jars=$home/lib
  mend="unpack the archive again"
  # The same programs serve a checkout, where each module has a directory of jars.
  if [ ! -d "$jars" ] && [ -f "$home/../mvnw" ]; then
    home=$(dirname "$home")
    jars=$home/$1/target/app
    mend="run ./mvnw -DskipTests package in $home"
  fi
  jar=
  for found in "$jars/cellmesh-$1"-[0-9]*.jar; do
    if [ -f "$found" ]; then
      jar=$found
    fi
  done
  [ -n "$jar" ] || fail "$jars has no cellmesh-$1; $mend."
}
