package io.stockproof.verification.history;

import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything a rule may judge by: the calls with their intervals and outcomes, and the books.
 *
 * @param scenario what was asked
 * @param faulted whether any fault was injected
 * @param calls in order of {@link Call#id}: of the sale, then probes at rest
 * @param books in order of moment, from the starting state on
 * @param atRest no request in flight, background work done, before any probe; null if rest was not
 *     reached in time
 * @param afterProbes after the probes came to rest; null if none were made
 * @param wire what the calls of the sale sent; null if that was not watched
 * @param badInputs calls with bad input, made after the probes; empty if none were made
 */
public record History(
    Scenario scenario,
    boolean faulted,
    List<Call> calls,
    List<Books> books,
    @Nullable StoreState atRest,
    @Nullable StoreState afterProbes,
    @Nullable Wire wire,
    List<BadInput> badInputs) {

  /** Copies the lists. */
  public History {
    calls = List.copyOf(calls);
    books = List.copyOf(books);
    badInputs = List.copyOf(badInputs);
  }

  /** A run whose wire was not watched. */
  public History(
      Scenario scenario,
      boolean faulted,
      List<Call> calls,
      List<Books> books,
      @Nullable StoreState atRest,
      @Nullable StoreState afterProbes) {
    this(scenario, faulted, calls, books, atRest, afterProbes, null, List.of());
  }

  /**
   * Whether nothing disturbed the calls: no fault, nobody who opened the coupon again, nothing that
   * recovered beside them.
   */
  public boolean calm() {
    return !faulted && calls.stream().allMatch(call -> call.phase().asks());
  }

  /** The calls of one phase. */
  public List<Call> calls(Call.Phase phase) {
    return calls.stream().filter(call -> call.phase() == phase).toList();
  }
}
