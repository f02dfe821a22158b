import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { shortDayText } from '../../../../screens/candidate/times.ts'
import type { Mine, Station } from '../../contract.ts'
import './line.css'

/** What is drawn and what is said of a state. */
const states: Readonly<Record<Station['state'], readonly [mark: string, word: string]>> = {
  done: ['✓', '已完成'],
  here: ['', '当前'],
  ahead: ['', '尚未到'],
  ended: ['✕', '到此为止'],
}

/** Where a station's page is; those that are not here have the sign-up itself, with its history. */
const pages: Partial<Record<Station['station'], string>> = {
  PAY: '/signup/examPay',
  TICKET: '/signup/ticket',
  STAGE: '/signup/ticket',
  SCORE: '/signup/score',
  PUBLICITY: '/signup/notice',
}

/** The way of a sign-up, station by station; to those who hear it, the same as a list of words. */
export function Line({ of: { id, line = [] } }: { of: Pick<Mine, 'id' | 'line'> }): ReactNode {
  const t = useT()
  if (line.length === 0) return null
  return (
    <ol className="way" aria-label={t('办理进度')}>
      {line.map(({ station, name, state, time }) => {
        const [mark, word] = states[state]
        return (
          <li key={station + name} data-state={state} aria-current={state === 'here' ? 'step' : undefined}>
            <Link to={pages[station] ?? `/signup/mySignup/${id}`}>
              <i aria-hidden>{mark}</i>
              <span className="way-name">{t(name)}</span>
              <span className="heard-only">{t(word)}</span>
              {state === 'ahead' && <time>{shortDayText(time)}</time>}
            </Link>
          </li>
        )
      })}
    </ol>
  )
}
