import { Button } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, Navigate, useNavigationType, useParams, useSearchParams } from 'react-router-dom'
import { ExamineStatus, SignStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import '../../../../screens/candidate/candidate.css'
import '../../../../screens/candidate/inputs/inputs.css'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { type ExamForm, useExamForm } from './exam-form.ts'
import './form.css'
import { reopenForm, wasHandedIn } from './handed-in.ts'
import { Wizard } from './Wizard.tsx'

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

/** Whether a sign-up has been handed in and nobody has looked at it: there is nothing to fill in. */
const isHandedIn = ({ mySignup: mine }: ExamForm): boolean =>
  mine ? mine.signStatus === SignStatus.submitted && mine.examine === ExamineStatus.pending : false

/**
 * The form as it stands when it is opened. Whoever has handed it in is led to the sign-up, unless it is to be changed.
 * @param mayChange the address says that it is opened to be changed
 */
function Opened({ form, mayChange, reload }: OpenedProps): ReactNode {
  // Decided once: what is handed in elsewhere meanwhile must not take away what was typed here.
  const [isDone] = useState(() => isHandedIn(form) && !mayChange)
  if (isDone && form.mySignup) return <Navigate to={`/signup/mySignup/${form.mySignup.id}`} replace />
  if (!form.canEdit) return <Closed form={form} />
  if (!form.applicant.complete) return <Incomplete />
  return <Wizard form={form} reload={reload} />
}

interface OpenedProps {
  form: ExamForm
  mayChange: boolean
  reload: () => Promise<ExamForm | undefined>
}

/** The sign-up form of an exam, step by step. */
export default function FormPage(): ReactNode {
  const { examId = '' } = useParams()
  const [query] = useSearchParams()
  const cameBack = useNavigationType() === 'POP'
  // Decided once: the steps of a form that is open are entries of the history, too.
  const [isLeft] = useState(() => cameBack && wasHandedIn(examId))
  useEffect(() => {
    if (!isLeft) reopenForm()
  }, [isLeft])
  const asked = useExamForm(examId)
  // A form begins with what the server has now, not with what another page asked for earlier.
  const data = asked.isFetchedAfterMount ? asked.data : undefined
  return (
    <div className="my">
      <Loaded query={{ ...asked, data }}>
        {form => (
          <Opened
            form={form}
            mayChange={query.has('edit') && !isLeft}
            reload={async () => (await asked.refetch()).data}
          />
        )}
      </Loaded>
    </div>
  )
}
