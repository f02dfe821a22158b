import { events } from '#engine'
import type {} from '../audiences.ts'
import { exporttask } from './exporttask.ts'

/** What is told of files that are made in the background, to whoever has asked for them. */
export const exportEvents = events(exporttask, {
  ended: {
    label: '导出已完成',
    to: ['creator'],
    fields: ['title', 'keepUntil'],
    text: { zh: '“{title}”导出已完成，可以下载。', en: 'The export “{title}” is ready to download.' },
    opens: '/exam/exporttask',
    settles: ['exporttask.failed'],
  },
  failed: {
    label: '导出未完成',
    to: ['creator'],
    fields: ['title', 'failReason'],
    text: { zh: '“{title}”导出没有完成：{failReason}。', en: 'The export “{title}” was not made: {failReason}.' },
    opens: '/exam/exporttask',
  },
  copied: {
    label: '个人数据已整理好',
    to: ['creator'],
    fields: ['keepUntil'],
    by: { mail: true },
    text: {
      zh: '您的个人数据已整理好，请在{keepUntil}前下载。',
      en: 'Your data is ready to download until {keepUntil}.',
    },
    opens: '/info/data',
  },
})
