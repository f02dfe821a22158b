import { call } from '../../../../platform/http/browser/call.ts'
import { readNotice } from '../../../notices/contract.ts'
import { readInbox, readMessage } from '../../contract.ts'
import { askNotices, type NoticeLine, type NoticePage, putNotices } from './unread.ts'

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
