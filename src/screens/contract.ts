import {
  count,
  dateTime,
  dict,
  endpoint,
  group,
  id,
  integer,
  json,
  list,
  longText,
  maybe,
  optional,
  pick,
  sometimes,
  text,
  tree,
  truth,
  type Wire,
  words,
} from '#engine'
import { jobTimeType } from '#schemas/dictionaries'
import { School } from '#schemas/exams/school'
import { Menu } from '#schemas/system/menu'
import { Preference } from '#schemas/system/preference'
import { Savedview } from '#schemas/system/savedview'

// What every screen may ask, whichever module stands on it. The areas and modules that have the rows answer.

/** A node of a picker, with those below it. */
export const nodeShape = tree('Node', {
  id: text('编号'),
  parentId: text('上级'),
  title: text('名称'),
  key: text('键'),
  value: text('值'),
  hasChildren: sometimes(truth('是否有下级')),
})

/** A menu or button with those below it. */
export const menuShape = tree('Menu', {
  id: id('编号'),
  parentId: id('上级菜单'),
  ...pick(Menu, 'name', 'code', 'alias', 'sort', 'category').of,
  path: text('路由地址'),
  source: text('图标'),
  component: text('组件'),
  remark: text('备注'),
  action: integer('按钮功能'),
  isOpen: integer('新窗口'),
  meta: json<{ roles?: readonly string[] }>('元信息'),
  hasChildren: sometimes(truth('是否有下级')),
})

const ownMenu = { access: 'signed-in', beforePasswordChange: true } as const

/** The menu of whoever asks, without buttons; what one top menu leads to where it is named. */
export const menuRoutes = endpoint('access.menuRoutes', 'GET /blade-system/menu/routes', {
  title: '菜单：本人的菜单',
  ...ownMenu,
  values: { topMenuId: optional(id('顶部菜单')) },
  answer: list(menuShape),
})

/** What whoever asks may do: menus with their buttons. */
export const menuButtons = endpoint('access.menuButtons', 'GET /blade-system/menu/buttons', {
  title: '菜单：本人的按钮',
  ...ownMenu,
  answer: list(menuShape),
})

/** A word of a dictionary with its key. */
const entryShape = group({
  id: id('编号'),
  parentId: maybe(text('上级')),
  code: text('字典编号'),
  dictKey: text('字典键'),
  dictValue: text('字典名称'),
  sort: maybe(integer('排序')),
  isSealed: integer('是否封存'),
  remark: text('备注'),
})

const ofDictionary = {
  access: 'public',
  values: { code: text('字典编号'), all: optional(text('是否包含封存的')) },
  answer: list(entryShape),
} as const

/** The words of a system dictionary. A page before the sign-in gets a few of them. */
export const dictionary = endpoint('settings.dictionary', 'GET /blade-system/dict/dictionary', {
  title: '系统字典：内容',
  ...ofDictionary,
})

/** The words of a tenant's dictionary. */
export const tenantDictionary = endpoint('settings.tenantDictionary', 'GET /blade-system/dict-biz/dictionary', {
  title: '业务字典：内容',
  ...ofDictionary,
})

/** The places below one, as nodes of a picker. */
export const regionNodes = endpoint('settings.regionNodes', 'GET /blade-system/region/lazy-tree', {
  title: '行政区划：下级',
  access: 'public',
  values: { parentCode: optional(text('上级代码')) },
  answer: list(nodeShape),
})

/** Schools by a part of their name. */
export const schools = endpoint('exams.schools', 'GET /blade-school/school/getSchoolList', {
  title: '学校：按名称查找',
  access: 'signed-in',
  values: {
    schoolName: optional(text('学校名称')),
    schoolType: optional(integer('类型')),
    limit: optional(count('条数')),
  },
  answer: list(group({ id: id('学校'), ...pick(School, 'schoolName', 'schoolCode').of })),
})

/** An error that a browser noted. */
const browserErrorShape = group({
  url: text('地址'),
  time: text('时间'),
  type: words('类型', 'error'),
  message: longText('内容'),
  stack: longText('错误堆栈'),
  info: longText('附加信息'),
})

/** Keeps what a browser noted about its errors. */
export const sendBrowserLog = endpoint('auth.browserLog', 'POST /blade-auth/oauth/logout', {
  title: '上传本地日志',
  access: 'signed-in',
  beforePasswordChange: true,
  bodyKB: 200,
  values: list(browserErrorShape),
})

/** An error that a browser noted; its time is by the clock of the device. */
export type LogEntry = Wire<typeof browserErrorShape>

/** When a job runs next by an expression; refused in words where the expression is wrong or never comes again. */
export const jobTimes = endpoint('jobs.next', 'GET /blade-job/job-info/next', {
  title: '任务：接下来的时间',
  access: ['job_info'],
  query: { type: dict('定时信息', jobTimeType), expression: text('时间表达式') },
  answer: group({ times: list(dateTime('执行时间')) }),
})

/** What jobs of the built-in server can choose as their processor; nothing for jobs of other servers. */
export const jobProcessors = endpoint('jobs.processors', 'GET /blade-job/job-info/processors', {
  title: '任务：处理器',
  access: ['job_info'],
  query: { jobServerId: id('任务应用') },
  answer: list(group({ name: text('名称'), title: text('说明') })),
})

/**
 * The processes that do work in the background now, by the names that a job can designate; none for jobs of a PowerJob server, whose
 * workers this program does not know.
 */
export const jobWorkers = endpoint('jobs.workers', 'GET /blade-job/job-server/workers', {
  title: '任务服务：进程',
  access: ['job_info'],
  query: { jobServerId: optional(id('任务应用')) },
  answer: list(group({ name: text('进程'), isHere: truth('应答此请求的进程') })),
})

/** The events that other systems can be told of, in the order of the modules. */
export const hookEventTree = endpoint('hooks.events', 'GET /blade-develop/hook/events', {
  title: '推送：可选的事件',
  access: ['hook', 'hookdelivery'],
  answer: list(group({ code: text('事件'), label: text('名称'), resource: text('数据'), title: text('数据名称') })),
})

/** What whoever asks has chosen for screens, such as the columns of tables. */
export const preferences = endpoint('settings.preferences', 'GET /blade-system/preference/list', {
  title: '个人设置：本人的',
  access: 'staff',
  answer: list(group(pick(Preference, 'name', 'value').of)),
})

/**
 * Changes what whoever asks has chosen: of each name the parts given, so that two windows do not undo each other's changes. A part
 * that is null is taken away.
 */
export const changePreferences = endpoint('settings.changePreferences', 'POST /blade-system/preference/change', {
  title: '个人设置：修改',
  access: 'staff',
  body: { changes: list(group(pick(Preference, 'name', 'value').of), { min: 1, max: 100 }) },
})

/** A view of a list, as whoever may look at the list so has it. */
const savedViewShape = group({
  id: id('编号'),
  ...pick(Savedview, 'resource', 'title', 'audience', 'roles', 'content').of,
  isMine: truth('本人的'),
})

/** A view of a list. */
export type SavedView = Wire<typeof savedViewShape>

/** The views of lists that whoever asks has made, and those that are shared with this person. They hold no rights. */
export const savedViews = endpoint('settings.savedViews', 'GET /blade-system/savedview/own', {
  title: '列表视图：可用的',
  access: 'staff',
  answer: list(savedViewShape),
})

/**
 * How many rows each view of a list has for whoever asks, of the place where the list stands: one statement. Those whose filters the list
 * does not know any more are left out.
 */
export const countSavedViews = endpoint('settings.countSavedViews', 'GET /blade-system/savedview/counts', {
  title: '列表视图：条数',
  access: 'staff',
  query: {
    ...pick(Savedview, 'resource').of,
    within: optional(text('所在位置的筛选，JSON', { maxLength: 1000 })),
  },
  answer: list(group({ id: id('编号'), number: count('条数') })),
})

/** Keeps a view of a list, or changes one of one's own. Only its maker sees it until it is shared. */
export const keepSavedView = endpoint('settings.keepSavedView', 'POST /blade-system/savedview/keep', {
  title: '列表视图：保存',
  access: 'staff',
  body: { id: optional(id('编号')), ...pick(Savedview, 'resource', 'title', 'content').of },
  answer: group({ id: id('编号') }),
})

/** Forgets a view of one's own. */
export const dropSavedView = endpoint('settings.dropSavedView', 'POST /blade-system/savedview/drop', {
  title: '列表视图：删除本人的',
  access: 'staff',
  body: { id: id('编号') },
})

/** Which form: the name of its resource, `payrecord/exempt` for the questions of an action, or that of a page; and of which row. */
const ofDraft = {
  form: text('表单', { maxLength: 100, pattern: '^[\\w./-]+$' }),
  rowId: optional(text('数据编号', { maxLength: 64 })),
} as const

/** What a form holds, and what it held when it was opened, by the name of the input. */
const inDraft = {
  values: json<Record<string, unknown>>('填写内容'),
  base: json<Record<string, unknown>>('原内容'),
} as const

/** What whoever asks has typed into a form without saving it; an empty list for nothing. */
export const draftOf = endpoint('settings.draftOf', 'GET /blade-system/draft/list', {
  title: '草稿：本人的',
  access: 'staff',
  query: ofDraft,
  answer: list(group({ key: text('请求键'), time: dateTime('保存时间'), ...inDraft })),
})

/** Keeps what somebody has typed into a form, for 30 days. Secrets are left out. */
export const keepDraft = endpoint('settings.keepDraft', 'POST /blade-system/draft/submit', {
  title: '草稿：保存',
  access: 'staff',
  bodyKB: 200,
  quiet: true,
  body: { ...ofDraft, key: text('请求键', { maxLength: 64 }), ...inDraft },
})

/** Forgets what was kept of a form: it has been saved, or is not wanted. */
export const dropDraft = endpoint('settings.dropDraft', 'POST /blade-system/draft/remove', {
  title: '草稿：丢弃',
  access: 'staff',
  quiet: true,
  body: ofDraft,
})

/** What the suggestions of a form are worked out by: days off besides weekends, and what the tenant says otherwise. */
export const suggesting = endpoint('settings.suggesting', 'GET /blade-system/param/suggesting', {
  title: '参数：时间推算',
  access: 'staff',
  query: { form: text('表单', { maxLength: 100 }) },
  answer: group({ daysOff: text('节假日'), changes: text('与默认不同的推算') }),
})
