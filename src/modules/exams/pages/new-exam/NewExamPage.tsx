import { useInvalidate } from '@refinedev/core'
import { App, Button, Steps } from 'antd'
import { type ReactNode, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import { examination } from '#resources/exams/examination'
import { call } from '../../../../platform/http/browser/call.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { suggesting } from '../../../../screens/contract.ts'
import { NoAnswer } from '../../../../screens/parts/NoAnswer.tsx'
import { useEndpoint } from '../../../../screens/parts/use-endpoint.ts'
import { SentBefore } from '../../../../screens/SentBefore.tsx'
import { useDraft } from '../../../../screens/use-draft.tsx'
import { useKey } from '../../../../screens/use-key.ts'
import { closePage } from '../../../../screens/window/close-page.ts'
import { PageSkeleton } from '../../../../screens/window/PageSkeleton.tsx'
import { doneText } from '../../../../screens/window/toasts.tsx'
import { useSmall } from '../../../../screens/window/use-width.ts'
import { wrongInputs } from '../../../../screens/wrong-inputs.ts'
import { beginExam, examProposal } from '../../contract.ts'
import type { Planning } from '../../rules/exam-times.ts'
import { examList } from '../parts/ExamCard.tsx'
import {
  askedFirst,
  copying,
  fields,
  filledIn,
  from,
  missing,
  type Proposal,
  plannedTimes,
  planningOf,
  sentOf,
  type Values,
} from './beginning.ts'
import { FactsStep, inputId } from './FactsStep.tsx'
import { StartStep } from './StartStep.tsx'
import { judged, TimesStep } from './TimesStep.tsx'
import './new-exam.css'

/** Address of this page. */
const newExam = '/exam/new'

const steps = ['从哪里开始', '必要信息', '时间核对'] as const
const [FACTS, TIMES] = [1, 2] as const

const inFacts: readonly string[] = [...askedFirst, ...filledIn]

type Texts = Readonly<Record<string, string>>

/** Goes to the first input that something is wrong with, once it is drawn. */
const goTo = (problems: Texts): void => {
  const [first] = Object.keys(problems)
  if (first) setTimeout(() => document.getElementById(inputId(first))?.focus())
}

interface Props {
  proposal: Proposal
  planning: Planning
  onDone: (id: string, name: string) => void
}

function Wizard({ proposal: newest, planning, onDone }: Props): ReactNode {
  const t = useT()
  const go = useNavigate()
  const small = useSmall()
  const [start] = useState(() => (newest.source ? copying(newest) : from('recruitment', newest)))
  const [values, setValues] = useState<Values>(start)
  const [proposal, setProposal] = useState(newest)
  const [step, setStep] = useState(0)
  const [shown, setShown] = useState<Texts>({})
  const [busy, setBusy] = useState(false)
  const [isSentBefore, setSentBefore] = useState(false)
  const key = useKey()
  const change = (next: Values): void => {
    setValues(next)
    draft.changed(next)
  }
  const draft = useDraft({
    form: 'exam/new',
    fields,
    start,
    key,
    onRestore: restored => {
      const next = { ...values, ...restored }
      change(next)
      if (next.fromId && (!proposal.source || next.fromId !== proposal.source.id))
        void askAbout(next.fromId).then(setProposal)
    },
  })
  const askAbout = (id: string) => call(examProposal, { id })
  const set = (name: string, value: unknown): void => {
    setShown(({ [name]: _gone, ...rest }) => rest)
    change({ ...values, [name]: value })
  }
  const chooseSource = (id: string): void => {
    void askAbout(id).then(
      answer => {
        setProposal(answer)
        change({ ...copying(answer), take: values.take })
      },
      () => undefined,
    )
  }
  const chooseStart = (chosen: Values['start']): void => {
    const { examType } = values
    if (chosen !== 'copy') change({ ...from(chosen, proposal), take: values.take })
    else if (!examType || proposal.exam === '' || proposal.exam.examType === examType)
      change({ ...copying(proposal), take: values.take })
    // A type has been chosen: the newest exam of that type is copied, if there is one.
    else
      void call(examProposal, { examType: String(examType) }).then(
        answer => {
          const next = answer.source ? answer : proposal
          setProposal(next)
          change({ ...copying(next), take: values.take })
        },
        () => undefined,
      )
  }
  const times = plannedTimes(values, planning)
  const fix = (problems: Texts): void => {
    setShown(problems)
    const names = Object.keys(problems)
    if (names.some(name => inFacts.includes(name))) setStep(FACTS)
    goTo(problems)
  }
  const next = (): void => {
    const lacking = step === FACTS ? missing(values) : {}
    if (Object.keys(lacking).length > 0) fix(lacking)
    else setStep(step + 1)
  }
  const save = async (): Promise<void> => {
    const lacking = { ...missing(values), ...judged(values, planning).problems }
    if (Object.keys(lacking).length > 0) return fix(lacking)
    const body = sentOf(values, times)
    setBusy(true)
    try {
      const { id } = await call(beginExam, body, { key: key.keyFor(body) })
      draft.saved()
      onDone(id, String(values.examName))
    } catch (error) {
      setSentBefore(key.failed(error))
      fix(wrongInputs(error))
      setBusy(false)
    }
  }
  const again = (): void => {
    key.renew()
    setSentBefore(false)
    void save()
  }
  return (
    <section className="new-exam">
      <Steps
        size="small"
        current={step}
        orientation="horizontal"
        responsive={false}
        titlePlacement={small ? 'vertical' : 'horizontal'}
        items={steps.map(title => ({ title: t(title) }))}
        onChange={to => to < step && setStep(to)}
      />
      {draft.bar}
      {isSentBefore && <SentBefore again="另存为新的一条" onAgain={again} />}
      {step === 0 && (
        <StartStep
          values={values}
          proposal={proposal}
          onStart={chooseStart}
          onSource={chooseSource}
          onTake={take => set('take', take)}
        />
      )}
      {step === FACTS && <FactsStep values={values} problems={shown} onChange={set} />}
      {step === TIMES && <TimesStep values={values} planning={planning} refused={shown} onChange={set} />}
      <div className="form-foot">
        <Button onClick={() => (step === 0 ? void go(examList) : setStep(step - 1))}>
          {step === 0 ? t('取消') : t('上一步')}
        </Button>
        {step < TIMES ? (
          <Button type="primary" onClick={next}>
            {t('下一步')}
          </Button>
        ) : (
          <Button type="primary" loading={busy} onClick={() => void save()}>
            {t('保存')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** Makes a new exam in three steps: where it begins, what nobody else can know, and a look at its times. */
export default function NewExamPage(): ReactNode {
  const t = useT()
  const go = useNavigate()
  const { message } = App.useApp()
  const invalidate = useInvalidate()
  const [round, setRound] = useState(0)
  const [params] = useSearchParams()
  const id = params.get('from') ?? ''
  const proposal = useEndpoint(examProposal, id ? { id } : {})
  const planning = useEndpoint(suggesting, { form: examination.entity.name })
  const error = proposal.error ?? planning.error
  if (error)
    return <NoAnswer error={error} onRetry={() => void Promise.all([proposal.refetch(), planning.refetch()])} />
  if (!proposal.data || !planning.data) return <PageSkeleton />
  const done = (id: string, name: string): void => {
    void invalidate({ resource: examination.name, invalidates: ['list'] })
    void message.success(doneText(t('新增成功'), name))
    closePage(newExam)
    void go(`/exam/${id}`, { replace: true })
    // Whoever comes back makes another one.
    setRound(round + 1)
  }
  return <Wizard key={`${round} ${id}`} proposal={proposal.data} planning={planningOf(planning.data)} onDone={done} />
}
