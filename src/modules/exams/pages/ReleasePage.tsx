import { App, Button, Flex, Input, Result } from 'antd'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { ExamStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../platform/i18n/i18n.ts'
import { useSend } from '../../../screens/parts/use-endpoint.ts'
import { checkRelease, releaseExam } from '../contract.ts'
import { type CheckedExam, CheckPage, examDetail } from './CheckPage.tsx'
import { examList } from './parts/ExamCard.tsx'

/** Where a missing thing is mended. */
const mend: Record<string, (id: string) => string> = {
  position: id => `/exam/examitems?examId=${id}`,
  stage: id => `/exam/examinationitem?examId=${id}`,
  items: id => `/exam/form/${id}`,
  photo: id => `/exam/form/${id}`,
  reviewer: id => `/exam/staff?examId=${id}`,
  rechecker: id => `/exam/staff?examId=${id}`,
}

/** The exam is out already. */
function Released({ exam: { id, examName, signStartTime, signEndTime } }: { exam: CheckedExam }) {
  const t = useT()
  const go = useNavigate()
  return (
    <Result
      status="success"
      title={t('考试已发布')}
      subTitle={`${examName} · ${signStartTime} — ${signEndTime}`}
      extra={[
        <Button key="back" type="primary" onClick={() => go(examList)}>
          {t('返回列表')}
        </Button>,
        <a key="public" href={`/public/exam/${id}`} target="_blank" rel="noreferrer">
          {t('查看公开页面')}
        </a>,
      ]}
    />
  )
}

/** The release itself, with its reason when it is not the first. */
function Release({ exam, isReady }: { exam: CheckedExam; isReady: boolean }) {
  const t = useT()
  const go = useNavigate()
  const { modal } = App.useApp()
  const [reason, setReason] = useState('')
  const release = useSend(releaseExam, { stale: [examDetail, checkRelease] })
  const again = exam.examStatus === ExamStatus.closed
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
      <Button size="large" onClick={() => go(examList)}>
        {t('返回列表')}
      </Button>
    </Flex>
  )
}

/** The list of what a release needs, and the release itself. */
export default function ReleasePage() {
  const t = useT()
  return (
    <CheckPage
      check={checkRelease}
      mend={mend}
      summary={n => (n ? t('还有 {{n}} 项未完成，完成后即可发布。', { n }) : t('检查全部通过，可以发布。'))}
      done={exam => exam.examStatus === ExamStatus.released && <Released exam={exam} />}
    >
      {(exam, isReady) => <Release exam={exam} isReady={isReady} />}
    </CheckPage>
  )
}
