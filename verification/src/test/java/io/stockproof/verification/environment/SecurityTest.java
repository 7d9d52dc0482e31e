package io.stockproof.verification.environment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import io.stockproof.verification.wire.Command;
import io.stockproof.verification.wire.ProxiedEndpoints;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.slf4j.LoggerFactory;

/** What the tool itself gives away: nothing to the network, and no password to anybody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SecurityTest {

  private static final Path PROC = Path.of("/proc");
  private static final String LISTENS = "0A";

  private final ListAppender<ILoggingEvent> logged = new ListAppender<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private ForeignServers servers;
  private ProxiedEndpoints instance;

  @BeforeAll
  void start() {
    for (String name : List.of("io.stockproof", "com.zaxxer.hikari", "io.lettuce")) {
      ((Logger) LoggerFactory.getLogger(name)).setLevel(Level.DEBUG);
      ((Logger) LoggerFactory.getLogger(name)).setAdditive(false);
      ((Logger) LoggerFactory.getLogger(name)).addAppender(logged);
    }
    logged.setContext(root.getLoggerContext());
    logged.start();
    servers = new ForeignServers();
    instance = new ProxiedEndpoints(servers.owner, "a", 2, Command::forward);
  }

  @AfterAll
  void stop() {
    instance.close();
    servers.close();
    for (String name : List.of("io.stockproof", "com.zaxxer.hikari", "io.lettuce")) {
      Logger logger = (Logger) LoggerFactory.getLogger(name);
      logger.setLevel(name.equals("io.stockproof") ? Level.INFO : Level.OFF);
      logger.setAdditive(true);
      logger.detachAppender(logged);
    }
  }

  private List<String> passwords() {
    return List.of(servers.password(), instance.dbPassword());
  }

  @Test
  void nothingListensButOnThisMachine() throws IOException {
    assumeLinux();
    Set<String> ours = new HashSet<>();
    ours.addAll(socketsOf(ProcessHandle.current()));
    for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
      ours.addAll(socketsOf(child));
    }
    List<Integer> ports = new ArrayList<>();
    for (String table : List.of("net/tcp", "net/tcp6")) {
      for (String line : Files.readAllLines(PROC.resolve(table))) {
        String[] columns = line.strip().split("\\s+", -1);
        if (columns.length > 9 && columns[3].equals(LISTENS) && ours.contains(columns[9])) {
          String[] address = columns[1].split(":", -1);
          assertThat(address(address[0]).isLoopbackAddress()).as(line).isTrue();
          ports.add(Integer.parseInt(address[1], 16));
        }
      }
    }
    assertThat(ports)
        .contains(
            servers.owner.redis().port(),
            servers.owner.database().port(),
            instance.redisProxy().port(),
            instance.databaseProxy().port());
  }

  /** Inodes of what a process has open. */
  private static Set<String> socketsOf(ProcessHandle process) throws IOException {
    Set<String> inodes = new HashSet<>();
    try (Stream<Path> open = Files.list(PROC.resolve(process.pid() + "/fd"))) {
      for (Path file : open.toList()) {
        if (Files.isSymbolicLink(file)) {
          String target = Files.readSymbolicLink(file).toString();
          if (target.startsWith("socket:[")) {
            inodes.add(target.substring("socket:[".length(), target.length() - 1));
          }
        }
      }
    }
    return inodes;
  }

  /** The kernel prints words of four bytes, each in the order of this machine. */
  private static InetAddress address(String hexadecimal) throws IOException {
    byte[] printed = HexFormat.of().parseHex(hexadecimal);
    byte[] address = new byte[printed.length];
    for (int i = 0; i < printed.length; i++) {
      address[i] = printed[(i / 4) * 4 + 3 - i % 4];
    }
    return InetAddress.getByAddress(address);
  }

  @Test
  void passwordsAreRandomForEachRun() {
    try (ForeignServers others = new ForeignServers()) {
      assertThat(others.password()).hasSize(32).isNotIn(passwords());
    }
    assertThat(passwords()).doesNotHaveDuplicates();
  }

  @Test
  void noPasswordStandsOnACommandLine() throws IOException {
    assumeLinux();
    List<String> lines = new ArrayList<>();
    for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
      lines.add(Files.readString(PROC.resolve(child.pid() + "/cmdline"), UTF_8));
    }
    assertThat(lines).anyMatch(line -> line.contains("mariadbd"));
    assertThat(lines).anyMatch(line -> line.contains("redis-server"));
    for (String password : passwords()) {
      assertThat(lines).noneMatch(line -> line.contains(password));
    }
  }

  @Test
  void theFileWithThePasswordsIsForThisUserOnly() throws Exception {
    Path data = Path.of(Sql.value(servers.owner.admin(), "SELECT @@datadir")).toRealPath();
    Path folder = data.getParent();
    assertThat(folder).isNotNull();
    assertThat(Files.readString(folder.resolve("init.sql"))).contains(servers.password());
    assertThat(Files.getPosixFilePermissions(folder))
        .allMatch(permission -> permission.name().startsWith("OWNER_"));
  }

  @Test
  void noPasswordIsLoggedOrDescribed() throws Exception {
    servers.requirePassword("a-secret-of-redis");
    try (Environment external = ForeignServers.open(servers.external(servers.newSchema(), 4));
        PooledEndpoints endpoints = external.endpoints(1)) {
      assertThat(endpoints.redisUri()).contains("a-secret-of-redis");
      assertThat(((HikariDataSource) external.admin()).getPassword()).isEqualTo(servers.password());
      List<String> told = new ArrayList<>();
      told.add(external.describe());
      told.add(external.redis().toString());
      told.add(external.database().toString());
      told.add(servers.owner.describe());
      told.add(endpoints.jdbcUrl());
      logged.list.forEach(event -> told.add(event.getFormattedMessage()));

      assertThat(logged.list).as("the log was captured").hasSizeGreaterThan(3);
      assertThat(told)
          .noneMatch(text -> text.contains("a-secret-of-redis"))
          .noneMatch(text -> passwords().stream().anyMatch(text::contains));
    } finally {
      servers.requirePassword("");
    }
  }

  private static void assumeLinux() {
    if (!Files.exists(Path.of("/proc/self/cmdline"))) {
      String reason = "who listens and what stands on command lines is asked of Linux";
      System.out.println("skipped: " + reason);
      Assumptions.abort(reason);
    }
  }
}
