import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import type { Bundle, Seated, Synced, ToldMark } from '../../check-in/contract.ts'
import { nameMark, newTicketKeys, signTicket, type TicketPayload } from '../../server/ticket-code.ts'
import { Door, type DoorCalls } from './door.ts'
import type { DoorStore } from './door-store.ts'
import { found, peopleOf, totalsOf } from './roster.ts'
import { judgeCode, judgeTyped } from './scan.ts'
import type { KeptBundle, OwnMark } from './types.ts'

const start = Date.parse('2027-01-09T09:00:00+08:00')
const keys = newTicketKeys()

const payloadOf = (more: Partial<TicketPayload> = {}): TicketPayload => ({
  tenant: '000000',
  itemId: '77',
  ticketNo: 'GL202610200101',
  name: nameMark('王小明', 'GL202610200101'),
  room: '001',
  seat: '01',
  start: start / 1000,
  keyId: '1',
  issue: 1,
  ...more,
})
const codeOf = (more: Partial<TicketPayload> = {}, key = keys.privateKey) => signTicket(payloadOf(more), key)

const seated = (ticketId: string, seatNo: string, name: string, code: string): Seated => ({
  ticketId,
  seatNo,
  name,
  ticketNo: `GL2026102001${seatNo}`,
  idCard: `350102********${2040 + Number(seatNo)}`,
  photo: '',
  code: createHash('sha256').update(code).digest('base64url'),
  marks: [],
})

const place = (roomId: string, serial: number) => ({
  roomId,
  serial,
  roomNo: `00${serial}`,
  roomName: '',
  schoolName: '一中',
})

const bundleOf = (rehearsal = false): Bundle => ({
  rehearsal,
  room: {
    ...place('1', 1),
    itemId: '77',
    examId: '7',
    tenantId: '000000',
    examName: '考试',
    itemName: '笔试',
    startTime: '2027-01-09 09:00:00',
    endTime: '2027-01-09 11:00:00',
    latestTime: '2027-01-09 09:30:00',
  },
  roster: [
    seated('11', '01', '王小明', codeOf()),
    seated('12', '02', '李小红', 'x'),
    seated('13', '03', '赵小刚', 'y'),
  ],
  publicKey: keys.publicKey,
  revoked: ['GL202610200104'],
  rooms: [place('1', 1), place('2', 2)],
  serverTime: start,
  validUntil: start + 86_400_000,
})

/** What a device keeps, surviving what happens to the page. */
function memory() {
  const bundles = new Map<string, KeptBundle>()
  const marks = new Map<string, OwnMark>()
  const codes: Record<string, string> = {}
  const store: DoorStore = {
    bundle: async id => bundles.get(id),
    bundles: async () => [...bundles.values()],
    keepBundle: async one => void bundles.set(one.roomId, one),
    dropBundle: async id => void bundles.delete(id),
    marks: async () => [...marks.values()],
    keepMarks: async (all, more = {}) => {
      for (const one of all) marks.set(one.id, one)
      Object.assign(codes, more)
    },
    dropMarks: async ids => {
      for (const id of ids) marks.delete(id)
    },
    codes: async () => codes,
  }
  return { bundles, marks, store }
}

/** A server that keeps what is sent by its id, and can be out of reach before or after it has. */
function server() {
  const kept = new Map<string, ToldMark & { ticketId: string; code?: string; rehearsal: boolean }>()
  const say: { network: 'good' | 'none' | 'half'; refusal: number | null; clash: Set<string>; lost: boolean } = {
    network: 'good',
    refusal: null,
    clash: new Set<string>(),
    lost: false,
  }
  let sent = 0
  const reach = () => {
    if (say.network === 'none') throw new Error('Network Error')
    if (say.refusal) throw new ApiError(say.refusal, '数据不存在', {})
  }
  const calls: DoorCalls = {
    bundle: async (_, rehearsal) => {
      reach()
      return bundleOf(rehearsal)
    },
    sync: async (_, events, rehearsal) => {
      reach()
      sent += events.length
      const own = events
      for (const one of own)
        if (!say.clash.has(one.ticketId)) kept.set(one.id, { ...one, undoes: one.undoes ?? '', by: '我', rehearsal })
      if (say.network === 'half') throw new Error('timeout')
      const marks: Record<string, ToldMark[]> = {}
      for (const { ticketId, ...mark } of [...kept.values()].filter(one => one.rehearsal === rehearsal))
        marks[ticketId] = [...(marks[ticketId] ?? []), mark]
      const clashed = own.filter(one => say.clash.has(one.ticketId))
      const answer: Synced = {
        accepted: own.filter(one => !clashed.includes(one)).map(one => one.id),
        conflicts: clashed.map(({ id, ticketId }) => ({ id, ticketId, reason: 'void', by: '', at: 0 })),
        marks: say.lost ? '' : marks,
      }
      return answer
    },
  }
  return { kept, say, calls, sent: () => sent }
}

let device: ReturnType<typeof memory>
let far: ReturnType<typeof server>
let now: number
beforeEach(() => {
  device = memory()
  far = server()
  now = start
})
const doorOf = (userId = '5', roomId = '1', rehearsal = false) =>
  new Door({ roomId, userId, rehearsal }, device.store, far.calls, () => now)
const rehearsalOf = () => doorOf('5', '1', true)
const attendOf = (door: ReturnType<typeof doorOf>) => peopleOf(door.get()).map(one => one.attend)

describe('a door', () => {
  test('keeps what was noted without a network through reloads, and sends it once there is one', async () => {
    const first = doorOf()
    await first.open()
    far.say.network = 'none'
    await first.note([{ ticketId: '11', kind: 'arrive', code: 'JX1:…' }])
    await first.note([{ ticketId: '12', kind: 'arrive' }])
    await first.flush()
    expect([first.get().online, far.kept.size, attendOf(first)]).toEqual([false, 0, [1, 1, 0]])
    const again = doorOf()
    await again.open()
    expect([again.get().queue.length, attendOf(again)]).toEqual([2, [1, 1, 0]])
    expect(totalsOf(peopleOf(again.get()))).toEqual({ people: 3, arrived: 2, absent: 0, breach: 0 })
    far.say.network = 'good'
    await again.flush()
    expect([...far.kept.values()].map(one => [one.ticketId, one.code])).toEqual([
      ['11', 'JX1:…'],
      ['12', undefined],
    ])
    expect([again.get().queue, device.marks.size, attendOf(again)]).toEqual([[], 0, [1, 1, 0]])
  })

  test('sends again what was answered into the void, and nothing is counted twice', async () => {
    const door = doorOf()
    await door.open()
    await door.note([{ ticketId: '11', kind: 'arrive' }])
    far.say.network = 'half'
    await door.flush()
    expect([door.get().queue.length, far.kept.size]).toEqual([1, 1])
    far.say.network = 'good'
    await Promise.all([door.flush(), door.flush()])
    expect([door.get().queue.length, far.kept.size, far.sent()]).toEqual([0, 1, 2])
  })

  test('sends at once what is noted while an exchange runs', async () => {
    const door = doorOf()
    await door.open()
    const running = door.flush()
    await Promise.resolve()
    await door.note([{ ticketId: '13', kind: 'arrive' }])
    await Promise.all([running, door.flush()])
    expect([door.get().queue.length, far.kept.size]).toEqual([0, 1])
  })

  test('keeps what clashed until somebody has read it, without counting it', async () => {
    const door = doorOf()
    await door.open()
    far.say.clash.add('12')
    await door.note([
      { ticketId: '11', kind: 'arrive' },
      { ticketId: '12', kind: 'arrive' },
    ])
    await door.flush()
    expect(door.get().queue.map(one => [one.ticketId, one.conflict?.reason])).toEqual([['12', 'void']])
    expect(attendOf(door)).toEqual([1, 0, 0])
    const again = doorOf()
    await again.open()
    expect([again.get().queue.length, far.sent()]).toEqual([1, 2])
    await again.dismiss(again.get().queue.map(one => one.id))
    expect([again.get().queue.length, device.marks.size]).toEqual([0, 0])
  })

  test('forgets a roster after its day and before somebody else; notes wait for their author', async () => {
    const mine = doorOf()
    await mine.open()
    far.say.network = 'none'
    await mine.note([{ ticketId: '11', kind: 'arrive' }])
    const other = doorOf('6')
    await other.open()
    expect([other.get().bundle, other.get().queue, device.bundles.size]).toEqual([null, [], 0])
    far.say.network = 'good'
    const late = doorOf()
    await late.open()
    expect(far.kept.size).toBe(1)
    now += 86_400_000
    await late.tidy()
    expect([late.get().bundle, device.bundles.size]).toEqual([null, 0])
  })

  test('gives up its roster when the room is taken away, not when the server is in trouble', async () => {
    const door = doorOf()
    await door.open()
    far.say.refusal = 500
    await door.refresh()
    expect([door.get().bundle === null, door.get().refusal?.code]).toEqual([false, 500])
    far.say.refusal = 29001
    await door.refresh()
    expect([door.get().bundle, device.bundles.size]).toEqual([null, 0])
    far.say.refusal = null
    await door.refresh()
    far.say.lost = true
    await door.flush()
    expect([door.get().bundle, device.bundles.size]).toEqual([null, 0])
  })

  test('says why there is no roster, also after an exchange that went well', async () => {
    const calls = { ...far.calls, bundle: () => Promise.reject(new ApiError(29001, '数据不存在', {})) }
    const door = new Door({ roomId: '1', userId: '5', rehearsal: false }, device.store, calls, () => now)
    await door.open()
    expect(door.get()).toMatchObject({ ready: true, bundle: null, online: true, refusal: { code: 29001 } })
  })

  test('goes by the server’s clock, whatever the device’s says', async () => {
    now = start - 7_200_000
    const door = doorOf()
    await door.open()
    await door.note([{ ticketId: '11', kind: 'arrive' }])
    expect(door.get().queue[0]?.at).toBe(start)
  })
})

describe('a rehearsal at a door', () => {
  test('keeps its mark without a network and through reloads, and is sent apart from real notes', async () => {
    const first = rehearsalOf()
    await first.open()
    far.say.network = 'none'
    await first.note([{ ticketId: '11', kind: 'arrive' }])
    const again = rehearsalOf()
    await again.open()
    expect([again.get().bundle?.rehearsal, attendOf(again)]).toEqual([true, [1, 0, 0]])
    // The real check-in of the same room knows nothing of it, and has no roster without having asked for one.
    const real = doorOf()
    await real.open()
    expect(real.get().bundle).toBeNull()
    far.say.network = 'good'
    await real.refresh()
    expect(attendOf(real)).toEqual([0, 0, 0])
    await real.note([{ ticketId: '12', kind: 'arrive' }])
    await real.flush()
    expect([...far.kept.values()].map(one => [one.ticketId, one.rehearsal])).toEqual([
      ['11', true],
      ['12', false],
    ])
    expect([real.get().queue, attendOf(real)]).toEqual([[], [0, 1, 0]])
  })

  test('ends when the server says so, and leaves the real roster on the device', async () => {
    const rehearsal = rehearsalOf()
    await rehearsal.open()
    const real = doorOf()
    await real.open()
    far.say.refusal = 25013
    await rehearsal.refresh()
    expect([rehearsal.get().bundle, rehearsal.get().refusal?.code]).toEqual([null, 25013])
    expect(device.bundles.get('1')?.rehearsal).toBe(false)
  })
})

describe('people of a room', () => {
  test('are found by seat, name and last digits', () => {
    const all = peopleOf({ bundle: { ...bundleOf(), roomId: '1', userId: '5', ahead: 0 }, queue: [] })
    const names = (text: string) => found(all, text).map(one => one.name)
    expect([names('2'), names('02'), names('小红'), names('2043')]).toEqual([
      ['李小红'],
      ['李小红'],
      ['李小红'],
      ['赵小刚'],
    ])
    expect([names(''), names('99'), names('00103')].map(one => one.length)).toEqual([3, 0, 1])
  })
})

describe('a code without a network', () => {
  const judged = async (code: string) => (await judgeCode(code, bundleOf())).kind

  test('lets in who is of this room', async () => {
    expect(await judgeCode(codeOf(), bundleOf())).toEqual({ kind: 'person', ticketId: '11', code: codeOf() })
  })

  test('tells forged, foreign, void, replaced and wrong ones apart', async () => {
    const code = codeOf()
    for (const place of [8, 40, 90, 150]) {
      const flipped = code.slice(0, place) + (code[place] === '0' ? '1' : '0') + code.slice(place + 1)
      expect(['forged', 'foreign']).toContain(await judged(flipped))
    }
    expect(await judged(codeOf({}, newTicketKeys().privateKey))).toBe('forged')
    expect(await judged('https://example.org')).toBe('foreign')
    expect(await judged(codeOf({ itemId: '78' }))).toBe('otherExam')
    expect(await judged(codeOf({ tenant: '000001' }))).toBe('otherExam')
    expect(await judged(codeOf({ ticketNo: 'GL202610200104', seat: '04' }))).toBe('void')
    expect(await judged(codeOf({ name: '张abcdefgh' }))).toBe('stale')
    expect(await judged(codeOf({ ticketNo: 'GL202610200109' }))).toBe('unlisted')
    expect(await judgeCode(codeOf({ ticketNo: 'GL202610200217', seat: '17' }), bundleOf())).toMatchObject({
      kind: 'otherRoom',
      seat: '17',
      room: { roomNo: '002' },
    })
  })

  test('can be typed as a seat or a number', () => {
    const typed = (text: string) => judgeTyped(text, bundleOf())
    expect([typed('3'), typed('gl202610200102')]).toEqual([
      { kind: 'person', ticketId: '13' },
      { kind: 'person', ticketId: '12' },
    ])
    expect(typed('GL202610200104')).toEqual({ kind: 'void' })
    expect(typed('GL202610200205-2')).toMatchObject({ kind: 'otherRoom', seat: '05', room: { roomNo: '002' } })
    expect(['9', 'GL20261', 'XX202610200205'].map(text => typed(text).kind)).toEqual(['nobody', 'nobody', 'nobody'])
  })
})
