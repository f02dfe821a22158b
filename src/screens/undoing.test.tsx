import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { examitems } from '#resources/exams/examitems'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { actionsAt } from './actions.ts'
import { useActions } from './use-actions.tsx'

const granted = vi.hoisted(() => ({ now: {} as Record<string, true> }))
vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  usePermissions: () => granted.now,
}))

const rows = [
  { id: '1', postName: '医师', enable: 0 },
  { id: '2', postName: '护士', enable: 1 },
  { id: '3', postName: '药师', enable: 0 },
]
const reload = vi.fn()

function Probe() {
  const { start } = useActions(examitems, reload)
  const enable = actionsAt(examitems, 'rows').find(({ name }) => name === 'enableOn')!
  return (
    <>
      {[rows.slice(0, 1), rows].map(some => (
        <button key={some.length} type="button" onClick={() => start(enable, some)}>
          {`启用${some.length}`}
        </button>
      ))}
    </>
  )
}

beforeEach(() => {
  granted.now = { examitems_enableOn: true, examitems_enableOff: true }
  wire.seen.length = 0
  reload.mockClear()
})

const show = () =>
  render(
    <MemoryRouter>
      <App>
        <Probe />
      </App>
    </MemoryRouter>,
  )

const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }))

test('what was done is said in its own words and taken back for the rows that it changed', async () => {
  show()
  wire.answer = ({ path }) => ({ data: path.endsWith('/enable') ? { changed: 1, total: 1 } : {} })
  await press('启用1')
  expect(await screen.findByText(/^医师 已启用/)).toBeDefined()
  await press('撤销 (Z)')
  expect(await screen.findByText('已撤销 · 医师')).toBeDefined()
  expect(wire.paths().at(-1)).toBe('/blade-examitem/examitems/disable?ids=1')
  expect(reload).toHaveBeenCalledTimes(2)

  // One of them was so before: it stays as it was.
  wire.answer = ({ path }) => ({ data: path.endsWith('/enable') ? { changed: 2, total: 3 } : {} })
  await press('启用3')
  expect(await screen.findByText(/^已处理 2 条，共 3 条/)).toBeDefined()
  await userEvent.keyboard('z')
  await waitFor(() => expect(wire.paths().at(-1)).toBe('/blade-examitem/examitems/disable?ids=1%2C3'))
})

test.each([
  ['another was quicker with one of them', { changed: 1, total: 3 }, true],
  ['the person may not', { changed: 2, total: 3 }, false],
])('nothing offers to take it back where %s', async (_, data, may) => {
  if (!may) granted.now = { examitems_enableOn: true }
  wire.answer = () => ({ data })
  show()
  await press('启用3')
  expect(await screen.findByText(/^已处理 \d 条，共 3 条/)).toBeDefined()
  expect(screen.queryByRole('button', { name: '撤销 (Z)' })).toBeNull()
})
