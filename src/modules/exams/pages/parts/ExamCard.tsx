import { Button, Card, Flex, Typography } from 'antd'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'

/** Address of the list of exams. */
export const examList = '/exam/examination'

/** What stands where an exam is not there, or cannot be read. */
export function NoExam({ error }: { error: unknown }): ReactNode {
  const t = useT()
  const go = useNavigate()
  return (
    <NoAnswer error={error}>
      <Button onClick={() => go(examList)}>{t('返回列表')}</Button>
    </NoAnswer>
  )
}

interface Props {
  /** What the page is for. */
  title: string
  examName: string
  /** Buttons at the right of the title. */
  extra: ReactNode
  children: ReactNode
}

/** A page about one exam: what it is for and which exam it is, with what can be done beside it. */
export function ExamCard({ title, examName, extra, children }: Props): ReactNode {
  return (
    <Card
      styles={{ header: { paddingBlock: 10 }, title: { whiteSpace: 'normal' } }}
      title={
        <Flex gap={8} align="center" justify="space-between" wrap>
          <span>
            {title}{' '}
            <Typography.Text type="secondary" style={{ fontWeight: 400 }}>
              {examName}
            </Typography.Text>
          </span>
          {extra}
        </Flex>
      }
    >
      {children}
    </Card>
  )
}
