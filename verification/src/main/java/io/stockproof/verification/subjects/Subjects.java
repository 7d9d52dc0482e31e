package io.stockproof.verification.subjects;

import static io.stockproof.verification.rules.Rule.R101;
import static io.stockproof.verification.rules.Rule.R102;
import static io.stockproof.verification.rules.Rule.R103;
import static io.stockproof.verification.rules.Rule.R202;
import static io.stockproof.verification.rules.Rule.R203;
import static io.stockproof.verification.rules.Rule.R204;
import static io.stockproof.verification.rules.Rule.R303;
import static io.stockproof.verification.rules.Rule.R304;
import static io.stockproof.verification.rules.Rule.R307;
import static io.stockproof.verification.rules.Rule.R308;
import static io.stockproof.verification.rules.Rule.R402;
import static io.stockproof.verification.rules.Rule.R403;
import static io.stockproof.verification.rules.Rule.R502;
import static io.stockproof.verification.rules.Rule.R503;
import static io.stockproof.verification.rules.Rule.R602;

import io.stockproof.verification.Capability;
import io.stockproof.verification.GateKeys;
import io.stockproof.verification.Subject;
import io.stockproof.verification.rules.ExpectedRules;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The subjects that come with Stockproof, by name. */
public final class Subjects {

  /**
   * A subject that comes with Stockproof.
   *
   * @param name how it is called on the command line
   * @param source where it is described
   * @param summary what it is, in a line
   * @param expected the rules it is known to break
   * @param make makes a new one, to be closed by whoever asked
   */
  public record Entry(
      String name,
      String source,
      String summary,
      ExpectedRules expected,
      Supplier<? extends Subject> make) {}

  private static final List<Entry> ALL =
      List.of(noControl(), synchronizedFacade(), luaGate(), stockproof());

  private Subjects() {}

  /** All of them, in the order of the table in the documentation. */
  public static List<Entry> all() {
    return ALL;
  }

  /** The one of this name. */
  public static Optional<Entry> named(String name) {
    return ALL.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }

  private static Entry noControl() {
    return new Entry(
        "no-control",
        "001 §1, 004 v1",
        "in a transaction: read, check, insert, write back the count",
        new ExpectedRules(
            Set.of(R101, R102, R103, R307), Set.of(), Set.of(), Set.of(R101, R102, R103)),
        () -> Subject.jdbcAndRedis("no-control", NoControl::new).withoutUniqueKey());
  }

  private static Entry synchronizedFacade() {
    return new Entry(
        "synchronized",
        "004 v2",
        "a monitor of this process around the transaction",
        new ExpectedRules(
            Set.of(R102, R307), Set.of(R101, R103), Set.of(), Set.of(R101, R102, R103)),
        () -> Subject.jdbcAndRedis("synchronized", Synchronized::new).withoutUniqueKey());
  }

  private static Entry luaGate() {
    return new Entry(
        "lua-gate",
        "000, after",
        "a Lua script in front of a conditional UPDATE and a UNIQUE row, as published",
        new ExpectedRules(
            Set.of(R304, R402),
            Set.of(),
            Set.of(R202, R203, R204, R303, R307, R308, R403, R502, R503, R602),
            Set.of(R304)),
        () ->
            Subject.jdbcAndRedis("lua-gate", LuaGate::new)
                .claiming(
                    Capability.MULTI_INSTANCE,
                    Capability.GATE,
                    Capability.CHEAP_REFUSAL,
                    Capability.OPENING)
                .withGate(GateKeys.of(LuaGate.STOCK_KEY, LuaGate.USERS_KEY)));
  }

  private static Entry stockproof() {
    return new Entry(
        "stockproof",
        "this project",
        "the core: a gate with reservations, a ledger with fencing, exact compensation",
        ExpectedRules.none(),
        StockproofSubject::make);
  }
}
