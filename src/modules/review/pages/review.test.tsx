import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import { wire } from '../../../../tests/helper/screens-wire.ts'
import type { ReviewInfo } from '../contract.ts'
import { filterNames } from '../rules/list-filter.ts'

const { reloadRights } = await import('../../../screens/providers/rights.ts')
const { default: ReviewPage } = await import('./ReviewPage.tsx')
const { WorkList } = await import('./WorkList.tsx')

const info = (id: string, examine: boolean, nextId = ''): ReviewInfo =>
  ({
    signup: { id, name: `考生${id}`, examName: '甲', examine: examine ? 0 : 1, reviewStatus: 0, photoUrl: '' },
    groups: [],
    files: [],
    precheck: [],
    position: {},
    logs: [],
    diff: [],
    advisementList: [],
    claim: '',
    can: { examine, review: false, revoke: false, move: false },
    version: 3,
    nextId,
  }) as unknown as ReviewInfo

/** Sign-ups on the desk by id. */
let desk: Record<string, ReviewInfo> = {}

const page = (records: object[] = []) => ({
  data: {
    records,
    total: records.length,
    counters: { wait: 2, again: 1, done: 168, today: 0, chips: { again: 1, returned: 9 } },
  },
})

beforeEach(async () => {
  wire.seen = []
  wire.answer = ({ path, query }) => {
    if (path.endsWith('/menu/buttons')) return { data: [{ code: 'examine_act' }] }
    if (path.endsWith('/getExamineInfo')) return { data: desk[String(query.signUpId)] }
    if (path.endsWith('/examine')) return { data: { examine: 1, version: 4, nextId: '' } }
    if (path.endsWith('/getExamineList')) return page()
    return { data: [] }
  }
  await act(reloadRights)
  wire.seen = []
})

const open = (address: string) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={[address]}>
          <App>
            <Routes>
              <Route path="/examine/info/:id" element={<ReviewPage />} />
              <Route path="/examine/list" element={<WorkList kind="waiting" />} />
              <Route path="/examine/done" element={<WorkList kind="done" />} />
              <Route path="/examine/review" element={<WorkList kind="second" />} />
            </Routes>
          </App>
        </MemoryRouter>
      </QueryClientProvider>
    </ConfigProvider>,
  )

const decisions = () => wire.seen.filter(one => one.method === 'POST' && one.path.endsWith('/examine'))
const asked = () => wire.seen.filter(one => one.path.endsWith('/getExamineList')).map(one => one.query)

describe('the desk of a reviewer', () => {
  test('a key decides while its button is shown; the message names the person and the result', async () => {
    desk = { 1: info('1', true) }
    open('/examine/info/1?stage=1&examId=9&unit=u1&current=2')
    await screen.findByRole('button', { name: '通过 (1)' })
    await userEvent.keyboard('1')
    expect(await screen.findByText('考生1：审核通过')).toBeInTheDocument()
    expect(decisions()).toHaveLength(1)
    expect(decisions()[0]?.body).toMatchObject({ examineResult: 1, version: 3, filter: { examId: '9', unit: 'u1' } })
  })

  test('a key held down decides once, and keys are meant for the panel that stands before the page', async () => {
    desk = { 1: info('1', true) }
    open('/examine/info/1')
    await screen.findByRole('button', { name: '通过 (1)' })
    const panel = document.body.appendChild(document.createElement('div'))
    panel.setAttribute('role', 'dialog')
    await userEvent.keyboard('1')
    panel.remove()
    act(() => void document.body.dispatchEvent(new KeyboardEvent('keydown', { key: '1', repeat: true, bubbles: true })))
    expect(decisions()).toEqual([])
  })
})

describe('keys of a reviewer', () => {
  const revoked = () => wire.seen.filter(one => one.method === 'POST' && one.path.endsWith('/revoke'))

  test('the buttons stand in the order of their keys', async () => {
    desk = { 1: info('1', true) }
    open('/examine/info/1')
    await screen.findByRole('button', { name: '通过 (1)' })
    const names = screen.getAllByRole('button').map(one => one.textContent ?? '')
    expect(names.filter(name => /\([123]\)$/.test(name))).toEqual(['通过 (1)', '不通过 (2)', '退回修改 (3)'])
  })

  test('one pressed while the next comes is meant for it, and Z takes the latest back and opens it', async () => {
    desk = { 1: { ...info('1', true, '2'), place: { at: 1, of: 76 } }, 2: info('2', true) }
    const answer = wire.answer
    wire.answer = request => {
      if (request.path.endsWith('/examine'))
        return {
          data: { examine: 1, version: 4, nextId: (request.body as { signUpId: string }).signUpId === '1' ? '2' : '' },
        }
      if (request.path.endsWith('/revoke')) return { data: { examine: 0, version: 5 } }
      return answer(request)
    }
    open('/examine/info/1')
    await screen.findByRole('button', { name: '通过 (1)' })
    await userEvent.keyboard('11')
    await waitFor(() => expect(decisions().map(one => (one.body as { signUpId: string }).signUpId)).toEqual(['1', '2']))
    await screen.findByRole('button', { name: '撤销 (Z)' })
    await userEvent.keyboard('z')
    await waitFor(() => expect(revoked()).toHaveLength(1))
    expect(revoked()[0]?.body).toMatchObject({ signUpId: '2', undo: true, reason: '10 秒内撤销', version: 4 })
    expect(await screen.findByRole('button', { name: '通过 (1)' })).toBeVisible()
    expect(screen.getByRole('heading', { name: /考生2/ })).toBeVisible()
    expect(screen.getByText('2 / 76')).toBeVisible()
  })
})

describe('the list of a reviewer', () => {
  test.each([
    ['/examine/list', { stage: 1, part: 'wait' }],
    ['/examine/done', { stage: 1, part: 'done' }],
    ['/examine/review', { stage: 2, part: 'wait' }],
    ['/examine/review?part=done', { stage: 2, part: 'done' }],
  ])('%s asks for the part that its number counts', async (address, query) => {
    open(address)
    await waitFor(() => expect(asked()[0]).toMatchObject(query))
  })

  test('a position leads to itself for whoever may look at positions', async () => {
    const row = {
      signUpId: '1',
      name: '考生1',
      signNo: 'A1',
      examId: '9',
      code: '0001',
      postName: '医师',
      unitName: '一院',
    }
    const usual = wire.answer
    wire.answer = call => {
      if (call.path.endsWith('/menu/buttons')) return { data: [{ code: 'examitems_view' }] }
      if (call.path.endsWith('/getExamineList')) return page([{ ...row, submitTime: '2026-06-14 08:00:00' }])
      if (call.path.endsWith('/examitems/page')) return { data: { records: [{ id: '77' }], total: 1 } }
      return usual(call)
    }
    await act(reloadRights)
    open('/examine/list')
    await userEvent.click(await screen.findByRole('button', { name: '0001 医师' }))
    await waitFor(() => expect(wire.seen.some(({ path }) => path.endsWith('/examitems/page'))).toBe(true))
    const { query } = wire.seen.find(({ path }) => path.endsWith('/examitems/page')) ?? {}
    expect(query).toMatchObject({ code_equal: '0001', examId_equal: '9' })
  })

  test('a number leads to the rows it counts, with the filters of the list', async () => {
    open('/examine/review?examId=9&current=3')
    await userEvent.click(await screen.findByRole('link', { name: '已审 168' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ stage: 2, part: 'done', examId: '9', current: 1 }))
    await userEvent.click(await screen.findByRole('link', { name: '待审 2' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ stage: 2, part: 'wait', examId: '9' }))
  })

  test.each([
    ['/examine/list', 'late', '超 24 小时4'],
    ['/examine/list', '', '全部2'],
    ['/examine/done', 'mine', '我的5'],
  ])('%s asks once, and opens with the named filter that the server found rows in: %j', async (address, chip, name) => {
    const usual = wire.answer
    wire.answer = request => {
      if (!request.path.endsWith('/getExamineList')) return usual(request)
      const { data } = page()
      const chips = { ...data.counters.chips, late: 4, mine: 5 }
      return { data: { ...data, chip, counters: { ...data.counters, chips } } }
    }
    open(`${address}?examId=9`)
    const button = await screen.findByRole('button', { name })
    expect(button.getAttribute('aria-pressed')).toBe('true')
    expect(asked().map(query => query.chip)).toEqual(['first'])
  })

  test('all of a list can be asked for', async () => {
    open('/examine/list?examId=9&chip=all')
    await waitFor(() => expect(asked().length).toBeGreaterThan(0))
    expect(asked().at(-1)).not.toHaveProperty('chip')
    expect((await screen.findByRole('button', { name: '全部2' })).getAttribute('aria-pressed')).toBe('true')
  })

  test.each(filterNames)('a review keeps the filter by %s of the list that it was opened from', async name => {
    desk = { 1: info('1', true, '2'), 2: info('2', true) }
    const value = name === 'chip' ? 'late' : '2'
    open(`/examine/info/1?stage=1&current=2&${name}=${value}`)
    await userEvent.click(await screen.findByRole('button', { name: '通过 (1)' }))
    await waitFor(() => expect(decisions()).toHaveLength(1))
    const { filter } = decisions()[0]!.body as { filter: Record<string, unknown> }
    expect(Object.entries(filter).map(([key, of]) => [key, String(of)])).toEqual([[name, value]])
    const { query } = wire.seen.find(({ path }) => path.endsWith('/getExamineInfo'))!
    expect(String(query[name])).toBe(value)
  })

  const row = { signUpId: '1', name: '考生1', signNo: 'A1', examId: '9', submitTime: '2026-06-14 08:00:00' }
  const listing = (...records: object[]) => {
    const usual = wire.answer
    wire.answer = call => {
      if (call.path.endsWith('/getExamineList')) return page(records)
      if (call.path.endsWith('/examineBatch')) return { data: [{ id: '1', ok: true }] }
      return usual(call)
    }
  }

  test('what is done to chosen rows stands over the table once some are chosen', async () => {
    listing(row)
    open('/examine/list?examId=9&chip=all')
    await screen.findByRole('link', { name: '考生1' })
    expect(screen.queryByText('批量通过')).toBeNull()
    const [, box] = screen.getAllByRole('checkbox')
    await userEvent.click(box!)
    expect(screen.getByText('已选 1 项')).toBeInTheDocument()
    await userEvent.click(screen.getByRole('button', { name: '批量通过' }))
    await userEvent.click(await screen.findByRole('button', { name: 'OK' }))
    await waitFor(() => expect(screen.queryByText('批量通过')).toBeNull())
    expect(wire.seen.find(({ method }) => method === 'POST')?.body).toEqual({ ids: ['1'] })
  })

  test('a decided row has one button, and taking it back in its menu', async () => {
    listing({ ...row, examine: 1, reviewStatus: 0, version: 3, canRevoke: true })
    open('/examine/done?examId=9&chip=all')
    const buttons = (await screen.findByRole('link', { name: '查看' })).closest('.row-buttons')!
    expect([...buttons.children].map(one => one.textContent)).toEqual(['查看', ''])
    await userEvent.click(screen.getByRole('button', { name: '考生1的更多操作' }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '撤销审核' }))
    await userEvent.type(await screen.findByPlaceholderText('请输入撤销原因'), '看错了')
    await userEvent.click(screen.getByRole('button', { name: '确定' }))
    await waitFor(() => expect(wire.seen.some(({ path }) => path.endsWith('/revoke'))).toBe(true))
    const { body } = wire.seen.find(({ path }) => path.endsWith('/revoke'))!
    expect(body).toEqual({ signUpId: '1', reason: '看错了', version: 3 })
  })

  test('what came back and what is done are lists of their own', async () => {
    open('/examine/list?examId=9')
    await userEvent.click(await screen.findByRole('button', { name: '退回后重提1' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ stage: 1, part: 'wait', chip: 'again' }))
    await userEvent.click(await screen.findByRole('link', { name: '已审 168' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ stage: 1, part: 'done', examId: '9' }))
    await waitFor(() => expect(asked().at(-1)?.chip).toBe('first'))
    await userEvent.click(await screen.findByRole('button', { name: '已退回9' }))
    await waitFor(() => expect(asked().at(-1)).toMatchObject({ stage: 1, part: 'done', chip: 'returned' }))
  })
})
