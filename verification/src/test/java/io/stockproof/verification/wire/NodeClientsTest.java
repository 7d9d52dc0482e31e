package io.stockproof.verification.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.environment.Environments;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The proxies with clients that are not written in Java: mysql2 and ioredis. */
class NodeClientsTest {
  private static final Path FOLDER = Path.of("target", "node-clients");
  private static final int SECONDS = 90;

  private static final String SCRIPT =
      """
      const mysql = require('mysql2/promise');
      const Redis = require('ioredis');
      (async () => {
        const db = await mysql.createConnection({ host: '127.0.0.1', port: +process.env.DB_PORT,
          user: process.env.DB_USER, password: process.env.DB_PASSWORD,
          database: process.env.DB_SCHEMA });
        await db.query('DROP TABLE IF EXISTS wire_node');
        await db.query('CREATE TABLE wire_node (id INT PRIMARY KEY, v VARCHAR(20)) ENGINE=InnoDB');
        await db.beginTransaction();
        await db.query('INSERT INTO wire_node VALUES (?, ?)', [1, 'text']);
        await db.execute('INSERT INTO wire_node VALUES (?, ?)', [2, 'binary']);
        await db.commit();
        const [rows] = await db.execute('SELECT v FROM wire_node WHERE id = ?', [2]);
        console.log('row=' + rows[0].v);
        try {
          await db.execute('UPDATE wire_node SET v = ? WHERE id = ?', ['x', 1]);
        } catch (e) { console.log('errno=' + e.errno); }
        await db.end();
        const redis = new Redis({ port: +process.env.REDIS_PORT, maxRetriesPerRequest: 0,
          retryStrategy: () => null });
        redis.defineCommand('bump', { numberOfKeys: 1, lua: "return redis.call('INCR', KEYS[1])" });
        await redis.del('wire:node');
        console.log('bump=' + await redis.bump('wire:node'));
        console.log('pipeline=' + (await redis.pipeline().incr('wire:node').get('wire:node').exec())
          .map(r => r[1]).join(','));
        console.log('multi=' + (await redis.multi().incr('wire:node').incr('wire:node').exec())
          .map(r => r[1]).join(','));
        try { await redis.append('wire:node', 'x'); } catch (e) { console.log('lost=' + e.name); }
        redis.disconnect();
      })().catch(e => { console.error(e); process.exit(1); });
      """;

  @Test
  void mysql2AndIoredis() throws Exception {
    install();
    Scribe scribe = new Scribe();
    scribe.treat(
        c -> c.name().equals("UPDATE") || c.name().equals("APPEND"),
        c -> {
          if (c.name().equals("UPDATE")) {
            c.answer(WireError.deadlock());
          } else {
            c.loseReply();
          }
        });
    try (ProxiedEndpoints endpoints =
        new ProxiedEndpoints(Environments.shared(), "node", 1, scribe)) {
      String output = run(endpoints);
      assertThat(output.lines())
          .contains("row=binary", "errno=1213", "bump=1", "pipeline=2,2", "multi=3,4")
          .anyMatch(line -> line.startsWith("lost="));
      assertThat(scribe.names())
          .contains("INSERT", "COMMIT", "SELECT", "UPDATE", "EVAL", "MULTI", "EXEC", "APPEND");
      Command prepared =
          scribe.seen.stream()
              .filter(c -> c.parameters().contains("binary"))
              .findFirst()
              .orElseThrow();
      assertThat(prepared.statement()).isEqualTo("INSERT INTO wire_node VALUES (?, ?)");
      for (WireProxy proxy : new WireProxy[] {endpoints.databaseProxy(), endpoints.redisProxy()}) {
        assertThat(proxy.counters().unmatched()).isZero();
        assertThat(proxy.counters().undecoded()).isZero();
      }
    }
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(FOLDER);
    Files.writeString(FOLDER.resolve("clients.js"), SCRIPT);
    Files.writeString(
        FOLDER.resolve("package.json"),
        """
        {"private": true, "dependencies": {"mysql2": "3.24.6", "ioredis": "5.9.2"}}
        """);
    if (Files.isDirectory(FOLDER.resolve("node_modules/ioredis"))) {
      return;
    }
    String reason;
    try {
      Process npm =
          new ProcessBuilder("npm", "install", "--no-audit", "--no-fund", "--prefer-offline")
              .directory(FOLDER.toFile())
              .redirectErrorStream(true)
              .redirectOutput(FOLDER.resolve("npm.log").toFile())
              .start();
      boolean ended = npm.waitFor(SECONDS, TimeUnit.SECONDS);
      if (ended && npm.exitValue() == 0) {
        return;
      }
      npm.destroyForcibly();
      reason = "npm could not install mysql2 and ioredis, see " + FOLDER.resolve("npm.log");
    } catch (IOException e) {
      reason = "no npm here";
    }
    System.out.println("NodeClientsTest skipped: " + reason);
    Assumptions.abort(reason);
  }

  private static String run(ProxiedEndpoints endpoints) throws IOException, InterruptedException {
    ProcessBuilder node = new ProcessBuilder("node", "clients.js").directory(FOLDER.toFile());
    node.environment().put("DB_PORT", Integer.toString(endpoints.databaseProxy().port()));
    node.environment().put("DB_USER", endpoints.dbUser());
    node.environment().put("DB_PASSWORD", endpoints.dbPassword());
    node.environment().put("DB_SCHEMA", Environments.shared().database().schema());
    node.environment().put("REDIS_PORT", Integer.toString(endpoints.redisProxy().port()));
    Process process = node.redirectErrorStream(true).start();
    if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the node script did not end");
    }
    return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }
}
