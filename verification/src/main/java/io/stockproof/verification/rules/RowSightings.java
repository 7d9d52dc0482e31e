package io.stockproof.verification.rules;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import java.util.HashMap;
import java.util.Map;

/**
 * Whether a caller held a row when told something. Rows are never taken back, so a row at any
 * moment of a call is a row at its end.
 */
final class RowSightings {
  private final Evidence evidence;

  /** In sampled histories, the first moment at which a row of a user was seen. */
  private final Map<String, Long> firstSeen = new HashMap<>();

  RowSightings(Evidence evidence) {
    this.evidence = evidence;
    if (evidence.timeline() == null) {
      for (Books books : evidence.history().books()) {
        for (String user : books.state().rowsByUser().keySet()) {
          firstSeen.putIfAbsent(user, books.moment());
        }
      }
    }
  }

  /** Whether the caller held a row at the end of the call. */
  Truth heldAtEnd(Call call) {
    Timeline timeline = evidence.timeline();
    if (timeline != null) {
      return timeline.at(call.end()).rowsByUser().containsKey(call.userId()) ? Truth.YES : Truth.NO;
    }
    if (call.rowAtEnd() != null) {
      return call.rowAtEnd() ? Truth.YES : Truth.NO;
    }
    if (firstSeen.getOrDefault(call.userId(), Long.MAX_VALUE) <= call.end()) {
      return Truth.YES;
    }
    StoreState last = evidence.lastAtRest();
    return last != null && !last.rowsByUser().containsKey(call.userId()) ? Truth.NO : Truth.UNKNOWN;
  }
}
