package io.stockproof.verification.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.Stockproof;
import io.stockproof.verification.Scenario;
import io.stockproof.verification.StoreState;
import io.stockproof.verification.Subject;
import io.stockproof.verification.WithoutDisk;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.Environment.DatabaseServer.Product;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.explore.CommandFault;
import io.stockproof.verification.explore.Explorer;
import io.stockproof.verification.explore.RecordedRun;
import io.stockproof.verification.explore.RecordedRun.Sent;
import io.stockproof.verification.explore.SearchPlan;
import io.stockproof.verification.explore.Token;
import io.stockproof.verification.protocol.Vocabulary.Verb;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the core really sends, and is answered, is a path of the model. */
@ExtendWith(WithoutDisk.class)
final class ConformanceTest {

  private static final Environment ENVIRONMENT = Environments.shared();
  private static final int RUNS_EACH = 4;
  private static final int MOST_CHOICES = 40;

  private final Vocabulary vocabulary = new Vocabulary();
  private final Set<Verb> seen = EnumSet.noneOf(Verb.class);
  private final Set<CommandFault> struck = EnumSet.noneOf(CommandFault.class);
  private final Random random = new Random(7);

  ConformanceTest() throws Exception {}

  @Test
  void requestsWithoutFaultsArePathsOfTheModel() throws Exception {
    try (Subject subject = RecoveringSubject.make((issuer, coupon) -> {});
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      for (Scenario scenario : List.of(requests("A,B", 1), requests("A,A", 2))) {
        follow(explorer, scenario);
      }
    }
    assertThat(seen).contains(Verb.ACQUIRE, Verb.COUNT, Verb.INSERT, Verb.COMMIT, Verb.CONFIRM);
  }

  @Test
  void requestsUnderEveryFaultArePathsOfTheModel() throws Exception {
    try (Subject subject = RecoveringSubject.make((issuer, coupon) -> {});
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      // Alone, so that each command comes; and beside somebody who wants the same unit.
      for (Scenario scenario : List.of(requests("A", 1), requests("A,B", 1))) {
        for (int command = 0; command < 5; command++) {
          for (CommandFault fault : CommandFault.values()) {
            List<Token.Fault> faults = List.of(new Token.Fault(0, command, fault));
            accepted(RecordedRun.play(explorer, scenario, faults, choices()));
          }
        }
      }
    }
    assertThat(seen).contains(Verb.RELEASE, Verb.LOCK, Verb.TOKEN, Verb.BEGIN, Verb.FINISH);
    assertThat(struck).isEqualTo(faultsOfThisDatabase());
  }

  @Test
  void aReconcilerBesideRequestsIsAPathOfTheModel() throws Exception {
    recovering((issuer, coupon) -> issuer.coupons().reconcile(coupon));
    assertThat(seen).contains(Verb.STALE, Verb.SETTLE, Verb.RAISE, Verb.EXPLAIN, Verb.RENEW);
  }

  @Test
  void aRebuildBesideRequestsIsAPathOfTheModel() throws Exception {
    recovering((issuer, coupon) -> issuer.coupons().rebuild(coupon));
    assertThat(seen).contains(Verb.BEGIN, Verb.RAISE, Verb.USERS, Verb.INSTALL, Verb.FINISH);
  }

  private static Set<CommandFault> faultsOfThisDatabase() {
    Set<CommandFault> faults = EnumSet.allOf(CommandFault.class);
    if (ENVIRONMENT.database().product() != Product.MARIADB) {
      faults.remove(CommandFault.ERROR_1020);
    }
    return faults;
  }

  private void recovering(ObjLongConsumer<Stockproof> recovery) throws Exception {
    try (Subject subject = RecoveringSubject.make(recovery);
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      Scenario scenario = requests("A,B", 2);
      // B recovers while A stands between any two commands.
      for (int before = 1; before <= RUNS_EACH; before++) {
        // 0 stays with who went last, 1 changes to the other.
        List<Integer> choices = new ArrayList<>(Collections.nCopies(MOST_CHOICES, 0));
        choices.set(before, 1);
        accepted(RecordedRun.play(explorer, scenario, List.of(), choices));
      }
      follow(explorer, scenario);
    }
  }

  @Test
  void aDoctoredRunIsRefused() throws Exception {
    RecordedRun run;
    try (Subject subject = RecoveringSubject.make((issuer, coupon) -> {});
        Explorer explorer = new Explorer(ENVIRONMENT, subject)) {
      run = RecordedRun.play(explorer, requests("A,B", 1), List.of(), List.of());
    }
    accepted(run);
    int acquire = indexOf(run, Verb.ACQUIRE);
    int commit = indexOf(run, Verb.COMMIT);
    refused(run, acquire, sent -> answering(sent, List.of("ACQUIRED", "2")));
    refused(run, acquire, sent -> answering(sent, List.of("DUPLICATE", "")));
    refused(run, commit, ConformanceTest::oneUnitMore);
    List<Sent> without = new ArrayList<>(run.commands());
    without.remove(commit);
    assertThat(refusal(new RecordedRun(run.scenario(), without))).contains("command");
    List<Sent> twice = new ArrayList<>(run.commands());
    twice.add(commit, run.commands().get(commit));
    assertThat(refusal(new RecordedRun(run.scenario(), twice))).contains("COMMIT");
  }

  private void follow(Explorer explorer, Scenario scenario) throws Exception {
    for (int i = 0; i < RUNS_EACH; i++) {
      accepted(RecordedRun.play(explorer, scenario, List.of(), choices()));
    }
  }

  private List<Integer> choices() {
    return random.ints(MOST_CHOICES, 0, 2).boxed().toList();
  }

  private void accepted(RecordedRun run) {
    for (Sent sent : run.commands()) {
      seen.add(vocabulary.of(sent));
      if (sent.fault() != null) {
        struck.add(sent.fault());
      }
    }
    assertThat(refusal(run)).as(String.join("\n", lines(run))).isNull();
  }

  private void refused(RecordedRun run, int index, UnaryOperator<Sent> change) {
    List<Sent> doctored = new ArrayList<>(run.commands());
    doctored.set(index, change.apply(doctored.get(index)));
    assertThat(refusal(new RecordedRun(run.scenario(), doctored)))
        .startsWith("command " + (index + 1) + ",");
  }

  private @Nullable String refusal(RecordedRun run) {
    return Conformance.refusal(run, vocabulary);
  }

  private List<String> lines(RecordedRun run) {
    return run.commands().stream()
        .map(s -> s.actor() + " " + vocabulary.of(s) + " " + s.fault() + " " + s.reply())
        .toList();
  }

  private int indexOf(RecordedRun run, Verb verb) {
    return run.commands().stream().map(vocabulary::of).toList().indexOf(verb);
  }

  private static Sent answering(Sent sent, List<String> reply) {
    return with(sent, reply, sent.books());
  }

  private static Sent oneUnitMore(Sent sent) {
    StoreState books = sent.books();
    assertThat(books).isNotNull();
    return with(
        sent,
        sent.reply(),
        new StoreState(
            books.rowsByUser(),
            books.counter(),
            books.gateStock() + 1,
            books.gateUsers(),
            books.reservations()));
  }

  private static Sent with(Sent sent, List<String> reply, @Nullable StoreState books) {
    return new Sent(
        sent.actor(),
        sent.redis(),
        sent.name(),
        sent.statement(),
        sent.fault(),
        sent.affected(),
        reply,
        sent.error(),
        books);
  }

  private static Scenario requests(String letters, long total) {
    return SearchPlan.requests(List.of(letters.split(",", -1)), total, 2);
  }
}
