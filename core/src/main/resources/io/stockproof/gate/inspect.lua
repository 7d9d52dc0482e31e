-- Reads the books; writes nothing. Answers condition, detail, stock, users, reservations, epoch.
local problem, gate = look(SENTINEL)
if problem then return {problem, gate, '-1', '-1', '-1', '-1'} end
return {
  gate.state, '', millis(gate.stock),
  millis(redis.call('SCARD', USERS) - 1), millis(redis.call('HLEN', PENDING) - 1),
  millis(gate.epoch)}
