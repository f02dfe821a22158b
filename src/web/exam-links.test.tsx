import '@testing-library/jest-dom/vitest'
import '../../tests/helper/screens-page.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { App } from 'antd'
import type { ReactElement, ReactNode } from 'react'
import { MemoryRouter, Route, Routes } from 'react-router-dom'
import { beforeEach, expect, test } from 'vitest'
import { wire } from '../../tests/helper/screens-wire.ts'

const { reloadRights } = await import('../screens/providers/rights.ts')
const { RunningExam } = await import('../modules/desk/pages/RunningExam.tsx')
const { Deadlines } = await import('../modules/desk/pages/Deadlines.tsx')
const { default: DashboardPage } = await import('../modules/desk/pages/DashboardPage.tsx')
const { default: ReviewPage } = await import('../modules/review/pages/ReviewPage.tsx')
const { default: ChooseForPage } = await import('../modules/reduction/pages/ChooseForPage.tsx')
const { default: WorkspacePage } = await import('../screens/workspace/WorkspacePage.tsx')

const now = '2026-12-01 09:00:00'
const exam = {
  id: '7',
  examName: '护理招聘',
  phases: ['报名中'],
  deadline: '',
  deadlines: [{ label: '报名截止', at: '2026-12-02 09:00:00' }],
  stages: [],
  signed: 9,
  today: 4,
  waiting: 3,
  passed: 2,
  paid: 1,
}
const board = { today: [], todo: [], exams: [exam], line: [], health: [], serverTime: now }
const review = {
  signup: { id: '41', examId: '7', name: '范宇', examName: '护理招聘', examine: 1, reviewStatus: 0, photoUrl: '' },
  ...{ groups: [], files: [], precheck: [], position: {}, logs: [], diff: [], advisementList: [], claim: '' },
  ...{ can: { examine: false, review: false, revoke: false, move: false }, version: 1, nextId: '' },
}
const place = { unitName: '市二院', code: '01', postName: '护士' }
const choice = {
  ...{ signupId: '41', examId: '7', examName: '护理招聘', name: '范宇', signNo: 'B1', old: place, chosen: '' },
  ...{ state: 1, window: { start: now, end: now }, canChoose: false, targets: [] },
}
const answers: Record<string, unknown> = {
  '/home/dashboard': board,
  '/examine/getExamineInfo': review,
  '/postreductionname/detail': { id: '1', signupId: '41' },
  '/signup/getPostReductionInfo': choice,
}
let codes: string[] = []

beforeEach(async () => {
  wire.answer = ({ path }) => {
    if (path.endsWith('/menu/buttons')) return { data: codes.map(code => ({ id: code, code, name: code })) }
    return { data: Object.entries(answers).find(([end]) => path.endsWith(end))?.[1] ?? [] }
  }
})

async function shown(page: ReactElement, may: string[] = []): Promise<void> {
  codes = may
  await act(reloadRights)
  render(
    <App>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <MemoryRouter initialEntries={['/of/41']}>
          <Routes>
            <Route path="/of/:id" element={page} />
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </App>,
  )
}

test.each<[string, ReactElement]>([
  ['an exam on the first page', <RunningExam key="1" of={exam as never} now={now} />],
  ['a deadline', <Deadlines key="2" of={[exam] as never} now={now} />],
  ['an exam on the dashboard', <DashboardPage key="3" />],
  ['the desk of reviewers', <ReviewPage key="4" />],
  ['a choice that is entered for somebody', <ChooseForPage key="5" />],
])('%s names an exam as the link to its workspace', async (_name, page) => {
  await shown(page)
  for (const link of await screen.findAllByRole('link', { name: '护理招聘' }))
    expect(link).toHaveAttribute('href', '/exam/7')
})

test('numbers of an exam lead to those who are counted, for whoever may list them', async () => {
  await shown(<RunningExam of={exam as never} now={now} />, ['signup'])
  const list = '/exam/7/signups?signStatus=1'
  expect(screen.getAllByRole('link').map(link => [link.textContent, link.getAttribute('href')])).toEqual([
    ['护理招聘', '/exam/7'],
    ['9', list],
    ['3', `${list}&examine=0`],
    ['2', `${list}&examine=1`],
    ['1', `${list}&payState=1`],
  ])
})

test('numbers of an exam are only read by others', async () => {
  await shown(<RunningExam of={exam as never} now={now} />)
  expect(screen.getAllByRole('link')).toHaveLength(1)
  expect(screen.getByText('9')).toBeInTheDocument()
})

test.each([
  ['冬季护理', '冬季护理'],
  ['', '2027年护理人员专项招聘'],
])('the tab of an exam with the short name «%s» is called %s', async (shortName, title) => {
  const row = { id: '7', examName: '2027年护理人员专项招聘', shortName, examStatus: 1 }
  answers['/examination/workspace'] = { row, label: row.examName, line: [], today: [], trend: '' }
  const Frame = ({ title: told, children }: { title: string; children: ReactNode }) => (
    <>
      <output>{told}</output>
      {children}
    </>
  )
  await shown(<WorkspacePage path="/exam/7" made={[]} draw={() => null} frame={Frame} absent={null} />)
  expect(await screen.findByText(title, { selector: 'output' })).toBeInTheDocument()
  expect(await screen.findByRole('heading', { level: 1 })).toHaveTextContent(row.examName)
})
