import type { ReactNode } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { SignStatus } from '#schemas/dictionaries/sign-up'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { answerText } from '../../../../screens/parts/answer-text.ts'
import '../../../../screens/candidate/candidate.css'
import { DoneView, FormPdfButton } from '../form/DoneView.tsx'
import '../form/form.css'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Facts } from '../../../../screens/candidate/Facts.tsx'
import { Loaded, Nothing } from '../../../../screens/candidate/Loaded.tsx'
import { useContract } from '../../../../screens/candidate/queries.ts'
import { momentText } from '../../../../screens/candidate/times.ts'
import { type Mine, mySignups, signupDetail } from '../../contract.ts'
import type { Submitted } from '../form/sending.ts'
import { Line } from '../parts/Line.tsx'
import { Todo } from '../parts/NextStep.tsx'
import type { SignupPartProps, SignupParts } from '../parts/signup-parts.ts'
import { stateOf, steps } from '../parts/states.ts'
import { FilesOf } from './FilesOf.tsx'
import { Leaving } from './Leaving.tsx'
import { Timeline } from './Timeline.tsx'

function Filled({ id }: { id: string }): ReactNode {
  const t = useT()
  const detail = useContract(signupDetail, { id })
  return (
    <Loaded query={detail}>
      {data => (
        <>
          <section className="my-card">
            <h2>{t('报名人')}</h2>
            <Facts
              of={[
                [t('姓名'), data.name],
                [t('证件号码'), data.idCard],
                [t('手机号码'), data.phone],
                [t('第二志愿'), [data.unit2Name, data.post2Name].filter(Boolean).join(' · ')],
              ]}
            />
          </section>
          {data.groups.map(group => (
            <section key={group.name} className="my-card">
              <h2>{t(group.label)}</h2>
              <Facts
                of={group.items.map(item => [
                  t(item.label),
                  item.text && (
                    <span style={{ whiteSpace: 'pre-line' }}>{answerText(item.inputType, item.text, t)}</span>
                  ),
                ])}
              />
            </section>
          ))}
          <FilesOf files={data.files} />
        </>
      )}
    </Loaded>
  )
}

type PartsProps = SignupPartProps & { parts: readonly SignupParts[] }

function Overview({ of, onChange, parts }: PartsProps): ReactNode {
  const t = useT()
  const [word, tone] = stateOf(of)
  const to = steps[of.nextStep]?.to(of.examId, of.id)
  const isElsewhere = to !== `/signup/mySignup/${of.id}`
  return (
    <header className="my-card">
      <div className="my-head">
        <h1>{of.examName}</h1>
        <Badge tone={tone}>{t(word)}</Badge>
      </div>
      <Line of={of} />
      <Todo of={of} to={isElsewhere ? to : undefined} onEnd={onChange} />
      <Facts
        of={[
          [t('报名序号'), of.signNo],
          [t('报考单位'), of.unitName],
          [t('报考岗位'), of.postName && `${of.postName}（${of.code}）`],
          [t('提交时间'), momentText(of.submitTime)],
          [t('咨询电话'), of.contactPhone && <a href={`tel:${of.contactPhone}`}>{of.contactPhone}</a>],
        ]}
      />
      {parts.map(({ name, head: Head }) => (
        <Head key={name} of={of} onChange={onChange} />
      ))}
      <div className="my-actions">
        {of.signStatus === SignStatus.submitted && <FormPdfButton id={of.id} />}
        <Leaving of={of} onDone={onChange} />
      </div>
    </header>
  )
}

/** Shown once after a sign-up was submitted: its number, and what comes next. */
function JustHandedIn({ id, of }: { id: string; of?: Mine }): ReactNode {
  const navigate = useNavigate()
  const { pathname, state } = useLocation()
  const done = (state as { done?: Submitted } | null)?.done
  if (done?.id !== id) return null
  return <DoneView done={done} of={of} onMine={() => void navigate(pathname, { replace: true })} />
}

/** One sign-up of the candidate: its state, its history, and all that was submitted. */
export function SignupPage({ parts }: { parts: readonly SignupParts[] }): ReactNode {
  const t = useT()
  const { id = '' } = useParams()
  const mine = useContract(mySignups, { current: 1, size: 50 })
  const refetch = (): void => void mine.refetch()
  // A list from before it was handed in does not have it yet.
  const isOld = mine.isFetching && !mine.data?.records.some(record => record.id === id)
  return (
    <div className="my">
      <JustHandedIn id={id} of={isOld ? undefined : mine.data?.records.find(record => record.id === id)} />
      <Loaded query={{ ...mine, data: isOld ? undefined : mine.data }}>
        {({ records }) => {
          const one = records.find(record => record.id === id)
          if (!one) return <Nothing title={t('报名不存在')} />
          return (
            <>
              <Overview of={one} onChange={refetch} parts={parts} />
              {parts.map(({ name, section: Section }) => (
                <Section key={name} of={one} onChange={refetch} />
              ))}
              {one.steps.length > 0 && (
                <section className="my-card">
                  <h2>{t('办理进度')}</h2>
                  <Timeline of={one.steps} />
                </section>
              )}
              <Filled id={id} />
            </>
          )
        }}
      </Loaded>
    </div>
  )
}
