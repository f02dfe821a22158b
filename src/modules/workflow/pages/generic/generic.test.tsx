import '@testing-library/jest-dom/vitest'
import '../../../../../tests/helper/screens-page.tsx'
import '../../../../../tests/helper/drawing-page.ts'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Said, type Seen, wire } from '../../../../../tests/helper/screens-wire.ts'
import { tokens } from '../../../../../tests/helper/wire.ts'
import { DRAFTS, session } from '../../../../platform/http/browser/session.ts'

const { default: FormPage } = await import('./GenericFormPage.tsx')
const { default: HandlePage } = await import('./GenericHandlePage.tsx')
const { default: DetailPage } = await import('./GenericDetailPage.tsx')

/** A page at its address; where it leads to is said by its path. */
const open = (address: string) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter initialEntries={[address]}>
            <Routes>
              <Route path="/form/:processDefinitionId" element={<FormPage />} />
              <Route path="/handle/:taskId/:processInstanceId/:businessId" element={<HandlePage />} />
              <Route path="/detail/:processInstanceId/:businessId" element={<DetailPage />} />
              <Route path="/work/send" element={<p>到了我发起的</p>} />
              <Route path="/work/todo" element={<p>到了待办</p>} />
            </Routes>
          </MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

const field = (id: string, name: string, more = {}) => {
  return { id, name, type: 'string', required: false, readable: true, writable: true, ...more }
}
const start = {
  processDefinitionId: '1',
  processDefinitionKey: 'trip',
  processDefinitionName: '出差',
  category: 3,
  version: 1,
  form: {
    key: '',
    fields: [field('reason', '事由', { required: true }), field('days', '天数', { type: 'long' })],
    values: {},
  },
  chosen: [] as object[],
}
const openTask = {
  taskId: '9',
  taskName: '主管审批',
  activityId: 'boss',
  state: 2,
  assignee: '7',
  assigneeName: '主管',
  candidates: [],
  createTime: '2026-11-22 09:00:00',
  dueTime: '',
  overdue: false,
  urgeCount: 0,
  parentTask: '',
  signKind: '',
}
const noForm = { key: '', fields: [], values: {} }
const ownTask = {
  ...openTask,
  form: noForm,
  documentation: '',
  acts: ['complete', 'back', 'transfer'],
  refusalEnds: true,
  signs: [],
}
const run = {
  processInstanceId: '5',
  parentProcessInstanceId: '',
  title: '文员的出差',
  processDefinitionId: '1',
  processDefinitionKey: 'trip',
  processDefinitionName: '出差',
  processDefinitionVersion: 1,
  category: 3,
  businessTable: '',
  businessId: '6',
  starter: '3',
  starterName: '文员',
  createTime: '2026-11-22 09:00:00',
  endTime: '',
  status: 1,
  passState: '',
  endReason: '',
  incident: '',
  form: { key: '', fields: [field('reason', '事由')], values: { reason: '开会' } },
  open: [openTask],
  tasks: [ownTask] as object[],
  acts: [] as string[],
}

const xml = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="x"><process id="trip">
<startEvent id="s"/><sequenceFlow id="a" sourceRef="s" targetRef="e"/><endEvent id="e"/></process></definitions>`

/** What the server says to a path, by its end; nothing to what is not named. */
const answers = (named: Readonly<Record<string, Said>>): void => {
  const said: Readonly<Record<string, Said>> = { 'model-view': { data: { xml, flow: [] } }, ...named }
  wire.answer = ({ path }: Seen) => {
    const found = Object.keys(said).find(one => path.endsWith(one))
    return found ? said[found]! : { data: path.includes('page') ? { records: [] } : [] }
  }
}
const sent = (path: string) => wire.seen.filter(one => one.path.endsWith(path)).map(one => one.body)
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))

beforeEach(() => {
  wire.seen = []
})

describe('a form of the model’s own', () => {
  test('says which field is missing, and sends nothing before', async () => {
    answers({ 'start-form': { data: start } })
    open('/form/1')
    await userEvent.click(await screen.findByRole('button', { name: '提交' }))
    await screen.findByText('请填写事由')
    expect(sent('start-process')).toEqual([])
  })

  test('keeps what was typed when it is refused, and leads on when it is taken', async () => {
    answers({ 'start-form': { data: start }, 'start-process': { code: 29005, msg: '天数不正确' } })
    open('/form/1')
    await userEvent.type(await screen.findByLabelText('事由'), '开会')
    await userEvent.type(screen.getByLabelText('天数'), '3')
    await press('提交')
    expect(await screen.findByRole('alert')).toHaveTextContent('天数不正确')
    expect(screen.getByLabelText('事由')).toHaveValue('开会')
    expect(screen.getByLabelText('天数')).toHaveValue('3')
    answers({ 'start-form': { data: start }, 'start-process': { data: { processInstanceId: '5', businessId: '6' } } })
    await press('提交')
    expect(await screen.findByText('到了我发起的')).toBeVisible()
    expect(sent('start-process').at(-1)).toMatchObject({ processDefinitionId: '1', form: { reason: '开会', days: 3 } })
  })

  test('asks for the people of steps that the starter picks', async () => {
    const chosen = [{ name: 'boss', taskName: '主管审批', several: false }]
    answers({ 'start-form': { data: { ...start, form: noForm, chosen } } })
    open('/form/1')
    await userEvent.type(await screen.findByLabelText('说明'), '开会')
    await press('提交')
    expect(await screen.findByRole('alert')).toHaveTextContent('请选择主管审批的办理人')
    expect(screen.getByLabelText('说明')).toHaveValue('开会')
    expect(sent('start-process')).toEqual([])
  })

  test('that cannot be begun says why, with a way back', async () => {
    answers({ 'start-form': { code: 29012, msg: '流程已挂起' } })
    open('/form/1')
    expect(await screen.findByText('流程已挂起')).toBeVisible()
    expect(screen.getByRole('button', { name: '返回' })).toBeVisible()
  })
})

test('what is wrong with a field of a claim stands at the field, and the sum follows its rows', async () => {
  const wrong = { code: 29005, msg: '参数不正确', data: [{ field: 'reason', msg: '事由含有敏感词' }] }
  answers({
    'start-form': { data: { ...start, form: { key: 'expense', fields: [], values: {} } } },
    'start-process': wrong,
    dictionary: { data: [{ dictKey: '1', dictValue: '交通', sort: 1 }] },
  })
  open('/form/1')
  await userEvent.click(await screen.findByRole('button', { name: '添加一行' }))
  await press('添加一行')
  await userEvent.type(screen.getByLabelText('金额 1'), '5')
  await userEvent.type(screen.getByLabelText('金额 2'), '2')
  await userEvent.tab()
  expect(screen.getByText('¥7.00')).toBeVisible()
  await press('删除第2行')
  expect(screen.getByText('¥5.00')).toBeVisible()
  await press('提交')
  await screen.findByText('请输入报销事由')
  expect(sent('start-process')).toEqual([])
  await userEvent.type(screen.getByLabelText(/报销事由/), '出差')
  await press('提交')
  await screen.findByText('事由含有敏感词')
  expect(screen.getByLabelText(/报销事由/)).toHaveValue('出差')
  expect(sent('start-process')[0]).toMatchObject({ form: { reason: '出差', items: [{ amount: 500 }] } })
})

describe('a task', () => {
  const page = (task: object = {}, more: object = {}) => ({
    detail: { data: { ...run, tasks: [{ ...ownTask, ...task }], ...more } },
  })

  test('is refused with a word and not without; the word stays when the server does not take it', async () => {
    answers({ ...page(), 'complete-task': { code: 29011, msg: '任务已被他人办理' } })
    open('/handle/9/5/6')
    await userEvent.click(await screen.findByRole('button', { name: '不同意并结束流程' }))
    await screen.findByText('请输入批复意见')
    expect(sent('complete-task')).toEqual([])
    await userEvent.type(screen.getByLabelText('批复意见'), '缺少行程')
    await waitFor(() => expect(screen.queryByText('请输入批复意见')).toBeNull())
    await press('不同意并结束流程')
    expect(await screen.findByText('任务已被他人办理')).toBeVisible()
    expect(screen.getByLabelText('批复意见')).toHaveValue('缺少行程')
    expect(sent('complete-task')).toEqual([{ taskId: '9', processInstanceId: '5', pass: false, comment: '缺少行程' }])
  })

  test('is agreed to with the fields of its step, of which those that may not be filled in are not sent', async () => {
    const fields = [field('paid', '实付', { type: 'double', required: true }), field('by', '制单', { writable: false })]
    const form = { key: '', fields, values: { by: '文员' } }
    answers({ ...page({ form }), 'complete-task': { data: {} } })
    open('/handle/9/5/6')
    await userEvent.click(await screen.findByRole('button', { name: '同意' }))
    await screen.findByText('请填写实付')
    expect(screen.getByLabelText('制单')).toBeDisabled()
    await userEvent.type(screen.getByLabelText('实付'), '88.5')
    await press('同意')
    expect(await screen.findByText('到了待办')).toBeVisible()
    expect(sent('complete-task')).toEqual([
      { taskId: '9', processInstanceId: '5', pass: true, variables: { paid: 88.5 } },
    ])
  })

  test('is sent back to a step with a word; a refusal leaves the dialog with what was entered', async () => {
    answers({
      ...page(),
      'back-targets': { data: [{ activityId: 'start', name: '发起', isStart: true, assigneeName: '文员' }] },
      'back-task': { code: 29005, msg: '不能退回到该步骤' },
    })
    open('/handle/9/5/6')
    await userEvent.click(await screen.findByRole('button', { name: '退回' }))
    const dialog = await screen.findByRole('dialog', { name: '退回' })
    const inside = within(dialog)
    await userEvent.click(inside.getByRole('button', { name: '退回' }))
    await inside.findByText('请选择退回到的步骤')
    await inside.findByText('请输入批复意见')
    await userEvent.click(inside.getByRole('combobox'))
    await userEvent.click(await screen.findByTitle('发起人修改'))
    await userEvent.type(inside.getByLabelText('批复意见'), '请附行程')
    await userEvent.click(inside.getByRole('button', { name: '退回' }))
    expect(await inside.findByRole('alert')).toHaveTextContent('不能退回到该步骤')
    expect(inside.getByLabelText('批复意见')).toHaveValue('请附行程')
    expect(sent('back-task')).toEqual([{ taskId: '9', targetActivityId: 'start', direct: false, comment: '请附行程' }])
  })

  test('is handed to somebody, and not to nobody', async () => {
    answers(page())
    open('/handle/9/5/6')
    await userEvent.click(await screen.findByRole('button', { name: '转办' }))
    const inside = within(await screen.findByRole('dialog', { name: '转办' }))
    await userEvent.click(inside.getByRole('button', { name: '转办' }))
    await inside.findByText('请选择人员')
    expect(sent('transfer-task')).toEqual([])
  })

  test('offers what the server lets its person do, and nothing else', async () => {
    answers(page({ acts: ['claim'] }))
    open('/handle/9/5/6')
    expect(await screen.findByRole('button', { name: '签收' })).toBeVisible()
    for (const name of ['同意', '退回', '转办', '委派', '撤回', '终止', '重试'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })

  test('of somebody else names whose it is', async () => {
    answers({ detail: { data: { ...run, tasks: [] } } })
    open('/handle/9/5/6')
    expect(await screen.findByText('这个任务由主管办理')).toBeVisible()
  })

  test('that is over says so', async () => {
    answers({ detail: { data: { ...run, tasks: [], open: [] } } })
    open('/handle/9/5/6')
    expect(await screen.findByText('这个任务已经办理')).toBeVisible()
  })
})

describe('a process to look at', () => {
  test('shows what was filled in, is marked as read, and is tried again where it cannot go on', async () => {
    answers({
      detail: { data: { ...run, tasks: [], incident: '没有名为x的流程', acts: ['retry'] } },
      retry: { data: {} },
    })
    open('/detail/5/6')
    expect(await screen.findByText('开会')).toBeVisible()
    expect(screen.getByText('流程异常：没有名为x的流程')).toBeVisible()
    await waitFor(() => expect(sent('read-copy')).toEqual([{ processInstanceId: '5' }]))
    await press('重试')
    await waitFor(() => expect(sent('follow/retry')).toEqual([{ processInstanceId: '5' }]))
  })

  test('is called off for a reason and not without', async () => {
    answers({ detail: { data: { ...run, tasks: [], acts: ['cancel'] } }, 'cancel-process-instance': { data: {} } })
    open('/detail/5/6')
    await userEvent.click(await screen.findByRole('button', { name: '撤销流程' }))
    const inside = within(await screen.findByRole('dialog'))
    expect(inside.getByRole('button', { name: '撤销流程' })).toBeDisabled()
    await userEvent.type(inside.getByLabelText('原因'), '不去了')
    await userEvent.click(inside.getByRole('button', { name: '撤销流程' }))
    await waitFor(() => expect(sent('cancel-process-instance')).toEqual([{ processInstanceId: '5', reason: '不去了' }]))
  })

  test('that is not the caller’s to see says so, with a way back', async () => {
    answers({ detail: { code: 29001, msg: '数据不存在' } })
    open('/detail/5/6')
    expect(await screen.findByText('数据不存在')).toBeVisible()
    expect(screen.getByRole('button', { name: '返回' })).toBeVisible()
  })
})

describe('what is typed and not sent', () => {
  beforeEach(() => {
    localStorage.clear()
    session.begin(tokens('one'))
    wire.keys.length = 0
  })
  const kept = () => wire.seen.filter(one => one.path.endsWith('draft/submit')).map(one => one.body)
  const restore = async (): Promise<void> => {
    await userEvent.click(await screen.findByRole('button', { name: '恢复' }))
  }

  test('is there when a process is begun again, and goes under the key it had', async () => {
    answers({ 'start-form': { data: start }, 'start-process': { data: { processInstanceId: '5', businessId: '6' } } })
    open('/form/1')
    await userEvent.type(await screen.findByLabelText('事由'), '开会')
    await userEvent.type(screen.getByLabelText('标题'), '去榕城')
    await waitFor(() => expect(kept()).toHaveLength(1), { timeout: 4000 })
    const [draft] = kept() as { key: string; values: object }[]
    expect(draft).toMatchObject({
      form: 'work/start',
      rowId: 'trip',
      values: { 'form.reason': '开会', 'beside.title': '去榕城' },
    })
    cleanup()
    open('/form/1')
    await restore()
    expect(screen.getByLabelText('事由')).toHaveValue('开会')
    expect(screen.getByLabelText('标题')).toHaveValue('去榕城')
    await press('提交')
    await screen.findByText('到了我发起的')
    const at = wire.seen.findIndex(one => one.path.endsWith('start-process'))
    expect([wire.seen[at]?.body, wire.keys[at]]).toMatchObject([
      { title: '去榕城', form: { reason: '开会' } },
      draft?.key,
    ])
    expect(Object.keys(localStorage).filter(name => name.startsWith(DRAFTS))).toEqual([])
  })

  test('is there when a task is decided again, and when a reason is asked for again', async () => {
    answers({ detail: { data: { ...run, acts: ['cancel'] } } })
    const type = async (label: string, text: string): Promise<void> => {
      await userEvent.type(await screen.findByLabelText(label), text)
      await waitFor(() => expect(Object.values({ ...localStorage }).join('')).toContain(text))
    }
    open('/handle/9/5/6')
    await type('批复意见', '同意参会')
    cleanup()
    open('/handle/9/5/6')
    await restore()
    expect(screen.getByLabelText('批复意见')).toHaveValue('同意参会')
    const ask = async (): Promise<void> => userEvent.click(await screen.findByRole('button', { name: '撤销流程' }))
    await ask()
    await type('原因', '不去了')
    cleanup()
    open('/handle/9/5/6')
    await ask()
    const dialog = within(await screen.findByRole('dialog'))
    await userEvent.click(await dialog.findByRole('button', { name: '恢复' }))
    expect(dialog.getByLabelText('原因')).toHaveValue('不去了')
  })
})
