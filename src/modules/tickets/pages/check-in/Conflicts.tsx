import { Alert, Button } from 'antd'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { clockText } from './clock-text.ts'
import type { Door, DoorState } from './door.ts'
import { conflictText } from './words.ts'

/** Notes that were not taken as they stand, until somebody has read them. */
export function Conflicts({ door, state }: { door: Door; state: DoorState }) {
  const t = useT()
  const clashed = state.queue.filter(mark => mark.conflict)
  const nameOf = (ticketId: string) => {
    const one = state.bundle?.roster.find(seated => seated.ticketId === ticketId)
    return one ? t('{{seat}} 号 {{name}}', { seat: one.seatNo, name: one.name }) : t('其他考场的考生')
  }
  if (clashed.length === 0) return null
  return (
    <Alert
      type="warning"
      title={t('{{n}} 条登记有冲突', { n: clashed.length })}
      description={
        <ul className="door-conflicts">
          {clashed.map(({ id, ticketId, at, conflict }) => (
            <li key={id}>
              {clockText(at)} {nameOf(ticketId)} · {conflict && conflictText(conflict.reason, t)}
              {conflict?.by && ` · ${conflict.by} ${clockText(conflict.at)}`}
            </li>
          ))}
        </ul>
      }
      action={
        <Button size="small" onClick={() => void door.dismiss(clashed.map(one => one.id))}>
          {t('知道了')}
        </Button>
      }
    />
  )
}
