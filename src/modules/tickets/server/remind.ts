import {
  NoticeCategory,
  NoticeFilter,
  NoticeScope,
  NoticeStatus,
  NoticeType,
  ReleaseStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { Notice } from '#schemas/notices/notice'
import { keepHistory } from '../../../crud/history.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { momentText } from '../../../platform/i18n/times.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { ticketWindows } from '../rules/act-windows.ts'
import { lockStage } from './allot.ts'
import type { Stage } from './stage.ts'

const again = 10 * 60_000

/** Who reminds, and when. */
interface Reminding {
  readonly userId: string
  readonly now: Date
}

async function missing(trx: Live, itemId: string): Promise<number> {
  const { n } = await trx
    .selectFrom('examinationticket as ticket')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('ticket.itemId', '=', itemId)
    .where('ticket.ticketStatus', '=', TicketStatus.released)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('ticketnotice as d')
            .select('d.id')
            .whereRef('d.signupId', '=', 'ticket.signupId')
            .whereRef('d.itemId', '=', 'ticket.itemId')
            .where('d.downNum', '>', 0),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(n)
}

function textOf(stage: Stage): { title: string; content: string } {
  const until = stage.ticketEndTime ?? stage.examTicketEnd
  const end = until ? `请在 ${momentText(until)} 前下载并打印。` : '请尽快下载并打印。'
  return {
    title: `请下载准考证：${stage.examName} ${stage.itemName}`.slice(0, 200),
    content: `<p>您报考的「${escapeHtml(stage.examName)}」${escapeHtml(stage.itemName)}准考证已发布，您还没有下载。${end}</p>`,
  }
}

/** One reminder is out at a time. @throws input.repeated when the last one is only minutes old */
async function recallEarlier(trx: Live, itemId: string, { userId, now }: Reminding): Promise<void> {
  const earlier = await trx
    .selectFrom('notice')
    .selectAll()
    .where('scope1', '=', NoticeScope.stageCandidates)
    .where('scope2', '=', itemId)
    .where('scopeState', '=', NoticeFilter.notDownloaded)
    .where('noticeStatus', '=', NoticeStatus.released)
    .execute()
  if (earlier.some(one => now.getTime() - one.releaseTime.getTime() < again)) throw refuse('input.repeated')
  if (earlier.length === 0) return
  const recalled = await trx
    .updateTable('notice')
    .set({ noticeStatus: NoticeStatus.recalled })
    .where(
      'id',
      'in',
      earlier.map(one => one.id),
    )
    .returningAll()
    .execute()
  const before = new Map(earlier.map(one => [one.id, one]))
  await keepHistory(
    trx,
    Notice,
    recalled.map(one => [before.get(one.id) ?? one, one] as const),
    { act: 'recall', userId, now },
  )
}

/**
 * Reminds everybody who has not downloaded the ticket of a stage by one notice: it is shown to them alone, until the ticket is
 * downloaded.
 * @returns how many it is for
 * @throws tickets.notReleased before the tickets are out, tickets.downloadClosed when the download is over,
 * row.wrongState when everybody has, input.repeated when repeated
 */
export async function remindDownload(db: Live, itemId: string, { userId, now }: Reminding): Promise<number> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.ticketRelease !== ReleaseStatus.released) throw refuse('tickets.notReleased')
    const until = stage.ticketEndTime ?? stage.examTicketEnd
    checkTimely(ticketWindows.remind, { exam: { ticketEndTime: until } }, now)
    const num = await missing(trx, itemId)
    if (num === 0) throw refuse('row.wrongState')
    await recallEarlier(trx, itemId, { userId, now })
    const reminder = await trx
      .insertInto('notice')
      .values({
        ...textOf(stage),
        category: NoticeCategory.exam,
        noticeType: NoticeType.notice,
        examId: stage.examId,
        scope1: NoticeScope.stageCandidates,
        scope2: itemId,
        scopeState: NoticeFilter.notDownloaded,
        releaseTime: now,
        endTime: until,
        needSure: 0,
        isTop: 1,
        noticeStatus: NoticeStatus.released,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepHistory(trx, Notice, [[null, reminder]], { act: 'add', userId, now })
    return num
  })
}
