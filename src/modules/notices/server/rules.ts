import { files } from '#resources/notices/files'
import { news } from '#resources/notices/news'
import { notice } from '#resources/notices/notice'
import { noticefile } from '#resources/notices/noticefile'
import { rules } from '../../../crud/rules.ts'
import { dropNoticeFiles, noticeFileHooks, noticeHooks } from './hooks.ts'
import { draftMoved } from './moved.ts'
import { filesHooks, newsHooks } from './publish.ts'
import { deriveMeant } from './readers.ts'

/** Rules of notices, news and downloads beyond their definitions. */
export const noticeRules = [
  rules(notice, { hooks: { ...noticeHooks, derive: deriveMeant } }),
  rules(noticefile, { hooks: noticeFileHooks }),
  dropNoticeFiles,
  draftMoved,
  rules(news, { hooks: newsHooks }),
  rules(files, { hooks: filesHooks }),
]
