import { dateTime, endpoint, group, id, json, list, optional, pick, text, truth, type Wire } from '#engine'
import { Savedview } from '#schemas/system/savedview'

// What people keep for themselves: views of lists, and what they have typed into forms. It comes with the part that asks for it.

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
