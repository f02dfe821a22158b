import { type ReactNode, use, useEffect, useRef } from 'react'
import type { ExamWindow } from '#resources/exams/standing'
import { useT } from '../../platform/i18n/i18n.ts'
import { dayText, momentText } from '../candidate/times.ts'
import { LineEditPlace } from './line-edit.ts'
import type { CellProps } from './props.ts'
import './stage-line.css'

const words = { before: '未开始', open: '进行中', closed: '已结束' } as const

/** The windows of an exam one after the other, with those that are open marked and in view; where dates may be changed, each by a click. */
export default function StageLine({ value }: CellProps): ReactNode {
  const t = useT()
  const line = useRef<HTMLOListElement>(null)
  const edit = use(LineEditPlace)
  const stages = value as readonly ExamWindow[]
  useEffect(() => {
    const open = line.current?.querySelector<HTMLElement>('[data-state=open]')
    if (open && line.current) line.current.scrollLeft = open.offsetLeft - line.current.offsetLeft
  }, [])
  if (stages.length === 0) return null
  return (
    <ol ref={line} className="stage-line" tabIndex={-1}>
      {stages.map(({ phase, start, end, fields, state }) => (
        <li key={phase} data-state={state} aria-current={state === 'open' ? 'step' : undefined}>
          <strong>
            {edit && fields.length > 0 ? (
              <button
                type="button"
                aria-label={t('修改{{name}}', { name: t(phase) })}
                onClick={() => edit(phase, fields)}
              >
                {t(phase)}
              </button>
            ) : (
              t(phase)
            )}
          </strong>
          <span title={`${momentText(start)} – ${momentText(end)}`}>
            <time>{dayText(start)} –</time> <time>{dayText(end)}</time>
          </span>
          <i>{t(words[state])}</i>
        </li>
      ))}
    </ol>
  )
}
