import type { InputHTMLAttributes, ReactNode } from 'react'

interface Described {
  id: string
  label: string
  problem?: string
  /** Id of an element that says what is asked. */
  hint?: string
  /** What is asked, in the language of the page: it stands below the control before anything is wrong. */
  help?: string
}

/** One line of a small form: name, control, what is wrong. */
export function Entry({
  id,
  label,
  problem,
  hint,
  help,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & Described): ReactNode {
  const describedBy = [hint, help && `${id}-help`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className="in-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="in"
        aria-invalid={problem ? true : undefined}
        aria-describedby={describedBy || undefined}
        {...input}
      />
      {help && (
        <p className="in-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {problem && (
        <p className="in-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
