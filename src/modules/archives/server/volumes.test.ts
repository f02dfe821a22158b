import { expect, test } from 'vitest'
import { volumesOf } from './volumes.ts'

/** `10` is a part of the exam as a whole, `A10` one of position A. */
const part = (text: string) => {
  const [, post, size] = /^([A-Z]?)(\d+)$/.exec(text) ?? []
  return { text, size: Number(size), ...(post && { post }) }
}

test.each([
  ['all in one', '10 20 A30 B40', ['10 20 A30 B40']],
  ['nothing', '', ['']],
  ['a position that fits into a volume is not divided', '10 A50 B30 B20', ['10 A50', 'B30 B20']],
  ['one that fits into none is, and uses what is left', '10 A50 A50 A50', ['10 A50', 'A50 A50']],
  ['a part that is too long stands alone', '10 A120 B10', ['10', 'A120', 'B10']],
  ['the exam as a whole is divided where it must', '60 60 A30', ['60', '60 A30']],
  ['to the last byte', 'A50 B50 C1', ['A50 B50', 'C1']],
])('%s', (_, parts, volumes) => {
  const words = parts.split(' ').filter(Boolean)
  expect(volumesOf(words.map(part), 100).map(one => one.map(({ text }) => text).join(' '))).toEqual(volumes)
})
