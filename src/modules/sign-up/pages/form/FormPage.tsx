import { Button } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, Navigate, useNavigationType, useParams } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import '../../../../screens/candidate/inputs/inputs.css'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { type ExamForm, useExamForm } from './exam-form.ts'
import './form.css'
import { reopenForm, wasHandedIn } from './handed-in.ts'
import { Wizard } from './Wizard.tsx'

/** `examine`: the reviewer wants something corrected. */
const RETURNED = 3

function Closed({ form }: { form: ExamForm }): ReactNode {
  const t = useT()
  const mine = form.mySignup
  return (
    <Nothing title={form.editReason}>
      <Link to={mine ? `/signup/mySignup/${mine.id}` : `/signup/exam/${form.exam.examId}`}>
        <Button size="large">{t(mine ? '查看我的报名' : '返回考试')}</Button>
      </Link>
    </Nothing>
  )
}

function Incomplete(): ReactNode {
  const t = useT()
  return (
    <Nothing title={t('请先完善实名信息（姓名、证件号码、手机号码），再报名')}>
      <Link to="/info/index">
        <Button type="primary" size="large">
          {t('我的资料')}
        </Button>
      </Link>
    </Nothing>
  )
}

/** The sign-up form of an exam, step by step. */
export default function FormPage(): ReactNode {
  const { examId = '' } = useParams()
  const cameBack = useNavigationType() === 'POP'
  // Decided once: the steps of a form that is open are entries of the history, too.
  const [isLeft] = useState(() => cameBack && wasHandedIn(examId))
  useEffect(() => {
    if (!isLeft) reopenForm()
  }, [isLeft])
  const query = useExamForm(examId)
  // A form begins with what the server has now, not with what another page asked for earlier.
  const data = query.isFetchedAfterMount ? query.data : undefined
  return (
    <div className="my">
      <Loaded query={{ ...query, data }}>
        {form => {
          // What a reviewer has returned is open for its correction, however somebody comes.
          if (
            isLeft &&
            form.mySignup &&
            form.mySignup.signStatus === SignStatus.submitted &&
            form.mySignup.examine !== RETURNED
          )
            return <Navigate to={`/signup/mySignup/${form.mySignup.id}`} replace />
          if (!form.canEdit) return <Closed form={form} />
          if (!form.applicant.complete) return <Incomplete />
          return <Wizard form={form} reload={async () => (await query.refetch()).data} />
        }}
      </Loaded>
    </div>
  )
}
