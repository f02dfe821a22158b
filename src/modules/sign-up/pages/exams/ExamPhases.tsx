import type { ReactNode } from 'react'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { Badge } from '../../../../screens/candidate/Badge.tsx'
import { Countdown } from '../../../../screens/candidate/Countdown.tsx'
import type { ExamLine } from '../../contract.ts'
import { phaseTone } from '../parts/states.ts'

/** The phases an exam is in, and how long until the next end. @param onTime called when the countdown has reached its end */
export function ExamPhases({
  exam: { phases, deadline },
  onTime,
}: {
  exam: Pick<ExamLine, 'phases' | 'deadline'>
  onTime?: (() => void) | undefined
}): ReactNode {
  const t = useT()
  return (
    <div className="my-words">
      {phases.map(phase => (
        <Badge key={phase} tone={phaseTone(phase)}>
          {t(phase)}
        </Badge>
      ))}
      {deadline && (
        <span className="my-quiet">
          {t('距{{what}}', { what: t(deadline.label) })} <Countdown until={deadline.at} onEnd={onTime} />
        </span>
      )}
    </div>
  )
}
