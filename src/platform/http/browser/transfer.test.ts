import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tokens, wired } from '../../../../tests/helper/wire.ts'

beforeEach(() => {
  localStorage.clear()
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:1', revokeObjectURL: () => {} }))
})

afterEach(() => vi.unstubAllGlobals())

const json = (body: unknown): Blob => new Blob([JSON.stringify(body)], { type: 'application/json' })

test('a download carries the headers and takes the name the server gives', async () => {
  const headers = {
    'content-disposition': `attachment; filename="a.xlsx"; filename*=UTF-8''${encodeURIComponent('报名表.xlsx')}`,
  }
  const { session, sent } = await wired(() => ({ body: new Blob(['x']), headers }))
  const { download } = await import('./transfer.ts')
  session.open(tokens('one'))
  expect(await download('/export', { params: { id: '1' } })).toBe('报名表.xlsx')
  expect(sent[0]?.headers['Blade-Auth']).toBe('bearer one')
})

test('an export is a file, or the word that it is made in the background', async () => {
  const answers = [new Blob(['PK']), json({ code: 200, success: true, data: { taskId: '7', background: 1 } })]
  await wired(() => ({ body: answers.shift() }))
  const { takeExport } = await import('./transfer.ts')
  expect(await takeExport('/export', { name: '学校.xlsx' })).toBe('学校.xlsx')
  expect(await takeExport('/export', { name: '学校.xlsx' })).toBeNull()
})

test('a refusal inside a blob is shown and rejects', async () => {
  const { shown } = await wired(() => ({ body: json({ code: 403, success: false, msg: '请求被拒绝' }) }))
  const { download } = await import('./transfer.ts')
  await expect(download('/export')).rejects.toMatchObject({ code: 403 })
  expect(shown).toEqual(['请求被拒绝'])
})

test('an expired token inside a blob is renewed', async () => {
  const { session } = await wired(one => {
    if (one.path.endsWith('/refresh')) return { body: tokens('two') }
    return { body: one.headers['Blade-Auth'] === 'bearer two' ? new Blob(['x']) : json({ code: 401 }) }
  })
  const { download } = await import('./transfer.ts')
  session.open(tokens('one'))
  expect(await download('/export', { name: 'b.csv' })).toBe('b.csv')
})

test.each([
  ['attachment; filename=plain.pdf', 'plain.pdf'],
  ['attachment;filename=%E5%87%86%E8%80%83%E8%AF%81.pdf', '准考证.pdf'],
  ['inline', ''],
  ['attachment; filename="50%.txt"', '50%.txt'],
])('the name in %s', async (header, name) => {
  await wired(() => ({ body: null }))
  const { fileName } = await import('./transfer.ts')
  expect(fileName(header)).toBe(name)
})
