import { describe, expect, test } from 'vitest'
import { denseRanks, entrantsOf, placesOf, totalOf } from './ranking.ts'

const at = (code: string, scores: readonly (string | null)[]) =>
  scores.map((score, i) => ({ id: `${code}${i}`, code, keys: [score] }))

describe('total score', () => {
  const part = (score: string | null, weight: string, addScore: string | null = null) => ({ score, weight, addScore })

  test.each([
    ['weights of two stages', [part('72.50', '0.6'), part('81.25', '0.4')], '76.00'],
    ['half a hundredth goes up', [part('70.01', '0.5'), part('70.00', '0.5')], '70.01'],
    ['less than half goes down', [part('70.01', '0.4'), part('70', '0.6')], '70.00'],
    ['is rounded once, at the end', [part('0.01', '0.6'), part('0.01', '0.4')], '0.01'],
    ['is not rounded on the way', [part('0.33', '0.015')], '0.00'],
    ['an addition counts whole', [part('60', '0.6', '5'), part('80', '0.4')], '73.00'],
    ['binary fractions do not show', [part('1.1', '1'), part('2.2', '1')], '3.30'],
    ['a score of nought is a score', [part('0', '0.6'), part('80', '0.4')], '32.00'],
    ['there is no total of a part', [part('72', '0.6'), part(null, '0.4')], null],
    ['nor of nothing', [], null],
  ])('%s', (_, parts, total) => expect(totalOf(parts)).toBe(total))
})

describe('ranks', () => {
  test('equals share one, the next follows without a gap, positions are apart', () => {
    const rows = [...at('A', ['70', '90.00', '90', '80', '70.00']), ...at('B', ['60'])]
    expect(Object.fromEntries(denseRanks(rows))).toEqual({ A0: 3, A1: 1, A2: 1, A3: 2, A4: 3, B0: 1 })
  })

  test('the second key decides between equals of the first', () => {
    const rows = [
      { id: 'a', code: 'A', keys: ['76', '80'] },
      { id: 'b', code: 'A', keys: ['76', '81'] },
    ]
    expect(denseRanks(rows).get('b')).toBe(1)
    expect(denseRanks(rows).get('a')).toBe(2)
  })

  test('texts are compared as numbers', () => {
    expect(denseRanks(at('A', ['9', '100'])).get('A1')).toBe(1)
  })
})

describe('who goes on', () => {
  const go = (scores: readonly string[], n: number) =>
    [...entrantsOf(at('A', scores), new Map([['A', n]]))].map(id => Number(id.slice(1))).sort()

  test('as many as there are places', () => expect(go(['90', '80', '70', '60'], 3)).toEqual([0, 1, 2]))
  test('with everybody who equals the last', () =>
    expect(go(['90', '80', '70', '70', '70'], 3)).toEqual([0, 1, 2, 3, 4]))
  test('ties further up take places', () => expect(go(['90', '90', '90', '80'], 3)).toEqual([0, 1, 2]))
  test('all where fewer came', () => expect(go(['50', '40'], 3)).toEqual([0, 1]))
  test('nobody where no place is', () => expect(go(['90'], 0)).toEqual([]))
  test.each([
    [1, '3.0000', 3],
    [2, '1.5', 3],
    [1, '2.5', 3],
    [0, '3', 0],
    [7, '3.3333', 24],
  ])('plan %i at %s is %i places', (plan, ratio, places) => expect(placesOf(plan, ratio)).toBe(places))
})
