package io.stockproof.verification.explore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Closes several things, so that one that fails does not keep the others open. */
final class Closing {

  private Closing() {}

  /**
   * Closes all, in order.
   *
   * @throws Exception the first failure; later ones are suppressed in it
   */
  static void all(List<? extends AutoCloseable> things) throws Exception {
    Exception first = null;
    for (AutoCloseable thing : things) {
      first = after(first, thing);
    }
    if (first != null) {
      throw first;
    }
  }

  private static @Nullable Exception after(@Nullable Exception first, AutoCloseable thing) {
    try {
      thing.close();
      return first;
    } catch (Exception failed) {
      if (first == null) {
        return failed;
      }
      first.addSuppressed(failed);
      return first;
    }
  }
}
