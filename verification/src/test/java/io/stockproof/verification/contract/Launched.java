package io.stockproof.verification.contract;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** What JUnit says of contract classes when they are run as a build runs them: by all engines. */
final class Launched implements TestExecutionListener {

  private final Map<String, TestExecutionResult> results = new ConcurrentHashMap<>();
  private final Map<String, String> skipped = new ConcurrentHashMap<>();

  private Launched() {}

  /** Runs classes with these parameters of JUnit. */
  static Launched run(Map<String, String> parameters, Class<?>... contracts) {
    Launched launched = new Launched();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(contracts).map(c -> selectClass(c)).toList())
                .configurationParameters(parameters)
                .build(),
            launched);
    return launched;
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isTest()) {
      results.put(name(test), result);
    }
  }

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    skipped.put(name(test), reason);
  }

  /** {@code NaiveContract.required_R101_neverMoreRowsThanStock}, whichever engine it is of. */
  private static String name(TestIdentifier test) {
    List<UniqueId.Segment> segments = test.getUniqueIdObject().getSegments();
    return segments.stream()
        .skip(1)
        .limit(2)
        .map(segment -> segment.getValue().replaceAll("\\W*\\(.*|:.*", ""))
        .map(value -> value.substring(value.lastIndexOf('.') + 1))
        .collect(Collectors.joining("."));
  }

  /** Names of the tests of a class that ended so, without that of the class. */
  Set<String> of(Class<?> contract, Status status) {
    String start = contract.getSimpleName() + ".";
    return results.entrySet().stream()
        .filter(e -> e.getKey().startsWith(start) && e.getValue().getStatus() == status)
        .map(e -> e.getKey().substring(start.length()))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What a test that failed or was aborted says. */
  String message(Class<?> contract, String test) {
    String name = contract.getSimpleName() + "." + test;
    TestExecutionResult result = results.get(name);
    return result == null
        ? String.valueOf(skipped.get(name))
        : result.getThrowable().map(Throwable::getMessage).orElse("");
  }
}
