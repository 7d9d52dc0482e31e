package io.stockproof.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A clock for processes that can be put forward and back while they run, by libfaketime. Waits and
 * time-outs stay right: only the time of day is off.
 */
final class FakeClock implements AutoCloseable {
  private static final List<Path> PLACES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/faketime/libfaketimeMT.so.1"));

  private final Path library;
  private final Path offset;

  private FakeClock(Path library, Path offset) {
    this.library = library;
    this.offset = offset;
  }

  /** Whether this machine has the library. */
  static boolean available() {
    return library().isPresent();
  }

  private static Optional<Path> library() {
    return PLACES.stream().filter(Files::isReadable).findFirst();
  }

  /**
   * A clock that is right.
   *
   * @throws IOException if no temporary file can be written
   * @throws IllegalStateException if this machine lacks the library
   */
  static FakeClock right() throws IOException {
    Path library = library().orElseThrow(() -> new IllegalStateException("no libfaketime here"));
    FakeClock clock = new FakeClock(library, Files.createTempFile("stockproof-clock", ""));
    clock.put(Duration.ZERO);
    return clock;
  }

  /** What a process needs in its environment to take the time from this clock. */
  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "FAKETIME_TIMESTAMP_FILE", offset.toString(),
        "FAKETIME_CACHE_DURATION", "1",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        // A JVM waits by the monotonic clock; with this mended as well no timed wait would wait.
        "FAKETIME_FORCE_MONOTONIC_FIX", "0");
  }

  /** Puts it this far from the right time; processes follow within a second or two. */
  void put(Duration off) throws IOException {
    Files.writeString(offset, "%+d".formatted(off.toSeconds()));
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(offset);
  }
}
