import {
  type AnswerOf,
  announcedShape,
  count,
  download,
  endpoint,
  group,
  id,
  integer,
  list,
  maybe,
  optional,
  pageOf,
  pageWith,
  paging,
  pick,
  sometimes,
  text,
  type Wire,
  words,
} from '#engine'
import { Files } from '#schemas/notices/files'
import { News } from '#schemas/notices/news'
import { Notice as NoticeEntity } from '#schemas/notices/notice'
import { Noticefile } from '#schemas/notices/noticefile'
import { Notifyread } from '#schemas/notices/notifyread'
import { Sms } from '#schemas/resource/sms'
import { User } from '#schemas/system/user'
import { examFaceShape, examLineShape } from '../sign-up/contract.ts'

const noticeId = id('公告')
const one = { id: noticeId }
const filters = {
  ...paging,
  category: optional(integer('公告类别')),
  title: optional(text('标题', { maxLength: 100 })),
}
const flagged = { read: words('是否已读', 0, 1), sure: words('是否已确认', 0, 1) }

/** How many candidates are told when fields of an exam change. */
export const countMoved = endpoint('notices.countMoved', 'GET /blade-exam/examination/countMoved', {
  title: '考试：改时间要通知的人数',
  access: ['examination_edit'],
  query: { id: id('考试'), fields: text('要改的字段') },
  answer: announcedShape,
})

/** How many candidates are told when the end of a fee changes. */
export const countMovedOfFee = endpoint('notices.countMovedOfFee', 'GET /blade-examPay/exampay/countMoved', {
  title: '考试缴费设置：改时间要通知的人数',
  access: ['exampay_edit'],
  query: { id: id('考试缴费设置'), fields: text('要改的字段') },
  answer: announcedShape,
})

/** How many candidates are told when ends of a stage change. */
export const countMovedOfStage = endpoint('notices.countMovedOfStage', 'GET /blade-item/examinationitem/countMoved', {
  title: '考试项目：改时间要通知的人数',
  access: ['examinationitem_edit'],
  query: { id: id('考试项目'), fields: text('要改的字段') },
  answer: announcedShape,
})

/** A notice in a list, with what the caller has done with it. */
export const noticeLineShape = group({
  id: noticeId,
  ...pick(NoticeEntity, 'title', 'category', 'noticeType', 'releaseTime', 'isTop', 'needSure').of,
  ...flagged,
})

/** A file attached to a notice. */
const hungFileShape = group({
  id: id('公告附件'),
  ...pick(Noticefile, 'attachId', 'fileName', 'fileSize', 'ext', 'downNum').of,
})

/** A notice in full, with its files. */
const noticeShape = group({
  ...noticeLineShape.of,
  ...pick(NoticeEntity, 'content', 'endTime', 'examId').of,
  sureTime: maybe(Notifyread.properties.sureTime),
  readTime: maybe(Notifyread.properties.readTime),
  files: list(hungFileShape),
})

/** Notices for the caller, pinned ones first. */
export const noticeList = endpoint('notices.list', 'GET /blade-exam/examination/getNoticeList', {
  title: '公告：我的公告',
  access: 'signed-in',
  scraped: true,
  query: { ...filters, unread: sometimes(words('只看未读', 1)) },
  answer: pageOf(noticeLineShape),
})

/** One of them in full. */
export const noticeInfo = endpoint('notices.info', 'GET /blade-exam/examination/getNoticeInfo', {
  title: '公告：查看',
  access: 'signed-in',
  scraped: true,
  query: one,
  answer: noticeShape,
})

/** What the first page shows: notices still to be confirmed, the latest, how many notices and messages are unread. */
export const noticeIndex = endpoint('notices.index', 'GET /blade-exam/examination/getIndexNotice', {
  title: '公告：首页',
  access: 'signed-in',
  scraped: true,
  query: {},
  answer: group({
    mustSure: list(group({ id: noticeId, ...pick(NoticeEntity, 'title', 'content', 'releaseTime').of })),
    latest: list(noticeLineShape),
    unreadNum: count('未读数'),
  }),
})

/** Marks all notices of the caller as read. */
export const readAllNotices = endpoint('notices.readAll', 'POST /blade-exam/examination/readAllNotices', {
  title: '公告：全部已读',
  access: 'signed-in',
  answer: group({ num: count('条数') }),
})

/** Marks a notice as read. */
export const readNotice = endpoint('notices.read', 'POST /blade-exam/examination/readNotice', {
  title: '公告：已读',
  access: 'signed-in',
  values: { id: sometimes(noticeId), noticeId: sometimes(noticeId) },
})

/** The same, as older clients call it. */
export const readNotify = endpoint('notices.readNotify', 'POST /blade-exam/examination/readNotify', {
  title: '通知：已读',
  access: 'signed-in',
  values: { id: sometimes(noticeId), notifyId: sometimes(noticeId) },
})

/** Confirms a notice. */
export const confirmNotice = endpoint('notices.confirm', 'POST /blade-exam/examination/sureNotify', {
  title: '通知：确认',
  access: 'signed-in',
  values: one,
})

/** Notices for everybody. */
export const publicNotices = endpoint('public.notices', 'GET /public/notices', {
  title: '公开：公告列表',
  access: 'public',
  query: filters,
  answer: pageOf(noticeLineShape),
})

/** One of them in full. */
export const publicNotice = endpoint('public.notice', 'GET /public/notice', {
  title: '公开：公告',
  access: 'public',
  query: one,
  answer: noticeShape,
})

const contentQuery = {
  ...paging,
  category: optional(text('栏目', { maxLength: 10 })),
  keyword: optional(text('关键词', { maxLength: 100 })),
}
const categories = { categories: list(group({ key: text('键'), label: text('名称') })) }

/** News that is online, pinned ones first. */
export const newsList = endpoint('public.newsList', 'GET /public/news', {
  title: '公开：新闻列表',
  access: 'public',
  query: contentQuery,
  answer: pageWith(
    group({
      id: id('新闻'),
      ...pick(News, 'title', 'category', 'cover', 'summary', 'source', 'releaseTime', 'isTop', 'viewNum').of,
    }),
    categories,
  ),
})

/** One piece of news in full; reading it counts. */
export const newsInfo = endpoint('public.news', 'GET /public/news/detail', {
  title: '公开：新闻',
  access: 'public',
  query: { id: id('新闻') },
  answer: group({
    id: id('新闻'),
    ...pick(News, 'title', 'category', 'cover', 'summary', 'content', 'source', 'author', 'releaseTime', 'viewNum').of,
  }),
})

/** Files that are offered to everybody. */
export const publicFiles = endpoint('public.files', 'GET /public/files', {
  title: '公开：下载列表',
  access: 'public',
  query: contentQuery,
  answer: pageWith(
    group({
      id: id('文件'),
      ...pick(Files, 'fileName', 'category', 'attachId', 'fileSize', 'ext', 'downNum').of,
    }),
    categories,
  ),
})

/** Exams that are out, without anything about a person. */
export const publicExams = endpoint('public.exams', 'GET /public/exams', {
  title: '公开：考试列表',
  access: 'public',
  query: {
    ...paging,
    examName: optional(text('考试名称', { maxLength: 100 })),
    examType: optional(text('考试类型', { maxLength: 64 })),
  },
  answer: pageOf(examLineShape),
})

/** One of them with its positions. */
export const publicExam = endpoint('public.exam', 'GET /public/exam', {
  title: '公开：考试',
  access: 'public',
  query: { id: id('考试') },
  answer: examFaceShape,
})

/** Writes a notice, as JSON or as a form with files. */
export const submitNotice = endpoint('notices.submit', 'POST /blade-desk/notice/submit', {
  title: '公告/通知：新增或修改',
  access: ['notice_add', 'notice_edit'],
  // One more than is accepted, so that it can be said what is wrong.
  upload: { files: 11, KB: 20 * 1024 },
  values: { id: sometimes(noticeId), ...pick(NoticeEntity, 'title', 'content').of, fileIds: text('附件') },
  answer: group({ id: noticeId }),
})

/** The files of a notice, for whoever may read it. */
export const noticeFiles = endpoint('notices.files', 'GET /blade-desk/notice/getNoticeFiles', {
  title: '公告/通知：附件',
  access: 'signed-in',
  query: { noticeId },
  answer: list(hungFileShape),
})

const scope1 = optional(integer('发布范围', { minimum: 1, maximum: 6 }))

/** Exams that notices of a kind of audience are about. */
export const examsOfNotices = endpoint('notices.exams', 'GET /blade-noticeRead/noticeread/examList', {
  title: '阅读情况：考试',
  access: ['noticeread'],
  query: { scope1 },
  answer: list(group({ id: id('考试'), examName: text('考试名称') })),
})

/** Notices that somebody may have read. */
export const followedNotices = endpoint('notices.followed', 'GET /blade-noticeRead/noticeread/noticeList', {
  title: '阅读情况：公告',
  access: ['noticeread'],
  query: { scope1, examId: sometimes(id('考试')) },
  answer: list(
    group({
      id: noticeId,
      ...pick(NoticeEntity, 'title', 'noticeType', 'scope1', 'needSure', 'noticeStatus', 'readNum', 'sureNum').of,
      ...pick(NoticeEntity, 'releaseTime').of,
    }),
  ),
})

const numbers = {
  total: count('应阅读人数'),
  read: count('已读'),
  unread: count('未读'),
  sure: count('已确认'),
  unsure: count('未确认'),
}

/** Which of the people a notice is for: who has not read it, who has, who has confirmed it, who has not. */
const readerState = words('阅读状态', 'unread', 'read', 'sure', 'unsure')

/** The people a notice is for, with what each has done. */
export const readerList = endpoint('notices.readers', 'GET /blade-noticeRead/noticeread/readerList', {
  title: '阅读情况：人员',
  access: ['noticeread'],
  query: { ...paging, noticeId, state: sometimes(readerState), name: optional(text('姓名', { maxLength: 20 })) },
  answer: pageWith(
    group({
      userId: id('用户'),
      name: text('姓名'),
      ...pick(User, 'userType').of,
      sureTime: maybe(Notifyread.properties.sureTime),
      readTime: maybe(Notifyread.properties.readTime),
      sureState: integer('阅读状态'),
    }),
    { counts: group(numbers) },
  ),
})

/** The same as a workbook. */
export const exportReaders = endpoint('notices.exportReaders', 'POST /blade-noticeRead/noticeread/export', {
  title: '阅读情况：导出',
  access: ['noticeread_export'],
  values: { noticeId, state: sometimes(readerState) },
  answer: download('xlsx'),
})

/** A notice in full. */
export type Notice = Wire<typeof noticeShape>
/** A notice in a list. */
export type NoticeLine = Wire<typeof noticeLineShape>
/** A file attached to a notice. */
export type HungFile = Wire<typeof hungFileShape>
/** A piece of news in a list. */
export type NewsLine = AnswerOf<typeof newsList>['records'][number]
/** A file anybody may download. */
export type OpenFile = AnswerOf<typeof publicFiles>['records'][number]
/** A notice as it is chosen to see who has read it. */
export type Followed = AnswerOf<typeof followedNotices>[number]
/** Somebody a notice is for. */
export type Reader = AnswerOf<typeof readerList>['records'][number]
/** The kinds of readers that are counted. */
export type ReaderKind = keyof AnswerOf<typeof readerList>['counts']

/** A template for text messages as it is chosen, for a reminder or a sending. */
export const messageTemplates = endpoint('notices.templates', 'GET /blade-send/send/getSendTemplate', {
  title: '发送订单：可用的模板',
  access: ['send'],
  also: ['POST /blade-send/send/getSendTemplate'],
  answer: list(
    group({
      id: id('模板'),
      ...pick(Sms, 'smsCode', 'signName', 'templateContent').of,
      params: list(text('模板参数')),
    }),
  ),
})
