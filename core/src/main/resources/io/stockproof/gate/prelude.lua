-- In front of every script. All keys of one coupon lie in one slot.
local STOCK, USERS, PENDING, META = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
-- Redis has no empty set or hash: this member and this field tell a fresh coupon from a lost one.
local SENTINEL = ''
-- How long users in the making are kept between two pages: longer than the slowest one takes.
local MAKING_MILLIS = 60000

local function millis(number)
  return string.format('%.0f', number)
end

-- Ages and windows are judged by this clock alone; the clocks of instances may differ.
local function now()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- The number, if it is written canonically ('10.0', '+1', '007' are not); below 2^53, so exact.
local function integer(text)
  if text and #text <= 15 and (text == '0' or string.find(text, '^[1-9]%d*$')) then
    return tonumber(text)
  end
  return nil
end

-- Reads and checks everything before the first write, because an error undoes no write.
-- Answers a problem and its detail, or nil and what was read.
local function look(user)
  local meta = redis.pcall('HMGET', META, 'state', 'total', 'epoch', 'opensAt', 'closesAt', 'lease')
  if meta.err then return 'CORRUPT', 'meta is not a hash' end
  local state = meta[1]
  -- Before the other keys are looked at: a rebuild replaces them, whatever they hold.
  if state == 'REBUILDING' then
    return 'REBUILDING', millis(math.max(0, (integer(meta[6]) or 0) - now()))
  end
  local stock = redis.pcall('GET', STOCK)
  if type(stock) == 'table' then return 'CORRUPT', 'stock is not a string' end
  local users = redis.pcall('SMISMEMBER', USERS, SENTINEL, user)
  if users.err then return 'CORRUPT', 'users is not a set' end
  local pending = redis.pcall('HMGET', PENDING, SENTINEL, user)
  if pending.err then return 'CORRUPT', 'pending is not a hash' end

  local found = {state = state, member = users[2] == 1}
  if stock then
    found.stock = integer(stock)
    if not found.stock then return 'CORRUPT', 'stock is not a canonical integer' end
  end
  if state or meta[2] then
    found.total, found.epoch = integer(meta[2]), integer(meta[3])
    found.opensAt, found.closesAt = integer(meta[4]), integer(meta[5])
    if not (found.total and found.epoch and found.opensAt and found.closesAt)
        or (state ~= 'OPEN' and state ~= 'CLOSED') then
      return 'CORRUPT', 'meta has a wrong value'
    end
    if stock and found.stock > found.total then return 'CORRUPT', 'stock is above total' end
  end
  if pending[2] and user ~= SENTINEL then
    found.token, found.admitted, found.since = string.match(pending[2], '^(%S+) (%d+) (%d+)$')
    if not found.token then return 'CORRUPT', 'pending has a wrong value' end
  end
  if not stock then return 'MISSING', 'stock' end
  if users[1] == 0 then return 'MISSING', 'users' end
  if not pending[1] then return 'MISSING', 'pending' end
  if not state then return 'MISSING', 'meta' end
  return nil, found
end

-- Always the difference, never one more or one less than before: repeats cannot add up.
-- KEEPTTL, because the four keys live and die together.
local function writeStock(total)
  local taken = redis.call('SCARD', USERS) - 1
  redis.call('SET', STOCK, millis(math.max(0, total - taken)), 'KEEPTTL')
end
