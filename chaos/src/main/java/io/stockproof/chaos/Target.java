package io.stockproof.chaos;

import io.stockproof.verification.LeaseKeys;
import io.stockproof.verification.environment.Environment;
import io.stockproof.verification.environment.ServerControl;
import io.stockproof.verification.wire.ProxiedEndpoints;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What faults are done to: the servers of a campaign, its coupon, and its instances' wires. */
public final class Target implements AutoCloseable {
  private final Environment environment;
  private final long couponId;
  private final LeaseKeys leases;
  private final List<ProxiedEndpoints> wires;
  private final List<JvmInstance> jvms;
  private final Meddler meddler;
  private final long seed;
  private final RedisAdmin redis;
  private final Set<String> lostKeys = ConcurrentHashMap.newKeySet();

  Target(
      Environment environment,
      long couponId,
      LeaseKeys leases,
      List<ProxiedEndpoints> wires,
      List<JvmInstance> jvms,
      Meddler meddler,
      long seed) {
    this.environment = environment;
    this.couponId = couponId;
    this.leases = leases;
    this.wires = List.copyOf(wires);
    this.jvms = List.copyOf(jvms);
    this.meddler = meddler;
    this.seed = seed;
    this.redis = new RedisAdmin(environment.redis().uri());
  }

  Environment environment() {
    return environment;
  }

  long couponId() {
    return couponId;
  }

  /** In order of the instances. */
  List<ProxiedEndpoints> wires() {
    return wires;
  }

  /** The instances, if each is a JVM of its own; else empty. */
  List<JvmInstance> jvms() {
    return jvms;
  }

  Meddler meddler() {
    return meddler;
  }

  long seed() {
    return seed;
  }

  RedisAdmin redis() {
    return redis;
  }

  List<String> leaseKeys() {
    return leases.of(couponId);
  }

  /** The keys in Redis that name the coupon, locks among them. */
  List<String> couponKeys() {
    return redis.keysNaming(couponId);
  }

  ServerControl redisServer() {
    return environment
        .redisControl()
        .orElseThrow(() -> new IllegalStateException("this Redis was not started here"));
  }

  ServerControl databaseServer() {
    return environment
        .databaseControl()
        .orElseThrow(() -> new IllegalStateException("this database was not started here"));
  }

  void sql(String statement) throws SQLException {
    try (Connection connection = environment.admin().getConnection();
        Statement sent = connection.createStatement()) {
      sent.execute(statement);
    }
  }

  /** These keys are gone, or part of what was written to them. */
  void lost(List<String> keys) {
    lostKeys.addAll(keys);
  }

  Set<String> lostKeys() {
    return Set.copyOf(lostKeys);
  }

  @Override
  public void close() {
    redis.close();
  }
}
