import { Checkbox } from 'antd'
import { ticketPictures } from '#schemas/tickets/ticket-pictures'
import { useT } from '../../platform/i18n/i18n.ts'
import { hardRules } from './hard-rules.ts'
import type { InputProps } from './props.ts'

interface ChecksProps {
  id?: string
  words: Readonly<Record<string, string>>
  value: readonly string[]
  onChange: (keys: string[]) => void
  disabled?: boolean
}

/** Several of a few named choices. */
function Checks({ id, words, value, onChange, disabled }: ChecksProps) {
  const t = useT()
  return (
    <div id={id}>
      <Checkbox.Group
        disabled={disabled}
        value={[...value]}
        options={Object.entries(words).map(([key, word]) => ({ value: key, label: t(word) }))}
        onChange={onChange}
        style={{ gap: '8px 16px' }}
      />
    </div>
  )
}

/** Which conditions are hard: a JSON list of their names. */
export function HardRulesInput({ id, value, onChange, disabled }: InputProps) {
  const chosen = Array.isArray(value) ? (value as string[]) : []
  return <Checks id={id} words={hardRules} value={chosen} onChange={onChange} disabled={disabled} />
}

/** Which pictures a candidate must upload before the ticket: comma-joined keys. */
export function TicketPicsInput({ id, value, onChange, disabled }: InputProps<string>) {
  const chosen = value ? value.split(',') : []
  return (
    <Checks
      id={id}
      words={ticketPictures}
      value={chosen}
      disabled={disabled}
      onChange={next => onChange(next.join(',') || undefined)}
    />
  )
}
