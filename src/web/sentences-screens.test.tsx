import '@testing-library/jest-dom/vitest'
import '../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App, ConfigProvider } from 'antd'
import { BpmnModdle } from 'bpmn-moddle'
import type { ReactNode } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { sm2 } from 'sm-crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { english } from '../../tests/helper/english.ts'
import { type Said, type Seen, wire } from '../../tests/helper/screens-wire.ts'
import { questions } from '../modules/notices/server/seed.ts'
import type { Moddle } from '../modules/workflow/pages/layout.ts'
import { setLanguage } from '../platform/i18n/i18n.ts'

const { default: DashboardPage } = await import('../modules/desk/pages/DashboardPage.tsx')
const { Todos } = await import('../modules/desk/pages/Todos.tsx')
const { DiagramDialog } = await import('../modules/workflow/pages/DiagramDialog.tsx')
const { drawable } = await import('../modules/workflow/pages/layout.ts')
const { lastOf, stepsOf } = await import('../modules/workflow/pages/steps.ts')
const { default: LeaveFormPage } = await import('../modules/workflow/pages/LeaveFormPage.tsx')
const { default: LeaveHandlePage } = await import('../modules/workflow/pages/LeaveHandlePage.tsx')
const { fittedPicture } = await import('../screens/fields/picture-file.ts')
const { default: InfoPage } = await import('../platform/accounts/pages/candidate/InfoPage.tsx')
const { default: ErrorPage } = await import('./error/ErrorPage.tsx')
const { default: FaqPage } = await import('../modules/notices/pages/public/FaqPage.tsx')
const { session } = await import('../platform/http/browser/session.ts')
const { pages } = await import('./pages.ts')

const shown = (children: ReactNode, path = '/', at = path) =>
  render(
    <ConfigProvider button={{ autoInsertSpace: false }}>
      <App>
        <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
          <MemoryRouter initialEntries={[at]}>
            <Routes>
              <Route path={path} element={children} />
              <Route path="*" element={<p>elsewhere</p>} />
            </Routes>
          </MemoryRouter>
        </QueryClientProvider>
      </App>
    </ConfigProvider>,
  )

const answers = (known: Record<string, Said>) => {
  wire.answer = ({ path }: Seen) => known[path] ?? { data: [] }
}

const signedIn = (userType: 1 | 2, userId = '7') =>
  session.begin({
    access_token: 'a',
    refresh_token: 'r',
    user_id: userId,
    account: 'a',
    userType,
    tenant_id: '000000',
    nick_name: '小李',
    real_name: '李四',
  })

beforeEach(() => {
  wire.seen = []
  localStorage.clear()
})

const serverTime = '2026-11-20 08:00:00'
const exam = (more: object = {}) => ({
  id: '1',
  examName: '一考',
  phases: ['报名中'],
  deadline: null,
  signed: 12,
  waiting: 3,
  passed: 9,
  paid: 0,
  stages: [
    { phase: '报名中', start: '2026-11-10 09:00:00', end: '2026-11-21 17:00:00', state: 'open' },
    { phase: '缴费中', start: '2026-12-01 09:00:00', end: '2026-12-05 17:00:00', state: 'before' },
  ],
  deadlines: [
    { label: '报名截止', at: '2026-11-21 17:00:00' },
    { label: '审核截止', at: '2026-11-24 17:00:00' },
  ],
  ...more,
})
const board = (more: object = {}) => ({
  todo: [{ code: 'examine', num: 3 }],
  exams: [exam()],
  serverTime,
  health: [],
  today: [{ code: 'income', num: 12_300 }],
  line: [{ time: '2026-11-20', num: 5, total: 12 }],
  ...more,
})
const boardOf = (more: object = {}) => answers({ '/blade-desk/home/dashboard': { data: board(more) } })

describe('/wel/dashboard: dashboard', () => {
  test('my to-dos lead to their lists', () => {
    const line = { num: 2, oldest: '2026-11-20 08:00:00', overdue: 0, due: '' }
    const todo = [
      { ...line, code: 'examine', title: '待初审', opens: '/examine/list?chip=fresh' },
      { ...line, code: 'refund', title: '待审批的退款', opens: '/pay/refund?chip=x', overdue: 1 },
      { ...line, code: 'appeal', title: '待处理的成绩复核', opens: '/result/appeal', due: '2026-11-23 12:30:00' },
    ]
    shown(<Todos of={todo} now="2026-11-22 10:00:00" />)
    const links = screen.getAllByRole('link').map(link => [link.getAttribute('href'), link.textContent])
    expect(links).toEqual([
      ['/examine/list?chip=fresh', '2待初审最早已等 2 天'],
      ['/pay/refund?chip=x', '2待审批的退款1 条已超期'],
      ['/result/appeal', '2待处理的成绩复核期限还有 1 天 2 小时'],
    ])
  })

  test('running exams with phase bars, today’s numbers, deadlines in the next 72 h: one call', async () => {
    boardOf()
    shown(<DashboardPage />)
    expect(await screen.findByText('123.00')).toBeVisible()
    const stages = screen.getAllByRole('listitem').filter(one => one.dataset.state)
    expect(stages.map(one => one.dataset.state)).toEqual(['open', 'before'])
    expect(stages[0]).toHaveTextContent(/报名中.*进行中/)
    expect(screen.getByText('报名截止')).toBeVisible()
    expect(screen.queryByText('审核截止')).toBeNull()
    expect(wire.paths()).toEqual(['/blade-desk/home/dashboard?'])
  })

  test('counts that a person may not know are not drawn as zero; what is empty says so', async () => {
    boardOf({ exams: [exam({ signed: '', stages: [], deadlines: [] })], line: [], today: [], todo: [] })
    shown(<DashboardPage />)
    expect(await screen.findByText('没有等您处理的事')).toBeVisible()
    expect(screen.getByText('72 小时内没有截止事项')).toBeVisible()
    expect(screen.getByText('还没有安排时间')).toBeVisible()
    expect(screen.queryByText('各考试进展')).toBeNull()
    expect(screen.queryByText('近 14 天提交报名')).toBeNull()
  })

  test('system health: what needs somebody says so in words, not by colour alone', async () => {
    boardOf({
      health: [
        { code: 'errors', num: 4, isBad: true },
        { code: 'disk', num: 60, isBad: false },
      ],
    })
    shown(<DashboardPage />)
    const bad = (await screen.findByText('24 小时内的系统错误')).closest('li') as HTMLElement
    expect(within(bad).getByLabelText('需要处理')).toBeInTheDocument()
    const good = screen.getByText('磁盘剩余').closest('li') as HTMLElement
    expect(good).toHaveTextContent('60%')
    expect(within(good).getByLabelText('正常')).toBeInTheDocument()
  })
})

const step = (historyActivityId: string, historyActivityType: string, endTime = '') => ({
  historyActivityId,
  historyActivityType,
  historyActivityName: historyActivityId,
  endTime,
  createTime: serverTime,
})

describe('flow diagram viewer', () => {
  test('read-only process diagram in a dialog titled 流程图展示, done steps and the current one in words', async () => {
    const flow = [
      step('填写', 'userTask', serverTime),
      step('f1', 'sequenceFlow'),
      step('g', 'exclusiveGateway', serverTime),
      { ...step('审批', 'userTask'), assigneeName: '李四' },
      step('完', 'candidate'),
    ]
    answers({ '/blade-flow/process/model-view': { data: { xml: '<definitions/>', flow } } })
    const marked = vi.fn()
    vi.doMock(import('../modules/workflow/pages/draw.ts'), () => ({
      draw: async (_into, _xml, steps) => {
        marked(steps.map(({ id, state }) => `${id} ${state}`))
        return { names: ['填写', '审批'], fit: () => {}, zoom: () => {}, end: () => {} }
      },
    }))
    shown(<DiagramDialog of={{ processInstanceId: '5' }} onClose={() => {}} />)
    expect(await screen.findByRole('dialog', { name: '流程图展示' })).toBeInTheDocument()
    const steps = (await screen.findAllByRole('listitem')).map(one => one.textContent)
    expect(steps.slice(0, 3)).toEqual(['已完成', '进行中', '未到达'])
    expect(steps.slice(3)).toEqual([`填写 已完成${serverTime}`, `审批 进行中李四 · ${serverTime}`])
    expect(await screen.findByRole('button', { name: /适应窗口/ })).toBeInTheDocument()
    expect(marked.mock.lastCall).toEqual([['填写 done', 'f1 done', 'g done', '审批 now', '完 ahead']])
    expect(wire.paths()).toEqual(['/blade-flow/process/model-view?processInstanceId=5'])
    vi.doUnmock('../modules/workflow/pages/draw.ts')
  })

  test('type sequenceFlow is a line, candidate is grey, no endTime is active, else done; the last state counts', () => {
    const flow = [
      step('a', 'userTask', serverTime),
      step('l', 'sequenceFlow'),
      step('a', 'userTask'),
      step('b', 'candidate'),
    ]
    expect(lastOf(stepsOf(flow))).toEqual([
      { id: 'a', state: 'now', isLine: false },
      { id: 'l', state: 'done', isLine: true },
      { id: 'b', state: 'ahead', isLine: false },
    ])
  })

  test('a model without a drawing is laid out, every step and every line of it; one that has a drawing keeps it', async () => {
    const lines = ['s>t', 't>g', 'g>e', 'g>t'].map(line => line.split('>'))
    const flows = lines.map(([from, to]) => `<sequenceFlow id="${from}-${to}" sourceRef="${from}" targetRef="${to}"/>`)
    const steps = '<startEvent id="s"/><userTask id="t"/><exclusiveGateway id="g"/><endEvent id="e"/>'
    const space = 'http://www.omg.org/spec/BPMN/20100524/MODEL'
    const xml = `<definitions xmlns="${space}"><process id="p">${steps}${flows.join('')}</process></definitions>`
    const moddle = new BpmnModdle() as unknown as Moddle
    const drawn = await drawable(moddle, xml)
    const planeElement = drawn.diagrams?.[0]?.plane?.planeElement as { bpmnElement: { id: string } }[]
    const ids = planeElement.map(one => one.bpmnElement.id)
    expect(ids.toSorted()).toEqual(['e', 'g', 'g-e', 'g-t', 's', 's-t', 't', 't-g'])
    const moved = (await moddle.toXML(drawn)).xml.replace(/ x="\d+"/, ' x="7777"')
    expect((await moddle.toXML(await drawable(moddle, moved))).xml).toContain('x="7777"')
  })
})

describe('leave workflow', () => {
  test('start form: start, end, reason, approver are asked for', async () => {
    shown(<LeaveFormPage />, '/work/process/leave/form/:processDefinitionId', '/work/process/leave/form/9')
    await userEvent.click(await screen.findByRole('button', { name: '提交' }))
    for (const text of ['请选择开始时间', '请选择结束时间', '请输入请假理由', '请选择审批人'])
      expect(await screen.findByText(text)).toBeInTheDocument()
    expect(wire.paths().filter(path => path.includes('start-process'))).toEqual([])
  })

  const handle = (standing: { taskId: string; assignee: string; assigneeName: string }) => {
    signedIn(1)
    const flow = { status: 1, taskName: '审批', ...standing }
    const leave = { id: '3', reason: '探亲', taskUser: '8', flow, startTime: '', endTime: '', applyTime: '' }
    answers({
      '/blade-desk/process/leave/detail': { data: leave },
      '/blade-flow/process/history-flow-list': { data: [{ ...step('提交申请', 'startEvent', serverTime) }] },
      '/blade-flow/work/complete-task': { code: 29011, msg: '任务已办理' },
    })
    shown(<LeaveHandlePage />, '/handle/:taskId/:processInstanceId/:businessId', '/handle/1/2/3')
  }

  test('only the assignee sees handle buttons', async () => {
    handle({ taskId: '1', assignee: '8', assigneeName: '王五' })
    expect(await screen.findByText('这个任务由王五办理')).toBeVisible()
    expect(screen.queryByRole('button', { name: /同意/ })).toBeNull()
  })

  test('what is done already is not done again, what nobody has claimed not at all', async () => {
    handle({ taskId: '', assignee: '7', assigneeName: '小李' })
    expect(await screen.findByText('这个任务已经办理')).toBeVisible()
    cleanup()
    handle({ taskId: '1', assignee: '', assigneeName: '' })
    expect(await screen.findByText('这个任务等待签收')).toBeVisible()
    expect(screen.queryByRole('button', { name: /同意/ })).toBeNull()
  })

  test('detail with steps', async () => {
    handle({ taskId: '1', assignee: '7', assigneeName: '小李' })
    expect(await screen.findByText('提交申请')).toBeVisible()
    expect(screen.getByRole('heading', { name: '流转记录' })).toBeVisible()
  })

  test('who refuses says why; a refusal of the server keeps what was typed', async () => {
    handle({ taskId: '1', assignee: '7', assigneeName: '小李' })
    await userEvent.click(await screen.findByRole('button', { name: '不同意' }))
    expect(await screen.findByText('请输入批复意见')).toBeInTheDocument()
    await userEvent.type(screen.getByLabelText('批复意见'), '太久')
    await userEvent.click(screen.getByRole('button', { name: '不同意' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('任务已办理')
    expect(screen.getByLabelText('批复意见')).toHaveValue('太久')
    const sent = wire.seen.find(one => one.path.endsWith('complete-task'))?.body
    expect(sent).toEqual({
      taskId: '1',
      processInstanceId: '2',
      businessId: '3',
      businessTable: 'leave',
      pass: false,
      comment: '太久',
    })
  })
})

const jpeg = [0xff, 0xd8, 0xff, 0xe0]
const picture = (bytes: number[], size = 100, type = 'image/jpeg') =>
  new File([new Uint8Array([...bytes, ...new Array(Math.max(0, size - bytes.length)).fill(0)])], 'me.jpg', { type })

describe('/info/index: personal info', () => {
  test('avatar upload: jpg or png, at most 500kb, by content', async () => {
    vi.stubGlobal('createImageBitmap', async () => ({ width: 4000, height: 3000 }))
    HTMLCanvasElement.prototype.getContext = (() => ({ fillRect() {}, drawImage() {} })) as never
    HTMLCanvasElement.prototype.toBlob = done => done(new Blob([new Uint8Array(jpeg)], { type: 'image/jpeg' }))
    const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    const sizes: number[] = []
    open(1)
    const before = wire.answer
    wire.answer = asked => {
      if (!asked.path.endsWith('/put-file')) return before(asked)
      sizes.push(((asked.body as FormData).get('file') as File).size)
      return { data: { attachId: '5', originalName: 'me.jpg' } }
    }
    const pick = async (file: File): Promise<void> => {
      await screen.findByRole('button', { name: /更换头像/ })
      fireEvent.change(document.querySelector('input[type=file]') as HTMLInputElement, { target: { files: [file] } })
    }
    // What is no picture by its bytes is none, whatever its name and type say; it is said where it was chosen.
    for (const other of [picture([0x47, 0x49, 0x46]), picture([...'<svg onload'].map(one => one.charCodeAt(0)))]) {
      await pick(other)
      expect(await screen.findByRole('alert')).toHaveTextContent('这不是 jpg 或 png 图片。请换一张')
    }
    expect(sizes).toEqual([])
    // A photo as phones make it is brought down to what is taken.
    await pick(picture(png, 500 * 1024))
    await waitFor(() => expect(sizes).toEqual([500 * 1024]))
    await waitFor(() => expect(wire.seen.some(one => one.path.endsWith('update-info'))).toBe(true))
    expect(screen.queryByRole('alert')).toBeNull()
    await waitFor(() => expect(screen.getByRole('button', { name: /更换头像/ })).toBeEnabled())
    await pick(picture(png, 500 * 1024 + 1))
    await waitFor(() => expect(sizes).toEqual([500 * 1024, jpeg.length]))
    expect((await fittedPicture(picture(jpeg, 100, 'text/plain'), 500)).size).toBe(100)
  })

  const profile = {
    account: 'a',
    name: '小李',
    realName: '李四',
    phone: '139****0001',
    email: '',
    idCard: '',
    sex: '',
    birthday: '',
    avatar: '',
  }
  const open = (userType: 1 | 2, at = '/info/index') => {
    signedIn(userType)
    answers({
      '/blade-system/user/info': { data: profile },
      '/public/site': { data: { captchaMode: false, smsMode: false } },
      '/blade-system/user/second-factor': { data: { isOffered: false } },
      '/blade-userupdateinfo/userupdateinfo/page': { data: { records: [], total: 0 } },
    })
    shown(<InfoPage />, '/info/index', at)
  }

  test('fields realName, name, phone, email; what was changed of the names is sent', async () => {
    open(1)
    for (const label of ['真实姓名', '昵称', '手机号码', '电子邮箱'])
      expect(await screen.findByLabelText(label)).toBeVisible()
    await userEvent.clear(screen.getByLabelText('昵称'))
    await userEvent.type(screen.getByLabelText('昵称'), '阿李')
    const form = screen.getByLabelText('昵称').closest('form') as HTMLElement
    await userEvent.click(within(form).getByRole('button', { name: '保存' }))
    await waitFor(() => expect(wire.seen.some(one => one.path.endsWith('update-info'))).toBe(true))
    const sent = wire.seen.find(one => one.path.endsWith('update-info'))?.body
    expect(sent).toEqual({ name: '阿李', realName: '李四' })
  })

  test('a candidate’s realName is read only', async () => {
    open(2)
    expect(await screen.findByLabelText('昵称')).toBeVisible()
    expect(screen.queryByLabelText('真实姓名')).toBeNull()
  })

  test('a change-password tab with oldPassword, newPassword, newPassword1, which an address and arrow keys open', async () => {
    open(1, '/info/index?tab=password')
    expect(await screen.findByRole('tab', { name: '修改密码', selected: true })).toBeVisible()
    expect(document.querySelectorAll('#part-password:not([hidden]) input[type=password]')).toHaveLength(3)
    expect([...document.querySelectorAll('#part-password input')].map(one => one.id)).toEqual([
      'oldPassword',
      'newPassword',
      'newPassword1',
    ])
    fireEvent.keyDown(screen.getByRole('tablist'), { key: 'ArrowLeft' })
    expect(screen.getByRole('tab', { name: '个人信息', selected: true })).toHaveFocus()
    expect(document.querySelector('#part-password')).not.toBeVisible()
  })
})

describe('/info/owed: what comes before anything else', () => {
  const begin = async (userType: 1 | 2 = 1) => {
    const { default: OwedPage } = await import('../platform/accounts/pages/own/OwedPage.tsx')
    signedIn(userType)
    session.update({ account: 'lihua', detail: { mustChangePwd: 1, roleNames: ['财务'] } })
    answers({
      '/blade-auth/oauth/public-key': {
        data: { keyId: '1', publicKey: sm2.generateKeyPairHex().publicKey, serverTime: 1, nonce: 'n' },
      },
      '/blade-system/user/update-password': { data: null },
    })
    shown(<OwedPage />, '/info/owed', '/info/owed?redirect=%2Fpay%2Forder')
  }
  const met = () => [...document.querySelectorAll('.password-rules [data-met=true]')].map(one => one.textContent)

  test('says who it is by name and role, and asks nothing that would be refused', async () => {
    await begin()
    expect(await screen.findByText(/财务/)).toBeVisible()
    expect(wire.seen).toEqual([])
  })

  test('the rules of staff stand at the field and are marked while one types', async () => {
    await begin()
    const field = await screen.findByLabelText('新密码')
    expect(screen.getByText('至少12个字符')).toBeVisible()
    await userEvent.type(field, 'abc')
    expect(met().join()).not.toContain('三种')
    await userEvent.clear(field)
    await userEvent.type(field, 'Abcdef1')
    expect(met().join()).not.toContain('至少12个字符')
    expect(met().join()).toContain('三种')
    await userEvent.type(field, 'ghijk')
    expect(met().join()).toContain('至少12个字符')
    await userEvent.type(screen.getByLabelText('原密码'), 'old')
    await userEvent.clear(field)
    await userEvent.type(field, 'lihuaAbcdef1')
    await userEvent.click(screen.getByRole('button', { name: '修改密码' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('不能包含账号')
    expect(wire.seen).toEqual([])
  })

  test('a candidate’s rules are a candidate’s', async () => {
    await begin(2)
    expect(await screen.findByText('至少8个字符')).toBeVisible()
  })

  test('after success it goes on to the page that was wanted', async () => {
    await begin()
    await userEvent.type(await screen.findByLabelText('原密码'), 'old')
    for (const label of ['新密码', '确认新密码']) await userEvent.type(screen.getByLabelText(label), 'Rw7kettle#Moss')
    await userEvent.click(screen.getByRole('button', { name: '修改密码' }))
    await waitFor(() => expect(screen.getByText('elsewhere')).toBeVisible())
  })
})

describe('/problem/problem: frequently asked questions', () => {
  const records = questions.map(([title], id) => ({ id: String(id), title }))
  const ask = (at: number) => ({ id: String(at), title: questions[at]?.[0], content: questions[at]?.[1] })

  test('real content about sign-up, photo, payment and ticket, in both languages', async () => {
    const all = questions.flat()
    expect(all.filter(text => english[text] === undefined)).toEqual([])
    for (const word of ['报名', '照片', '缴费', '准考证', '成绩', '密码'])
      expect(questions.some(([title]) => title.includes(word))).toBe(true)
    expect(Object.values(english).filter(text => /<p>.*\p{Script=Han}/u.test(text))).toEqual([])
  })

  test('in English the questions, their answers and the search are English', async () => {
    await setLanguage('en')
    wire.answer = ({ path, query }) =>
      path.endsWith('/detail') ? { data: ask(Number(query.id)) } : { data: { records, total: records.length } }
    const { container } = shown(<FaqPage />)
    expect(await screen.findByText('How do I pay?')).toBeVisible()
    expect(screen.getByRole('link', { name: 'FAQ' })).toHaveAttribute('href', '/problem/problem')
    await userEvent.type(screen.getByRole('searchbox'), 'ticket print{Enter}')
    await waitFor(() => expect(container.querySelectorAll('details')).toHaveLength(1))
    const found = container.querySelector('details') as HTMLDetailsElement
    found.open = true
    found.dispatchEvent(new Event('toggle'))
    expect(await screen.findByText(/print it on A4/)).toBeInTheDocument()
    await setLanguage('zh')
  })
})

describe('/404, /403, /500: error pages', () => {
  test.each([
    ['/403', '您没有权限查看这个页面', /联系管理员/],
    ['/404', '没有找到这个页面', /检查地址/],
    ['/500', '系统出错了', /稍后重试/],
  ])('%s says what happened and what to do next, in both languages', async (path, title, next) => {
    shown(<ErrorPage />, path)
    expect(screen.getByRole('heading', { name: title })).toBeVisible()
    expect(screen.getByText(next)).toBeVisible()
    expect(screen.getByRole('button', { name: '返回首页' })).toBeVisible()
    expect(screen.getByRole('link', { name: '常见问题' })).toHaveAttribute('href', '/problem/problem')
    await setLanguage('en')
    expect(await screen.findByRole('heading', { name: english[title] })).toBeVisible()
    await setLanguage('zh')
  })
})

test.each([
  '/404',
  '/403',
  '/500',
  '/problem/problem',
  '/public/index',
  '/public/exam/:id',
  '/public/notice/:id',
  '/public/verify',
])('%s is public', path => {
  expect(pages.find(page => page.path === path)?.access).toBe('public')
})

test.each([
  '/wel/index',
  '/wel/dashboard',
  '/info/index',
  '/test/index',
  '/signup/examPay',
  '/work/process/leave/form/:processDefinitionId',
  '/work/process/leave/handle/:taskId/:processInstanceId/:businessId',
  '/work/process/leave/detail/:processInstanceId/:businessId',
])('%s is for whoever is signed in, whatever the menu', path => {
  const found = pages.filter(page => page.path === path)
  expect(found.length).toBeGreaterThan(0)
  expect(found.map(page => page.access)).toEqual(found.map(() => 'signed-in'))
})
