import { FormInputType } from '#schemas/dictionaries'
import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { ConfigProvider } from 'antd'
import { type ReactNode, useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../../../../tests/helper/screens-wire.ts'
import type { Mine } from '../../contract.ts'

const { PositionList } = await import('../exams/PositionList.tsx')
const { ItemField } = await import('../../../../screens/candidate/inputs/ItemField.tsx')
const { itemProblems } = await import('../form/steps.ts')
const { PayDialog } = await import('../../../payment/pages/candidate/PayDialog.tsx')
const { default: PayPage } = await import('../../../payment/pages/candidate/PayPage.tsx')
const { Leaving } = await import('./Leaving.tsx')
const { stepsTo } = await import('../../../tickets/pages/candidate/wire.ts')

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

function Phone(): ReactNode {
  const item = { itemCode: 'contactPhone', itemName: '紧急联系电话', inputType: FormInputType.phone, required: 1 }
  const [value, setValue] = useState<unknown>('')
  const [left, setLeft] = useState(false)
  const form = { items: [item], dicts: {} } as unknown as Parameters<typeof itemProblems>[0]
  const sheet = { content: { contactPhone: value }, type: '' } as unknown as Parameters<typeof itemProblems>[1]
  const context = {
    dicts: {},
    isOpen: () => true,
    opinionOf: () => undefined,
    onLeave: () => setLeft(true),
    problemOf: () => (left ? itemProblems(form, sheet)[0]?.msg : undefined),
  }
  return <ItemField item={item} field="contactPhone" value={value} onChange={setValue} context={context} />
}

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

const due = {
  id: '9',
  examName: '考试',
  itemName: '笔试',
  payName: '考务费',
  amount: 10_000,
  payState: 0,
  canPay: true,
  payTime: '',
  channel: '' as const,
  exemptReason: '',
  orderNo: '',
  transactionId: '',
  windowState: 'open',
  startTime: '',
  endTime: '',
  serverTime: '2026-11-20 12:00:00',
  invoiceStatus: 0,
  invoiceType: '' as const,
  invoiceTitle: '',
  taxNo: '',
  invoiceEmail: '',
  invoiceNo: '',
  invoiceFile: '',
}

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
