import { noticeEvents } from '#resources/notices/events'
import { files } from '#resources/notices/files'
import { news } from '#resources/notices/news'
import { notice } from '#resources/notices/notice'
import { noticefile } from '#resources/notices/noticefile'
import { emit, emitAt } from '../../../crud/emit.ts'
import { on, rules } from '../../../crud/rules.ts'
import { dropNoticeFiles, noticeFileHooks, noticeHooks } from './hooks.ts'
import { draftMoved } from './moved.ts'
import { filesHooks, newsHooks } from './publish.ts'
import { deriveAudience } from './readers.ts'

/** Rules of notices, news and downloads beyond their definitions. */
export const noticeRules = [
  rules(notice, { hooks: { ...noticeHooks, derive: deriveAudience } }),
  rules(noticefile, { hooks: noticeFileHooks }),
  dropNoticeFiles,
  draftMoved,
  on(notice, 'release', async ({ db, rows }) => {
    for (const row of rows.filter(one => one.needSure === 1)) {
      const exam = await db
        .selectFrom('examination')
        .select('ticketNeedSure')
        .where('id', '=', row.examId)
        .executeTakeFirst()
      const need = exam?.ticketNeedSure === 1 ? 'ticket' : 'plain'
      await emitAt(db, noticeEvents.mustSure, row, row.releaseTime, { need })
    }
  }),
  on(notice, 'recall', ({ db, rows }) =>
    emit(
      db,
      noticeEvents.recalled,
      rows.filter(one => one.needSure === 1),
    ),
  ),
  rules(news, { hooks: newsHooks }),
  rules(files, { hooks: filesHooks }),
]
