import type { ReactNode } from 'react'
import { serverNow, timeOf } from '../../../platform/http/browser/clock.ts'
import { useT } from '../../../platform/i18n/i18n.ts'
import { Badge } from '../../../screens/candidate/Badge.tsx'
import { momentText } from '../../../screens/candidate/times.ts'
import type { InboxLine } from '../contract.ts'

/** Whether something can still be done about a message; nothing for one that only says something. */
export function MessageState({ of }: { of: Pick<InboxLine, 'done' | 'until'> }): ReactNode {
  const t = useT()
  if (!of.until) return of.done ? <Badge tone="quiet">{t('已处理')}</Badge> : null
  if (of.done)
    return (
      <>
        <Badge tone="quiet">{t('已处理')}</Badge>
        <s>{momentText(of.until)}</s>
      </>
    )
  if (timeOf(of.until) <= serverNow()) return <Badge tone="quiet">{t('已截止')}</Badge>
  return <Badge tone="act">{t('{{at}} 截止', { at: momentText(of.until) })}</Badge>
}

/** True while a message asks for something that can be done. */
export const isOpen = ({ done, until }: Pick<InboxLine, 'done' | 'until'>): boolean =>
  !done && (!until || timeOf(until) > serverNow())
