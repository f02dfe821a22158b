import { Button, Card } from 'antd'
import type { ReactNode } from 'react'
import { useT } from '../../../platform/i18n/i18n.ts'
import ListFailure from '../../../screens/ListFailure.tsx'
import { MayLink } from '../../../screens/parts/MayLink.tsx'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import { GroupedBars, TimeLine } from '../../statistics/pages/charts.tsx'
import type { Series } from '../../statistics/pages/parts/figures.ts'
import { type Dashboard, deskDashboard, type RunningExamData } from '../contract.ts'
import './dashboard.css'
import { Deadlines } from './Deadlines.tsx'
import './home.css'
import { Nothing } from '../../../screens/parts/Nothing.tsx'
import { Health, Today } from './Numbers.tsx'
import { StageBar } from './StageBar.tsx'
import { Todos } from './Todos.tsx'

const columns = [
  ['signed', '已报名', 'var(--jx-primary)'],
  ['waiting', '待审核', 'var(--jx-warn)'],
  ['passed', '审核通过', 'var(--jx-good)'],
  ['paid', '已缴费', 'var(--jx-ink-3)'],
] as const

/** How many stand where in each exam; none of exams whose sign-ups the person may not count. */
function seriesOf(exams: readonly RunningExamData[]): Series[] {
  return columns.map(([name, title, colour]) => ({
    name: title,
    colour,
    values: exams.map(exam => Number(exam[name] ?? 0)),
  }))
}

function Exams({ of, now }: { of: readonly RunningExamData[]; now: string }): ReactNode {
  const t = useT()
  return (
    <Card title={t('进行中的考试')}>
      {of.length === 0 && <Nothing small text={t('没有进行中的考试')} />}
      {of.map(exam => (
        <section key={exam.id} className="board-exam">
          <h3>
            <MayLink to={`/exam/${exam.id}`}>{exam.examName}</MayLink>
          </h3>
          <StageBar of={exam.stages} now={now} />
        </section>
      ))}
    </Card>
  )
}

function Charts({ of: { exams, line } }: { of: Dashboard }): ReactNode {
  const t = useT()
  const counted = exams.filter(exam => typeof exam.signed === 'number')
  return (
    <>
      {line.length > 0 && (
        <Card title={t('近 14 天提交报名')}>
          {line.at(-1)?.total === 0 ? (
            <Nothing small text={t('还没有人提交报名')} />
          ) : (
            <TimeLine label={t('近 14 天提交报名')} points={line} which="num" />
          )}
        </Card>
      )}
      {counted.length > 0 && (
        <Card title={t('各考试进展')}>
          <GroupedBars label={t('考试')} words={counted.map(one => one.examName)} series={seriesOf(counted)} />
        </Card>
      )}
    </>
  )
}

function Panels({ of }: { of: Dashboard }): ReactNode {
  const t = useT()
  return (
    <>
      {of.today.length > 0 && <Today of={of.today} />}
      <div className="board-panels-2">
        <Card title={t('待办')}>
          <Todos of={of.todo} now={of.serverTime} />
        </Card>
        <Card title={t('72 小时内截止')}>
          <Deadlines of={of.exams} now={of.serverTime} />
        </Card>
        <Charts of={of} />
      </div>
      <Exams of={of.exams} now={of.serverTime} />
      {of.health.length > 0 && (
        <Card title={t('系统状况')}>
          <Health of={of.health} />
        </Card>
      )}
    </>
  )
}

/** Staff at a glance: what waits, today's numbers, exams on the line of time, what ends soon, and how the system does. */
export default function DashboardPage(): ReactNode {
  const t = useT()
  const board = useEndpoint(deskDashboard, {})
  return (
    <div className="home board-page">
      <div className="board-top">
        {board.data && <span>{t('统计截至 {{time}}', { time: board.data.serverTime })}</span>}
        <Button onClick={() => void board.refetch()} loading={board.isRefetching}>
          {t('刷新')}
        </Button>
      </div>
      {board.isError && <ListFailure error={board.error} onRetry={() => void board.refetch()} />}
      {board.isPending && <PageSkeleton />}
      {board.data && <Panels of={board.data} />}
    </div>
  )
}
