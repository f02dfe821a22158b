import '@testing-library/jest-dom/vitest'
import '../../../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import type { ReactNode } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { due } from '../../../../tests/helper/due.ts'
import { wire } from '../../../../tests/helper/screens-wire.ts'

const { InvoicePart } = await import('./candidate/InvoicePart.tsx')
const { default: PayPage } = await import('./candidate/PayPage.tsx')
const { SendButton } = await import('../../messages/pages/SendButton.tsx')

const shown = (children: ReactNode) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <QueryClientProvider client={new QueryClient()}>
        <App>{children}</App>
      </QueryClientProvider>
    </ConfigProvider>,
  )

beforeEach(() => {
  wire.seen = []
})

const paid = { ...due, payState: 1, canPay: false } as const

test('an invoice is asked for; what the server finds wrong stands at its field and nothing typed is lost', async () => {
  const wrong = [{ field: 'taxNo', msg: '税号不正确，请核对' }]
  wire.answer = () => ({ code: 29005, msg: '参数不正确', data: wrong })
  let changes = 0
  shown(<InvoicePart of={paid} onChange={() => changes++} />)
  await userEvent.click(screen.getByRole('button', { name: '申请发票' }))
  await userEvent.click(screen.getByRole('radio', { name: '单位' }))
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  expect(await screen.findByText('请输入发票抬头')).toBeInTheDocument()
  expect(wire.seen).toEqual([])
  await userEvent.type(screen.getByLabelText('发票抬头'), '人民医院')
  await userEvent.type(screen.getByLabelText('税号'), '123')
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  expect(await screen.findByText('税号不正确，请核对')).toBeInTheDocument()
  expect(screen.getByLabelText('发票抬头')).toHaveValue('人民医院')
  wire.answer = () => ({ data: {} })
  await userEvent.click(screen.getByRole('button', { name: '提交' }))
  await waitFor(() => expect(changes).toBe(1))
  expect(wire.seen.at(-1)).toMatchObject({
    path: '/blade-payrecord/payrecord/applyInvoice',
    body: { id: '9', invoiceType: 2, invoiceTitle: '人民医院', taxNo: '123' },
  })
})

test.each([
  [0, 0, null],
  [1, 1, '修改发票抬头'],
  [1, 2, null],
  [1, 3, '申请发票'],
] as const)('state of payment %i, of invoice %i: %s', (payState, invoiceStatus, button) => {
  shown(<InvoicePart of={{ ...paid, payState, invoiceStatus }} onChange={() => undefined} />)
  const found = screen.queryAllByRole('button').map(one => one.textContent)
  expect(found).toEqual(button ? [button] : [])
})

test.each([
  [false, '待缴费'],
  [true, '免缴待核'],
] as const)(
  'what is to be paid, with papers for an exemption being checked (%s), is %s',
  async (isExemptAsked, word) => {
    wire.answer = () => ({ data: [{ ...due, isExemptAsked }] })
    shown(<PayPage />)
    expect(await screen.findByText(word)).toBeVisible()
    expect(screen.queryAllByText(/免缴材料正在审核/)).toHaveLength(isExemptAsked ? 1 : 0)
    expect(screen.getByRole('button', { name: '去支付' })).toBeVisible()
  },
)

const info = {
  id: '5',
  version: 1,
  title: '催缴',
  examId: '',
  templateId: '1',
  packageId: '',
  sendType: 1 as const,
  sendStatus: 2,
  num: 3,
  segNum: 3,
  noAccount: 0,
  planTime: '',
  counts: {},
  balance: 0,
  preview: '',
  params: [],
  package: '' as const,
}

test('messages go out after one question, and at night after a second one', async () => {
  wire.answer = ({ body }) =>
    (body as { confirm?: string }).confirm === '1'
      ? { data: { accepted: 3 } }
      : { code: 29005, msg: '夜间', data: { confirm: true } }
  let done = 0
  shown(<SendButton info={info} onDone={() => done++} />)
  await userEvent.click(screen.getByRole('button', { name: /立即发送/ }))
  await screen.findAllByText(/将向 3 人发送短信/)
  expect(wire.seen).toEqual([])
  const press = async (name: RegExp) => userEvent.click((await screen.findAllByRole('button', { name })).at(-1)!)
  await press(/^(确 ?定|OK)$/)
  expect((await screen.findAllByText(/现在是免打扰时段/)).length).toBeGreaterThan(0)
  expect(done).toBe(0)
  await press(/仍要发送/)
  await waitFor(() => expect(done).toBe(1))
  expect(wire.seen.map(one => one.body)).toEqual([{ sendId: '5' }, { sendId: '5', confirm: '1' }])
})

test('a message inside the system is told as such, with how many it has reached', async () => {
  wire.answer = () => ({ data: { accepted: 3, noAccount: 1 } })
  shown(<SendButton info={{ ...info, sendType: 2 }} onDone={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: /立即发送/ }))
  await screen.findAllByText(/将向 3 人发送站内信/)
  await userEvent.click((await screen.findAllByRole('button', { name: /^(确 ?定|OK)$/ })).at(-1)!)
  expect(await screen.findByText('站内信已送达 2 人')).toBeTruthy()
})
