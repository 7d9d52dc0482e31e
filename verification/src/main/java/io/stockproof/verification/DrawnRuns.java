package io.stockproof.verification;

import io.stockproof.verification.explore.Drawn;
import io.stockproof.verification.explore.Explorer;
import java.sql.SQLException;
import java.util.List;
import net.jqwik.api.Assume;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;
import org.jspecify.annotations.Nullable;

/** What the property of a contract needs while it runs. Used by one thread. */
final class DrawnRuns implements AutoCloseable {

  private final Class<?> contract;
  private final Subject subject;
  private final Explorer explorer;
  private final long deadline;

  DrawnRuns(IssuanceContract contract, ContractSettings settings) throws SQLException {
    this.contract = contract.getClass();
    this.subject = contract.get();
    this.explorer = new Explorer(ContractRun.environment(), subject);
    this.deadline = System.nanoTime() + settings.forDrawnRuns().toNanos();
  }

  boolean claims(Capability capability) {
    return subject.capabilities().contains(capability);
  }

  /** Makes a run; what to say if it broke a required rule, else null. */
  @Nullable String failure(Drawn drawn) throws Exception {
    Explorer.Played played = explorer.play(drawn);
    // A run that stalled, or of which nothing was seen, proves nothing; jqwik counts it as
    // discarded.
    Assume.that(!played.findings().isEmpty() && played.run().commands() > 0);
    return ContractRun.failure(contract, played);
  }

  private boolean outOfTime() {
    return System.nanoTime() > deadline;
  }

  @Override
  public void close() throws Exception {
    try (subject) {
      explorer.close();
    }
  }

  /** Settings, time and clearing up around the property. */
  static final class Hook implements SkipExecutionHook, AroundPropertyHook, AroundTryHook {

    @Override
    public SkipResult shouldBeSkipped(LifecycleContext context) {
      return ContractSettings.read().replay().isPresent()
          ? SkipResult.skip("only replays the token given")
          : SkipResult.doNotSkip();
    }

    @Override
    public PropertyExecutionResult aroundProperty(
        PropertyLifecycleContext context, PropertyExecutor property) throws Exception {
      ContractSettings settings = ContractSettings.read();
      context.attributes().setTries(settings.effort().drawnRuns());
      context.attributes().setSeed(Long.toString(settings.seed()));
      IssuanceContract contract = (IssuanceContract) context.testInstance();
      try (DrawnRuns runs = new DrawnRuns(contract, settings)) {
        contract.drawnRuns(runs);
        return property.execute();
      } finally {
        contract.drawnRuns(null);
      }
    }

    @Override
    public TryExecutionResult aroundTry(
        TryLifecycleContext context, TryExecutor tried, List<Object> parameters) {
      TryExecutionResult result = tried.execute(parameters);
      boolean enough = ((IssuanceContract) context.testInstance()).drawnRuns().outOfTime();
      return result.isSatisfied() && enough ? TryExecutionResult.satisfied(true) : result;
    }
  }
}
