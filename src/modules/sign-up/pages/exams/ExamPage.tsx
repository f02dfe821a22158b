import { Button } from 'antd'
import type { ReactNode } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import { Loaded } from '../../../../screens/candidate/Loaded.tsx'
import { type ExamForm, useExamForm } from '../form/exam-form.ts'
import { ExamHead } from './ExamHead.tsx'
import { PositionList } from './PositionList.tsx'

function MyPart({ form }: { form: ExamForm }): ReactNode {
  const t = useT()
  const mine = form.mySignup
  if (!mine || mine.signStatus === SignStatus.withdrawn)
    return form.canEdit ? null : <p className="my-note">{form.editReason}</p>
  return (
    <div className="my-actions">
      {form.canEdit && (
        <Link to={`/signup/form/${form.exam.examId}`} className="my-wide">
          <Button type="primary" size="large" block>
            {t(mine.signStatus === SignStatus.draft ? '继续填写' : '修改报名')}
          </Button>
        </Link>
      )}
      <Link to={`/signup/mySignup/${mine.id}`} className="my-wide">
        <Button size="large" block>
          {t('查看我的报名')}
        </Button>
      </Link>
    </div>
  )
}

/** One exam: its days and its positions to choose from. */
export default function ExamPage(): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  const { examId = '' } = useParams()
  const query = useExamForm(examId)
  return (
    <div className="my">
      <Loaded query={query}>
        {form => {
          const mine = form.mySignup || undefined
          const isLive = mine !== undefined && mine.signStatus !== SignStatus.withdrawn
          const mayChoose = form.canEdit && (!isLive || form.editScope.length === 0)
          const compare = form.applicant.complete ? { examId, content: mine?.content || {} } : undefined
          return (
            <>
              <ExamHead exam={form.exam} desc={form.exam.examDesc} onTime={() => void query.refetch()}>
                <MyPart form={form} />
              </ExamHead>
              <h2>{t('招聘岗位')}</h2>
              <PositionList
                positions={form.positions}
                numTime={form.numTime}
                chosen={isLive ? mine.code : undefined}
                action={t(isLive ? '改选' : '报名')}
                compare={compare}
                onChoose={
                  mayChoose
                    ? one => void navigate(`/signup/form/${examId}?code=${encodeURIComponent(one.code)}`)
                    : undefined
                }
              />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
