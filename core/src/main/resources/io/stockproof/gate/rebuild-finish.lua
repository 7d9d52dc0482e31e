-- Puts what was made into service, all of it or nothing. KEYS[5]: the users in the making.
-- ARGV: id, rows, total, opensAt, closesAt, epoch, state, grace (millis).
local id, rows, total = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local epoch, state, grace = tonumber(ARGV[6]), ARGV[7], tonumber(ARGV[8])
local meta = redis.call('HMGET', META, 'state', 'rebuild', 'epoch', 'closing')
if meta[1] ~= 'REBUILDING' or meta[2] ~= id then return {'LOST', ''} end
-- Evicted or expired in the meantime.
if redis.call('SCARD', KEYS[5]) ~= rows + 1 then return {'LOST', ''} end

-- Closed while this was under way.
if meta[4] then state = 'CLOSED' end
local built = epoch
-- A reconciler may have raised it meanwhile; an epoch never goes back.
epoch = math.max(epoch, integer(meta[3]) or 0)
redis.call('UNLINK', STOCK, USERS, PENDING, META)
redis.call('RENAME', KEYS[5], USERS)
redis.call('HSET', PENDING, SENTINEL, '')
redis.call('SET', STOCK, millis(math.max(0, total - rows)))
redis.call(
  'HSET', META, 'total', ARGV[3], 'opensAt', ARGV[4], 'closesAt', ARGV[5],
  'epoch', millis(epoch), 'built', millis(built), 'state', state)
local expiry = millis(math.max(tonumber(ARGV[5]), now()) + grace)
for _, key in ipairs({STOCK, USERS, PENDING, META}) do
  redis.call('PEXPIREAT', key, expiry)
end
return {'BUILT', ''}
