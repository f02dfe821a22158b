import { expect, test } from 'vitest'
import { exportedBy } from './definitions.ts'

test.each([
  ['export const role = 1', ['role']],
  ['export const role = 1,\n  user = 2', ['role', 'user']],
  ['const role = 1\nexport { role }', ['role']],
  ['const made = 1\nexport { made as role }', ['role']],
  ["export { made as role } from './made.ts'", ['role']],
  ['export const { role, user: [one] } = made()', ['role', 'one']],
  ['export const role = 1\nexport type Role = typeof role\nexport interface Other {}', ['role']],
  ["export * from './made.ts'", [null]],
  ['export default 1', [null]],
  ['// export const role = 1\nconst text = `\nexport const role = 1`', []],
])('the names that a file exports are found however they are written: %s', (text, names) =>
  expect(exportedBy(text)).toEqual(names),
)
