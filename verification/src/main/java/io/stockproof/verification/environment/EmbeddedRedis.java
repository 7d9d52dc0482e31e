package io.stockproof.verification.environment;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Redis from {@code org.signal:embedded-redis}, which is used as a carrier of the binary only. */
record EmbeddedRedis(Path binary) implements EmbeddedServer.Launch {

  private static final Duration PROBE = Duration.ofSeconds(1);

  /** Unpacks the binary if this cache does not have it. */
  static EmbeddedRedis prepare(BinaryCache cache, Platform platform) {
    Path folder =
        cache.folder(
            "redis-" + Platform.REDIS_VERSION,
            building -> {
              Path binary = building.resolve("redis-server");
              ClassLoader loader = EmbeddedRedis.class.getClassLoader();
              try (InputStream resource = loader.getResourceAsStream(platform.redis())) {
                if (resource == null) {
                  throw new IOException(
                      platform.redis() + " is not on the class path (org.signal:embedded-redis)");
                }
                Files.copy(resource, binary);
              }
              Folders.allowToRun(binary);
            });
    return new EmbeddedRedis(folder.resolve("redis-server"));
  }

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public void prepare(Path folder) {
    // An empty folder is all it needs.
  }

  /** What it had saved is loaded by now, and must not come back a second time. */
  @Override
  public void started(Path folder) throws IOException {
    Files.deleteIfExists(folder.resolve("dump.rdb"));
  }

  /** As a cache in production: nothing on disk, bound to this machine. */
  @Override
  public List<String> command(Path folder, int port) {
    return List.of(
        binary.toString(),
        "--bind",
        Loopback.HOST,
        "--port",
        Integer.toString(port),
        "--dir",
        folder.toString(),
        "--save",
        "",
        "--appendonly",
        "no");
  }

  @Override
  public String version(int port) throws IOException {
    return RedisProbe.version(Loopback.HOST, port, PROBE);
  }
}
