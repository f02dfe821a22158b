import { Refine } from '@refinedev/core'
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { App } from 'antd'
import { MemoryRouter } from 'react-router-dom'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Resource } from '#engine'
import { examination } from '#resources/exams/examination'
import { examinationitem } from '#resources/exams/examinationitem'
import { examitems } from '#resources/exams/examitems'
import { examroom } from '#resources/exams/examroom'
import { notice } from '#resources/notices/notice'
import { NoticeScope } from '#schemas/dictionaries'
import '../../tests/helper/screens-page.tsx'
import { wire } from '../../tests/helper/screens-wire.ts'
import { keepTime } from '../platform/http/browser/clock.ts'
import ListScreen from './ListScreen.tsx'
import { dataProvider } from './providers/data.ts'
import { useNotificationProvider } from './providers/notification.ts'

const granted = vi.hoisted(() => ({ now: {} as Record<string, true> }))
vi.mock(import('./providers/rights.ts'), async original => ({
  ...(await original()),
  usePermissions: () => granted.now,
}))

const small = vi.hoisted(() => ({ now: false }))
vi.mock(import('./window/use-width.ts'), async original => ({
  ...(await original()),
  useSmall: () => small.now,
}))

beforeEach(() => {
  small.now = false
  granted.now = {}
  wire.seen.length = 0
})

interface Shown {
  resource: Resource
  filter: Readonly<Record<string, string>>
}

function Console({ resource, filter }: Shown) {
  const notificationProvider = useNotificationProvider()
  return (
    <Refine
      dataProvider={dataProvider}
      notificationProvider={notificationProvider}
      options={{ disableTelemetry: true }}
    >
      <ListScreen resource={resource} filter={filter} />
    </Refine>
  )
}

/** Shows the list of a resource with some rows, and the sums the server would answer. */
function show(resource: Resource, records: readonly object[], totals: object = {}, filter = {}) {
  wire.answer = ({ path }) => {
    if (path.endsWith('/detail')) return { data: records[0] }
    return { data: path.endsWith('/totals') ? totals : path.endsWith('/page') ? { records, total: 40 } : [] }
  }
  render(
    <MemoryRouter>
      <App>
        <Console resource={resource} filter={filter} />
      </App>
    </MemoryRouter>,
  )
}

const position = {
  id: '1',
  examId: '9',
  examIdName: '公开招聘',
  postName: '护士',
  planNum: 2,
  curPlanNum: 2,
  openRatio: '3',
  noRatio: 0,
  postStatus: 1,
  enable: 1,
  signNum: 5,
  passNum: 4,
  paidNum: 4,
  ratio: '2.50',
  outlook: { decision: 3, afterNum: 0, effectNum: 2, lackNum: 1, base: 1 },
}

test.each([false, true])(
  'positions: the sums are those of everything found, not of the page (narrow: %s)',
  async narrow => {
    small.now = narrow
    show(
      examitems,
      [position],
      { planNum: 77, curPlanNum: 66, signNum: 555, passNum: 444, paidNum: 333 },
      { examId: '9' },
    )
    const row = (await screen.findByText('合计')).closest<HTMLElement>('.totals-row')
    if (!row) throw new Error('no row of sums')
    for (const sum of ['77', '66', '555', '444', '333']) await within(row).findByText(sum)
    const asked = wire.seen.filter(({ path }) => path.endsWith('/totals'))
    expect(asked.map(({ query }) => query)).toEqual([{ examId: '9' }])
  },
)

test('rooms: the sum of the seats taken stands with that of all seats', async () => {
  const room = { id: '1', roomNo: '001', usedNum: 3, capacity: 30, reserve: 0, enable: 1 }
  show(examroom, [room], { usedNum: 412, capacity: 600, reserve: 12 })
  await screen.findByText('412 / 600')
})

test('positions: the colour of the ratio has its word', async () => {
  const outlook = { decision: 2, afterNum: 1, effectNum: 4, lackNum: 0, base: 2 }
  show(examitems, [
    position,
    { ...position, id: '2', ratio: '4.00', outlook },
    { ...position, id: '3', ratio: '9.00', outlook: { ...outlook, decision: 1 } },
    { ...position, id: '4', ratio: '0.50', noRatio: 1, outlook: { ...outlook, decision: 1 } },
    { ...position, id: '5', ratio: '0.25', postStatus: 3 },
  ])
  const toneOf = async (word: string) => (await screen.findByText(word)).getAttribute('data-tone')
  expect(await toneOf('还差 1 人开考')).toBe('error')
  expect(await toneOf('可开考 1 人')).toBe('warning')
  expect(await toneOf('达到开考比例')).toBe('success')
  expect(await toneOf('不设开考比例')).toBe('success')
  expect(screen.getByText('0.25 : 1').closest('td')?.querySelector('[data-tone]')).toBeNull()
})

test('exams: phases as chips, and the deadline by the clock of the server', async () => {
  keepTime('2030-05-01 09:00:00')
  const deadline = (at: string) => ({ field: 'signEndTime', label: '报名截止', at })
  const exam = { examStatus: 1, phases: ['报名中', '审核中'] }
  show(examination, [
    { ...exam, id: '1', examName: '甲', deadline: deadline('2030-05-04 08:00:00') },
    { ...exam, id: '2', examName: '乙', deadline: deadline('2030-05-04 10:00:00') },
    { id: '3', examName: '丙', examStatus: 0, phases: [], deadline: '' },
  ])
  const [soon, later] = await waitFor(() => {
    const found = screen.getAllByText(/^还有 \d 天$/)
    expect(found).toHaveLength(2)
    return found
  })
  expect([soon?.textContent, soon?.hasAttribute('data-soon')]).toEqual(['还有 2 天', true])
  expect([later?.textContent, later?.hasAttribute('data-soon')]).toEqual(['还有 3 天', false])
  expect(screen.getAllByText('报名中')).toHaveLength(2)
})

test.each([false, true])('stages: what blocks a move stands at its state (narrow: %s)', async narrow => {
  small.now = narrow
  const moves = {
    itemStatus: { next: '停用', msg: '' },
    seatStatus: { next: '编排', msg: '还有3人审核、核减或缴费未完成，不能编排' },
    resultRelease: { next: '发布成绩', msg: '当前状态不能执行该操作', guard: '人人有成绩' },
  }
  show(examinationitem, [
    {
      id: '1',
      examId: '9',
      examIdName: '公开招聘',
      itemName: '笔试',
      itemStatus: 1,
      seatStatus: 0,
      moves,
      payRelease: 0,
      ticketRelease: 0,
      resultRelease: 0,
    },
  ])
  await screen.findByText('还有3人审核、核减或缴费未完成，不能编排')
  screen.getByRole('img', { name: '编排受阻' })
  await userEvent.hover(screen.getByText('当前状态不能执行该操作'))
  expect((await screen.findByRole('tooltip')).textContent).toContain('前提：人人有成绩')
  expect(screen.queryByRole('img', { name: '停用受阻' })).toBeNull()
  // Neither a fee nor a ticket is asked for at this stage.
  expect(screen.getAllByText('不需要')).toHaveLength(2)
})

test.each([false, true])('stages: a state is the next step for whoever may take it (narrow: %s)', async narrow => {
  small.now = narrow
  granted.now = { examinationitem_result: true }
  const moves = {
    payRelease: { next: '发布缴费', msg: '' },
    resultRelease: { next: '发布成绩', msg: '' },
  }
  const states = { itemStatus: 1, seatStatus: 0, payRelease: 0, ticketRelease: 0, resultRelease: 0 }
  show(examinationitem, [{ id: '1', examId: '9', itemName: '笔试', needPay: 1, moves, ...states }])
  await screen.findAllByText('笔试')
  const [first] = await screen.findAllByRole('button', { name: '发布成绩' })
  expect(screen.queryByRole('button', { name: '发布缴费' })).toBeNull()
  await userEvent.click(first!)
  expect(await screen.findByRole('dialog')).toBeDefined()
})

test('what a list is searched for is said in words for the paper', async () => {
  const answers: Readonly<Record<string, unknown>> = {
    select: [{ id: '9', label: '公开招聘' }],
    page: { records: [], total: 0 },
    dictionary: [{ dictKey: '1', dictValue: '启用', isSealed: 0 }],
  }
  wire.answer = ({ path }) => ({ data: answers[path.split('/').at(-1) ?? ''] ?? [] })
  history.replaceState(null, '', '/?examId=9&itemName=笔试&itemStatus=1&createTime_dategt=2026-06-01 00:00:00')
  render(
    <MemoryRouter initialEntries={[`/${location.search}`]}>
      <App>
        <Console resource={examinationitem} filter={{}} />
      </App>
    </MemoryRouter>,
  )
  const words = () => document.querySelector('.printed-search')?.textContent
  await waitFor(() => expect(words()).toContain('公开招聘'))
  expect(words()).toBe('考试：公开招聘 · 项目名称：笔试 · 状态：启用 · 创建时间：2026-06-01 至 ')
  history.replaceState(null, '', '/')
})

/** Opens the detail of the only row: its values by their labels. */
async function detail(): Promise<Map<string, string>> {
  const [drawn] = await screen.findAllByRole('button', { name: /^(查看|打开)$/ })
  if (drawn?.textContent === '查看') await userEvent.click(drawn)
  else {
    // The row has a workspace: its detail stands behind the sign for more.
    await userEvent.click(screen.getByRole('button', { name: /的更多操作$/ }))
    await userEvent.click(await screen.findByRole('menuitem', { name: '查看' }))
  }
  const drawer = await screen.findByRole('dialog')
  await within(drawer).findByText('其他信息')
  await vi.dynamicImportSettled()
  const labels = [...drawer.querySelectorAll('th')]
  return new Map(labels.map(th => [th.textContent, th.nextElementSibling?.textContent ?? '']))
}

test('what is worked out for a column stands in the detail as in the list; what no column shows does not', async () => {
  granted.now = { examitems_view: true }
  show(examitems, [position])
  const told = await detail()
  const crowd = ['报名人数', '审核通过数', '缴费人数', '竞争比例'].map(label => told.get(label))
  expect(crowd).toEqual(['5', '4', '4', '2.50 : 1还差 1 人开考'])
  expect([...told.keys()]).not.toContain('开考预计')
})

test('the history of a row is a tab of its detail, in the words of its fields', async () => {
  granted.now = { examitems_view: true }
  show(examitems, [position])
  const list = wire.answer
  const named = { fromName: '', toName: '' }
  const changes = [
    { field: 'planNum', from: 1, to: 2, ...named },
    { field: 'examId', from: '8', to: '9', fromName: '旧考试', toName: '公开招聘' },
    { field: 'enable', from: 1, to: 0, ...named },
  ]
  const entry = { id: '5', act: 'edit', actName: '修改', reason: '笔误', userId: '3', userName: '考务', time: '09:00' }
  wire.answer = asked => (asked.path.endsWith('/history') ? { data: [{ ...entry, changes }] } : list(asked))
  await detail()
  screen.getByRole('tab', { name: '变更历史' })
  const line = (await screen.findByText('笔误')).closest('tr') as HTMLElement
  expect(line.textContent).toContain('考务修改')
  expect(line.textContent).toContain('考试：旧考试 → 公开招聘')
  expect(line.textContent).toMatch(/计划数：1 → 2|人数：1 → 2/)
})

test('phases and the deadline of an exam look in the detail as in the list', async () => {
  keepTime('2030-05-01 09:00:00')
  granted.now = { examination_view: true }
  const deadline = { field: 'signEndTime', label: '报名截止', at: '2030-05-04 10:00:00' }
  show(examination, [{ id: '1', examName: '甲', examStatus: 1, phases: ['报名中', '审核中'], deadline }])
  const told = await detail()
  expect([told.get('当前阶段'), told.get('最近截止')]).toEqual(['报名中审核中', '报名截止 还有 3 天2030-05-04 10:00'])
})

test('the detail of a notice shows its stages by their names, and the input that chooses them lends it no cell', async () => {
  granted.now = { notice_view: true }
  show(notice, [
    {
      id: '1',
      title: '面试须知',
      scope1: NoticeScope.stageCandidates,
      scope2: '7,8',
      scopeNames: '公开招聘 面试',
      noticeStatus: 1,
    },
  ])
  await detail()
  const shown = await within(screen.getByRole('dialog')).findByText('公开招聘 面试')
  expect(shown.closest('tr')?.textContent).toContain('范围对象')
})
