import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import { wire } from '../../../../tests/helper/screens-wire.ts'

const { AdjustSection } = await import('./candidate/AdjustSection.tsx')
const { PlanTable } = await import('./PlanTable.tsx')
const { edited, presetOf } = await import('./plan-edits.ts')

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <App>{children}</App>
        </MemoryRouter>
      </QueryClientProvider>
    </ConfigProvider>,
  )

const target = (code: string, more = {}) => ({
  id: code,
  code,
  unit: 'u2',
  unitName: '中医院',
  type: '01',
  typeName: '临床',
  postName: `岗位${code}`,
  planNum: 1,
  curPlanNum: 1,
  eduReq: '',
  eduReqName: '',
  degreeReq: '',
  degreeReqName: '',
  majorReq: '',
  titleReqName: '',
  certReq: '',
  ageMax: '',
  sexReq: '',
  freshReq: '',
  expYears: '',
  regionReq: '',
  otherReq: '',
  remark: '',
  selectable: true,
  reason: '',
  signNum: '',
  passNum: '',
  ratio: '',
  precheck: [],
  ...more,
})

const info = (more = {}) => ({
  signupId: '7',
  old: { unitName: '人民医院', code: 'A01', postName: '内科' },
  chosen: '',
  decision: 3,
  state: 1,
  window: { start: '2026-12-12 09:00:00', end: '2099-12-14 17:00:00' },
  canChoose: true,
  paid: false,
  refund: '',
  targets: [target('B01'), target('B02', { precheck: [{ rule: 'major', level: 2, msg: '专业需人工核对' }] })],
  contactPhone: '0591-1',
  ...more,
})

const mine = { id: '7', reduceState: 1 } as never

beforeEach(() => {
  wire.seen = []
})

describe('choosing anew on the phone', () => {
  test('says what was cancelled, asks once more, and sends the whole place', async () => {
    wire.answer = ({ method }) => ({ data: method === 'GET' ? info() : { state: 2 } })
    shown(<AdjustSection of={mine} onChange={() => undefined} />)
    expect(await screen.findByText(/未达开考比例已取消/)).toBeVisible()
    const send = screen.getByRole('button', { name: '提交改报' })
    expect(send).toBeDisabled()
    await userEvent.click(screen.getAllByRole('button', { name: '选择' })[1]!)
    expect(screen.getByText('专业需人工核对')).toBeVisible()
    await userEvent.click(send)
    await userEvent.click(await screen.findByRole('button', { name: '确定' }))
    await waitFor(() => expect(wire.seen.some(one => one.method === 'POST')).toBe(true))
    const sent = wire.seen.find(one => one.method === 'POST')
    expect(sent?.body).toEqual({ signupId: '7', agree: 1, unit2: 'u2', type2: '01', code2: 'B02' })
  })

  test.each([
    [{ state: 2, canChoose: false, targets: [] }, /等待新单位审核/],
    [{ state: 4 }, /可以另选岗位/],
    [{ state: 5, canChoose: false, targets: [], paid: true, refund: 'refunding' }, /退款处理中/],
    [{ state: 5, canChoose: false, targets: [], refund: 'refunded' }, /已退款/],
    [{ state: 6, canChoose: false, targets: [] }, /改报时间已过/],
    [{ decision: 0 }, /您须改报岗位/],
    [{ targets: [] }, /0591-1/],
  ])('%o', async (more, words) => {
    wire.answer = () => ({ data: info(more) })
    shown(<AdjustSection of={mine} onChange={() => undefined} />)
    expect(await screen.findByText(words)).toBeVisible()
  })
})

const line = (code: string, more = {}) => ({
  unit: 'u1',
  type: '01',
  code,
  postName: '内科',
  beforeNum: 3,
  effectNum: 4,
  ratio: '3',
  basis: '',
  file: '',
  proposal: { decision: 2 as const, afterNum: 1 },
  otherwise: { decision: 3 as const, afterNum: 0 },
  decision: 0 as const,
  afterNum: 1,
  passNum: 4,
  paidNum: 2,
  ...more,
})

describe('the plan', () => {
  test('hides what has its candidates and is decided, until it is asked for', async () => {
    // Without the server's dictionaries the words they were defined with stand in for them.
    wire.answer = () => ({ code: 500, msg: '' })
    const kept = line('A02', { proposal: { decision: 1, afterNum: 3 }, decision: 1, afterNum: 3 })
    const plan = {
      positions: [line('A01'), kept],
      computed: true,
      confirmTime: '',
      exam: { reduceBase: 1, examStatus: 1 },
    }
    shown(<PlanTable plan={plan as never} edits={{}} onEdit={() => undefined} />)
    expect(screen.getByText('A01 内科')).toBeVisible()
    expect(screen.queryByText('A02 内科')).toBeNull()
    await userEvent.click(screen.getByRole('checkbox', { name: '只看未达比例或待定的岗位' }))
    expect(screen.getByText('A02 内科')).toBeVisible()
    await userEvent.click(screen.getByRole('checkbox', { name: '若按缴费人数' }))
    expect(screen.getAllByText('2 人')).toHaveLength(2)
  })

  test('before it is computed shows those with too few only', async () => {
    wire.answer = () => ({ code: 500, msg: '' })
    const kept = line('A02', { proposal: { decision: 1, afterNum: 3 }, afterNum: 3 })
    const exam = { reduceBase: 1, examStatus: 1 }
    const plan = (computed: boolean) => ({ positions: [line('A01'), kept], computed, confirmTime: '', exam })
    const before = shown(<PlanTable plan={plan(false) as never} edits={{}} onEdit={() => undefined} />)
    expect(screen.getByText('A01 内科')).toBeVisible()
    expect(screen.queryByText('A02 内科')).toBeNull()
    before.unmount()
    shown(<PlanTable plan={plan(true) as never} edits={{}} onEdit={() => undefined} />)
    expect(screen.getByText('A02 内科')).toBeVisible()
  })

  test('begins a decision with its places', () => {
    const one = line('A01')
    expect(([0, 1, 2, 3, 4] as const).map(decision => presetOf(one, decision))).toEqual([1, 3, 1, 0, 3])
    expect(edited(one, { decision: 3, afterNum: 0 })).toMatchObject({
      code: 'A01',
      decision: 3,
      afterNum: 0,
      basis: '',
    })
  })
})
