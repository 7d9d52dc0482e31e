package io.stockproof.verification.explore;

import static org.assertj.core.api.Assertions.assertThat;

import io.stockproof.verification.wire.Reply;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FootprintsTest {

  private static final UniqueKeys KEYS =
      new UniqueKeys(
          Map.of(
              "coupon", Map.of("PRIMARY", List.of("id")),
              "issued_coupon",
                  Map.of("PRIMARY", List.of("id"), "uk", List.of("coupon_id", "user_id"))),
          Map.of());
  private static final String UPDATE =
      "UPDATE coupon SET issued = issued + 1 WHERE id = ? AND issued < total";
  private static final String INSERT =
      "INSERT INTO issued_coupon (coupon_id, user_id, token) VALUES (?, ?, ?)";

  private final Footprints footprints = new Footprints(KEYS);

  @Test
  void updatesOfOneRowDependAndOfTwoRowsDoNot() {
    Footprint one = footprints.of(sql(1, UPDATE, "1"));
    assertThat(one.dependsOn(footprints.of(sql(2, UPDATE, "1")))).isTrue();
    assertThat(one.dependsOn(footprints.of(sql(2, UPDATE, "2")))).isFalse();
    assertThat(one.dependsOn(footprints.of(sql(2, "UPDATE coupon SET issued = 0")))).isTrue();
  }

  @Test
  void literalsCountLikeParameters() {
    Footprint literal =
        footprints.of(sql(1, "update `coupon` set issued = issued + 1 where id = 7"));
    assertThat(literal.dependsOn(footprints.of(sql(2, UPDATE, "7")))).isTrue();
    assertThat(literal.dependsOn(footprints.of(sql(2, UPDATE, "8")))).isFalse();
  }

  @Test
  void insertsOfTwoUsersDoNotDependButOfOneUserDo() {
    Footprint ofOne = footprints.of(sql(1, INSERT, "1", "100", "t1"));
    assertThat(ofOne.dependsOn(footprints.of(sql(2, INSERT, "1", "101", "t2")))).isFalse();
    assertThat(ofOne.dependsOn(footprints.of(sql(2, INSERT, "1", "100", "t2")))).isTrue();
  }

  @Test
  void aPlainReadDependsOnTheCommitAndNotOnTheUncommittedWrite() {
    Words update = sql(1, UPDATE, "1");
    Footprint read = footprints.of(sql(2, "SELECT issued, total FROM coupon WHERE id = ?", "1"));
    assertThat(read.dependsOn(footprints.of(update))).isFalse();

    footprints.done(update, changed(1));
    Footprint commit = footprints.of(sql(1, "COMMIT"));
    assertThat(read.dependsOn(commit)).isTrue();
  }

  @Test
  void aRowLockBlocksOnlyWhileItsTransactionIsOpen() {
    Words update = sql(1, UPDATE, "1");
    footprints.done(update, changed(1));
    Footprint next = footprints.of(sql(2, UPDATE, "1"));

    assertThat(footprints.blocked(2, next)).isTrue();
    assertThat(footprints.blocked(1, next)).as("its own lock").isFalse();
    assertThat(footprints.of(sql(1, "COMMIT")).unblocks(next)).isTrue();

    footprints.done(sql(1, "COMMIT"), changed(0));
    assertThat(footprints.blocked(2, next)).isFalse();
  }

  @Test
  void anUpdateThatFoundNothingHoldsNoKnownLock() {
    footprints.done(sql(1, UPDATE, "1"), changed(0));
    assertThat(footprints.blocked(2, footprints.of(sql(2, UPDATE, "1")))).isFalse();
  }

  @Test
  void whatIsNotUnderstoodDependsOnItsWholeStore() {
    Footprint call = footprints.of(sql(1, "CALL issue_one(1, 100)"));
    assertThat(call.dependsOn(footprints.of(sql(2, INSERT, "1", "100", "t")))).isTrue();
    assertThat(call.dependsOn(footprints.of(redis("GET", "coupon:1:stock")))).isFalse();
  }

  @Test
  void redisCommandsDependByKey() {
    Footprint get = footprints.of(redis("GET", "coupon:1:stock"));
    assertThat(get.dependsOn(footprints.of(redis("GET", "coupon:1:stock")))).isFalse();
    assertThat(get.dependsOn(footprints.of(redis("EVALSHA", "coupon:1:stock", "coupon:1:users"))))
        .isTrue();
    assertThat(get.dependsOn(footprints.of(redis("SREM", "coupon:1:users")))).isFalse();
    assertThat(get.dependsOn(footprints.of(redis("FLUSHALL")))).isTrue();
  }

  @Test
  void skeletonsKeepNamesWithDigitsAndUnderstandQuotes() {
    SqlSkeleton skeleton =
        SqlSkeleton.of("SELECT c1 FROM t2 WHERE a = 'it''s' AND b = -3.5 AND c = ?", List.of("x"));
    assertThat(skeleton.text()).isEqualTo("SELECT c1 FROM t2 WHERE a = ? AND b = -? AND c = ?");
    assertThat(skeleton.values()).containsExactly("it's", "3.5", "x");
  }

  private static Reply changed(long rows) {
    return new Reply(false, 0, "", rows, 0, List.of(), true);
  }

  private static Words sql(int connection, String statement, String... parameters) {
    String name = statement.replaceAll(" .*", "").toUpperCase(Locale.ROOT);
    return new Words(false, connection, false, name, List.of(), statement, List.of(parameters));
  }

  private static Words redis(String name, String... keys) {
    return new Words(true, 9, true, name, List.of(keys), name, List.of());
  }
}
