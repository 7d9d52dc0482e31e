package io.stockproof.verification.gallery;

import static io.stockproof.verification.rules.Rule.R202;
import static io.stockproof.verification.rules.Rule.R203;
import static io.stockproof.verification.rules.Rule.R204;
import static io.stockproof.verification.rules.Rule.R502;
import static io.stockproof.verification.rules.Rule.R503;

import io.lettuce.core.api.sync.RedisCommands;
import io.stockproof.IssueOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** Mistakes in {@link GateIssuer}: how a unit comes back, or is kept, or is lost. */
final class CompensationMutants {
  private CompensationMutants() {}

  static List<Mutant> all() {
    return List.of(
        compensatedTwice(),
        splitCompensation(),
        anothersReservation(),
        lostCommitCompensated(),
        confirmedBeforeCommit(),
        failureKeepsUnit(),
        nobodyReconciles(),
        lostGateStaysLost(),
        rebuildForgetsRows(),
        rebuildAtFullStock(),
        reopened());
  }

  private static Mutant compensatedTwice() {
    return Mutant.of(
        Originals::gate,
        "gate-compensated-twice",
        "G16",
        "two failure paths give the unit back, and INCR depends on nothing",
        R204,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              void release(Ask ask) {
                for (int path = 0; path < 2; path++) {
                  String[] keys = keys(ask.couponId());
                  redis.commands().hdel(keys[1], ask.userId());
                  redis.commands().srem(keys[2], ask.userId());
                  redis.commands().incr(keys[0]);
                }
              }
            });
  }

  private static Mutant splitCompensation() {
    return Mutant.of(
        Originals::gate,
        "gate-split-compensation",
        "G17",
        "user and unit are given back by two commands, and a crash comes between",
        R204,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              void release(Ask ask) {
                String[] keys = keys(ask.couponId());
                RedisCommands<String, String> commands = redis.commands();
                commands.hdel(keys[1], ask.userId());
                if (commands.srem(keys[2], ask.userId()) == 1) {
                  commands.incr(keys[0]);
                }
              }
            });
  }

  private static Mutant anothersReservation() {
    return Mutant.of(
        Originals::gate,
        "gate-releases-anothers-reservation",
        "G17,K01",
        "a second click is refused and gives back what the first has reserved",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome inFlight(Ask ask) {
                String[] keys = keys(ask.couponId());
                redis.commands().hdel(keys[1], ask.userId());
                redis.commands().srem(keys[2], ask.userId());
                redis.commands().incr(keys[0]);
                return super.inFlight(ask);
              }
            });
  }

  private static Mutant lostCommitCompensated() {
    return Mutant.of(
        Originals::gate,
        "gate-lost-commit-compensated",
        "D33",
        "a COMMIT without an answer is compensated, although it may have committed",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome settle(Ask ask, IssueOutcome told) {
                if (told == IssueOutcome.UNKNOWN) {
                  release(ask);
                }
                return super.settle(ask, told);
              }
            });
  }

  private static Mutant confirmedBeforeCommit() {
    return Mutant.of(
        Originals::gate,
        "gate-confirmed-before-commit",
        "L11",
        "the reservation is closed inside the transaction; COMMIT fails after it",
        R202,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome write(Connection tx, Ask ask) throws SQLException {
                IssueOutcome told = super.write(tx, ask);
                confirm(ask);
                return told;
              }
            });
  }

  private static Mutant failureKeepsUnit() {
    return Mutant.of(
        Originals::gate,
        "gate-failure-keeps-unit",
        "A04,D34",
        "a request failed for good: its reservation is closed, the unit never restored",
        R202,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              void release(Ask ask) {
                confirm(ask);
              }
            });
  }

  private static Mutant nobodyReconciles() {
    return Mutant.of(
        Originals::gate,
        "gate-nobody-reconciles",
        "A04,G04",
        "what a crash leaves reserved stays reserved",
        R503,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              public void reconcile(long couponId) {
                // Compensation in a catch block is all there is.
              }
            });
  }

  private static Mutant lostGateStaysLost() {
    return Mutant.of(
        Originals::gate,
        "gate-lost-gate-stays-lost",
        "G13,G14",
        "reservations that stay open are looked for, a gate that is gone is not",
        R502,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              public void reconcile(long couponId) throws SQLException {
                if (run(GateScripts.SETTLED, couponId).equals("OPEN")) {
                  rebuild(couponId);
                }
              }
            });
  }

  private static Mutant rebuildForgetsRows() {
    return Mutant.of(
        Originals::gate,
        "gate-rebuild-forgets-rows",
        "G13,G18",
        "what is open or lost is made free again without a look at the ledger",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              List<String> rowsForRebuild(Connection tx, long couponId) {
                return List.of();
              }
            });
  }

  private static Mutant rebuildAtFullStock() {
    return Mutant.of(
        Originals::gate,
        "gate-rebuild-at-full-stock",
        "G25",
        "a rebuild sets the stock to the total, not to what is left of it",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              long stockForRebuild(long total, List<String> users) {
                return total;
              }
            });
  }

  private static Mutant reopened() {
    return Mutant.of(
        Originals::gate,
        "gate-opened-again",
        "G25",
        "the stock is set up again while the sale goes on",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              public void reconcile(long couponId) throws SQLException {
                super.reconcile(couponId);
                try (Connection connection = dataSource.getConnection()) {
                  long total = Sql.numbers(connection, 2, READ_COUPON, couponId)[1];
                  redis.commands().set(keys(couponId)[0], Long.toString(total));
                }
              }
            });
  }
}
