import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { App, Button, Card, Flex, Input, List, Result, Typography } from 'antd'
import { useState } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { PageSkeleton } from '../../chrome/PageSkeleton.tsx'
import { DictTag } from '../../fields/DictText.tsx'
import { useT } from '../../i18n.ts'
import { useAct, useRead } from '../use-call.ts'

interface Line {
  key: string
  label: string
  ok: boolean
  msg: string
}

interface Exam {
  id: string
  examName: string
  examStatus: number
  signStartTime: string
  signEndTime: string
}

/** Where a missing thing is mended. */
const mend: Record<string, (id: string) => string> = {
  position: id => `/exam/examitems?examId=${id}`,
  stage: id => `/exam/examinationitem?examId=${id}`,
  items: id => `/exam/form/${id}`,
  photo: id => `/exam/form/${id}`,
  reviewer: id => `/exam/examuser?examId=${id}`,
  rechecker: id => `/exam/examuser?examId=${id}`,
}

const list = '/exam/examination'

function Missing() {
  const t = useT()
  const go = useNavigate()
  return (
    <Result
      status="warning"
      title={t('没有取到数据')}
      extra={<Button onClick={() => go(list)}>{t('返回列表')}</Button>}
    />
  )
}

/** The exam is out already. */
function Released({ exam: { id, examName, signStartTime, signEndTime } }: { exam: Exam }) {
  const t = useT()
  const go = useNavigate()
  return (
    <Result
      status="success"
      title={t('考试已发布')}
      subTitle={`${examName} · ${signStartTime} — ${signEndTime}`}
      extra={[
        <Button key="back" type="primary" onClick={() => go(list)}>
          {t('返回列表')}
        </Button>,
        <a key="public" href={`/public/exam/${id}`} target="_blank" rel="noreferrer">
          {t('查看公开页面')}
        </a>,
      ]}
    />
  )
}

/** One thing a release needs: there, or where to mend it. */
function CheckLine({ line, id }: { line: Line; id: string }) {
  const t = useT()
  const to = line.ok ? undefined : mend[line.key]?.(id)
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

/** The release itself, with its reason when it is not the first. */
function Release({ exam, isReady }: { exam: Exam; isReady: boolean }) {
  const t = useT()
  const go = useNavigate()
  const { modal } = App.useApp()
  const [reason, setReason] = useState('')
  const release = useAct('/blade-exam/examination/releaseExam', {
    stale: ['/blade-exam/examination/detail', '/blade-exam/examination/checkRelease'],
  })
  const again = exam.examStatus === 2
  const ask = () =>
    modal.confirm({
      title: t('发布后考生即可报名，确定发布?'),
      content: `${exam.signStartTime} — ${exam.signEndTime}`,
      onOk: () =>
        release.mutateAsync({ id: exam.id, reason }).then(
          () => undefined,
          () => undefined,
        ),
    })
  return (
    <Flex gap={12} style={{ marginTop: 16 }} wrap>
      {again && (
        <Input
          style={{ maxWidth: 360 }}
          maxLength={200}
          placeholder={t('请输入重新发布的原因')}
          aria-label={t('请输入重新发布的原因')}
          value={reason}
          onChange={event => setReason(event.target.value)}
        />
      )}
      <Button
        type="primary"
        size="large"
        disabled={!isReady || (again && !reason.trim())}
        loading={release.isPending}
        onClick={ask}
      >
        {t('发布')}
      </Button>
      <Button size="large" onClick={() => go(list)}>
        {t('返回列表')}
      </Button>
    </Flex>
  )
}

/** The list of what a release needs, each line with the way to mend it, and the release itself. */
export default function ReleasePage() {
  const t = useT()
  const { id = '' } = useParams()
  const exam = useRead<Exam>('/blade-exam/examination/detail', { id })
  const lines = useRead<Line[]>('/blade-exam/examination/checkRelease', { id })
  if (exam.isPending || lines.isPending) return <PageSkeleton />
  if (!exam.data || !lines.data) return <Missing />
  if (exam.data.examStatus === 1) return <Released exam={exam.data} />
  const missing = lines.data.filter(line => !line.ok).length
  return (
    <Card
      title={
        <Flex gap={8} align="center">
          <span>{exam.data.examName}</span>
          <DictTag code="exam_status" value={exam.data.examStatus} />
        </Flex>
      }
      extra={
        <Button onClick={() => lines.refetch()} loading={lines.isFetching}>
          {t('重新检查')}
        </Button>
      }
    >
      <Typography.Paragraph>
        {missing ? t('还有 {{n}} 项未完成，完成后即可发布。', { n: missing }) : t('检查全部通过，可以发布。')}
      </Typography.Paragraph>
      <List dataSource={lines.data} renderItem={line => <CheckLine line={line} id={id} />} />
      <Release exam={exam.data} isReady={missing === 0} />
    </Card>
  )
}
