package io.stockproof.verification.rules;

import io.stockproof.verification.StoreState;
import io.stockproof.verification.history.Call;
import java.util.HashSet;
import java.util.Set;

/**
 * Whether, at some moment of a call, every unit was given or reserved by others: what R303 asks of
 * a SOLD_OUT.
 */
interface Fullness {

  Truth everFullDuring(Call call);

  /**
   * Users without a row who keep a unit from others: reservations, and users in the gate where it
   * keeps no separate reservations.
   */
  static Set<String> reservedWithoutRow(StoreState state) {
    Set<String> users = new HashSet<>(state.reservations());
    users.addAll(state.gateUsers());
    users.removeAll(state.rowsByUser().keySet());
    return users;
  }
}
