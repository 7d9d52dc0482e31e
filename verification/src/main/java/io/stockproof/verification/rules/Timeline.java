package io.stockproof.verification.rules;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Books;
import io.stockproof.verification.history.Call;
import io.stockproof.verification.history.History;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The state of the stores at every moment of a run whose books were kept after each command. */
final class Timeline {
  private final List<Books> books;

  private Timeline(List<Books> books) {
    this.books = books;
  }

  /** Null if any entry was merely sampled. */
  static @Nullable Timeline of(History history) {
    List<Books> books = history.books();
    if (books.isEmpty() || !books.stream().allMatch(Books::exact)) {
      return null;
    }
    return new Timeline(books);
  }

  int size() {
    return books.size();
  }

  StoreState state(int index) {
    return books.get(index).state();
  }

  /** Index of the state that holds at a moment; that of the starting state before any entry. */
  int indexAt(long moment) {
    int low = 0;
    int high = books.size() - 1;
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      if (books.get(middle).moment() <= moment) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return low;
  }

  StoreState at(long moment) {
    return state(indexAt(moment));
  }

  int first(Call call) {
    return indexAt(call.start());
  }

  int last(Call call) {
    return indexAt(call.end());
  }
}
