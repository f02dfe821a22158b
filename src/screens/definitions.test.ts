import { expect, test } from 'vitest'
import { resources } from '#resources'
import { current, definitionCode, exportedBy } from './definitions.ts'

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

test.each(resources.map(({ name }) => name))(
  'the definition of %s brings the words of every dictionary that it names',
  name => {
    const [brought = '', definition = ''] = definitionCode(name).split('export default ')
    const named = [...definition.matchAll(/"dict":"([^"]+)"/g)].map(([, code]) => code)
    const [, words = '[]'] = /\nlearn\((.*)\)\n/.exec(brought) ?? []
    const learnt = (JSON.parse(words) as { code: string }[]).map(({ code }) => code)
    const known = current.dictionaries.map(({ code }) => code)
    expect(learnt).toEqual(expect.arrayContaining(named.filter(code => known.includes(code ?? ''))))
    expect(new Set(learnt).size).toBe(learnt.length)
  },
)

test('what the server alone reads of a definition does not travel', () => {
  const code = definitionCode('typecode')
  expect(JSON.parse(code.split('export default ')[1] ?? '')).not.toHaveProperty('scope')
  expect(code).not.toContain('"indexes"')
})
