package io.stockproof.verification.gallery;

import static io.stockproof.IssueOutcome.DUPLICATE;
import static io.stockproof.IssueOutcome.ISSUED;
import static io.stockproof.IssueOutcome.SOLD_OUT;
import static io.stockproof.verification.rules.Rule.R104;
import static io.stockproof.verification.rules.Rule.R203;
import static io.stockproof.verification.rules.Rule.R303;
import static io.stockproof.verification.rules.Rule.R304;

import io.stockproof.IssueOutcome;
import io.stockproof.verification.JdbcAndRedisSubject;
import io.stockproof.verification.rules.Rule;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Mistakes in {@link GateIssuer}: who is let in, and what is told to who is not. */
final class GateMutants {
  private static final String TAKE = "redis.call('DECR', KEYS[1])\n";
  private static final String ADD_USER = "redis.call('SADD', KEYS[3], ARGV[1])\n";
  private static final String DUPLICATE_CHECK =
      "if redis.call('SISMEMBER', KEYS[3], ARGV[1]) == 1 then return 'DUPLICATE' end\n";
  private static final String SOLD_OUT_CHECK =
      "if tonumber(redis.call('GET', KEYS[1])) <= 0 then return 'SOLD_OUT' end\n";

  private GateMutants() {}

  static List<Mutant> all() {
    return List.of(
        decrementBeforeDuplicate(),
        negativeStock(),
        stockOutsideScript(),
        userBeforeStock(),
        userOutsideScript(),
        textCompared(),
        missingIsSoldOut(),
        stockAloneIsLookedAt(),
        errorIsSoldOut(),
        errorFallsThrough(),
        duplicateBeforeCommit(),
        lowerCase(),
        failureMarksCoupon());
  }

  private static Mutant decrementBeforeDuplicate() {
    return gate(
        "gate-decrement-before-duplicate",
        "G01",
        "DECR before the duplicate check: each click of one user takes a unit",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String script(String original) {
                return moved(original, DUPLICATE_CHECK, ADD_USER);
              }
            });
  }

  private static Mutant negativeStock() {
    return gate(
        "gate-negative-stock",
        "G02",
        "DECR comes first, and what is below 0 is refused but stays",
        R104,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String script(String original) {
                return original
                    .replace(TAKE, "")
                    .replace(
                        "tonumber(redis.call('GET', KEYS[1])) <= 0",
                        "redis.call('DECR', KEYS[1]) < 0");
              }
            });
  }

  private static Mutant stockOutsideScript() {
    return gate(
        "gate-stock-outside-script",
        "G05",
        "GET and compare, then DECR: two commands where one script was needed",
        R104,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String acquire(Ask ask) {
                String stock = redis.commands().get(keys(ask.couponId())[0]);
                return stock != null && Long.parseLong(stock) <= 0
                    ? "SOLD_OUT"
                    : super.acquire(ask);
              }

              @Override
              String script(String original) {
                return original.replace(SOLD_OUT_CHECK, "");
              }
            });
  }

  private static Mutant userBeforeStock() {
    return gate(
        "gate-user-before-stock",
        "G04",
        "SADD before the stock is looked at: who was refused is in the set",
        R304,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String script(String original) {
                return moved(original, ADD_USER, SOLD_OUT_CHECK);
              }
            });
  }

  private static Mutant userOutsideScript() {
    return gate(
        "gate-user-outside-script",
        "G04",
        "SADD as a command of its own: a crash after it locks the user out",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String acquire(Ask ask) {
                String users = keys(ask.couponId())[2];
                if (redis.commands().sadd(users, ask.userId()) == 0) {
                  return "DUPLICATE";
                }
                String answer = super.acquire(ask);
                if (answer.equals("SOLD_OUT")) {
                  redis.commands().srem(users, ask.userId());
                }
                return answer;
              }

              @Override
              String script(String original) {
                return original.replace(DUPLICATE_CHECK, "");
              }
            });
  }

  private static Mutant textCompared() {
    return gate(
        "gate-text-compared",
        "G07",
        "numbers compared as text: of 12 units '2' is more",
        R303,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String script(String original) {
                return original.replace(
                    SOLD_OUT_CHECK,
                    """
                    local taken = redis.call('SCARD', KEYS[3]) - 1
                    local total = taken + redis.call('GET', KEYS[1])
                    if tostring(taken) >= tostring(total) then return 'SOLD_OUT' end
                    """);
              }
            });
  }

  private static Mutant missingIsSoldOut() {
    return gate(
        "gate-missing-is-sold-out",
        "G06",
        "a stock that is not there is a stock of 0",
        R303,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome missing(Ask ask) {
                return SOLD_OUT;
              }
            });
  }

  private static Mutant stockAloneIsLookedAt() {
    return gate(
        "gate-stock-alone-is-looked-at",
        "G13,G14",
        "a set of users that was evicted or has expired is a set without users",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String script(String original) {
                return original.replace("KEYS[1], KEYS[2], KEYS[3]) < 3", "KEYS[1]) < 1");
              }
            });
  }

  private static Mutant errorIsSoldOut() {
    return gate(
        "gate-error-is-sold-out",
        "G12,G22,G28",
        "whatever is not an answer 'yes' from Redis is told as sold out",
        R303,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome gateFailed(Ask ask) {
                return SOLD_OUT;
              }
            });
  }

  private static Mutant errorFallsThrough() {
    return gate(
        "gate-error-falls-through",
        "G22",
        "without Redis the ledger is asked alone, and the gate never hears of it",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome gateFailed(Ask ask) throws SQLException {
                return new LedgerIssuer(dataSource).record(ask);
              }
            });
  }

  private static Mutant duplicateBeforeCommit() {
    return gate(
        "gate-duplicate-before-commit",
        "H02",
        "a reservation that may still fail is told as a duplicate",
        R304,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              IssueOutcome inFlight(Ask ask) {
                return DUPLICATE;
              }
            });
  }

  private static Mutant lowerCase() {
    return gate(
        "gate-lower-case-users",
        "D21,G09",
        "users are lower case in the gate and as they are in the ledger",
        R203,
        endpoints ->
            new GateIssuer(endpoints) {
              @Override
              String member(Ask ask) {
                return ask.userId().toLowerCase(Locale.ROOT);
              }
            });
  }

  private static Mutant failureMarksCoupon() {
    return gate(
        "gate-failure-marks-coupon",
        "A05,G29",
        "one request's failure sets the coupon's 'over' flag, and the flag stays",
        R303,
        endpoints ->
            new GateIssuer(endpoints) {
              private final Set<Long> over = ConcurrentHashMap.newKeySet();

              @Override
              String acquire(Ask ask) {
                return over.contains(ask.couponId()) ? "SOLD_OUT" : super.acquire(ask);
              }

              @Override
              IssueOutcome settle(Ask ask, IssueOutcome told) {
                if (told != ISSUED) {
                  over.add(ask.couponId());
                }
                return super.settle(ask, told);
              }
            });
  }

  /** The script with a line brought forward, to before another; as it is if it has not both. */
  private static String moved(String script, String line, String before) {
    return script.contains(line) && script.contains(before)
        ? script.replace(line, "").replace(before, line + before)
        : script;
  }

  private static Mutant gate(
      String name, String cases, String mistake, Rule rule, JdbcAndRedisSubject.Starter starter) {
    return Mutant.of(Originals::gate, name, cases, mistake, rule, starter);
  }
}
