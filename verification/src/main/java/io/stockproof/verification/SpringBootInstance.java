package io.stockproof.verification;

import io.lettuce.core.RedisURI;
import io.stockproof.IssueOutcome;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * A Spring Boot application with a context of its own, which lives as long as the instance: from
 * run to run, until it is killed or the search ends.
 */
final class SpringBootInstance implements Subject.Instance {

  private static final String EXCLUDE = "spring.autoconfigure.exclude";
  private static final String SERVICE_CONNECTIONS =
      "org.springframework.boot.testcontainers.service.connection"
          + ".ServiceConnectionAutoConfiguration";

  /**
   * Held while a context starts or closes: Spring Boot then sets up, or lets go of, the logging of
   * the whole JVM, which two at once break for each other.
   */
  private static final Object WHOLE_JVM = new Object();

  private final ConfigurableApplicationContext context;
  private final Subject.Instance issuer;

  private SpringBootInstance(ConfigurableApplicationContext context, Subject.Instance issuer) {
    this.context = context;
    this.issuer = issuer;
  }

  static SpringBootInstance start(
      Class<?> application, SpringBootIssuer issuer, List<String> properties, Endpoints endpoints) {
    List<String> arguments = new ArrayList<>();
    properties.forEach(property -> arguments.add("--" + property));
    arguments.addAll(stores(endpoints));
    SpringApplicationBuilder builder =
        new SpringApplicationBuilder(application)
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .logStartupInfo(false)
            .registerShutdownHook(false)
            .initializers(SpringBootInstance::withoutServiceConnections);
    ConfigurableApplicationContext context;
    synchronized (WHOLE_JVM) {
      context = builder.run(arguments.toArray(String[]::new));
    }
    try {
      return new SpringBootInstance(context, issuer.in(context));
    } catch (RuntimeException notThere) {
      close(context);
      throw notThere;
    }
  }

  private static void close(ConfigurableApplicationContext context) {
    synchronized (WHOLE_JVM) {
      context.close();
    }
  }

  /** As arguments, which weigh more than whatever the application's own files say. */
  private static List<String> stores(Endpoints endpoints) {
    URI redis = URI.create(endpoints.redisUri());
    return List.of(
        "--spring.datasource.url=" + endpoints.jdbcUrl(),
        "--spring.datasource.username=" + endpoints.dbUser(),
        "--spring.datasource.password=" + endpoints.dbPassword(),
        // The URL is Connector/J's.
        "--spring.datasource.driver-class-name=com.mysql.cj.jdbc.Driver",
        "--spring.data.redis.url=" + redis,
        "--spring.data.redis.host=" + redis.getHost(),
        "--spring.data.redis.port=" + redis.getPort(),
        "--spring.data.redis.database=" + RedisURI.create(redis).getDatabase(),
        "--spring.data.redis.ssl.enabled=false");
  }

  /**
   * {@code @ServiceConnection} containers weigh more than properties; here they would lead past the
   * wire.
   */
  private static void withoutServiceConnections(ConfigurableApplicationContext context) {
    ConfigurableEnvironment environment = context.getEnvironment();
    List<String> excluded =
        new ArrayList<>(
            Binder.get(environment).bind(EXCLUDE, Bindable.listOf(String.class)).orElse(List.of()));
    excluded.add(SERVICE_CONNECTIONS);
    environment
        .getPropertySources()
        .addFirst(new MapPropertySource("stockproof", Map.of(EXCLUDE, String.join(",", excluded))));
  }

  @Override
  public IssueOutcome issue(long couponId, String userId) throws Exception {
    return issuer.issue(couponId, userId);
  }

  @Override
  public void resolve() throws Exception {
    issuer.resolve();
  }

  @Override
  public void reconcile(long couponId) throws Exception {
    issuer.reconcile(couponId);
  }

  @Override
  public void rebuild(long couponId) throws Exception {
    issuer.rebuild(couponId);
  }

  @Override
  public void open(long couponId, long total) throws Exception {
    issuer.open(couponId, total);
  }

  @Override
  public void close() throws Exception {
    try {
      issuer.close();
    } finally {
      close(context);
    }
  }
}
