-- Takes the gate out of service. KEYS[5]: the users in the making. ARGV: id, lease, grace (millis),
-- the ledger's epoch when it was decided.
local id, lease, grace = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local decidedAt = tonumber(ARGV[4])
if redis.call('TYPE', META).ok ~= 'hash' then redis.call('DEL', META) end
local meta = redis.call('HMGET', META, 'state', 'rebuild', 'lease', 'built')
local time = now()
-- One whose lease has run out is dead, or will find that the id is no longer its own. An owner (the
-- part before the last dot) may start over at once after an attempt that failed.
local function owner(rebuild)
  return string.match(rebuild or '', '^(.*)%.')
end
if meta[1] == 'REBUILDING' and owner(meta[2]) ~= owner(id) and (integer(meta[3]) or 0) > time then
  return {'BUSY', millis(integer(meta[3]) - time)}
end
-- A client library repeats commands after reconnecting: what was made since then stays.
if meta[1] == 'REBUILDING' and meta[2] == id then return {'BEGUN', ''} end
-- Delivered late: a rebuild that read the rows since then has ended, and nobody would end this one;
-- or, worse, its own end would follow it late and put old rows into service.
if (integer(meta[4]) or 0) > decidedAt then return {'OVERTAKEN', ''} end

redis.call('HSET', META, 'state', 'REBUILDING', 'rebuild', id, 'lease', millis(time + lease))
-- Where all keys were lost this one is new, and must not outlive its coupon if nobody goes on.
if redis.call('PTTL', META) == -1 then redis.call('PEXPIRE', META, grace) end
redis.call('DEL', KEYS[5])
redis.call('SADD', KEYS[5], SENTINEL)
-- Long enough for the slowest page; what a dead rebuild left goes away by itself.
redis.call('PEXPIRE', KEYS[5], MAKING_MILLIS)
return {'BEGUN', ''}
