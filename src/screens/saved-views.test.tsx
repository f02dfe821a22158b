import { Refine } from '@refinedev/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Resource } from '#engine'
import { examitems } from '#resources/exams/examitems'
import { param } from '#resources/system/param'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import ListScreen from './ListScreen.tsx'
import { changePreference } from './preferences.ts'
import { dataProvider } from './providers/data.ts'

vi.mock(import('./providers/rights.ts'), async original => ({ ...(await original()), usePermissions: () => ({}) }))

const nurses = {
  id: '7',
  resource: 'examitems',
  title: '护理岗位',
  audience: 1,
  roles: '',
  isMine: true,
  content: { filters: { postName: '护士', createTime_dategt: '$today-7 00:00:00' }, chip: '全部' },
}

beforeEach(() => {
  wire.seen.length = 0
  changePreference('table.examitems', { view: undefined })
})

function show(resource: Resource, address: string, views: readonly object[] = [nurses]) {
  wire.answer = ({ path, query }) => {
    if (path.endsWith('/savedview/own')) return { data: views }
    if (path.endsWith('/savedview/counts')) return { data: [{ id: '7', number: '3' }] }
    if (path.endsWith('/savedview/keep')) return { data: { id: '7' } }
    if (path.endsWith('/page'))
      return query.postName
        ? { data: { records: [{ id: '1', postName: '护士' }], total: 3 } }
        : {
            data: {
              records: [
                { id: '1', postName: '护士' },
                { id: '2', postName: '医师' },
              ],
              total: 1200,
            },
          }
    return { data: path.endsWith('/views') ? {} : [] }
  }
  render(
    <MemoryRouter initialEntries={[address]}>
      <App>
        <Refine dataProvider={dataProvider} options={{ disableTelemetry: true }}>
          <ListScreen resource={resource} />
        </Refine>
      </App>
    </MemoryRouter>,
  )
}

const rowsAsked = () => wire.seen.filter(({ path }) => path.endsWith('/page'))
const chip = () => screen.findByRole('button', { name: /^护理岗位/ })

test('a view is asked for with its filters from the first; how many rows each has is asked for in one call', async () => {
  const doctors = { ...nurses, id: '8', title: '医师岗位' }
  show(examitems, '/exam/examitems?view=7&chip=', [nurses, doctors])
  expect((await chip()).getAttribute('aria-pressed')).toBe('true')
  await waitFor(async () => expect((await chip()).textContent).toBe('护理岗位3'))
  expect((await screen.findByRole('button', { name: '医师岗位' })).textContent).toBe('医师岗位')
  expect(wire.seen.filter(({ path }) => path.endsWith('/counts')).map(({ query }) => query.resource)).toEqual([
    'examitems',
  ])
  expect(rowsAsked().length).toBeGreaterThan(0)
  expect(rowsAsked().filter(({ query }) => query.postName !== '护士' || query.size === 1)).toEqual([])
})

test('the view that a list opens with is the first that is asked for; one that is gone leaves the list as it is', async () => {
  changePreference('table.examitems', { view: '7' })
  show(examitems, '/exam/examitems')
  await waitFor(async () => expect((await chip()).getAttribute('aria-pressed')).toBe('true'))
  await waitFor(() => expect(rowsAsked().length).toBeGreaterThan(0))
  expect(rowsAsked().filter(({ query }) => query.postName !== '护士')).toEqual([])
})

test.each(['/exam/examitems?view=8&chip=', '/exam/examitems'])(
  '%s shows all rows where its view is gone',
  async address => {
    changePreference('table.examitems', { view: '8' })
    show(examitems, address)
    await screen.findAllByText('护士')
    const own = rowsAsked().filter(({ query }) => query.size !== 1)
    expect(own.map(({ query }) => query.postName)).toEqual(own.map(() => undefined))
  },
)

test('pressing a view never asks for all rows, and leaving it shows them', async () => {
  show(examitems, '/exam/examitems')
  const user = userEvent.setup()
  const button = await chip()
  await waitFor(() => expect(rowsAsked().some(({ query }) => query.size !== 1)).toBe(true))
  wire.seen.length = 0
  await user.click(button)
  await waitFor(() => expect(rowsAsked().length).toBeGreaterThan(0))
  expect(rowsAsked().filter(({ query }) => query.postName !== '护士')).toEqual([])
  await waitFor(() => expect(screen.queryAllByText('医师')).toEqual([]))
  await user.click(button)
  // Rows that came less than a second ago are not asked for again.
  await screen.findAllByText('医师')
})

test('what is updated keeps days that move moving', async () => {
  show(examitems, '/exam/examitems?view=7&chip=')
  const user = userEvent.setup()
  await chip()
  await user.click(await screen.findByRole('button', { name: /^视图/ }))
  await user.click(await screen.findByText('更新为现在的样子'))
  await waitFor(() => expect(wire.seen.some(({ path }) => path.endsWith('/keep'))).toBe(true))
  const { body } = wire.seen.find(({ path }) => path.endsWith('/keep')) ?? {}
  expect(body).toMatchObject({ id: '7', content: { filters: nurses.content.filters } })
})

test('lists whose buttons are all drawn have views once somebody is there', async () => {
  show(param, '/system/param', [{ ...nurses, resource: 'param', title: '护理岗位' }])
  await screen.findAllByRole('button', { name: '刷新' })
  expect(wire.seen.some(({ path }) => path.endsWith('/savedview/own'))).toBe(false)
  await userEvent.keyboard('{Shift}')
  await chip()
  expect(within(screen.getByRole('group', { name: '视图' })).getByRole('button', { name: /^视图/ })).toBeDefined()
})
