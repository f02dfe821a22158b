import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { Button, Card, List, Typography } from 'antd'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { type AnswerOf, callOf } from '#engine'
import { examination } from '#resources/exams/examination'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useEndpoint } from '../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../screens/window/PageSkeleton.tsx'
import type { checkRelease } from '../contract.ts'
import { NoExam } from './parts/ExamCard.tsx'

/** The exam itself. */
export const examDetail = callOf(examination, 'detail')

/** One thing a step in an exam's life needs. */
type Line = AnswerOf<typeof checkRelease>[number]

/** The exam such a step is about. */
export type CheckedExam = AnswerOf<typeof examDetail>

/** One thing that is needed: there, or where to mend it. */
function CheckLine({ line, to }: { line: Line; to: string | undefined }) {
  const t = useT()
  const mark = line.ok ? (
    <CheckCircleFilled aria-label={t('已完成')} style={{ color: 'var(--jx-good)', fontSize: 20 }} />
  ) : (
    <CloseCircleFilled aria-label={t('未完成')} style={{ color: 'var(--jx-bad)', fontSize: 20 }} />
  )
  const link = to && (
    <Link key="mend" to={to}>
      {t('去完善')}
    </Link>
  )
  return (
    <List.Item actions={link ? [link] : []}>
      <List.Item.Meta avatar={mark} title={t(line.label)} description={line.msg || undefined} />
    </List.Item>
  )
}

interface Props {
  /** The exam. */
  id: string
  /** What is checked. */
  title: string
  /** The call that answers the lines. */
  check: typeof checkRelease
  /** Where a missing thing is mended, by its key. */
  mend: Readonly<Record<string, (examId: string) => string>>
  /** What stands above the lines, by the number of those that fail. */
  summary: (missing: number) => string
  /** What stands instead of the list when the exam is past the step. */
  done: (exam: CheckedExam) => ReactNode
  /** The step itself. */
  children: (exam: CheckedExam, isReady: boolean) => ReactNode
}

/** A step in an exam's life with the list of what it needs, each line with the way to mend it. */
export function CheckPage({ id, title, check, mend, summary, done, children }: Props) {
  const t = useT()
  const exam = useEndpoint(examDetail, { id })
  const lines = useEndpoint(check, { id })
  if (exam.isPending || lines.isPending) return <PageSkeleton />
  if (!exam.data || !lines.data) return <NoExam error={exam.error ?? lines.error} />
  const past = done(exam.data)
  if (past) return past
  const missing = lines.data.filter(line => !line.ok).length
  return (
    <Card
      title={title}
      extra={
        <Button onClick={() => lines.refetch()} loading={lines.isFetching}>
          {t('重新检查')}
        </Button>
      }
    >
      <Typography.Paragraph>{summary(missing)}</Typography.Paragraph>
      <List
        dataSource={lines.data}
        renderItem={line => <CheckLine line={line} to={line.ok ? undefined : mend[line.key]?.(id)} />}
      />
      {children(exam.data, missing === 0)}
    </Card>
  )
}
