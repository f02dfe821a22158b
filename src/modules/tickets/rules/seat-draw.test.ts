import { describe, expect, it } from 'vitest'
import { type DrawOptions, drawSeats, type SeatPlan } from './seat-draw.ts'
import type { SeatPerson } from './seat-order.ts'
import { capacityOf, roomSerials, type SeatRoom, seatOf } from './seat-room.ts'

const people = (n: number, positions = 40): SeatPerson[] =>
  Array.from({ length: n }, (_, i) => ({ id: `s${i}`, unit: `u${i % positions}`, code: `c${i % positions}` }))
const rooms = (n: number, more: Partial<SeatRoom> = {}): SeatRoom[] =>
  Array.from({ length: n }, (_, i) => ({
    id: `r${i}`,
    schoolId: '1',
    roomNo: String(i + 1),
    capacity: 30,
    rows: 5,
    cols: 6,
    ...more,
  }))
const seats = (plan: SeatPlan) => plan.placements.map(one => `${one.roomId}/${one.seatNo}`)
const base: DrawOptions = { strategy: 1, seed: 'seed', snake: true }

describe('every strategy', () => {
  it.each([1, 2, 3] as const)('%i gives everybody one seat and no seat twice', strategy => {
    const plan = drawSeats(people(95), rooms(4), { ...base, strategy })
    expect(new Set(seats(plan)).size).toBe(95)
    expect(new Set(plan.placements.map(one => one.id)).size).toBe(95)
    expect(new Set(plan.placements.map(one => `${one.roomId}/${one.row}/${one.col}`)).size).toBe(95)
    expect(plan.unplaced).toEqual([])
  })

  it.each([1, 2, 3] as const)('%i repeats itself for its seed, whatever order people come in', strategy => {
    const plan = drawSeats(people(95), rooms(4), { ...base, strategy })
    const again = drawSeats(people(95).reverse(), rooms(4).reverse(), { ...base, strategy })
    expect(again).toEqual(plan)
    expect(drawSeats(people(95), rooms(4), { ...base, strategy, seed: 'other' }).placements).not.toEqual(
      plan.placements,
    )
  })

  it('makes a seed and records it', () => {
    const plan = drawSeats(people(40), rooms(2), { strategy: 1 })
    expect(drawSeats(people(40), rooms(2), { strategy: 1, seed: plan.seed })).toEqual(plan)
  })

  it('keeps positions together under 2 and apart under 3', () => {
    const together = drawSeats(people(60, 3), rooms(2), { ...base, strategy: 2 })
    const order = together.placements.map(one => Number(one.id.slice(1)) % 3)
    expect(order.filter((code, i) => i > 0 && code !== order[i - 1])).toHaveLength(2)
    expect(drawSeats(people(95, 8), rooms(4), { ...base, strategy: 3 }).conflicts).toEqual([])
  })

  it('tells which neighbours could not be parted', () => {
    const plan = drawSeats(people(4, 1), rooms(1, { capacity: 4, rows: 2, cols: 2 }), { ...base, strategy: 3 })
    expect(plan.conflicts).toHaveLength(4)
  })

  it('gives each of 5,000 people a seat, without a conflict', () => {
    const plan = drawSeats(people(5000, 120), rooms(170), { ...base, strategy: 3 })
    expect(new Set(seats(plan)).size).toBe(5000)
    expect(plan.conflicts).toEqual([])
  })
})

describe('rooms', () => {
  it('keeps reserved seats empty and says who found none', () => {
    const plan = drawSeats(people(30), rooms(1, { reserve: 2 }), { ...base, reserve: 1 })
    expect(plan.placements).toHaveLength(27)
    expect(Math.max(...plan.placements.map(one => one.seatNo))).toBe(27)
    expect(plan.unplaced.map(one => one.reason)).toEqual(Array(3).fill('座位不足'))
    expect(capacityOf(rooms(2, { reserve: 2 }), 1)).toBe(54)
  })

  it('seats special people in special rooms only, and nobody else there', () => {
    const special = { id: 'x', schoolId: '1', roomNo: '99', capacity: 1, isSpecial: 1 }
    const all = people(4).map((one, i) => ({ ...one, special: i < 2 }))
    const plan = drawSeats(all, [...rooms(1), special], base)
    expect(plan.placements.filter(one => one.roomId === 'x')).toHaveLength(1)
    expect(plan.unplaced).toEqual([{ id: expect.stringMatching(/s[01]/), reason: '特殊考场座位不足' }])
  })

  it('keeps groups in rooms of their own', () => {
    const plan = drawSeats(people(40, 4), rooms(4), { ...base, groupBy: ['unit'] })
    const perRoom = new Map<string, Set<number>>()
    for (const one of plan.placements) {
      const found = perRoom.get(one.roomId) ?? new Set()
      perRoom.set(one.roomId, found.add(Number(one.id.slice(1)) % 4))
    }
    expect([...perRoom.values()].map(set => set.size)).toEqual([1, 1, 1, 1])
  })

  it('gives rooms of a subject to that subject', () => {
    const [first, second] = rooms(2)
    const all = people(20).map((one, i) => ({ ...one, subject: i < 10 ? '01' : '02' }))
    const plan = drawSeats(all, [{ ...first!, subject: '02' }, second!], base)
    const inFirst = plan.placements.filter(one => one.roomId === 'r0').map(one => Number(one.id.slice(1)))
    expect(inFirst).toHaveLength(10)
    expect(inFirst.every(i => i >= 10)).toBe(true)
  })

  it('keeps seats given by hand, refusing one given twice', () => {
    const fixed = [
      { id: 's1', roomId: 'r0', seatNo: 7 },
      { id: 's2', roomId: 'r0', seatNo: 7 },
    ]
    const plan = drawSeats(people(10), rooms(1), { ...base, strategy: 3, fixed })
    expect(plan.placements.find(one => one.id === 's1')).toMatchObject({ roomId: 'r0', seatNo: 7 })
    expect(plan.unplaced).toEqual([{ id: 's2', reason: '指定的座位不存在或已被占用' }])
    expect(new Set(seats(plan)).size).toBe(9)
  })

  it('runs columns up and down in a snake', () => {
    const [room] = rooms(1)
    const at = (seatNo: number, snake: boolean) => {
      const { row, col } = seatOf(room!, seatNo, snake)
      return [row, col]
    }
    expect([1, 5, 6, 10, 11].map(n => at(n, true))).toEqual([
      [1, 1],
      [5, 1],
      [5, 2],
      [1, 2],
      [1, 3],
    ])
    expect([5, 6].map(n => at(n, false))).toEqual([
      [5, 1],
      [1, 2],
    ])
  })

  it('numbers rooms through all sites', () => {
    const list = [
      { id: 'b1', schoolId: '2', roomNo: '1', capacity: 30 },
      { id: 'a10', schoolId: '1', roomNo: '10', capacity: 30 },
      { id: 'a2', schoolId: '1', roomNo: '2', capacity: 30 },
    ]
    expect([...roomSerials(list)]).toEqual([
      ['a2', 1],
      ['a10', 2],
      ['b1', 3],
    ])
  })
})
