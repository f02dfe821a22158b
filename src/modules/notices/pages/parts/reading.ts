import { call } from '../../../../platform/http/browser/call.ts'
import { noticeList, readAllNotices, readNotice } from '../../contract.ts'
import { askNotices, type NoticePage, putNotices, SHOWN } from './unread.ts'

/** The latest of all notices for this person, pinned ones first. @throws as `call` */
export const fetchNotices = (): Promise<NoticePage> =>
  call(noticeList, { current: 1, size: 2 * SHOWN }, { pass: 'all' })

/** Says that a notice was read; the count of the unread ones follows at once. */
export async function markRead(id: string, { records, total }: NoticePage): Promise<void> {
  const left = records.filter(one => one.id !== id)
  if (left.length < records.length) putNotices({ records: left, total: total - 1 })
  await call(readNotice, { noticeId: id }, { as: 'address', pass: 'all' }).catch(() => undefined)
}

/** Marks everything read that need not be confirmed. @throws as `call` */
export async function markAllRead(): Promise<void> {
  await call(readAllNotices, {})
  await askNotices()
}
