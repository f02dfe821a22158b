import { type ReactNode, useEffect, useRef } from 'react'
import { useT } from '../../platform/i18n/i18n.ts'

/** Something that keeps a form from being sent. */
export interface Wrong {
  /** Id of the control. */
  id: string
  /** What the control is called, and what is wrong with it, in the language of the page. */
  label: string
  problem: string
}

/**
 * All that is wrong with a form, above it; each line leads to its control.
 * @param attempt counts how often it was tried to send the form: the list gets the focus each time
 */
export function Summary({ of, attempt }: { of: readonly Wrong[]; attempt: number }): ReactNode {
  const t = useT()
  const self = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (attempt > 0) self.current?.focus()
  }, [attempt])
  if (attempt === 0 || of.length === 0) return null
  return (
    <div ref={self} className="in-summary" role="alert" tabIndex={-1}>
      <h2>{t('有 {{n}} 处需要改正', { n: of.length })}</h2>
      <ul>
        {of.map(({ id, label, problem }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              onClick={event => {
                event.preventDefault()
                document.getElementById(id)?.focus()
              }}
            >
              {t('{{name}}：{{why}}', { name: label, why: problem })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
