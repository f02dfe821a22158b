import { call } from '../../platform/http/browser/http.ts'
import { askNotices, NOTICES, type NoticePage, putNotices, SHOWN } from './notices.ts'

const BASE = '/blade-exam/examination'

/** The latest of all notices for this person, pinned ones first. @throws as `call` */
export function fetchNotices(): Promise<NoticePage> {
  return call<NoticePage>('GET', NOTICES, { params: { current: 1, size: 2 * SHOWN }, pass: 'all' })
}

/** Says that a notice was read; the count of the unread ones follows at once. */
export async function markRead(id: string, { records, total }: NoticePage): Promise<void> {
  const left = records.filter(one => one.id !== id)
  if (left.length < records.length) putNotices({ records: left, total: total - 1 })
  await call('POST', `${BASE}/readNotice`, { params: { noticeId: id }, pass: 'all' }).catch(() => undefined)
}

/** Marks everything read that need not be confirmed. @throws as `call` */
export async function markAllRead(): Promise<void> {
  await call('POST', `${BASE}/readAllNotices`, { data: {} })
  await askNotices()
}
