import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import type { ExamForm } from './exam-form.ts'
import { stepNames } from './steps.ts'

/** Which exam, which step, and how long there is time. Steps that were reached can be gone to. */
export function StepBar({
  form,
  step,
  reached,
  onGo,
}: {
  form: ExamForm
  step: number
  reached: number
  onGo: (step: number) => void
}): ReactNode {
  const t = useT()
  return (
    <header className="form-head">
      <p className="form-exam">{form.exam.examName}</p>
      <nav aria-label={t('步骤')}>
        <ol className="form-steps">
          {stepNames.map((name, one) => (
            <li key={name} data-state={one === step ? 'here' : one < step ? 'done' : undefined}>
              <button
                type="button"
                disabled={one > reached}
                aria-current={one === step ? 'step' : undefined}
                onClick={() => onGo(one)}
              >
                <i aria-hidden="true">{one + 1}</i>
                <span>{t(name)}</span>
              </button>
            </li>
          ))}
        </ol>
      </nav>
      {form.deadline && (
        <p className="my-quiet">
          {t('剩余时间')} <Countdown until={form.deadline} />
        </p>
      )}
    </header>
  )
}
