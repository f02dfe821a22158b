import { Refine } from '@refinedev/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Field, fieldOf, type Resource } from '#engine'
import { resources, views } from '#resources'
import '../../tests/helper/screens-page.tsx'
import { type Said, type Seen, wire } from '../../tests/helper/screens-wire.ts'
import { ApiError } from '../platform/http/browser/http.ts'
import { AskDialog } from './AskDialog.tsx'
import { dataProvider } from './providers/data.ts'
import { useNotificationProvider } from './providers/notification.ts'
import ResourceScreen from './ResourceScreen.tsx'
import { useActions } from './use-actions.tsx'

const granted = vi.hoisted(() => ({ now: {} as Record<string, true> }))
vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  usePermissions: () => granted.now,
}))

const codes = (...names: string[]) => Object.fromEntries(names.map(name => [`param_${name}`, true as const]))

let rows: { id: string; paramName: string; paramKey: string; paramValue: string }[] = []

function answer({ path, query }: Seen): Said {
  if (path.endsWith('/list')) {
    const [current, size] = [Number(query.current), Number(query.size)]
    return { data: { records: rows.slice((current - 1) * size, current * size), total: rows.length } }
  }
  if (path.endsWith('/remove')) {
    const gone = String(query.ids).split(',')
    rows = rows.filter(row => !gone.includes(row.id))
    return { data: {} }
  }
  return { data: path.endsWith('/detail') ? rows.find(row => row.id === query.id) : {} }
}

beforeEach(() => {
  granted.now = codes('view', 'add', 'edit', 'delete', 'export')
  rows = Array.from({ length: 11 }, (_, at) => ({
    id: String(at + 1),
    paramName: `参数${at + 1}`,
    paramKey: `key${at + 1}`,
    paramValue: 'v',
  }))
  wire.seen.length = 0
  wire.keys.length = 0
  wire.answer = answer
})

const param = resources.find(one => one.name === 'param')
if (!param) throw new Error('param')

/** What is answered to whatever else is asked: dictionaries then keep the words that they are defined with. */
const unknown = { code: 404, msg: '不存在' }

const invoices = views.find(one => one.name === 'payrecord.invoice')

function Console({ resource = param as Resource }: { resource?: Resource }) {
  return (
    <Refine
      dataProvider={dataProvider}
      notificationProvider={useNotificationProvider()}
      options={{ disableTelemetry: true }}
    >
      <ResourceScreen resource={resource} />
    </Refine>
  )
}

/** Opens a list, and waits for a text of it. */
async function open(resource = param as Resource, text = '参数1') {
  render(
    <MemoryRouter>
      <App>
        <Console resource={resource} />
      </App>
    </MemoryRouter>,
  )
  await screen.findByText(text)
}

const pages = () => wire.seen.filter(one => one.path.endsWith('/list')).map(one => one.query)
/** Buttons by their words; antd parts two characters by a space. Asking for roles would take seconds here. */
const buttons = (name: string, place: HTMLElement = document.body): HTMLElement[] =>
  [...place.querySelectorAll('button')].filter(one => one.textContent?.replace(/\s/g, '') === name)

const press = async (name: string, place?: HTMLElement): Promise<void> => {
  const found = await waitFor(() => buttons(name, place)[0] ?? Promise.reject(new Error(`no button ${name}`)))
  await userEvent.click(found)
}

test('a list shows its rows and hides what the person may not do', async () => {
  granted.now = codes('view')
  await open()
  expect(buttons('查看')).toHaveLength(10)
  expect(['新增', '编辑', '删除', '导出'].flatMap(name => buttons(name))).toEqual([])
})

test('a search drops empty values and begins at the first page', async () => {
  await open()
  const name = (arrow: string) => screen.getByRole('button', { name: arrow, hidden: true })
  expect(name('上一页').hasAttribute('disabled')).toBe(true)
  await userEvent.click(name('下一页'))
  await screen.findByText('参数11')
  await userEvent.type(document.querySelector('search [id$="-paramName"]') as Element, ' 参数 ')
  await press('搜索')
  await waitFor(() => expect(pages().at(-1)).toEqual({ current: 1, size: 10, paramName: '参数' }))
})

test('deleting nothing asks to choose first', async () => {
  await open()
  await press('删除')
  expect(await screen.findByText('请选择至少一条数据')).toBeTruthy()
  expect(wire.seen.some(one => one.path.endsWith('/remove'))).toBe(false)
})

test('deleting the last row of a page asks, deletes and goes one page back', async () => {
  await open()
  await userEvent.click(screen.getByTitle('2'))
  const last = (await screen.findByText('参数11')).closest('tr') as HTMLElement
  await press('删除', last)
  await press('确定')
  await waitFor(() => expect(wire.paths()).toContain('/blade-system/param/remove?ids=11'))
  expect(await screen.findByText('参数1')).toBeTruthy()
  expect(pages().at(-1)).toMatchObject({ current: 1 })
})

test('several chosen rows are deleted by one call', async () => {
  await open()
  const boxes = document.querySelectorAll('.ant-table-row input[type=checkbox]')
  await userEvent.click(boxes[0] as Element)
  await userEvent.click(boxes[1] as Element)
  await press('删除')
  expect(await screen.findAllByText('确定将选择数据删除?')).not.toEqual([])
  await press('确定')
  await waitFor(() => expect(wire.paths()).toContain('/blade-system/param/remove?ids=1%2C2'))
})

/** What stands in the question of a removal below it. */
const named = async (): Promise<(string | null)[]> => {
  const content = await waitFor(() => document.querySelector('.ant-modal-confirm-content') ?? Promise.reject())
  return [...content.children].map(line => line.textContent)
}

test('the question of a removal names the rows, and counts them where they are many', async () => {
  await open()
  for (const box of [...document.querySelectorAll('.ant-table-row input[type=checkbox]')].slice(0, 7))
    await userEvent.click(box)
  await press('删除')
  expect(await named()).toEqual(['参数1', '参数2', '参数3', '参数4', '参数5', '共 7 项'])
})

test('the question of a removal names a row that is called after another by its words', async () => {
  granted.now = { ticketremark_delete: true, ticketremark_view: true }
  const row = { id: '1', examId: '99', examIdName: '护理招聘', remark: '请带身份证' }
  wire.answer = ({ path }) => (path.endsWith('/page') ? { data: { records: [row], total: 1 } } : unknown)
  await open(resources.find(one => one.name === 'ticketremark') as Resource, '护理招聘')
  await userEvent.click(screen.getByRole('button', { name: /的更多操作$/ }))
  await userEvent.click(await screen.findByRole('menuitem', { name: '删除' }))
  expect(await named()).toEqual(['护理招聘'])
})

function Probe() {
  const { start } = useActions(param as NonNullable<typeof param>, () => undefined)
  return (
    <button type="button" onClick={() => start({ name: 'probe', label: '测试', call: 'POST probe' }, [])}>
      测试一下
    </button>
  )
}

test('an answer that is one sentence is read as one, and other answers as a table', async () => {
  render(
    <MemoryRouter>
      <App>
        <Probe />
      </App>
    </MemoryRouter>,
  )
  for (const [data, tables] of [
    [{ msg: '请核对' }, 0],
    [{ message: '连接成功', count: 3 }, 1],
  ] as const) {
    wire.answer = () => ({ data })
    await userEvent.click(screen.getByText('测试一下'))
    expect(await screen.findByText(Object.values(data)[0])).toBeTruthy()
    expect(document.querySelectorAll('.ant-modal .ant-table')).toHaveLength(tables)
  }
})

test('a refused list says so and can be tried again', async () => {
  wire.answer = () => ({ code: 500, msg: '系统异常' })
  render(
    <MemoryRouter>
      <App>
        <Console />
      </App>
    </MemoryRouter>,
  )
  await waitFor(() => expect(buttons('重试')).toHaveLength(1))
  wire.answer = answer
  await press('重试')
  expect(await screen.findByText('参数1')).toBeTruthy()
})

test('a refused save keeps what was typed, frees the form and tells which input is wrong', async () => {
  await open()
  await press('新增')
  const name = await waitFor(() => document.querySelector<HTMLInputElement>('[id$="_paramName"]') ?? Promise.reject(), {
    timeout: 20_000,
  })
  const dialog = name.closest('.ant-modal') as HTMLElement
  await userEvent.type(name, '甲')
  await userEvent.type(within(dialog).getByLabelText('参数键名'), 'a.b')
  await userEvent.type(within(dialog).getByLabelText('参数键值'), '1')
  wire.answer = seen =>
    seen.path.endsWith('/submit')
      ? { code: 29004, msg: '数据已存在', data: [{ field: 'paramKey', msg: '参数键名已存在' }] }
      : answer(seen)
  await press('保存', dialog)
  expect(await within(dialog).findByText('参数键名已存在')).toBeTruthy()
  expect(name.value).toBe('甲')
  expect(name.disabled).toBe(false)
  expect(wire.seen.findLast(one => one.path.endsWith('/submit'))?.body).toEqual({
    paramName: '甲',
    paramKey: 'a.b',
    paramValue: '1',
  })
})

test('one form is sent under one key until it is saved, and says when what it held before was saved', async () => {
  await open()
  await press('新增')
  const name = await waitFor(() => document.querySelector<HTMLInputElement>('[id$="_paramName"]') ?? Promise.reject(), {
    timeout: 20_000,
  })
  const dialog = name.closest('.ant-modal') as HTMLElement
  await userEvent.type(name, '甲')
  await userEvent.type(within(dialog).getByLabelText('参数键名'), 'a.b')
  await userEvent.type(within(dialog).getByLabelText('参数键值'), '1')
  const sent = (): string[] => wire.keys.filter((_, at) => wire.seen[at]?.path.endsWith('/submit'))
  let how: () => Said = () => {
    throw new Error('Network Error')
  }
  wire.answer = seen => (seen.path.endsWith('/submit') ? how() : answer(seen))
  const send = async (times: number): Promise<void> => {
    await press('保存', dialog)
    await waitFor(() => expect(sent()).toHaveLength(times))
    await waitFor(() => expect(name.disabled).toBe(false))
  }
  await send(1)
  await send(2)
  await userEvent.type(name, '乙')
  how = () => ({ code: 29004, msg: '数据已存在' })
  await send(3)
  how = () => ({ code: 29006, msg: '请勿重复提交' })
  await send(4)
  expect(sent()[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(new Set(sent()).size).toBe(1)
  how = () => ({ data: {} })
  await press('另存为新的一条', dialog)
  await waitFor(() => expect(sent()).toHaveLength(5))
  expect(new Set(sent()).size).toBe(2)
})

test("an action's questions are answered under one key until they have been done", async () => {
  const keys: string[] = []
  let error: Error = new Error('Network Error')
  render(
    <App>
      <AskDialog
        resource={param as NonNullable<typeof param>}
        action={{ name: 'probe', label: '测试', call: 'POST probe' }}
        fields={{ paramName: fieldOf((param as NonNullable<typeof param>).entity, 'paramName') as Field }}
        onRun={(_, key) => {
          keys.push(key)
          return Promise.reject(error)
        }}
        onClose={() => undefined}
      />
    </App>,
  )
  const input = await waitFor(() => document.querySelector<HTMLInputElement>('#ask-paramName') ?? Promise.reject())
  const send = async (times: number): Promise<void> => {
    await waitFor(() => expect(document.querySelector('.ant-btn-loading')).toBeNull())
    await press('确定')
    await waitFor(() => expect(keys).toHaveLength(times))
  }
  await userEvent.type(input, '甲')
  await send(1)
  await send(2)
  await userEvent.type(input, '乙')
  error = new ApiError(22008, '不能操作', {})
  await send(3)
  await send(4)
  expect(new Set(keys).size).toBe(1)
  error = new ApiError(29006, '请勿重复提交', {})
  await send(5)
  await press('再提交一次')
  await waitFor(() => expect(new Set(keys).size).toBe(2))
})

test('a row changed by someone else meanwhile keeps what was typed until the latest is asked for', async () => {
  await open()
  await press('编辑')
  const value = await waitFor(
    () => document.querySelector<HTMLTextAreaElement>('[id$="_paramValue"]') ?? Promise.reject(),
    { timeout: 20_000 },
  )
  const dialog = value.closest('.ant-modal') as HTMLElement
  await userEvent.type(value, ' mine')
  wire.answer = seen => (seen.path.endsWith('/submit') ? { code: 29002, msg: '数据已被他人修改' } : answer(seen))
  await press('保存', dialog)
  await waitFor(() => expect(buttons('载入最新内容')).toHaveLength(1))
  expect(value.value).toBe('v mine')
  rows = rows.map(row => ({ ...row, paramValue: 'theirs' }))
  await press('载入最新内容')
  await waitFor(() => expect(document.querySelector<HTMLTextAreaElement>('[id$="_paramValue"]')?.value).toBe('theirs'))
})

test('a view has named filters of its own, with the buttons of its own permission and of the resource', async () => {
  granted.now = { pay_invoice_view: true, pay_invoice_invoice: true, payrecord_export: true }
  const row = { id: '7', name: '王', payState: 1, invoiceStatus: 1, amount: 100 }
  wire.answer = ({ path, query }) =>
    path.endsWith('/page')
      ? { data: { records: [{ ...row, invoiceStatus: query.chip === '已开票' ? 2 : 1 }], total: 1 } }
      : unknown
  await open(invoices as Resource, '王')
  const asked = () => wire.seen.filter(one => one.path.endsWith('/page')).map(one => one.query)
  expect(asked()).toEqual([{ current: 1, size: 10, view: 'invoice', chip: '待开票' }])
  expect(['查看', '申请开票', '确认开票', '导出'].map(name => buttons(name).length)).toEqual([0, 0, 1, 1])
  await userEvent.click(screen.getByRole('button', { name: '王的更多操作' }))
  for (const name of ['查看', '申请开票']) await screen.findByRole('menuitem', { name })
  expect(['编辑', '免缴', '红冲'].flatMap(name => buttons(name))).toEqual([])
  const heads = [...document.querySelectorAll('thead th')].map(one => one.textContent)
  expect(heads).toEqual(expect.arrayContaining(['发票抬头', '票据号码']))
  expect(heads).not.toContain('渠道')
  await userEvent.click(await screen.findByRole('button', { name: '已开票' }))
  await waitFor(() => expect(asked().at(-1)).toEqual({ current: 1, size: 10, view: 'invoice', chip: '已开票' }))
  await waitFor(() => expect(buttons('红冲')).toHaveLength(1))
})

test('a named filter without rows says its name and leads to all rows', async () => {
  granted.now = { pay_invoice_view: true }
  const row = { id: '7', name: '王', payState: 1, invoiceStatus: 2, amount: 100 }
  wire.answer = ({ path, query }) => {
    if (!path.endsWith('/page')) return unknown
    return { data: query.chip ? { records: [], total: 0 } : { records: [row], total: 1 } }
  }
  await open(invoices as Resource, '「待开票」下没有数据')
  expect(buttons('清除筛选')).toEqual([])
  await press('看全部')
  await screen.findByText('王')
})

test('a column behind a reference has the heading and the words of the field there', async () => {
  granted.now = { signuplog_view: true }
  const log = resources.find(one => one.name === 'reconciliationitem') as Resource
  wire.answer = ({ path }) => {
    const row = { id: '3', 'recon.channel': 1, 'recon.billDate': '2026-05-02', orderNo: 'P1' }
    return path.endsWith('/page') ? { data: { records: [row], total: 1 } } : unknown
  }
  render(
    <MemoryRouter>
      <App>
        <Console resource={log} />
      </App>
    </MemoryRouter>,
  )
  await screen.findByText('2026-05-02')
  const cells = [...document.querySelectorAll('tbody td')].map(one => one.textContent)
  expect(cells).toContain('2026-05-02微信扫码')
  const heads = [...document.querySelectorAll('thead th')].map(one => one.textContent)
  expect(heads).toContain('账单日期')
  expect([...document.querySelectorAll('search label')].map(one => one.textContent)).toContain('账单日期')
})
