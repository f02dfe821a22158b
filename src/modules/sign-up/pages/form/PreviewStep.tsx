import { CheckCircleOutlined, CloseCircleOutlined, ExclamationCircleOutlined } from '@ant-design/icons'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { type ReactNode, useState } from 'react'
import { sentence, useT } from '../../../../platform/i18n/i18n.ts'
import { fieldId } from '../../../../screens/candidate/inputs/props.ts'
import { SafeHtml } from '../../../../screens/fields/SafeHtml.tsx'
import { scrollBox } from '../../../../screens/scroll-stop.ts'
import { askPrecheck, type RuleResult } from '../exams/use-fitting.ts'
import type { ExamForm } from './exam-form.ts'
import { Summary } from './Summary.tsx'
import type { Sheet } from './sheet.ts'
import type { StepProps } from './step-props.ts'
import { at, fileProblems, itemProblems } from './steps.ts'
import { CONSENT, slotId } from './trouble.ts'

const levels: Record<number, readonly [word: string, icon: ReactNode, colour: string]> = {
  1: ['通过', <CheckCircleOutlined aria-hidden key="1" />, 'var(--jx-good)'],
  2: ['提醒', <ExclamationCircleOutlined aria-hidden key="2" />, 'var(--jx-warn)'],
  3: ['不符', <CloseCircleOutlined aria-hidden key="3" />, 'var(--jx-bad)'],
}

function Rules({ of }: { of: readonly RuleResult[] }): ReactNode {
  const t = useT()
  return (
    <ul className="form-rules">
      {of.map(one => {
        const [word, icon, colour] = levels[one.level] ?? levels[2]!
        return (
          <li key={one.rule}>
            <span style={{ color: colour, flex: 'none' }}>
              {icon} {t(word)}
            </span>
            <span>
              {one.msg}
              {one.hard && one.level === 3 && ` ${t('（不符合此项不能提交）')}`}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

function Precheck({ form, sheet }: { form: ExamForm; sheet: Sheet }): ReactNode {
  const t = useT()
  const { unit, code, content } = sheet
  const { data, isError, refetch } = useQuery({
    queryKey: ['precheck', form.exam.examId, code, content],
    retry: false,
    queryFn: ({ signal }) => askPrecheck({ examId: form.exam.examId, content }, { unit, code }, signal),
  })
  return (
    <section className="my-card" aria-live="polite">
      <h2>{t('条件比对')}</h2>
      {data && data.length > 0 && <Rules of={data} />}
      {data?.length === 0 && <p>{t('该岗位没有需要比对的条件')}</p>}
      {data?.some(one => one.level > 1) && <p className="my-quiet">{t('提醒和不符的项目会一并交给审核人员判断。')}</p>}
      {isError && (
        <Button size="large" onClick={() => void refetch()}>
          {t('重新比对')}
        </Button>
      )}
    </section>
  )
}

function Missing({ form, state, open, go }: StepProps): ReactNode {
  const t = useT()
  const items = itemProblems(form, state.sheet).map(one => ({
    key: one.field,
    msg: one.msg,
    isOpen: open.item(one.field.split('[')[0] ?? ''),
    go: () => go(at.items, fieldId(one.field)),
  }))
  const files = fileProblems(form, state.sheet).map(one => ({
    key: slotId(one.fileCode),
    msg: one.msg,
    isOpen: open.file(one.fileCode),
    go: () => go(at.files, slotId(one.fileCode)),
  }))
  const all = [...items, ...files].filter(one => one.isOpen)
  if (all.length === 0) return null
  return (
    <section className="my-card" id="missing" tabIndex={-1}>
      <h2>{t('还有 {{n}} 处没有完成', { n: all.length })}</h2>
      <ul className="my-rows">
        {all.map(one => (
          <li key={one.key}>
            <Button type="link" size="large" onClick={one.go}>
              {sentence(one.msg)}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Everything once more, compared with the position's demands, and the promise to be given. */
export function PreviewStep(props: StepProps): ReactNode {
  const t = useT()
  const { form, state, trouble, leave, go } = props
  const { sheet } = state
  const [asked, setAsked] = useState(false)
  leave.current = () => {
    if (!sheet.code) {
      go(at.position)
      return false
    }
    if (document.getElementById('missing')) {
      document.getElementById('missing')?.scrollIntoView({ block: 'center' })
      return false
    }
    setAsked(true)
    if (!sheet.consent) document.getElementById(CONSENT)?.focus()
    return sheet.consent
  }
  return (
    <>
      <h1>{t('承诺与预览')}</h1>
      <Missing {...props} />
      {sheet.code && <Precheck form={form} sheet={sheet} />}
      {trouble?.rules && trouble.rules.length > 0 && (
        <section className="my-card" data-tone="bad">
          <Rules of={trouble.rules} />
          <Button size="large" onClick={() => go(at.position)}>
            {t('更换岗位')}
          </Button>
        </section>
      )}
      <Summary form={form} sheet={sheet} onGo={go} />
      <section className="my-card">
        <h2>{t('诚信承诺书与个人信息处理告知书')}</h2>
        <section ref={scrollBox} className="form-promise" aria-label={t('诚信承诺书与个人信息处理告知书')}>
          <SafeHtml html={form.promise} />
        </section>
        <label className="in-tick">
          <input
            id={CONSENT}
            type="checkbox"
            checked={sheet.consent}
            aria-invalid={(asked && !sheet.consent) || undefined}
            onChange={event => state.change({ consent: event.target.checked })}
          />
          {t('我已阅读并同意《诚信承诺书》和《个人信息处理告知书》')}
        </label>
        {asked && !sheet.consent && (
          <p className="in-problem" role="alert">
            {t('请阅读并勾选同意')}
          </p>
        )}
      </section>
    </>
  )
}
