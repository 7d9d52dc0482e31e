-- Reserves one unit for a user. ARGV: user, token. Answers a word and its detail.
local user, token = ARGV[1], ARGV[2]
local problem, gate = look(user)
if problem then return {problem, gate} end

if gate.token == token then
  -- A client library repeats commands after reconnecting: the same request, the same answer.
  return {'ACQUIRED', gate.admitted}
end
if gate.token then return {'IN_FLIGHT', ''} end
if gate.member then return {'DUPLICATE', ''} end

local time = now()
if gate.state ~= 'OPEN' or time < gate.opensAt or time >= gate.closesAt then
  return {'NOT_OPEN', ''}
end
if gate.stock == 0 then
  -- With no reservation open no unit can come back.
  if redis.call('HLEN', PENDING) == 1 then return {'SOLD_OUT_SETTLED', ''} end
  return {'SOLD_OUT', ''}
end

redis.call('HSET', PENDING, user, token .. ' ' .. millis(gate.epoch) .. ' ' .. millis(time))
redis.call('SADD', USERS, user)
writeStock(gate.total)
return {'ACQUIRED', millis(gate.epoch)}
