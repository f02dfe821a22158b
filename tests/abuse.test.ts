import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { filesBelow } from './helper/tree.ts'

/**
 * What somebody hostile may try, by the number that the names of its tests begin with: `npx vitest run -t 'B16 ·'` asks about one
 * of them.
 */
const tries = {
  B5: 'reads or changes rows of somebody else by their ids',
  B7: 'sends columns that a call does not take: a state, a role, an owner, a tenant',
  B9: 'brings a password in cipher, a captcha, a code or a refresh token a second time',
  B10: 'uploads what has no end, or swells when it is opened',
  B11: 'uploads files that are not what they say',
  B12: 'names files so that they go elsewhere or look like something else',
  B15: 'writes markup that runs where others read it',
  B16: 'writes SQL into values, names, suffixes, orders and ids',
  B17: 'guesses passwords, in many places at once, and listens to how he is refused',
  B18: 'has text messages sent to others, or until the money is gone',
  B19: 'brings tokens that are forged, spent, expired, or of somebody who may no longer',
  B20: 'makes the browser of somebody else call',
  B26: 'reaches into another tenant',
  B27: 'asks until he knows who has an account',
  B28: 'sends patterns that never end, bodies that nest or swell, lists without end, letters that nobody sees',
  B29: 'makes the server call addresses inside its own network',
  B30: 'reads in the logs what is nobody’s business, or writes lines into them',
  B31: 'copies lists by asking again and again',
  B32: 'is let in, and looks at more personal data than his work needs or takes it home',
} as const

test('every try of somebody hostile has tests that are named after it', () => {
  const files = filesBelow('src', 'tests').filter(file => /\.test\.tsx?$/.test(file))
  const sources = files.map(file => readFileSync(file, 'utf8'))
  const named = new Set(sources.flatMap(text => [...text.matchAll(/\(\s*['"`](B\d+) · /g)].map(([, number]) => number)))
  expect(Object.keys(tries).filter(number => !named.has(number))).toEqual([])
})
