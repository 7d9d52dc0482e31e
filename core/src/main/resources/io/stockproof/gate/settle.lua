-- Resolves reservations whose owners are fenced. ARGV: epoch, then user, token and 1 (has a row) or
-- 0 of each.
local epoch = tonumber(ARGV[1])
local problem, gate = look(SENTINEL)
if problem then return {problem, gate} end

-- The first write frees memory, so that a full server lets the script run to its end.
local settled = 0
for i = 2, #ARGV, 3 do
  local user, token, row = ARGV[i], ARGV[i + 1], ARGV[i + 2]
  if row == '1' then
    redis.call('HDEL', PENDING, user)
    redis.call('SADD', USERS, user)
    settled = settled + 1
  else
    local reservation = redis.call('HGET', PENDING, user)
    local held, admitted = string.match(reservation or '', '^(%S+) (%d+) %d+$')
    -- One that took the newer epoch is alive, and not fenced.
    if held == token and tonumber(admitted) < epoch then
      redis.call('HDEL', PENDING, user)
      redis.call('SREM', USERS, user)
      settled = settled + 1
    end
  end
end
if epoch > gate.epoch then redis.call('HSET', META, 'epoch', ARGV[1]) end
writeStock(gate.total)
return {'SETTLED', millis(settled)}
