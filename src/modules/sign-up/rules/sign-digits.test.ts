import { expect, test } from 'vitest'
import { digitsOf, widthOf } from './sign-digits.ts'

test('an exam that takes more than half a million has seven digits from its first number on', () => {
  expect([null, 0, 499_999, 500_000, 2_000_000].map(widthOf)).toEqual([6, 6, 6, 7, 7])
  expect(digitsOf(1, 6)).toBe('000001')
  expect(digitsOf(2_000_000, 7)).toBe('2000000')
})

test('numbers get longer when six digits are used up, and none comes twice or out of order', () => {
  const serials = [
    1, 899_998, 899_999, 900_000, 900_001, 999_999, 1_000_000, 1_799_999, 1_800_000, 2_500_000, 2_700_000,
  ]
  const texts = serials.map(serial => digitsOf(serial, 6))
  expect(texts.slice(2, 4)).toEqual(['899999', '9000000'])
  expect(texts.toSorted()).toEqual(texts)
  expect(texts.map(Number).toSorted((a, b) => a - b)).toEqual(texts.map(Number))
  expect(new Set(texts).size).toBe(texts.length)
})
