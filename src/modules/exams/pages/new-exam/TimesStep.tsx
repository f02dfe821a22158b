import { Alert, Button, Tag } from 'antd'
import { type ReactNode, useState } from 'react'
import type { Field } from '#engine'
import { examination } from '#resources/exams/examination'
import { ExamStatus } from '#schemas/dictionaries/exam'
import { ReduceBase } from '#schemas/dictionaries/sign-up'
import { serverNow, timeOf } from '../../../../platform/http/browser/clock.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { FieldInput } from '../../../../screens/fields/inputs.tsx'
import { weekdayTime } from '../../../../screens/fields/weekday-time.ts'
import type { Planning } from '../../rules/exam-times.ts'
import { windowProblems, windowWarnings } from '../../rules/exam-windows.ts'
import { entered, fields, plannedTimes, type Values } from './beginning.ts'
import { inputId } from './FactsStep.tsx'

interface LineProps {
  name: string
  text: string
  isEntered: boolean
  wrong: string | undefined
  onChange: (value: unknown) => void
}

/** One time: what it is, when, and whether that is only suggested; a press opens its input. */
function TimeLine({ name, text, isEntered, wrong, onChange }: LineProps): ReactNode {
  const t = useT()
  const [isOpen, setOpen] = useState(false)
  const field = fields[name] as Field
  const id = inputId(name)
  const forget = (): void => {
    onChange(undefined)
    setOpen(false)
  }
  return (
    <li className="new-exam-time" data-wrong={Boolean(wrong) || undefined}>
      <span id={`${id}-label`} className="new-exam-what">
        {t(field.title)}
      </span>
      {isOpen ? (
        <FieldInput id={id} name={name} field={field} value={text} onChange={onChange} invalid={Boolean(wrong)} />
      ) : (
        <button type="button" id={id} aria-describedby={`${id}-label`} onClick={() => setOpen(true)}>
          {weekdayTime(text)}
        </button>
      )}
      {isEntered ? (
        <Button type="link" size="small" onClick={forget}>
          {t('用建议')}
        </Button>
      ) : (
        <Tag variant="filled">{t('建议')}</Tag>
      )}
      {wrong && (
        <span role="alert" className="new-exam-wrong">
          {t(wrong)}
        </span>
      )}
    </li>
  )
}

/** Length of a day on the wire. */
const DAY = 10

const dates = (times: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(times).map(([name, text]) => [name, new Date(timeOf(text))]))

/** What is wrong with times, by field, and what is seldom meant. */
export function judged(values: Values, planning: Planning) {
  const times = plannedTimes(values, planning)
  const exam = {
    examStatus: ExamStatus.draft,
    allowAdjust: 1,
    needPay: values.fee ? 1 : 0,
    reduceBase: ReduceBase.approved,
    ...dates(times),
  }
  const wrong = windowProblems(exam)
  const said = windowWarnings(exam).map(one => one.msg)
  const isHoliday = planning.isHoliday?.(times.examStartTime?.slice(0, DAY) ?? '')
  const isLate = times.signStartTime !== undefined && timeOf(times.signStartTime) < serverNow()
  return {
    problems: Object.fromEntries(wrong.map(({ field, msg }) => [field, msg])),
    warnings: [
      ...said,
      ...(isHoliday ? ['笔试日期是节假日'] : []),
      ...(isLate ? ['报名开始时间已过，请推迟笔试日期或修改报名时间'] : []),
    ],
  }
}

interface Props {
  values: Values
  planning: Planning
  refused: Readonly<Record<string, string>>
  onChange: (name: string, value: unknown) => void
}

/** All times as they follow from the day of the written exam, group by group. */
export function TimesStep({ values, planning, refused, onChange }: Props): ReactNode {
  const t = useT()
  const times = plannedTimes(values, planning)
  const own = entered(values)
  const { problems, warnings } = judged(values, planning)
  const groups = examination.form.flatMap(({ title, inputs }) => {
    const names = inputs.map(({ field }) => field).filter(name => times[name])
    const isFree = !values.fee && names.some(name => name.startsWith('pay'))
    return names.length > 0 && !isFree ? [{ title, names }] : []
  })
  return (
    <>
      {warnings.map(text => (
        <Alert key={text} type="warning" showIcon title={t(text)} style={{ marginBottom: 16 }} />
      ))}
      <div className="new-exam-times">
        {groups.map(({ title, names }) => (
          <section key={title} aria-label={t(title)}>
            <h3>{t(title)}</h3>
            <ul>
              {names.map(name => (
                <TimeLine
                  key={name}
                  name={name}
                  text={times[name] ?? ''}
                  isEntered={own[name] !== undefined}
                  wrong={refused[name] ?? problems[name]}
                  onChange={value => onChange(name, value)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </>
  )
}
