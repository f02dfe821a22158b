import {
  type AnswerOf,
  count,
  dateTime,
  deadlineShape,
  endpoint,
  group,
  id,
  integer,
  list,
  maybe,
  pick,
  real,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { phaseShape, windowShape } from '#resources/exams/standing'
import { Examination } from '#schemas/exams/examination'
import { noticeLineShape } from '../notices/contract.ts'
import { timeLineShape } from '../statistics/contract.ts'

/** Pending work, with the address of the list whose rows are counted. */
const todoShape = group({
  code: text('代码'),
  title: text('名称'),
  num: count('条数'),
  oldest: maybe(dateTime('最早')),
  overdue: count('超期条数'),
  /** When the first of it has waited too long; nothing where it may wait. */
  due: maybe(dateTime('最近期限')),
  opens: text('页面'),
})

/** A released exam with its present state. Numbers are there for whoever may see the sign-ups. */
const runningExamShape = group({
  id: id('考试'),
  ...pick(Examination, 'examName').of,
  phases: list(phaseShape),
  deadline: maybe(deadlineShape),
  /** All that end in the windows that are open, the nearest first. */
  deadlines: list(deadlineShape),
  stages: list(windowShape),
  signed: maybe(count('已报名')),
  today: maybe(count('今日提交')),
  waiting: maybe(count('待审核')),
  passed: maybe(count('审核通过')),
  paid: maybe(count('已缴费')),
})

/** Whether a step of the start list is done; only one that was ticked by hand can be opened again. */
const stepShape = group({ code: text('代码'), done: truth('是否完成'), ticked: truth('是否勾选') })

/** A number of today, amounts in fen. */
const figureShape = group({ code: text('代码'), num: real('数值') })

/** A number that is watched; a bad one needs attention. */
const signShape = group({ code: text('代码'), num: integer('数值'), isBad: truth('是否需要处理') })

const work = { todo: list(todoShape), exams: list(runningExamShape), serverTime: dateTime('服务器时间') }

/** The first page of staff: their work, the latest notices, and what a new installation still needs. */
export const staffDesk = endpoint('desk.staff', 'GET /blade-desk/home/staff', {
  title: '工作人员首页：待办与进行中的考试',
  access: 'staff',
  answer: group({ ...work, notices: list(noticeLineShape), start: maybe(list(stepShape)) }),
})

/** The dashboard of staff: their work, today and the last days in numbers, and how the system does. */
export const deskDashboard = endpoint('desk.dashboard', 'GET /blade-desk/home/dashboard', {
  title: '数据看板：待办、考试、今日、近期截止与系统状况',
  access: 'staff',
  answer: group({ ...work, today: list(figureShape), line: list(timeLineShape), health: list(signShape) }),
})

/** One sign of how an installation does: what it is of, its number and its name, which the page puts into words. */
const healthSignShape = group({
  code: words(
    '代码',
    'disk',
    'work',
    'work-none',
    'clock',
    'primary',
    'standby',
    'replica',
    'replica-none',
    'backup',
    'backup-none',
    'backup-off',
    'backup-failed',
    'slot',
    'slot-idle',
    'slot-lost',
    'slot-none',
    'audit',
    'audit-none',
    'audit-broken',
    'certificate',
    'certificate-none',
    'certificate-unread',
    'merchant',
  ),
  isBad: truth('是否需要处理'),
  num: integer('数值'),
  text: text('名称'),
})

/** How the installation does, for who keeps it. */
export const systemHealth = endpoint('desk.systemHealth', 'GET /blade-desk/system/health', {
  title: '系统健康：磁盘、数据库、备份、后台工作、防篡改日志与证书',
  access: ['system_health'],
  answer: list(healthSignShape),
})

/** Ticks a step of the start list or unticks it; `*` hides the list. */
export const tickStartStep = endpoint('desk.startStep', 'POST /blade-desk/home/start-step', {
  title: '开始清单：勾选或取消一步，* 为收起清单',
  access: ['param_edit'],
  openBody: true,
  body: { code: text('代码', { maxLength: 40 }), done: truth('是否完成') },
})

/** Pending work, as the server counts it. */
export type Todo = Wire<typeof todoShape>
/** A released exam with its present state. */
export type RunningExamData = Wire<typeof runningExamShape>
/** Whether a step of the start list is done. */
export type StartStep = Wire<typeof stepShape>
/** A number of today. */
export type Figure = Wire<typeof figureShape>
/** A number that is watched. */
export type Sign = Wire<typeof signShape>
/** One sign of how an installation does. */
export type HealthSign = Wire<typeof healthSignShape>
/** What the first page of staff shows. */
export type StaffDesk = AnswerOf<typeof staffDesk>
/** What the dashboard shows. */
export type Dashboard = AnswerOf<typeof deskDashboard>
