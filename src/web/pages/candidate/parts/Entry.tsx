import type { InputHTMLAttributes, ReactNode } from 'react'

/** One line of a small form: name, control, what is wrong. */
export function Entry({
  id,
  label,
  problem,
  ...input
}: InputHTMLAttributes<HTMLInputElement> & { id: string; label: string; problem?: string }): ReactNode {
  return (
    <div className="in-field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        className="in"
        aria-invalid={problem ? true : undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        {...input}
      />
      {problem && (
        <p className="in-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}
