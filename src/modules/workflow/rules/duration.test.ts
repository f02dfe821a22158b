import { expect, test } from 'vitest'
import { durationText } from './duration.ts'

test.each([
  [0, '0秒'],
  [59_999, '59秒'],
  [3_720_000, '1小时2分钟'],
  [86_400_000, '1天'],
  [187_200_000, '2天4小时'],
])('%i ms are said as %s', (milliseconds, words) => expect(durationText(milliseconds)).toBe(words))
