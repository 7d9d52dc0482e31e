package io.stockproof;

import static io.stockproof.IssueOutcome.ISSUED;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.protocol.CommandType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How scripts come to a server that does not know them. */
@Timeout(60)
class ScriptsServerTest {

  private final Stores stores = new Stores();
  private final OwnGate gate = stores.keep(new OwnGate());
  private final OwnGate.RedisConnection admin = stores.keep(gate.connect());
  private final long coupon = Stores.newCoupon();

  @AfterEach
  void closeStores() throws Exception {
    stores.close();
  }

  /** One unit issued and confirmed, from the start of an issuer. */
  private void sellOne() {
    Stockproof issuer = stores.keep(gate.issuer(stores.endpoints.dataSource()).build());
    issuer.coupons().open(Stores.spec(coupon, 10));
    assertThat(issuer.issue(coupon, "first")).isEqualTo(ISSUED);
    issuer.reconcile();
    assertThat(issuer.coupons().audit(coupon).differences()).isEmpty();
  }

  private String commands() {
    return admin.redis.info("commandstats");
  }

  @Test
  void aFreshServerKnowsThemBeforeTheFirstRequest() {
    sellOne();
    assertThat(commands())
        .contains("cmdstat_script|load:", "cmdstat_evalsha:")
        .doesNotContain("cmdstat_eval:");
  }

  @Test
  void aServerThatDoesNotLetThemBeLoadedGetsThemWithTheFirstRequests() {
    admin.redis.aclSetuser("default", AclSetuserArgs.Builder.removeCommand(CommandType.SCRIPT));
    sellOne();
    assertThat(commands()).contains("cmdstat_eval:");
  }
}
