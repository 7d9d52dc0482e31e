package io.stockproof.verification.gallery;

import io.stockproof.verification.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** All mutants, and the right issuers they were made from. */
public final class Gallery {

  /**
   * A right issuer.
   *
   * @param name what the names of its mutants begin with
   * @param summary what it is, in a line
   * @param make makes a new one, to be closed by whoever asked
   */
  public record Original(String name, String summary, Supplier<? extends Subject> make) {}

  private Gallery() {}

  /** The mutants, in the order in which they are shown: by what they were made from. */
  public static List<Mutant> all() {
    List<Mutant> all = new ArrayList<>();
    all.addAll(DecisionMutants.all());
    all.addAll(RowMutants.all());
    all.addAll(TransactionMutants.all());
    all.addAll(LockMutants.all());
    all.addAll(GateMutants.all());
    all.addAll(CompensationMutants.all());
    all.addAll(CostMutants.all());
    all.addAll(SaleMutants.all());
    return List.copyOf(all);
  }

  /** The right issuers: what was mutated must be right before. */
  public static List<Original> originals() {
    return List.of(
        new Original(
            "ledger",
            "a conditional UPDATE and a row under its unique key, in one transaction",
            () -> Originals.ledger("ledger", LedgerIssuer::new)),
        new Original(
            "monitor",
            "a lock of the process around the transaction; one instance only",
            () -> Originals.monitor("monitor", MonitorIssuer::new)),
        new Original(
            "named-lock",
            "a lock of the database around the transaction, on its connection",
            () -> Originals.namedLock("named-lock", NamedLockIssuer::new)),
        new Original(
            "lease-lock",
            "a lock in Redis with a lease, and a fence written before anything is read",
            () -> Originals.leaseLock("lease-lock", LeaseLockIssuer::new)),
        new Original(
            "gate",
            "a Lua gate with tokens, exact compensation and a rebuild, before the transaction",
            () ->
                Originals.gate(
                    "gate",
                    endpoints ->
                        new GateIssuer(endpoints) {
                          @Override
                          boolean mendsOldGates() {
                            return true;
                          }
                        })),
        new Original(
            "sale",
            "the gate with a window, an opening that may be repeated, and checks of its input",
            () ->
                Originals.sale(
                    "sale",
                    endpoints ->
                        new SaleIssuer(endpoints) {
                          @Override
                          boolean mendsOldGates() {
                            return true;
                          }
                        })));
  }
}
