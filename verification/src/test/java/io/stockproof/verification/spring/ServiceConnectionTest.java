package io.stockproof.verification.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.redis.testcontainers.RedisContainer;
import io.stockproof.IssueOutcome;
import io.stockproof.ledger.LedgerSchema;
import io.stockproof.verification.Subject;
import io.stockproof.verification.Verdict;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.EnvironmentOptions;
import io.stockproof.verification.environment.Environments;
import io.stockproof.verification.explore.Exploration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.testcontainers.mysql.MySQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * An application that is given {@code @ServiceConnection} containers in Spring's own tests is the
 * same application as a subject, and is then seen on the wire.
 */
@EnabledIf(value = "runsOnContainers", disabledReason = "this run is not on containers")
@SpringBootTest(classes = ServiceConnectionTest.ShopWithContainers.class)
class ServiceConnectionTest {

  private static final EnvironmentOptions OPTIONS = EnvironmentOptions.fromSettings();

  @Autowired private CouponService service;
  @Autowired private JdbcTemplate jdbc;

  static boolean runsOnContainers() {
    boolean containers = Environments.shared().kind() == Environment.Kind.CONTAINERS;
    if (!containers) {
      System.out.println("skipped: @ServiceConnection containers: this run is not on containers");
    }
    return containers;
  }

  /** Not found by the application's own scan: it is only where it is named. */
  @Import(ShopApplication.class)
  static class ShopWithContainers {

    @Bean
    @ServiceConnection
    MySQLContainer mysql() {
      return new MySQLContainer(
          DockerImageName.parse(OPTIONS.mysqlImage()).asCompatibleSubstituteFor("mysql"));
    }

    @Bean
    @ServiceConnection("redis")
    RedisContainer redis() {
      return new RedisContainer(
          DockerImageName.parse(OPTIONS.redisImage()).asCompatibleSubstituteFor("redis"));
    }
  }

  @Test
  void itIssuesOnItsContainersAndOnTheWire() throws Exception {
    LedgerSchema.defaults().ddl().forEach(jdbc::execute);
    jdbc.update("INSERT INTO coupon (id, total) VALUES (1, 1)");
    assertThat(service.issue(1, "100")).isEqualTo(IssueOutcome.ISSUED);
    assertThat(service.issue(1, "101")).isEqualTo(IssueOutcome.SOLD_OUT);

    Exploration found =
        SpringBootSubjectTest.explore(
            Subject.springBoot(
                ShopWithContainers.class, context -> context.getBean(CouponService.class)::issue));

    assertThat(found.commandsIntercepted()).isPositive();
    assertThat(found.verdict()).isEqualTo(Verdict.PASS);
    assertThat(found.exhaustive()).isTrue();
  }
}
