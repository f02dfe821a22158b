import { useEffect, useEffectEvent, useRef } from 'react'
import { call } from '../../../../platform/http/browser/call.ts'
import { readNotice } from '../../../notices/contract.ts'
import { inboxPage, readInbox, readMessage } from '../../contract.ts'
import { type NoticeLine, type NoticePage, putNotices } from './unread.ts'

/** Lines shown at once. */
const SHOWN = 10

/** Asks what is unread. A failure is silent: the next question may do better. */
export async function askNotices(): Promise<void> {
  const next = await call(inboxPage, { size: SHOWN, tab: 'unread' }, { pass: 'all' }).catch(() => undefined)
  if (next) putNotices({ ...next, total: Number(next.total) })
}

/** Says that a line was read; the count of the unread ones follows at once. */
export async function markRead({ id, kind }: Pick<NoticeLine, 'id' | 'kind'>, { records, total }: NoticePage) {
  const left = records.filter(one => one.id !== id)
  if (left.length < records.length) putNotices({ records: left, total: total - 1 })
  const sent =
    kind === 'message'
      ? call(readMessage, { id }, { pass: 'all' })
      : call(readNotice, { noticeId: id }, { as: 'address', pass: 'all' })
  await sent.catch(() => undefined)
}

/** Marks everything read that need not be confirmed. @throws as `call` */
export async function markAllRead(): Promise<void> {
  await call(readInbox, {})
  await askNotices()
}

/** Does something each time that more is unread than before. */
export function useMore(total: number, act: () => void): void {
  const before = useRef(total)
  const more = useEffectEvent(act)
  useEffect(() => {
    if (total > before.current) more()
    before.current = total
  }, [total])
}
