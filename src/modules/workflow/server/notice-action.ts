import type { LiveTrx } from '../../../platform/database/live.ts'
import { tellInbox } from '../../messages/server/inbox.ts'
import { tellByText } from '../../messages/server/tell.ts'
import { fillBody } from '../rules/http-request.ts'
import { FlowProblem } from '../rules/problem.ts'
import { templateValue } from '../rules/template.ts'
import { textOf } from '../rules/value.ts'
import type { ActionContext, FlowAction } from './action.ts'
import { namesIn, usersNamed } from './people.ts'

/** Most people who are told at once. */
const most = 200

function paramsOf(text: string): Record<string, string> {
  if (text === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, String(one)]))
  } catch {
    // Said below in words.
  }
  throw new FlowProblem('短信模板参数应为JSON对象')
}

interface Sms {
  readonly code: string
  readonly title: string
  readonly params: Record<string, string>
}

/** Sends a text to those who have a phone. @throws FlowProblem when not one can be sent */
async function sendTexts(
  { server, db, tenantId, now }: ActionContext,
  users: readonly string[],
  sms: Sms,
): Promise<void> {
  const rows = await db
    .selectFrom('user')
    .select(['id', 'phone'])
    .where('id', 'in', [...users])
    .execute()
  const phones = rows.flatMap(({ phone }) => phone ?? []).map(one => server.vault.open(one))
  let sent = 0
  for (const phone of new Set(phones))
    if (await tellByText(server, db as LiveTrx, { person: { tenantId }, now }, { ...sms, phone })) sent += 1
  if (sent === 0) throw new FlowProblem('短信不能发送：请检查模板、参数、余额和接收人的手机号')
}

/**
 * Tells people of something at a step of the model: in their notices, by a text message with a template, or both. Part of the move,
 * so that each is told exactly once; texts go out with the next run of their queue.
 */
export const noticeAction: FlowAction = {
  name: 'notice',
  title: '发送通知',
  fields: [
    { name: 'to', title: '接收人', required: true, isPeople: true },
    { name: 'title', title: '标题' },
    { name: 'content', title: '站内信内容' },
    { name: 'template', title: '短信模板编号' },
    { name: 'params', title: '短信模板参数' },
  ],
  when: 'inside',
  fill: ({ fields }, variables) => ({
    ...Object.fromEntries(Object.entries(fields).map(([key, template]) => [key, templateValue(template, variables)])),
    // Values stay inside of the texts of the JSON.
    ...(fields.params && { params: fillBody(fields.params, variables) }),
  }),
  async run(context, { to = null, title = null, content = null, template = null, params = null }) {
    const { server, db, tenantId, now, run } = context
    const users = await usersNamed(db, namesIn(to))
    if (users.length === 0) throw new FlowProblem('没有可通知的人')
    if (users.length > most) throw new FlowProblem(`通知不能超过${most}人`)
    const [words, code] = [textOf(content).trim(), textOf(template).trim()]
    if (words === '' && code === '') throw new FlowProblem('通知缺少内容')
    const heading = textOf(title).trim() || run.title
    if (words !== '')
      await tellInbox(server, db as LiveTrx, { tenantId, userIds: users, title: heading, content: words }, now)
    if (code !== '')
      await sendTexts(context, users, { code, title: heading.slice(0, 100), params: paramsOf(textOf(params)) })
    return undefined
  },
}
