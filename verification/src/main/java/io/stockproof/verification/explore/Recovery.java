package io.stockproof.verification.explore;

import io.stockproof.verification.Capability;
import io.stockproof.verification.Request;
import io.stockproof.verification.Scenario;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What an implementation does by itself beside the requests, at a time of its own: choices of the
 * search that count like faults but are none.
 *
 * <p>Each is an actor of its own, on an instance of its own. So its commands are put at every place
 * between those of the requests, wait for their locks and make them wait, and can meet faults like
 * any other command: a rebuilder that dies is a {@link CommandFault#CRASH} at a command of it.
 */
public enum Recovery {
  /** {@link io.stockproof.verification.Subject.Instance#reconcile}. */
  RECONCILER(
      Request.RECONCILER, "no fault: the reconciler of another instance runs beside the requests"),
  /** {@link io.stockproof.verification.Subject.Instance#rebuild}. */
  REBUILD(Request.REBUILDER, "no fault: another instance makes the gate anew beside the requests");

  private final String title;
  private final String meaning;

  Recovery(String title, String meaning) {
    this.title = title;
    this.meaning = meaning;
  }

  /** Name on the command line and in tokens: lower case with hyphens. */
  public String title() {
    return title;
  }

  /** What happens, in one line. */
  public String meaning() {
    return meaning;
  }

  /** Those that a subject with such claims can be asked for. */
  static Set<Recovery> offeredBy(Set<Capability> capabilities) {
    return capabilities.contains(Capability.RECOVERY_ON_DEMAND)
        ? Set.of(RECONCILER, REBUILD)
        : Set.of();
  }

  /** The scenario, and this beside it. */
  Scenario beside(Scenario scenario) {
    List<Request> requests = new ArrayList<>(scenario.requests());
    requests.add(new Request(title, scenario.instances()));
    return new Scenario(
        scenario.couponId(),
        scenario.total(),
        scenario.instances() + 1,
        requests,
        scenario.window());
  }
}
