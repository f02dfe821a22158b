import { FormInputType } from '#schemas/dictionaries'
import '@testing-library/jest-dom/vitest'
import { due } from '../../../../../tests/helper/due.ts'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ConfigProvider } from 'antd'
import { AxiosError, AxiosHeaders } from 'axios'
import { type ReactNode, useState } from 'react'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'
import { groupsOf } from '../../../exams/rules/sign-form.ts'
import { type Content, type SignItem, usedItems } from '../../../exams/rules/sign-item.ts'
import { formOrder, signForm } from '../../../exams/rules/sign-schema.ts'
import type { Mine } from '../../contract.ts'

const { PositionList } = await import('../exams/PositionList.tsx')
const { ItemForm } = await import('../../../../screens/candidate/inputs/ItemForm.tsx')
const { itemProblems } = await import('../form/steps.ts')
const { PayDialog } = await import('../../../payment/pages/candidate/PayDialog.tsx')
const { default: PayPage } = await import('../../../payment/pages/candidate/PayPage.tsx')
const { Leaving } = await import('./Leaving.tsx')
const { Signups } = await import('./Signups.tsx')
const { Offline } = await import('../../../../screens/window/Offline.tsx')
const { PublicFrame } = await import('../../../../screens/window/PublicFrame.tsx')
const { stepsTo } = await import('../../../tickets/pages/candidate/ticket-steps.ts')

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </ConfigProvider>,
  )

const position = (code: string, more = {}) => ({
  id: code,
  code,
  unit: 'u',
  unitName: '人民医院',
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
  ageMax: '' as const,
  sexReq: '' as const,
  freshReq: '' as const,
  expYears: '' as const,
  regionReq: '',
  otherReq: '',
  remark: '',
  selectable: true,
  reason: '',
  signNum: '' as const,
  passNum: '' as const,
  ratio: '',
  postStatus: 1 as const,
  titleReq: '',
  examSubject: '',
  full: false,
  ...more,
})

beforeEach(() => {
  wire.seen = []
})

test('a full position says so and cannot be chosen; any word of its demands finds it', async () => {
  const chosen: string[] = []
  const positions = [
    position('0001', { selectable: false, reason: '已满' }),
    position('0002', { majorReq: '护理学', otherReq: '夜班' }),
  ]
  shown(<PositionList positions={positions} onChoose={one => chosen.push(one.code)} />)
  expect(screen.getByText('已满')).toBeVisible()
  const [full, free] = screen.getAllByRole('button', { name: '选择' })
  expect(full).toBeDisabled()
  await userEvent.click(free as HTMLElement)
  expect(chosen).toEqual(['0002'])
  await userEvent.type(screen.getByRole('searchbox'), '护理 夜班')
  await waitFor(() => expect(screen.queryByText('岗位0001')).toBeNull())
  expect(screen.getByText('岗位0002')).toBeVisible()
})

test('what may be met is asked from the server, and what was not filled in excludes nothing', async () => {
  wire.answer = ({ body }) => {
    const { code } = body as { code: string }
    const bad = code === '0001' ? { rule: 'sex', level: 3, msg: '限女性' } : { rule: 'major', level: 3, msg: '未填写' }
    return { data: [bad] }
  }
  const positions = [position('0001'), position('0002')]
  shown(<PositionList positions={positions} compare={{ examId: '1', content: {} }} />)
  await userEvent.click(screen.getByLabelText('我可能符合'))
  await waitFor(() => expect(screen.getByText('岗位0002')).toBeVisible())
  expect(screen.queryByText('岗位0001')).toBeNull()
})

const skill = [
  { key: 'a', value: '甲' },
  { key: 'b', value: '乙' },
]
const formDicts = { skill, tree: [{ key: '1', value: '医', children: [{ key: '11', value: '内科' }] }] }
const itemOf = (kind: keyof typeof FormInputType, itemName: string, more: Partial<SignItem> = {}): SignItem => ({
  itemCode: kind,
  itemName,
  inputType: FormInputType[kind],
  dictCode: 'skill',
  ...more,
})
const Part = ({ label, children }: { label: string; children: ReactNode }) => (
  <section aria-label={label}>{children}</section>
)

/** A form being filled in; `seen` is told what it holds. */
function Trial({ items, seen, begin = {} }: { items: SignItem[]; seen?: (content: Content) => void; begin?: Content }) {
  const [content, setContent] = useState<Content>(begin)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [form] = useState(() => ({ items, dicts: formDicts }) as unknown as Parameters<typeof itemProblems>[0])
  const sheet = { content, type: '' } as unknown as Parameters<typeof itemProblems>[1]
  const context = {
    dicts: formDicts,
    isOpen: () => true,
    opinionOf: () => undefined,
    home: ['35', '3501', '350102'],
    onLeave: (field: string) => setLeft(new Set(left).add(field)),
    problemOf: (field: string) =>
      left.has(field) ? itemProblems(form, sheet).find(one => one.field === field)?.msg : undefined,
  }
  const set = (code: string, value: unknown): void => {
    const next = { ...content, [code]: value }
    setContent(next)
    seen?.(next)
  }
  const schema = signForm(items, { dicts: formDicts })
  return (
    <ItemForm
      schema={schema}
      order={formOrder(items)}
      groups={groupsOf(usedItems(items))}
      Group={Part}
      values={content}
      onChange={set}
      context={context}
    />
  )
}

const Phone = () => <Trial items={[itemOf('phone', '紧急联系电话', { required: 1 })]} />

test('a field is checked when it is left, and says what is wrong to everybody', async () => {
  shown(<Phone />)
  const input = screen.getByLabelText(/紧急联系电话/)
  await userEvent.type(input, '1380000')
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.tab()
  expect(screen.getByRole('alert')).toHaveTextContent('手机号码长度不为11位')
  expect(input).toBeInvalid()
  await userEvent.type(input, '0000')
  expect(screen.queryByRole('alert')).toBeNull()
})

test('every kind of item is drawn in its order and holds what is entered', async () => {
  let held: Content = {}
  const kinds = Object.keys(FormInputType) as (keyof typeof FormInputType)[]
  const items = kinds.map((kind, at) =>
    itemOf(kind, `第${at}`, { sort: 20 - at, ...(kind === 'cascade' && { dictCode: 'tree' }), columns: [] }),
  )
  wire.answer = () => ({ data: [{ id: '35', title: '福建省' }] })
  shown(
    <Trial
      items={items}
      seen={content => {
        held = content
      }}
    />,
  )
  const labels = [...document.querySelectorAll('.in-grid > .in-field > label, .in-note')].map(one => one.textContent)
  expect(labels).toEqual(items.map(one => one.itemName).reverse())
  const at = (kind: keyof typeof FormInputType) =>
    document.getElementById(`f-${kind}`) as HTMLInputElement & HTMLSelectElement
  for (const kind of ['text', 'longText', 'phone', 'idCard', 'school'] as const) await userEvent.type(at(kind), '一')
  await userEvent.type(at('number'), '2.5')
  await userEvent.tab()
  fireEvent.change(at('date'), { target: { value: '2026-05-01' } })
  fireEvent.change(at('month'), { target: { value: '2020' } })
  fireEvent.change(at('month').nextElementSibling as HTMLElement, { target: { value: '09' } })
  await userEvent.click(at('radio'))
  await userEvent.click(at('checks'))
  await userEvent.selectOptions(at('select'), 'b')
  await userEvent.selectOptions(at('cascade'), '1')
  await userEvent.selectOptions(at('cascade').nextElementSibling as HTMLElement, '11')
  await waitFor(() => expect(at('region').options).toHaveLength(2))
  await userEvent.selectOptions(at('region'), '35')
  await userEvent.click(screen.getByRole('button', { name: /添加/ }))
  expect(held).toEqual({
    text: '一',
    longText: '一',
    phone: '一',
    idCard: '一',
    school: '一',
    number: 2.5,
    date: '2026-05-01',
    month: '2020-09',
    radio: 'a',
    checks: ['a'],
    select: 'b',
    cascade: ['1', '11'],
    region: ['35'],
    table: [{}],
  })
})

test('few choices are all in sight where one must be made; the region of the ID card is taken at once', async () => {
  let held: Content = {}
  const asked = { required: 1 as const }
  const items = [
    itemOf('select', '学历', { itemCode: 'few', ...asked }),
    itemOf('select', '原学历', { itemCode: 'gone', ...asked }),
    itemOf('select', '可不填', { itemCode: 'free' }),
    itemOf('region', '户籍', asked),
  ]
  const places: Record<string, string> = { '00': '35 福建省', 35: '3501 福州市', 3501: '350102 鼓楼区' }
  wire.answer = ({ query }) => {
    const [id, title] = places[String(query.parentCode)]?.split(' ') ?? []
    return { data: id ? [{ id, title }] : [] }
  }
  shown(
    <Trial
      items={items}
      begin={{ gone: 'z' }}
      seen={content => {
        held = content
      }}
    />,
  )
  await userEvent.click(within(screen.getByRole('radiogroup', { name: '学历' })).getByLabelText('乙'))
  expect([...document.querySelectorAll('select')].slice(0, 2).map(one => [one.id, one.value])).toEqual([
    ['f-gone', 'z'],
    ['f-free', ''],
  ])
  await userEvent.click(await screen.findByRole('button', { name: '与证件号码一致：福建省 福州市 鼓楼区' }))
  expect(held).toEqual({ few: 'b', gone: 'z', region: ['35', '3501', '350102'] })
  expect(screen.queryByRole('button', { name: /与证件号码一致/ })).toBeNull()
})

test('a table asked for begins with a row; rows come and go, a condition shows a column in its place', async () => {
  let held: Content = {}
  const columns = [
    itemOf('radio', '是否在职', { itemCode: 'now' }),
    itemOf('text', '单位', { itemCode: 'unit', showWhen: { now: ['a'] }, required: 1 }),
    itemOf('text', '说明', { itemCode: 'note' }),
  ]
  const table = itemOf('table', '经历', { itemCode: 'jobs', columns, required: 1, rules: { max: 2 } })
  shown(
    <Trial
      items={[table]}
      seen={content => {
        held = content
      }}
    />,
  )
  expect(screen.getByText('第 1 条')).toBeVisible()
  expect(screen.queryByRole('button', { name: /删除/ })).toBeNull()
  await userEvent.type(screen.getByLabelText('说明'), '一')
  await userEvent.click(screen.getByLabelText('甲'))
  const labels = () => [...document.querySelectorAll('.in-row .in-field > label')].map(one => one.textContent)
  expect(labels()).toEqual(['是否在职', '单位*', '说明'])
  await userEvent.click(screen.getByRole('button', { name: /添加经历/ }))
  expect(held).toEqual({ jobs: [{ note: '一', now: 'a' }, {}] })
  expect(screen.queryByRole('button', { name: /添加经历/ })).toBeNull()
  const unit = document.getElementById('f-jobs[0].unit') as HTMLInputElement
  await userEvent.click(unit)
  await userEvent.tab()
  expect(screen.getByRole('alert')).toHaveTextContent('第1条：请输入单位')
  await userEvent.type(unit, '医院')
  expect(screen.queryByRole('alert')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: '删除第 2 条' }))
  expect(held).toEqual({ jobs: [{ note: '一', now: 'a', unit: '医院' }] })
})

test('what is hidden keeps its value, and shows it again', async () => {
  let held: Content = {}
  const items = [itemOf('radio', '选择'), itemOf('text', '内容', { showWhen: { radio: ['a'] } })]
  shown(
    <Trial
      items={items}
      begin={{ radio: 'a', text: '一' }}
      seen={content => {
        held = content
      }}
    />,
  )
  expect(screen.getByLabelText('内容')).toHaveValue('一')
  await userEvent.click(screen.getByLabelText('乙'))
  expect(screen.queryByLabelText('内容')).toBeNull()
  expect(held).toEqual({ radio: 'b', text: '一' })
  await userEvent.click(screen.getByLabelText('甲'))
  expect(screen.getByLabelText('内容')).toHaveValue('一')
})

test('paying: the amount is the server’s, and once it is paid the receipt takes the code’s place', async () => {
  const order = { orderNo: 'A1', codeUrl: 'weixin://x', amount: 9900, body: '', expireTime: '2026-11-20 14:00:00' }
  const serverTime = '2026-11-20 12:00:00'
  wire.answer = ({ path }) =>
    path.endsWith('createOrder')
      ? { data: { ...order, serverTime } }
      : { data: { orderNo: 'A1', orderStatus: 1, payTime: '2026-11-20 12:00:03', amount: 9900, serverTime } }
  shown(<PayDialog due={due} onClose={() => undefined} />)
  expect(await screen.findByText('¥ 99.00')).toBeInTheDocument()
  expect(screen.queryByText('打开支付页面')).toBeNull()
  expect(await screen.findByText('支付成功', {}, { timeout: 6000 })).toBeInTheDocument()
  expect(screen.getByText('A1')).toBeInTheDocument()
  expect(wire.seen.map(one => one.path)).toEqual(['/pay/wxpay/createOrder', '/pay/wxpay/queryOrder'])
})

test('what is due too early or too late says why, and offers no payment', async () => {
  const block = '缴费2026-12-01 09:00:00开始'
  wire.answer = () => ({ data: [{ ...due, canPay: false, windowState: 'before', block }] })
  shown(<PayPage />)
  expect(await screen.findByText(block)).toBeVisible()
  expect(screen.queryByRole('button', { name: '去支付' })).toBeNull()
})

const names = ['报名', '审核', '缴费', '准考证', '笔试', '成绩']
/** A sign-up that stands at a station; those before are done. */
const standing = (id: string, nextStep: Mine['nextStep'], at: string, more: object = {}) => ({
  id,
  examId: `e${id}`,
  examName: `考试${id}`,
  nextStep,
  deadline: '',
  signStatus: 1,
  examine: 1,
  examineRemark: '',
  unitName: '人民医院',
  postName: '医师',
  code: '0001',
  isOver: false,
  line: names.map((name, i) => {
    const here = names.indexOf(at)
    const state = i < here ? 'done' : i > here ? 'ahead' : 'here'
    const station = ['SIGN', 'EXAMINE', 'PAY', 'TICKET', 'STAGE', 'SCORE'][i]
    return { station, name, state, time: state === 'ahead' ? '2099-12-05 09:00:00' : '', reason: '' }
  }),
  ...more,
})
const soon = '2099-12-01 17:00:00'

/** Each next step: the station that it stands at, its button, and what is said of its deadline. */
const atHome: Readonly<Record<Mine['nextStep'], readonly [at: string, button: string, until?: RegExp]>> = {
  FILL: ['报名', '继续填写'],
  FIX: ['审核', '按意见修改'],
  CHOOSE_POST: ['审核', '选择改报岗位'],
  PAY: ['缴费', '去缴费'],
  SURE: ['准考证', '确认通知'],
  UPLOAD: ['准考证', '上传材料'],
  TICKET: ['准考证', '下载准考证'],
  CONFIRM: ['成绩', '去确认入围', /入围确认 .*截止，逾期视为放弃，还剩 \d+ 天 \d+ 小时/],
  SCORE: ['成绩', '查看成绩', /成绩复核申请 .*截止，还剩 \d+ 天 \d+ 小时/],
  WAIT: ['审核', ''],
  DONE: ['', ''],
}

test.each(Object.entries(atHome).map(([step, rest]) => [step as Mine['nextStep'], ...rest] as const))(
  'at home, %s: one line that stands at %s and one thing to do at most',
  async (step, at, button, until) => {
    const deadline = button && soon
    const payAmount = step === 'PAY' ? 10_000 : ''
    wire.answer = () => ({ data: { records: [standing('7', step, at, { deadline, payAmount })], total: 1 } })
    shown(
      <MemoryRouter>
        <Signups most={10} />
      </MemoryRouter>,
    )
    const way = await screen.findByRole('list', { name: '办理进度' })
    const said = [...way.children].map(one => one.textContent?.replace('✓', ''))
    const here = names.indexOf(at)
    const words = (i: number) => (here < 0 || i > here ? '尚未到12/5' : i === here ? '当前' : '已完成')
    expect(said).toEqual(names.map((name, i) => name + words(i)))
    const current = [...way.children].map(one => one.getAttribute('aria-current'))
    expect(current).toEqual(names.map((_, i) => (i === here ? 'step' : null)))
    expect(screen.queryAllByRole('button').map(one => one.textContent)).toEqual(button ? [button] : [])
    expect(document.querySelectorAll('.ant-btn-primary')).toHaveLength(button ? 1 : 0)
    if (button)
      expect(screen.getByText(/2099年12月1日 17:00/).parentElement).toHaveTextContent(
        until ?? /截止，还剩 \d+ 天 \d+ 小时/,
      )
    const due = screen.queryByText('请缴费', { exact: false })
    if (step === 'PAY') expect(due).toHaveTextContent('请缴费 ¥100.00')
    else expect(due).toBeNull()
    expect(screen.queryByText(/免缴材料正在审核/)).toBeNull()
    if (step === 'WAIT') expect(screen.getByText('等待审核结果')).toBeVisible()
  },
)

test('at home a fee says that papers for an exemption from it are being checked', async () => {
  const one = standing('7', 'PAY', '缴费', { deadline: soon, payAmount: 10_000, isExemptAsked: true })
  wire.answer = () => ({ data: { records: [one], total: 1 } })
  shown(
    <MemoryRouter>
      <Signups most={10} />
    </MemoryRouter>,
  )
  expect(await screen.findByText(/免缴材料正在审核/)).toBeVisible()
  expect(screen.getByRole('button', { name: '去缴费' })).toBeVisible()
})

test('at home the nearest deadline stands first, then what is waited for; an end says why, and what is over is folded', async () => {
  const end = (name: string, reason: string) => ({
    line: [{ station: 'EXAMINE', name, state: 'ended', time: '', reason }],
  })
  const records = [
    standing('1', 'WAIT', '审核'),
    standing('2', 'DONE', '', { isOver: true, ...end('报名', '已放弃报名') }),
    standing('3', 'PAY', '缴费', { deadline: '2099-12-03 17:00:00' }),
    standing('4', 'DONE', '', end('审核', '专业不符')),
    standing('5', 'FIX', '审核', { deadline: soon, examine: 3, examineRemark: '请传学位证' }),
  ]
  wire.answer = () => ({ data: { records, total: 5 } })
  shown(
    <MemoryRouter>
      <Signups most={10} />
    </MemoryRouter>,
  )
  await screen.findByText('考试5')
  expect(screen.getAllByRole('heading', { hidden: true }).map(one => one.textContent)).toEqual(
    [5, 3, 1, 4, 2].map(n => `考试${n}`),
  )
  expect(screen.getByText('审核：专业不符')).toBeVisible()
  expect(screen.getByText('审核意见：请传学位证')).toBeVisible()
  const folded = screen.getByText('已结束的报名（1）').closest('details')
  expect(folded?.open).toBe(false)
  expect(folded).toHaveTextContent('报名：已放弃报名')
})

test('what is to be paid stands first, then a refund under way; what is settled is folded beside them', async () => {
  const of = (id: string, payState: number, more = {}) => ({
    ...due,
    id,
    examName: `考试${id}`,
    payState,
    canPay: false,
    ...more,
  })
  const rows = [of('1', 1), of('2', 3), of('3', 0, { endTime: '2026-11-22 17:00:00' }), of('4', 0, { canPay: true })]
  wire.answer = () => ({ data: rows })
  const view = shown(<PayPage />)
  await screen.findByText('考试4')
  const order = screen.getAllByRole('heading', { level: 2, hidden: true }).map(one => one.textContent)
  expect(order).toEqual(['考试4', '考试3', '考试2', '考试1'])
  expect(screen.getByText('已办结的缴费（1）').closest('details')?.open).toBe(false)
  view.unmount()
  wire.answer = () => ({ data: [of('1', 1)] })
  shown(<PayPage />)
  expect((await screen.findByText('已办结的缴费（1）')).closest('details')?.open).toBe(true)
})

test('regions that could not be had say that the network is away, and are asked for again', async () => {
  wire.answer = () => {
    throw new Error('no network')
  }
  shown(<Trial items={[itemOf('region', '户籍所在地')]} />)
  expect(await screen.findByText('网络不通，请检查网络后重试')).toBeVisible()
  wire.answer = () => ({ data: [{ id: '35', title: '福建省' }] })
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  expect(await screen.findByRole('option', { name: '福建省' })).toBeInTheDocument()
  expect(screen.queryByText('网络不通，请检查网络后重试')).toBeNull()
})

test('a device that loses its network says so at once, until it is back', () => {
  const online = vi.spyOn(navigator, 'onLine', 'get')
  shown(<Offline />)
  const said = screen.getByRole('status')
  expect(said).toBeEmptyDOMElement()
  online.mockReturnValue(false)
  act(() => void dispatchEvent(new Event('offline')))
  expect(said).toHaveTextContent('网络已断开')
  online.mockReturnValue(true)
  act(() => void dispatchEvent(new Event('online')))
  expect(said).toBeEmptyDOMElement()
  online.mockRestore()
})

test('while calls are tried again the page says so', async () => {
  vi.useFakeTimers()
  let isAway = true
  wire.answer = () => {
    if (!isAway) return { data: [] }
    const config = { headers: new AxiosHeaders() }
    const response = { data: {}, status: 503, statusText: '', headers: { 'retry-after': '2' }, config }
    throw new AxiosError('Unavailable', AxiosError.ERR_BAD_RESPONSE, config, null, response)
  }
  shown(
    <>
      <Offline />
      <PayPage />
    </>,
  )
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText('系统繁忙，正在自动重试')).toBeVisible()
  isAway = false
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.queryByText('系统繁忙，正在自动重试')).toBeNull()
  vi.useRealTimers()
})

test('a call that does not come through says the same, also on public pages, until the server answers', async () => {
  const answers = vi.spyOn(globalThis, 'fetch').mockRejectedValue(new Error('no network'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  wire.answer = () => {
    throw new Error('no network')
  }
  shown(
    <MemoryRouter>
      <PublicFrame>
        <PayPage />
      </PublicFrame>
    </MemoryRouter>,
  )
  const said = await screen.findByText('网络已断开，恢复后自动继续')
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(said).toBeVisible()
  answers.mockResolvedValue(new Response())
  await act(() => vi.advanceTimersByTimeAsync(5000))
  expect(said).toBeEmptyDOMElement()
  expect(answers).toHaveBeenCalledTimes(2)
  vi.useRealTimers()
  answers.mockRestore()
})

test('a sign-up that it is too late to take back says why instead of offering it', () => {
  const withdrawBlock = '报名已于2026-12-01 17:00:00截止，不能再撤回修改'
  const one = { id: '1', signStatus: 1, examine: 0 } as Mine
  const view = shown(<Leaving of={one} onDone={() => undefined} />)
  expect(screen.getByRole('button', { name: '撤回修改' })).toBeVisible()
  view.unmount()
  shown(<Leaving of={{ ...one, withdrawBlock }} onDone={() => undefined} />)
  expect(screen.getByText(withdrawBlock)).toBeVisible()
  expect(screen.queryByRole('button', { name: '撤回修改' })).toBeNull()
  expect(screen.getByRole('button', { name: '放弃报名' })).toBeVisible()
})

test('an order refused by the server says why and can be tried again', async () => {
  wire.answer = () => ({ code: 24002, msg: '缴费未开始或已截止' })
  shown(<PayDialog due={due} onClose={() => undefined} />)
  expect(await screen.findByText('缴费未开始或已截止')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: '重试' }))
  await waitFor(() => expect(wire.seen).toHaveLength(2))
})

test('the way to a ticket: what is before the open step is done, what is behind it is not known yet', () => {
  expect(stepsTo(25004).map(one => one.state)).toEqual(['done', 'done', 'done', 'here', 'ahead', 'ahead'])
  expect(stepsTo(0).map(one => one.state)).toEqual(['done', 'done', 'done', 'done', 'done', 'here'])
})
