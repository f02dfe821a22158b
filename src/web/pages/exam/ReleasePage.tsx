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

/** The list of what a release needs, each line with the way to mend it, and the release itself. */
export default function ReleasePage() {
  const t = useT()
  const go = useNavigate()
  const { modal } = App.useApp()
  const { id = '' } = useParams()
  const [reason, setReason] = useState('')
  const exam = useRead<Exam>('/blade-exam/examination/detail', { id })
  const lines = useRead<Line[]>('/blade-exam/examination/checkRelease', { id })
  const release = useAct('/blade-exam/examination/releaseExam', {
    stale: ['/blade-exam/examination/detail', '/blade-exam/examination/checkRelease'],
  })
  if (exam.isPending || lines.isPending) return <PageSkeleton />
  if (!exam.data || !lines.data)
    return (
      <Result
        status="warning"
        title={t('没有取到数据')}
        extra={<Button onClick={() => go('/exam/examination')}>{t('返回列表')}</Button>}
      />
    )
  const { examName, examStatus, signStartTime, signEndTime } = exam.data
  if (examStatus === 1) {
    return (
      <Result
        status="success"
        title={t('考试已发布')}
        subTitle={`${examName} · ${signStartTime} — ${signEndTime}`}
        extra={[
          <Button key="back" type="primary" onClick={() => go('/exam/examination')}>
            {t('返回列表')}
          </Button>,
          <a key="public" href={`/public/exam/${id}`} target="_blank" rel="noreferrer">
            {t('查看公开页面')}
          </a>,
        ]}
      />
    )
  }
  const missing = lines.data.filter(line => !line.ok).length
  const again = examStatus === 2
  const ask = () =>
    modal.confirm({
      title: t('发布后考生即可报名，确定发布?'),
      content: `${signStartTime} — ${signEndTime}`,
      onOk: () =>
        release.mutateAsync({ id, reason }).then(
          () => undefined,
          () => undefined,
        ),
    })
  return (
    <Card
      title={
        <Flex gap={8} align="center">
          <span>{examName}</span>
          <DictTag code="exam_status" value={examStatus} />
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
      <List
        dataSource={lines.data}
        renderItem={line => (
          <List.Item
            actions={
              line.ok || !mend[line.key]
                ? []
                : [
                    <Link key="mend" to={mend[line.key]?.(id) ?? ''}>
                      {t('去完善')}
                    </Link>,
                  ]
            }
          >
            <List.Item.Meta
              avatar={
                line.ok ? (
                  <CheckCircleFilled style={{ color: 'var(--jx-good)', fontSize: 20 }} />
                ) : (
                  <CloseCircleFilled style={{ color: 'var(--jx-bad)', fontSize: 20 }} />
                )
              }
              title={t(line.label)}
              description={line.msg || undefined}
            />
          </List.Item>
        )}
      />
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
          disabled={missing > 0 || (again && !reason.trim())}
          loading={release.isPending}
          onClick={ask}
        >
          {t('发布')}
        </Button>
        <Button size="large" onClick={() => go('/exam/examination')}>
          {t('返回列表')}
        </Button>
      </Flex>
    </Card>
  )
}
