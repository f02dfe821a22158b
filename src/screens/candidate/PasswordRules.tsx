import type { ReactNode } from 'react'
import { passwordRules } from '../../engine/password.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import './password-rules.css'

interface Props {
  /** Id, for the input that the rules describe. */
  id: string
  password: string
  /** 1 staff, 2 candidate. */
  userType: number
  /** Texts that must not be in it. */
  names: readonly string[]
}

/** What is asked of a new password, marked as it is typed. */
export function PasswordRules({ id, password, userType, names }: Props): ReactNode {
  const t = useT()
  const rules = passwordRules(userType, names).filter(rule => !rule.rare || !rule.holds(password))
  return (
    <ul className="password-rules" id={id} aria-live="polite">
      {rules.map(({ words, holds }) => {
        const isMet = password !== '' && holds(password)
        return (
          <li key={words} data-met={isMet}>
            <span aria-hidden>{isMet ? '✓' : '·'}</span>
            {t(words)}
            {isMet && <span className="heard-only">{t('已满足')}</span>}
          </li>
        )
      })}
    </ul>
  )
}
