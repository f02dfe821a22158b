import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { mediaTypes } from '#engine'
import { publicityKind } from '#schemas/dictionaries'
import { askedTenant } from '../../../../platform/http/server/asked-tenant.ts'
import { disposition } from '../../../../platform/http/server/disposition.ts'
import { liveIn } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { contactsOf } from '../files.ts'
import { type ListColumn, type PublicList, publicLines, publicList, publicLists, showsLines } from '../public-list.ts'
import { type Speech, sendPage, shownTime, speechOf } from './frame.ts'
import { html, type Markup } from './markup.ts'

/** Seconds for which a page may be kept. */
const kept = 60
/** Lines on one page. */
const perPage = 200
const [HOUR, DAY] = [3_600_000, 86_400_000]

const textIn = (values: unknown, name: string): string => {
  const value = (values as Readonly<Record<string, unknown>> | undefined)?.[name]
  return typeof value === 'string' ? value.trim() : ''
}

/** How long it is until a time, in words. */
function leftUntil(end: Date, now: Date, { say }: Speech): string {
  const left = Math.max(0, end.getTime() - now.getTime())
  const [days, hours] = [Math.floor(left / DAY), Math.floor((left % DAY) / HOUR)]
  return days === 0 && hours === 0 ? say('不足1小时') : say(`${days}天${hours}小时`)
}

/** The lists of a tenant. */
export async function listsPage(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const speech = speechOf(request)
  const { say, to } = speech
  const now = app.now()
  const lists = await publicLists(app, askedTenant(request))
  const rows = lists.map(list => {
    const isOpen = list.endTime !== null && now < list.endTime
    return html`<li><a href="${to(`/public/publicity/${list.id}`)}">${list.title}</a>
      <small>${list.examName}　${say(publicityKind.entries[list.publicityKind])}<br>
      ${list.startTime && shownTime(list.startTime)} — ${list.endTime && shownTime(list.endTime)}　${isOpen ? say('正在公示') : say('公示期已结束')}</small></li>`
  })
  const content = html`<h1>${say('公示')}</h1>
    ${rows.length > 0 ? html`<div class="card"><ul class="rows">${rows}</ul></div>` : html`<p>${say('目前没有公示')}</p>`}`
  return sendPage(reply, { speech, title: say('公示'), self: '/public/publicity', content }, kept)
}

function notices(list: PublicList, speech: Speech): Markup | false {
  const { say, to } = speech
  const { state, correction } = list
  const link = correction && html`<a href="${to(`/public/publicity/${correction.id}`)}">${correction.title}</a>`
  if (state === 'withdrawn')
    return html`<p class="note" role="status">${say('本公示已撤回')}（${list.withdrawTime && shownTime(list.withdrawTime)}）：${list.withdrawReason}</p>`
  if (state === 'corrected')
    return html`<p class="note" role="status">${say('本公示已更正，以更正后的公示为准')}：${link}</p>`
  if (state === 'gone') return html`<p class="note" role="status">${say('公示已结束，名单不再公开')}</p>`
  return html`${state === 'ended' && html`<p class="note" role="status">${say('公示期已结束')}</p>`}
    ${correction && html`<p class="note" role="status">${say('本公示将被更正')}：${correction.title}</p>`}`
}

function facts(list: PublicList, now: Date, speech: Speech): Markup {
  const { say, to } = speech
  const before =
    list.replaces &&
    html`<dt>${say('被更正的公示')}</dt><dd><a href="${to(`/public/publicity/${list.replaces}`)}">${say('查看')}</a></dd>`
  return html`<div class="card"><dl>
    <dt>${say('考试')}</dt><dd>${list.examName}</dd>
    <dt>${say('公示类别')}</dt><dd>${say(publicityKind.entries[list.publicityKind])}</dd>
    ${before}
    ${list.changeReason && html`<dt>${say('更正递补说明')}</dt><dd>${list.changeReason}</dd>`}
    <dt>${say('公示依据')}</dt><dd>${list.basis}</dd>
    <dt>${say('公示时间')}</dt><dd>${shownTime(list.startTime)} — ${shownTime(list.endTime)}</dd>
    ${list.state === 'open' && html`<dt>${say('距公示结束')}</dt><dd>${leftUntil(list.endTime, now, speech)} <small>(${say('服务器时间')} ${shownTime(now)})</small></dd>`}
    <dt>${say('异议截止时间')}</dt><dd>${shownTime(list.objectionEnd)}</dd>
    <dt>${say('受理异议')}</dt><dd>${contactsOf(list).map(one => html`${one}<br>`)}</dd>
  </dl></div>`
}

function fileFacts(list: PublicList, { say, to }: Speech): Markup {
  const files = [
    { ending: 'pdf', hash: list.pdfHash },
    { ending: 'xlsx', hash: list.xlsxHash },
  ] as const
  if (!list.pdfHash) return html`<p class="soft">${say('文件正在生成，请稍后再来下载')}</p>`
  return html`<h2>${say('下载与核对')}</h2><div class="card"><dl>${files.map(
    ({ ending, hash }) =>
      html`<dt><a href="${to(`/public/publicity/${list.id}/${ending}`)}">${ending.toUpperCase()}</a></dt><dd class="hash">SHA-256 ${hash}</dd>`,
  )}</dl></div>`
}

/** What people look for themselves by. */
const numbers: readonly ListColumn['name'][] = ['signNo', 'ticketNo', 'code']

/** On which page, and in which line, a number stands. */
function findNumber(columns: readonly ListColumn[], rows: readonly (readonly string[])[], asked: string): number {
  const places = columns.flatMap(({ name }, i) => (numbers.includes(name) ? [i] : []))
  return asked ? rows.findIndex(row => places.some(i => row[i]?.toUpperCase() === asked)) : -1
}

async function linesOf(app: FastifyInstance, list: PublicList, request: FastifyRequest, speech: Speech) {
  const { say, to } = speech
  const { columns, rows } = await publicLines(app, list)
  const asked = textIn(request.query, 'no').slice(0, 40).toUpperCase()
  const found = findNumber(columns, rows, asked)
  const pages = Math.max(1, Math.ceil(rows.length / perPage))
  const wanted = found >= 0 ? Math.floor(found / perPage) + 1 : Number(textIn(request.query, 'page')) || 1
  const page = Math.min(pages, Math.max(1, Math.floor(wanted)))
  const start = (page - 1) * perPage
  const isNumbered = columns.some(({ name }) => numbers.includes(name))
  const self = `/public/publicity/${list.id}`
  const cell = (row: readonly string[]) =>
    columns.map(({ title }, i) => html`<td data-title="${say(title)}">${row[i]}</td>`)
  const lines = rows.slice(start, start + perPage).map((row, i) => {
    const at = start + i
    const mark = at === found && html` class="found" id="found"`
    return html`<tr${mark}><td data-title="${say('序号')}">${at + 1}</td>${cell(row)}</tr>`
  })
  const around = Array.from({ length: pages }, (_, i) => i + 1).map(n =>
    n === page ? html`<strong>${n}</strong> ` : html`<a href="${to(self, { page: String(n) })}">${n}</a> `,
  )
  return html`<h2>${say('公示名单')} (${rows.length})</h2>
    ${
      isNumbered &&
      html`<form class="find" method="get" action="${self}#found">
      ${speech.lang === 'en' && html`<input type="hidden" name="lang" value="en">`}
      <input name="no" value="${asked}" maxlength="40" aria-label="${say('报名号、准考证号或岗位代码')}" placeholder="${say('报名号、准考证号或岗位代码')}">
      <button>${say('查找编号')}</button></form>`
    }
    ${asked && found < 0 && html`<p class="bad" role="status">${say('名单中没有这个编号')}：${asked}</p>`}
    <div class="scroll"><table class="stack"><thead><tr><th>${say('序号')}</th>${columns.map(one => html`<th>${say(one.title)}</th>`)}</tr></thead>
    <tbody>${lines}</tbody></table></div>
    ${pages > 1 && html`<p class="pages">${around}</p>`}`
}

/** @throws row.notFound for a list that is not public */
async function listOf(app: FastifyInstance, request: FastifyRequest): Promise<PublicList> {
  const list = await publicList(app, textIn(request.params, 'id'))
  if (!list) throw refuse('row.notFound')
  return list
}

/** One list. */
export async function listPage(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const speech = speechOf(request)
  const { say, to } = speech
  const list = await listOf(app, request)
  const now = app.now()
  const isShown = showsLines(list)
  const content = html`<h1>${list.title}</h1>${notices(list, speech)}${facts(list, now, speech)}
    <div class="acts">${list.takesObjections && html`<a class="button main" href="${to('/public/objection', { list: list.id })}">${say('提出异议')}</a>`}
    <a class="button" href="${to('/public/objection')}">${say('查询异议')}</a></div>
    ${isShown && (await linesOf(app, list, request, speech))}${isShown && fileFacts(list, speech)}`
  return sendPage(reply, { speech, title: list.title, self: `/public/publicity/${list.id}`, content }, kept)
}

async function fileKey(app: FastifyInstance, tenantId: string, id: string): Promise<string> {
  const row = await liveIn(app, tenantId).selectFrom('attach').select('name').where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row.name
}

/** A file of a list, as long as its lines are shown. @throws row.notFound */
export async function listFile(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  ending: 'pdf' | 'xlsx',
) {
  const list = await listOf(app, request)
  const id = ending === 'pdf' ? list.pdfFile : list.xlsxFile
  if (!id || !showsLines(list)) throw refuse('row.notFound')
  const key = await fileKey(app, list.tenantId, id)
  return reply
    .headers({
      'x-robots-tag': 'noindex',
      'cache-control': `public, max-age=${kept}`,
      'content-disposition': disposition(`${list.title}.${ending}`),
    })
    .type(mediaTypes[ending])
    .send(await app.storage.get(key))
}
