import { Refine } from '@refinedev/core'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { type Field, sealed, secret, text } from '#engine'
import { resources } from '#resources'
import '../../tests/helper/screens-page.tsx'
import { type Seen, wire } from '../../tests/helper/screens-wire.ts'
import { tokens } from '../../tests/helper/wire.ts'
import { wireTime } from '../platform/http/browser/clock.ts'
import { DRAFTS, session } from '../platform/http/browser/session.ts'

import FormDialog from './FormDialog.tsx'
import { DraftKeeper } from './kept-draft.ts'
import { dataProvider } from './providers/data.ts'

const param = resources.find(one => one.name === 'param')!
let row = { id: '1', paramName: '甲', paramKey: 'a', paramValue: 'v' }
/** What the server keeps. */
let there: Record<string, unknown>[] = []

beforeEach(() => {
  localStorage.clear()
  session.begin(tokens('one'))
  row = { id: '1', paramName: '甲', paramKey: 'a', paramValue: 'v' }
  there = []
  wire.seen.length = 0
  wire.keys.length = 0
  wire.answer = ({ path, body }: Seen) => {
    if (path.endsWith('/draft/list')) return { data: there }
    if (path.endsWith('/draft/submit')) there = [{ ...(body as object), time: `${wireTime().slice(0, 10)} 10:02:00` }]
    if (path.endsWith('/draft/remove')) there = []
    return { data: path.endsWith('/detail') ? row : {} }
  }
})

const open = (given: typeof row | null): void => {
  render(
    <MemoryRouter>
      <App>
        <Refine dataProvider={dataProvider} options={{ disableTelemetry: true }}>
          <FormDialog resource={param} row={given} onClose={() => cleanup()} />
        </Refine>
      </App>
    </MemoryRouter>,
  )
}
const input = (name: string) =>
  waitFor(() => document.querySelector<HTMLInputElement>(`[id$="_${name}"]`) ?? Promise.reject(new Error(name)))
const press = async (name: string): Promise<void> => {
  const found = await waitFor(
    () =>
      [...document.querySelectorAll('button')].find(one => one.textContent?.replace(/\s/g, '') === name) ??
      Promise.reject(),
  )
  await userEvent.click(found)
}
const local = () => Object.keys(localStorage).filter(name => name.startsWith(DRAFTS))
const sent = (what: string) => wire.seen.filter(one => one.path.endsWith(`/draft/${what}`))

test('what is typed is kept here at once and at the server when the keys rest; it is restored, sent under its key, and gone when saved', async () => {
  open(null)
  await userEvent.type(await input('paramName'), '乙丙')
  await waitFor(() => expect(local()).toHaveLength(1))
  await waitFor(() => expect(sent('submit')).toHaveLength(1))
  const { key, values } = (sent('submit')[0]?.body ?? {}) as { key?: string; values?: object }
  expect([values, key]).toEqual([{ paramName: '乙丙' }, expect.stringMatching(/^[0-9a-f]{32}$/)])
  cleanup()
  // At another computer.
  localStorage.removeItem(local()[0]!)
  open(null)
  expect(await screen.findByText(/^有 .*10:02 的草稿（1 项）$/)).toBeTruthy()
  await press('恢复')
  expect((await input('paramName')).value).toBe('乙丙')
  await userEvent.type(await input('paramKey'), 'b')
  await userEvent.type(await input('paramValue'), '1')
  await press('保存')
  await waitFor(() => expect(sent('remove')).toHaveLength(1))
  const save = wire.seen.findIndex(one => one.path.endsWith('/param/submit'))
  expect([wire.seen[save]?.body, wire.keys[save]]).toMatchObject([{ paramName: '乙丙' }, key])
  expect([local(), there]).toEqual([[], []])
})

test('what others have changed since is shown beside the draft, field by field', async () => {
  const base = { paramName: '甲', paramValue: 'v' }
  there = [{ key: 'k', time: '2026-11-27 10:02:00', values: { paramName: '甲乙', paramValue: 'mine' }, base }]
  row = { ...row, paramValue: 'theirs' }
  open(row)
  expect(await screen.findByText('这条数据在此之后被修改过，请逐项选择：')).toBeTruthy()
  expect(screen.getAllByRole('group', { name: '参数键值' })).toHaveLength(1)
  expect(screen.queryByRole('group', { name: '参数名称' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: /现在/ }))
  await press('恢复')
  expect([(await input('paramName')).value, (await input('paramValue')).value]).toEqual(['甲乙', 'theirs'])
})

test('what is typed while nobody has decided about a draft is kept beside it; what is dropped is gone everywhere', async () => {
  there = [{ key: 'k', time: '2026-11-27 10:02:00', values: { paramName: '旧' }, base: { paramName: '' } }]
  open(null)
  await screen.findByText(/草稿（1 项）/)
  expect(screen.queryByText(/请逐项选择/)).toBeNull()
  await userEvent.type(await input('paramKey'), 'b')
  await waitFor(() => expect(sent('submit').at(-1)?.body).toMatchObject({ values: { paramName: '旧', paramKey: 'b' } }))
  await press('丢弃')
  await waitFor(() => expect([there, local()]).toEqual([[], []]))
})

test('secrets are kept nowhere, sealed texts at the server alone, and nothing in the name of somebody else', async () => {
  const fields: Record<string, Field> = { name: text('名'), idCard: sealed('证'), password: secret('密') }
  const place = { form: 'user', fields, rows: { post: fields } }
  const typed = { name: '甲', idCard: '350102198001011234', password: 'hunter22' }
  const keep = () => {
    const keeper = new DraftKeeper(place)
    keeper.keep({ key: 'k', values: { ...typed, post: [typed] }, base: {} })
    return keeper
  }
  const keeper = keep()
  keeper.flush()
  await waitFor(() => expect(sent('submit')).toHaveLength(1))
  const { password: _one, ...known } = typed
  expect(sent('submit')[0]?.body).toMatchObject({ values: { ...known, post: [known] } })
  expect(JSON.stringify(sent('submit')[0]?.body)).not.toContain('hunter22')
  expect(JSON.parse(localStorage.getItem(local()[0]!) ?? '')).toMatchObject({
    values: { name: '甲', post: [{ name: '甲' }] },
  })
  expect(localStorage.getItem(local()[0]!)).not.toMatch(/hunter22|350102/)
  localStorage.removeItem(local()[0]!)
  const late = keep()
  session.begin(tokens('other', { user_id: '2' }))
  late.flush()
  await new Promise(done => setTimeout(done, 50))
  expect([local(), sent('submit').length]).toEqual([[], 1])
})
