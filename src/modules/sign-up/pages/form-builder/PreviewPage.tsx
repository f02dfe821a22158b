import { Alert, Button, Card, Tabs } from 'antd'
import { useNavigate, useParams } from 'react-router-dom'
import '../../../../screens/candidate/candidate.css'
import type { AnswerOf } from '#engine'
import { ExamStatus } from '#schemas/dictionaries/exam'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { Nothing } from '../../../../screens/parts/Nothing.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { usePlaceRow } from '../../../../screens/workspace/place.ts'
import { formInfo } from '../../../exams/contract.ts'
import { ExamCard, examList, NoExam } from '../../../exams/pages/parts/ExamCard.tsx'
import { examPreview } from '../../contract.ts'
import { ExamHead } from '../exams/ExamHead.tsx'
import { PositionList } from '../exams/PositionList.tsx'
import { FormPreview } from './FormPreview.tsx'
import { PreviewFrame } from './PreviewFrame.tsx'

/** An exam as candidates meet it, whatever its state is. */
type Face = AnswerOf<typeof examPreview>

/** Days, description and positions, with the button that leads into the form. */
function ExamFace({ face }: { face: Face }) {
  const t = useT()
  return (
    <PreviewFrame>
      <div className="my">
        <ExamHead exam={face} desc={face.examDesc}>
          <Button type="primary" size="large" disabled>
            {t('选择岗位并报名')}
          </Button>
        </ExamHead>
        <h2>{t('招聘岗位')}</h2>
        <PositionList positions={face.positions} numTime={face.serverTime} />
      </div>
    </PreviewFrame>
  )
}

/** The page of the exam on a phone, where it stands beside other things. */
function PhoneFace({ face }: { face: Face }) {
  return (
    <div className="form-preview my" data-where="phone">
      <ExamHead exam={face} desc={face.examDesc} level="h3" />
      <PositionList positions={face.positions} numTime={face.serverTime} />
    </div>
  )
}

/** What is read before the form is filled in, and what is promised before it is sent. */
function Papers({ face }: { face: Face }) {
  const t = useT()
  const papers = [
    [t('报名须知'), face.signNotice],
    [t('诚信承诺书与个人信息处理告知书'), face.promise],
  ] as const
  return (
    <PreviewFrame>
      {papers.map(([title, html]) => (
        <Card key={title} size="small" title={title}>
          {html ? <SafeHtml html={html} /> : <Nothing picture="letter" text={t('还没有填写')} />}
        </Card>
      ))}
    </PreviewFrame>
  )
}

/** The form, to try. */
function FormFace({ id }: { id: string }) {
  const form = useEndpoint(formInfo, { id })
  return form.data ? <FormPreview form={form.data} /> : <PageSkeleton />
}

/** The whole of an exam as candidates will see it, before it is out. */
export default function PreviewPage() {
  const t = useT()
  const go = useNavigate()
  const here = usePlaceRow('examination')
  const { id = here ?? '' } = useParams()
  const face = useEndpoint(examPreview, { id })
  if (face.isPending) return <PageSkeleton />
  if (here !== undefined) return face.data ? <PhoneFace face={face.data} /> : null
  if (!face.data) return <NoExam error={face.error} />
  const { examName, examStatus } = face.data
  return (
    <ExamCard
      title={t('考试预览')}
      examName={examName}
      extra={<Button onClick={() => go(examList)}>{t('返回列表')}</Button>}
    >
      <Alert
        type={examStatus === ExamStatus.draft ? 'warning' : 'info'}
        showIcon
        title={t(
          examStatus === ExamStatus.draft
            ? '考试还没有发布，考生现在看不到。下面是发布后的样子。'
            : '考生现在看到的样子。',
        )}
      />
      <Tabs
        items={[
          { key: 'exam', label: t('考试页面'), children: <ExamFace face={face.data} /> },
          { key: 'papers', label: t('须知与承诺'), children: <Papers face={face.data} /> },
          { key: 'form', label: t('报名表'), children: <FormFace id={id} /> },
        ]}
      />
    </ExamCard>
  )
}
