import { dateTime, events, integer, optional, text } from '#engine'
import type {} from '../audiences.ts'
import { datapurge } from './datapurge.ts'
import { examarchive } from './examarchive.ts'
import { examination } from './examination.ts'
import { examinationitem } from './examinationitem.ts'
import { examuser } from './examuser.ts'

const told = { sms: true, mail: true } as const
const must = { sms: 'must', mail: true } as const

/** What candidates and staff are told of an exam as a whole. */
export const examinationEvents = events(examination, {
  released: {
    label: '考试已发布',
    to: ['exam.staff'],
    fields: ['signStartTime'],
    text: {
      zh: '考试《{examName}》已发布，{signStartTime}开始报名。',
      en: '{examName} is published; sign-up opens {signStartTime}.',
    },
    opens: '/exam/:id',
  },
  closed: {
    label: '考试已关闭',
    to: ['exam.live', 'exam.staff'],
    fields: ['closeReason'],
    by: { ...told, wechat: 'schedule' },
    text: {
      zh: '{exam}已关闭，报名、缴费和准考证下载暂停，后续安排请看网站公告。',
      en: '{exam} is closed: sign-up, payment and admission tickets are paused. Watch the site for what comes next.',
    },
    opens: '/public/exam/:id',
  },
  reopened: {
    label: '考试重新开放',
    to: ['exam.live', 'exam.staff'],
    fields: ['reopenReason'],
    by: { ...told, wechat: 'schedule' },
    text: {
      zh: '{exam}已恢复，各项时间以网站公告为准，请登录查看。',
      en: '{exam} is open again. Times are as announced on the site.',
    },
    opens: '/public/exam/:id',
    settles: ['examination.closed'],
  },
  windowMoved: {
    label: '截止时间变更',
    to: ['window.people', 'exam.staff'],
    data: { window: text('时间'), until: dateTime('新的截止时间') },
    phrases: {
      window: {
        signEndTime: { zh: '报名', en: 'sign-up' },
        modifyEndTime: { zh: '补正', en: 'correction' },
        examineEndTime: { zh: '审核', en: 'review' },
        reduceEndTime: { zh: '改报', en: 'reselection' },
        payEndTime: { zh: '缴费', en: 'payment' },
        ticketEndTime: { zh: '准考证下载', en: 'ticket download' },
        resultEndTime: { zh: '成绩查询', en: 'looking up results' },
        appealEndTime: { zh: '复核申请', en: 'recheck requests' },
        publicityEnd: { zh: '公示', en: 'public notice' },
      },
    },
    by: { ...told, wechat: 'schedule' },
    text: {
      zh: '{exam}{window}截止时间改为{until}，请以此为准。',
      en: '{exam}: {window} now ends {until}.',
    },
    opens: '/public/exam/:id',
    informs: true,
  },
  archived: {
    label: '考试已归档',
    to: ['exam.everybody'],
    data: { until: dateTime('保存至') },
    by: { mail: false },
    text: {
      zh: '{examName}已归档。您的报名资料保存至{until}，届时清除，可在“我的数据”导出。',
      en: '{examName} is archived. Your data is kept until {until} and erased then; you can export it under “My data”.',
    },
    opens: '/info/data',
    informs: true,
  },
  textsHeld: {
    label: '考试短信达到上限',
    to: ['exam.managers'],
    data: { most: integer('短信条数上限') },
    by: { mail: true },
    text: {
      zh: '{examName}的短信已达上限{most}条，其余暂缓发送，提高上限后继续。',
      en: 'The text messages of {examName} have reached their limit of {most}. The rest are held until the limit is raised.',
    },
    opens: '/exam/:id',
  },
  archiveMade: {
    label: '考试归档完成',
    to: ['administrators', 'exam.managers'],
    data: { until: dateTime('保存至') },
    text: {
      zh: '{examName}已归档，考生报名资料保存至{until}。',
      en: '{examName} is archived; the data of its candidates is kept until {until}.',
    },
    opens: '/exam/:id',
    informs: true,
  },
})

/** What candidates are told of a stage: its tickets, its results, its time and place, and until when something can be done. */
export const stageEvents = events(examinationitem, {
  windowMoved: {
    label: '环节截止时间变更',
    to: ['stage.concerned', 'exam.staff'],
    fields: ['itemName'],
    data: { window: text('时间'), until: dateTime('新的截止时间') },
    phrases: {
      window: {
        payEndTime: { zh: '缴费', en: 'payment' },
        ticketEndTime: { zh: '准考证下载', en: 'ticket download' },
        confirmEndTime: { zh: '入围确认', en: 'confirming the shortlist' },
      },
    },
    by: { ...told, wechat: 'schedule' },
    text: {
      zh: '{exam}{itemName}{window}截止时间改为{until}，请以此为准。',
      en: '{exam} {itemName}: {window} now ends {until}.',
    },
    opens: '/public/exam/:examId',
  },
  placeChanged: {
    label: '时间或地点变更',
    to: ['stage.holders'],
    fields: ['itemName', 'startTime', 'place'],
    by: { ...must, wechat: 'schedule' },
    urgent: true,
    text: {
      zh: '{exam}{itemName}时间或考点有变更，旧准考证作废，请登录重新下载并核对。',
      en: '{exam} {itemName}: time or place has changed. Old tickets are void; download yours again.',
    },
    opens: '/signup/ticket',
    settles: ['examinationitem.ticketsReleased'],
  },
  ticketsReleased: {
    label: '准考证已发布',
    to: ['stage.holders'],
    fields: ['itemName'],
    data: { from: optional(dateTime('下载开始')), until: optional(dateTime('下载截止')) },
    otherwise: { from: { zh: '即日', en: 'now' }, until: { zh: '考前', en: 'the examination' } },
    by: { ...must, wechat: 'schedule' },
    text: {
      zh: '{exam}准考证已发布，请在{from}至{until}登录下载。',
      en: '{exam}: admission tickets can be downloaded from {from} to {until}.',
    },
    opens: '/signup/ticket',
    settles: ['examinationitem.ticketsRecalled', 'examinationitem.placeChanged'],
  },
  ticketsRecalled: {
    label: '准考证已撤回',
    to: ['stage.holders'],
    fields: ['itemName'],
    data: { reason: text('原因') },
    by: { ...must, wechat: 'schedule' },
    urgent: true,
    text: {
      zh: '{exam}准考证已撤回，已下载的请勿使用，重新发布后另行通知。',
      en: '{exam}: admission tickets were recalled. Do not use the old one; you will hear of the new.',
    },
    opens: '/signup/ticket',
    settles: ['examinationitem.ticketsReleased'],
  },
  resultsReleased: {
    label: '成绩已公布',
    to: ['stage.people'],
    fields: ['itemName'],
    data: { appeal: text('成绩复核'), until: optional(dateTime('复核申请截止')) },
    otherwise: { until: { zh: '规定时间', en: 'the time announced' } },
    phrases: {
      appeal: {
        open: { zh: '；复核申请截至{until}', en: ' Requests for a recheck until {until}.' },
        none: { zh: '', en: '' },
      },
    },
    by: { ...must, wechat: 'list' },
    text: {
      zh: '{exam}{itemName}成绩已公布，请登录查询{appeal}。',
      en: '{exam} {itemName}: results are out. Sign in to see yours.{appeal}',
    },
    opens: '/signup/score',
    informs: true,
    settles: ['examinationitem.resultsRecalled'],
  },
  resultsRecalled: {
    label: '成绩已撤回',
    to: ['stage.people'],
    fields: ['itemName'],
    data: { reason: text('原因') },
    by: { ...told, wechat: 'list' },
    text: {
      zh: '{exam}{itemName}成绩已撤回核对，请以重新公布的为准。',
      en: '{exam} {itemName}: results were recalled for checking; wait for the new release.',
    },
    opens: '/signup/score',
    settles: ['examinationitem.resultsReleased'],
  },
})

/** What candidates are told before their data of an exam are erased. */
export const datapurgeEvents = events(datapurge, {
  planned: {
    label: '资料即将清除',
    to: ['exam.everybody'],
    data: { until: dateTime('清除时间') },
    by: { sms: false, mail: true },
    text: {
      zh: '{exam}的报名资料将于{until}清除，如需留存请登录导出。',
      en: 'Your data of {exam} will be erased on {until}; export it before if you want it.',
    },
    opens: '/info/data',
    informs: true,
  },
})

/** What whoever asked for a full archive is told. */
export const examarchiveEvents = events(examarchive, {
  dropped: {
    label: '完整归档包不生成',
    to: ['creator'],
    fields: ['dropReason'],
    text: {
      zh: '您提出的《{examName}》完整归档包不生成：{dropReason}。',
      en: 'The full archive of {examName} that you asked for will not be made: {dropReason}.',
    },
    opens: '/exam/full-archive',
  },
})

/** What staff are told of their part in an exam. */
export const examuserEvents = events(examuser, {
  appointed: {
    label: '工作任命',
    to: ['owner'],
    fields: ['examRole'],
    data: { scope: text('范围') },
    phrases: { scope: { all: { zh: '全部岗位', en: 'all positions' } } },
    by: { mail: true },
    text: {
      zh: '您被任命为《{examName}》{examRole}，范围：{scope}。',
      en: 'You have been appointed for {examName}: {examRole}, for {scope}.',
    },
    opens: '/exam/:examId',
  },
})
