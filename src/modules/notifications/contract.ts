import {
  type AnswerOf,
  count,
  dateTime,
  endpoint,
  group,
  id,
  integer,
  list,
  maybe,
  optional,
  pageOf,
  paging,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'

/** A fact that a message was told with. */
const factShape = group({ label: text('名称'), value: text('内容') })

/** One line of the inbox: a message about something of the person's own, or a notice that is meant for the person. */
const inboxLineShape = group({
  id: id('编号'),
  kind: words('类型', 'message', 'notice'),
  title: text('标题'),
  time: dateTime('时间'),
  read: truth('是否已读'),
  /** Of a message: nothing is to be done about it any more. */
  done: truth('是否已处理'),
  /** By when something can be done. */
  until: maybe(dateTime('截止时间')),
  /** Where it is read or acted on. */
  opens: text('页面'),
  facts: list(factShape),
  /** Of a notice: it has to be confirmed and is not yet. */
  mustSure: truth('须确认'),
  isTop: truth('置顶'),
})

const tab = words('收件箱范围', 'all', 'unread', 'todo', 'notice')

/** What has come for the caller: messages and notices together, the newest first. */
export const inboxPage = endpoint('inbox.page', 'GET /blade-desk/inbox/page', {
  title: '收件箱：列表',
  access: 'signed-in',
  scraped: true,
  query: { ...paging, tab: sometimes(tab) },
  answer: pageOf(inboxLineShape),
})

/** How much of it waits. Pages ask for it again and again: with the `ETag` of the last answer, 304 while that still holds. */
export const inboxUnread = endpoint('inbox.unread', 'GET /blade-desk/inbox/unread', {
  title: '收件箱：未读数',
  access: 'signed-in',
  quiet: true,
  query: {},
  answer: group({
    messages: count('未读消息'),
    notices: count('未读通知'),
    /** Notices that have to be confirmed and are not yet. */
    mustSure: count('待确认通知'),
    todos: count('待处理'),
  }),
})

/** One message of the caller. */
export const inboxInfo = endpoint('inbox.info', 'GET /blade-desk/inbox/info', {
  title: '收件箱：查看消息',
  access: 'signed-in',
  query: { id: id('消息') },
  answer: inboxLineShape,
})

/** Marks a message of the caller as read. */
export const readMessage = endpoint('inbox.read', 'POST /blade-desk/inbox/read', {
  title: '收件箱：消息已读',
  access: 'signed-in',
  body: { id: id('消息') },
})

/** Marks all messages of the caller as read, and all notices that need not be confirmed. */
export const readInbox = endpoint('inbox.readAll', 'POST /blade-desk/inbox/readAll', {
  title: '收件箱：全部已读',
  access: 'signed-in',
  answer: group({ num: count('条数') }),
})

const preset = words('预设', 'must', 'on', 'off', 'none')

/** An event with how it is told. */
const choiceShape = group({
  code: text('事件'),
  label: text('名称'),
  /** As people of this exam read it. */
  text: text('内容'),
  /** As it is written, with names of values in braces. */
  words: group({ zh: text('中文文字'), en: text('英文文字') }),
  /** Whether the exam has words of its own for it. */
  isWorded: truth('是否改过文字'),
  /** Who has said these words, and when. */
  wordedUser: text('文字修改人'),
  wordedTime: maybe(dateTime('文字修改时间')),
  /** What its words may name. */
  names: list(group({ name: text('变量'), title: text('名称') })),
  sms: preset,
  isOn: truth('是否发短信'),
  mail: preset,
  isMailOn: truth('是否发邮件'),
  wechat: preset,
  isWechatOn: truth('是否发微信'),
  /** Whether the official account of the tenant has a template for it. */
  hasWechat: truth('是否有微信模板'),
  /** Whether the tenant has a template of this number. */
  hasTemplate: truth('是否有模板'),
  /** What a text message of it is charged as. */
  segments: count('短信计费条数'),
})

/** What people are told in an exam, and by which ways; without an exam what holds in all exams of the tenant, and of what is in none. */
export const eventChoices = endpoint('inbox.choices', 'GET /blade-desk/inbox/choices', {
  title: '消息设置：事件与渠道',
  access: ['examination_edit'],
  query: { examId: sometimes(id('考试')) },
  answer: group({
    events: list(choiceShape),
    /** Candidates whose sign-up is submitted. */
    people: count('人数'),
    /** People that the positions ask for at least, by their plan and their ratio. */
    planned: count('按计划的人数'),
    unitFen: count('短信单价'),
    balance: integer('短信余额'),
    /** Whether the tenant has a mail account in use. */
    hasMail: truth('是否开通邮件'),
    /** Whether the tenant has an official account in use. */
    hasWechat: truth('是否开通微信'),
    /** How many text messages the exam may be charged for in all, and how many it has been; how many are held since it may have no more. */
    limit: group({ most: maybe(count('短信条数上限')), used: count('已用条数'), held: count('暂缓条数') }),
    /** Whether the caller changes what holds in all exams of the tenant, too. */
    mayPreset: truth('可改预设'),
    /** Nothing is settled any more. */
    isArchived: truth('考试已归档'),
  }),
})

/** Says how many text messages an exam may be charged for in all; without a number as many as it needs. What is held goes on as far as it may. */
export const limitTexts = endpoint('inbox.limit', 'POST /blade-desk/inbox/limit', {
  title: '消息设置：短信条数上限',
  access: ['examination_edit'],
  body: {
    examId: id('考试'),
    most: optional(integer('短信条数上限', { minimum: 0, maximum: 9_999_999 })),
  },
})

/** Words for an event, of which an exam may have its own. */
const ownWords = {
  zh: sometimes(text('中文文字', { maxLength: 300 })),
  en: sometimes(text('英文文字', { maxLength: 300 })),
}

/** What people get of an event in an exam, or without one in any of the tenant, by each way, with facts as long as they usually get; in other words than those that hold, where some are said. */
export const previewEvent = endpoint('inbox.preview', 'GET /blade-desk/inbox/preview', {
  title: '消息设置：预览',
  access: ['examination_edit'],
  query: { examId: sometimes(id('考试')), code: text('事件', { maxLength: 60 }), ...ownWords },
  answer: group({
    shown: list(
      group({
        channel: words('渠道', 'inbox', 'mail', 'sms', 'wechat'),
        language: words('语言', 'zh', 'en'),
        subject: text('标题'),
        text: text('内容'),
        length: count('字数'),
        segments: count('短信计费条数'),
      }),
    ),
  }),
})

/** Says in which words an exam, or without one the tenant, tells of an event in the inbox and by e-mail; without words in those that hold otherwise. */
export const sayEvent = endpoint('inbox.words', 'POST /blade-desk/inbox/words', {
  title: '消息设置：文字',
  access: ['examination_edit'],
  body: { examId: sometimes(id('考试')), code: text('事件', { maxLength: 60 }), ...ownWords },
})

/** Switches text messages, e-mails or WeChat messages of an event on or off for an exam, or without one for all of the tenant; text messages where nothing is said. */
export const chooseEvent = endpoint('inbox.choose', 'POST /blade-desk/inbox/choose', {
  title: '消息设置：开关',
  access: ['examination_edit'],
  body: {
    examId: sometimes(id('考试')),
    code: text('事件', { maxLength: 60 }),
    channel: sometimes(words('渠道', 'sms', 'mail', 'wechat')),
    isOn: truth('是否发送'),
  },
})

/** A reminder with how and when it is done. */
const reminderShape = group({
  code: text('提醒规则'),
  label: text('名称'),
  /** As people read it. */
  text: text('内容'),
  /** Hours before the end at which people are reminded, the longest first. */
  steps: list(integer('提前小时数')),
  /** What the hours are counted back from. */
  before: text('截止时间'),
  most: maybe(count('最多次数')),
  isOn: truth('启用'),
  /** Nobody can switch it off. */
  isMust: truth('必发'),
  /** Whether it differs from what holds otherwise. */
  isChanged: truth('是否改过'),
  sms: preset,
  isSms: truth('是否发短信'),
  hasTemplate: truth('是否有模板'),
  wechat: preset,
  isWechat: truth('是否发微信'),
  hasWechat: truth('是否有微信模板'),
  /** When somebody is reminded next. */
  next: maybe(dateTime('下次提醒时间')),
  /** Of how many rows somebody would be reminded now. */
  people: count('人数'),
})

/** What people are reminded of in an exam, and when; without an exam what holds in all exams of the tenant. */
export const reminderPlans = endpoint('inbox.reminders', 'GET /blade-desk/inbox/reminders', {
  title: '提醒：规则和时间',
  access: ['examination_edit'],
  query: { examId: sometimes(id('考试')) },
  answer: group({
    reminders: list(reminderShape),
    /** When nobody is disturbed, `22:00` to `08:00`; never where both are the same. */
    quiet: group({ from: text('免打扰开始'), until: text('免打扰结束') }),
    /** Whether the caller changes what holds in all exams of the tenant, too. */
    mayPreset: truth('可改预设'),
    /** Nothing is settled any more. */
    isArchived: truth('考试已归档'),
  }),
})

/**
 * Changes how a reminder is done in an exam, or without one in all exams of the tenant. Without hours what was changed is taken back.
 */
export const planReminder = endpoint('inbox.plan', 'POST /blade-desk/inbox/plan', {
  title: '提醒：修改',
  access: ['examination_edit'],
  body: {
    examId: sometimes(id('考试')),
    code: text('提醒规则', { maxLength: 60 }),
    isOn: truth('启用'),
    steps: list(integer('提前小时数', { minimum: 0, maximum: 720 })),
    most: optional(integer('最多次数', { minimum: 1, maximum: 9 })),
  },
})

/** One line of the inbox. */
export type InboxLine = Wire<typeof inboxLineShape>
/** A part of the inbox. */
export type InboxPage = AnswerOf<typeof inboxPage>
/** Which part of the inbox is shown. */
export type InboxTab = 'all' | 'unread' | 'todo' | 'notice'
/** What people are told in an exam. */
export type EventChoices = AnswerOf<typeof eventChoices>
/** A reminder with how and when it is done. */
export type ReminderPlan = Wire<typeof reminderShape>

/** An event as people get it. */
export type EventPreview = AnswerOf<typeof previewEvent>
