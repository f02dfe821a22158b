import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { objectionKind, objectionStatus } from '#schemas/dictionaries'
import { formOf } from '../../../../platform/http/server/form.ts'
import { Refusal, refuse, refuseSaying } from '../../../../platform/http/server/refusal.ts'
import { englishOf } from '../../../../platform/http/server/refusal-english.ts'
import {
  asksPhoneCode,
  codeProblems,
  type Filed,
  fileObjection,
  findObjection,
  mostFiles,
  type OwnObjection,
  openStates,
  type Problem,
  problemsOf,
  provePhone,
  sendPhoneCode,
  withdrawObjection,
} from '../objection.ts'
import { type PublicList, publicList } from '../public-list.ts'
import { type Speech, sendPage, shownTime, speechOf } from './frame.ts'
import { html, type Markup } from './markup.ts'

/** The refusal in the language of a page. */
export const refusalText = ({ lang }: Speech, refusal: Refusal): string =>
  lang === 'en' ? englishOf(refusal) : refusal.message

/** The list that an objection is about. @throws row.notFound, row.wrongState when its time for objections is over */
async function objectedList(app: FastifyInstance, id: string): Promise<PublicList> {
  const list = await publicList(app, id)
  if (!list) throw refuse('row.notFound')
  if (!list.takesObjections) throw refuseSaying('row.wrongState', '本公示已不受理异议')
  return list
}

/** A picture of letters to be read, where the installation asks for proofs. */
async function proofInput(app: FastifyInstance, ip: string, { say }: Speech): Promise<Markup | false> {
  if (!app.config.captchaMode) return false
  const { key, image } = await app.captcha.picture(ip)
  return html`<label for="captcha">${say('图中的字符')}</label>
    <img src="${image}" alt="${say('图形验证码，看不清请刷新页面，或拨打受理电话')}" height="48">
    <input type="hidden" name="captchaKey" value="${key}">
    <input id="captcha" name="captcha" autocomplete="off" required maxlength="10">`
}

const nothing = { listNo: '', kind: '', content: '', name: '', phone: '', codeId: '', code: '' }
const empty: Filed = { ...nothing, isNamed: true, files: [] }

interface Form {
  app: FastifyInstance
  speech: Speech
  list: PublicList
  given?: Filed
  problems?: readonly Problem[]
  /** A code has just been sent. */
  isSent?: boolean
  ip: string
}

/** The code that proves the phone of whoever objects by name, where the tenant can send one. */
async function codeInput({ app, speech: { say }, list, given = empty }: Form): Promise<Markup | false> {
  if (!(await asksPhoneCode(app, list))) return false
  return html`<label for="code">${say('短信验证码')} <small>${say('实名时填写，先获取再提交；获取后文件须重新选择')}</small></label>
    <input type="hidden" name="codeId" value="${given.codeId}">
    <input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6">
    <button name="act" value="code" formnovalidate>${say('获取验证码')}</button>`
}

async function objectionForm(form: Form): Promise<Markup> {
  const { app, speech, list, given = empty, problems = [], isSent = false, ip } = form
  const { say, lang } = speech
  const proof = await proofInput(app, ip, speech)
  const wrong = (field: Problem['field']) => {
    const found = problems.filter(one => one.field === field)
    return found.map(one => html`<p class="bad" id="${field}-wrong">${say(one.msg)}</p>`)
  }
  const choice = (value: '1' | '0', text: string) =>
    html`<label class="choice"><input type="radio" name="named" value="${value}"${given.isNamed === (value === '1') && html` checked`}> ${say(text)}</label>`
  const kinds = Object.entries(objectionKind.entries).map(
    ([key, word]) => html`<option value="${key}"${given.kind === key && html` selected`}>${say(word)}</option>`,
  )
  return html`<h1>${say('提出异议')}</h1>
    <p><a href="${speech.to(`/public/publicity/${list.id}`)}">${list.title}</a></p>
    <p class="soft">${say('异议截止时间')}：${shownTime(list.objectionEnd)}</p>
    ${problems.length > 0 && html`<p class="note" role="alert">${say('还没有提交，请改正下面标出的内容；文件须重新选择')}</p>`}
    ${isSent && html`<p class="note" role="status">${say('验证码已发送，请填写后提交；文件须重新选择')}</p>`}
    <form class="card" method="post" action="/public/objection/file" enctype="multipart/form-data">
    <input type="hidden" name="list" value="${list.id}">${lang === 'en' && html`<input type="hidden" name="lang" value="en">`}
    <label for="listNo">${say('涉及的编号')} <small>${say('选填，名单上的报名号、准考证号或岗位代码')}</small></label>
    <input id="listNo" name="listNo" maxlength="30" value="${given.listNo}">${wrong('listNo')}
    <label for="kind">${say('异议类别')}</label>
    <select id="kind" name="kind" required><option value="">${say('请选择异议类别')}</option>${kinds}</select>${wrong('kind')}
    <label for="content">${say('异议内容')} <small>${say('写明事实和依据，最多2000个字')}</small></label>
    <textarea id="content" name="content" maxlength="2000" required>${given.content}</textarea>${wrong('content')}
    <label for="files">${say('材料')} <small>${say('选填，最多3个JPG、PNG或PDF文件，每个不超过5MB')}</small></label>
    <input id="files" name="files" type="file" multiple accept=".jpg,.jpeg,.png,.pdf">${wrong('files')}
    <fieldset><legend>${say('提出方式')}</legend>${choice('1', '实名')}${choice('0', '匿名')}
    <p class="soft">${say('姓名和电话加密保存，只有办理人员说明原因后才能查看，不告诉被反映的人；匿名且没有具体事实的可能不予受理')}</p></fieldset>
    <label for="name">${say('姓名')} <small>${say('实名时填写')}</small></label>
    <input id="name" name="objectorName" maxlength="30" autocomplete="name" value="${given.name}">${wrong('name')}
    <label for="phone">${say('联系电话')} <small>${say('实名时填写')}</small></label>
    <input id="phone" name="objectorPhone" type="tel" maxlength="20" autocomplete="tel" value="${given.phone}">${wrong('phone')}
    ${await codeInput(form)}${wrong('code')}
    ${proof}${wrong('captcha')}
    <div class="acts"><button class="main">${say('提交异议')}</button></div></form>`
}

/** The form of an objection against a list, or without one the page where an objection is looked up. */
export async function objectionPage(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const speech = speechOf(request)
  const id = String((request.query as { list?: unknown }).list ?? '')
  if (!id)
    return sendPage(reply, {
      speech,
      title: speech.say('查询异议'),
      self: '/public/objection',
      content: lookForm(speech),
    })
  const list = await objectedList(app, id)
  const content = await objectionForm({ app, speech, list, ip: request.ip })
  return sendPage(reply, { speech, title: speech.say('提出异议'), self: `/public/objection?list=${list.id}`, content })
}

const readFiled = (fields: Readonly<Record<string, string>>, files: Filed['files']): Filed => {
  const text = (name: string): string => (fields[name] ?? '').replace(/\r\n?/g, '\n').trim()
  return {
    listNo: text('listNo'),
    kind: text('kind'),
    content: text('content'),
    isNamed: text('named') !== '0',
    name: text('objectorName'),
    phone: text('objectorPhone'),
    codeId: text('codeId'),
    code: text('code'),
    files,
  }
}

/** Takes an objection; a form with something wrong in it comes back as it was filled in. */
export async function takeObjection(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const speech = speechOf(request)
  const { say, to } = speech
  const { fields, files } = formOf(request)
  const list = await objectedList(app, fields.list ?? '')
  const given = readFiled(fields, files)
  const again = async (problems: readonly Problem[], codeId?: string) => {
    const filled = codeId === undefined ? given : { ...given, isNamed: true, codeId }
    const form = { app, speech, list, given: filled, problems, isSent: codeId !== undefined, ip: request.ip }
    const content = await objectionForm(form)
    return sendPage(reply.code(problems.length > 0 ? 400 : 200), { speech, title: say('提出异议'), content })
  }
  const asksCode = await asksPhoneCode(app, list)
  const wantsCode = asksCode && fields.act === 'code'
  const problems = [
    ...(wantsCode ? [] : problemsOf(given)),
    ...(asksCode && (given.isNamed || wantsCode) ? codeProblems(given) : []),
  ]
  if (problems.length > 0) return again(problems)
  if (app.config.captchaMode && !(await app.captcha.check(fields.captchaKey, fields.captcha)))
    return again([{ field: 'captcha', msg: '图中的字符不正确，请重新输入' }])
  const said = (error: unknown) => {
    if (error instanceof Refusal) return error
    throw error
  }
  if (wantsCode) {
    const sent = await sendPhoneCode(app, list, given, request.ip).catch(said)
    return sent instanceof Refusal ? again([{ field: 'phone', msg: refusalText(speech, sent) }]) : again([], sent)
  }
  if (asksCode && given.isNamed) {
    const wrong = await provePhone(app, list, given).catch(said)
    if (wrong instanceof Refusal) return again([{ field: 'code', msg: refusalText(speech, wrong) }])
  }
  const filed = await fileObjection(app, list, given, request.ip).catch(error => {
    if (files.length > 0 && error instanceof Refusal && isAboutFiles(error)) return error
    throw error
  })
  if (filed instanceof Refusal) return again([{ field: 'files', msg: refusalText(speech, filed) }])
  const content = html`<h1>${say('异议已收到')}</h1><div class="card"><p>${say('受理编号')}</p>
    <p class="receipt">${filed.receipt}</p>
    <p>${say('请抄下编号：凭它查询办理情况，别人没有它看不到，遗失后不能找回。')}</p>
    <p>${say('答复期限')}：${shownTime(filed.answerDue)}</p></div>
    <div class="acts"><a class="button" href="${to('/public/objection')}">${say('查询异议')}</a>
    <a class="button" href="${to(`/public/publicity/${list.id}`)}">${say('返回公示')}</a></div>`
  return sendPage(reply, { speech, title: say('异议已收到'), content })
}

/** Refusals of files are told beside their input. */
const isAboutFiles = ({ code }: Refusal): boolean => Math.floor(code / 1000) === 28

const lookForm = ({ say, lang }: Speech, wrong?: string): Markup => html`<h1>${say('查询异议')}</h1>
  <form class="card" method="post" action="/public/objection/look">${lang === 'en' && html`<input type="hidden" name="lang" value="en">`}
  <label for="receipt">${say('受理编号')}</label>
  <input id="receipt" name="receipt" required maxlength="20" autocomplete="off" placeholder="GS-XXXX-XXXX">
  ${wrong && html`<p class="bad" role="alert">${wrong}</p>`}
  <div class="acts"><button class="main">${say('查询')}</button></div></form>`

function objectionFacts(one: OwnObjection, speech: Speech): Markup {
  const { say, to, lang } = speech
  const isOpen = openStates.includes(one.objectionStatus)
  const row = (title: string, value: Markup | string | null) => value && html`<dt>${say(title)}</dt><dd>${value}</dd>`
  return html`<h1>${say('异议')} ${one.receipt}</h1><div class="card"><dl>
    ${row('公示', html`<a href="${to(`/public/publicity/${one.publicityId}`)}">${one.title}</a>`)}
    ${row('异议类别', say(objectionKind.entries[one.objectionKind]))}
    ${row('提交时间', shownTime(one.createTime))}
    ${row('状态', html`<strong>${say(objectionStatus.entries[one.objectionStatus])}</strong>`)}
    ${isOpen && row('答复期限', shownTime(one.answerDue))}
    ${row('受理时间', one.acceptTime && shownTime(one.acceptTime))}
    ${row('不予受理原因', one.refuseReason)}
    ${one.answerTime && row('答复', one.answer)}
    ${row('答复时间', one.answerTime && shownTime(one.answerTime))}</dl></div>
    ${
      isOpen &&
      html`<form method="post" action="/public/objection/withdraw"><input type="hidden" name="receipt" value="${one.receipt}">
      ${lang === 'en' && html`<input type="hidden" name="lang" value="en">`}<button>${say('撤回异议')}</button></form>`
    }`
}

/** The objection whose number was sent; nothing when the page that says so has been sent instead. */
async function sentObjection(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply, speech: Speech) {
  const typed = String((request.body as { receipt?: unknown } | undefined)?.receipt ?? '').slice(0, 40)
  const found = await findObjection(app, typed, request.ip)
  if (found) return found
  const content = lookForm(speech, speech.say('没有这个受理编号，请核对后重新输入'))
  sendPage(reply.code(404), { speech, title: speech.say('查询异议'), content })
}

/** Shows an objection to whoever has its number. */
export async function lookObjection(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const speech = speechOf(request)
  const found = await sentObjection(app, request, reply, speech)
  if (!found) return reply
  return sendPage(reply, { speech, title: found.receipt, content: objectionFacts(found, speech) })
}

/** Takes an objection back for whoever has its number. */
export async function takeBackObjection(app: FastifyInstance, request: FastifyRequest, reply: FastifyReply) {
  const speech = speechOf(request)
  const found = await sentObjection(app, request, reply, speech)
  if (!found) return reply
  await withdrawObjection(app, found)
  const content = html`<p class="note" role="status">${speech.say('异议已撤回')}</p>
    <div class="acts"><a class="button" href="${speech.to('/public/publicity')}">${speech.say('公示')}</a></div>`
  return sendPage(reply, { speech, title: found.receipt, content })
}

/** The form takes its files and its texts. */
export const objectionFormRule = {
  files: mostFiles,
  KB: 5120,
  allKB: mostFiles * 5120,
  fields: 20,
  fieldKB: 16,
} as const
