package io.stockproof.verification.environment;

import java.net.InetSocketAddress;
import java.util.Optional;
import javax.sql.DataSource;

/** The environment of a whole JVM: closing it is left to the JVM's end. */
record SharedEnvironment(Environment environment) implements Environment {

  @Override
  public Kind kind() {
    return environment.kind();
  }

  @Override
  public RedisServer redis() {
    return environment.redis();
  }

  @Override
  public DatabaseServer database() {
    return environment.database();
  }

  @Override
  public PooledEndpoints endpointsVia(
      InetSocketAddress database, InetSocketAddress redis, int poolSize) {
    return environment.endpointsVia(database, redis, poolSize);
  }

  @Override
  public DataSource admin() {
    return environment.admin();
  }

  @Override
  public void durable(boolean durable) {
    environment.durable(durable);
  }

  @Override
  public void snapshotIsolation(boolean on) {
    environment.snapshotIsolation(on);
  }

  @Override
  public Optional<ServerControl> redisControl() {
    return environment.redisControl();
  }

  @Override
  public Optional<ServerControl> databaseControl() {
    return environment.databaseControl();
  }

  @Override
  public boolean mayBreakServers() {
    return environment.mayBreakServers();
  }

  @Override
  public String describe() {
    return environment.describe();
  }

  @Override
  public void close() {
    // Others in this JVM go on using it.
  }
}
