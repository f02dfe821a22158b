import type { FastifyInstance, FastifyRequest } from 'fastify'
import { userupdateinfo } from '#resources/system/userupdateinfo'
import { UserType } from '#schemas/dictionaries'
import { readIds } from '../../../../crud/input.ts'
import { remove } from '../../../../crud/remove.ts'
import { submit } from '../../../../crud/store.ts'
import { isBlank, isSame } from '../../../../engine/blank.ts'
import { person } from '../../../http/server/access.ts'
import { wantsEnglish } from '../../../http/server/refusal-english.ts'
import { serve } from '../../../http/server/serve.ts'
import {
  askForChange,
  beginWechat,
  changeOwnData,
  chooseChannel,
  confirmEmail,
  confirmVisit,
  confirmWechat,
  ownChannels,
  sendEmailCode,
  unbindWechat,
  wechatTicket,
  withdrawChange,
} from '../../contract.ts'
import * as contacts from '../contacts.ts'
import { keepPictures } from '../pictures.ts'
import { readProfile, writeProfile } from '../profile.ts'
import * as wechat from '../wechat-binding.ts'
import { readForm } from './form.ts'

type Body = Record<string, unknown>

/** What a request asks to have changed, whether it stands in `afterInfo` or beside it. */
const requestOf = (body: Body): Body => ({
  ...(typeof body.afterInfo === 'object' ? (body.afterInfo as Body) : {}),
  ...body,
})

const realNames = ['realName', 'idCard'] as const

/** One's own data in one form: what stands on the ID card of a candidate becomes a request, the rest counts at once. */
async function changeOwn(app: FastifyInstance, request: FastifyRequest) {
  const caller = person(request)
  const { fields, files } = await readForm(request)
  const isCandidate = caller.userType === UserType.candidate
  const now = await readProfile(app, caller)
  const old = now as Record<string, unknown>
  const pictures = await keepPictures(app, app, { person: caller, ip: request.ip }, files)
  const { avatar, ...cards } = pictures
  const { name, phone, email, realName, codeId, smsCode, password, keyId } = fields
  const proof = { codeId, smsCode, password, keyId }
  const change = { name, phone, email, ...proof, realName: isCandidate ? undefined : realName, avatar }
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
  const texts = realNames
    .filter(key => !isBlank(fields[key]) && !isSame(fields[key], old[key]))
    .map(key => [key, fields[key]])
  const changes = { ...Object.fromEntries(isCandidate ? texts : []), ...cards }
  const profile = await writeProfile(app, caller, given)
  if (Object.keys(changes).length > 0)
    await submit(request, userupdateinfo, { ...changes, reason: fields.reason || '本人申请变更' })
  return profile
}

/** The language of the page that makes a call. */
const languageOf = (request: FastifyRequest) => (wantsEnglish(request.headers['accept-language']) ? 'en' : 'zh')

/** What people change of themselves beyond the profile, and ask to have changed. */
export default async function ownRoutes(app: FastifyInstance): Promise<void> {
  serve(app, changeOwnData, ({ request }) => changeOwn(app, request))
  serve(app, askForChange, async ({ request }) => {
    await submit(request, userupdateinfo, requestOf((request.body as Body | undefined) ?? {}))
  })
  serve(app, ownChannels, ({ request }) => contacts.readChannels(app, person(request)))
  serve(app, chooseChannel, ({ body, request }) => contacts.chooseChannel(app, person(request), body))
  serve(app, sendEmailCode, async ({ request }) => ({
    id: await contacts.sendMailCode(app, person(request), languageOf(request)),
  }))
  serve(app, confirmEmail, ({ body, request }) =>
    contacts.confirmMail(app, person(request), { ...body, language: languageOf(request) }),
  )
  serve(app, beginWechat, ({ body, request }) => {
    const { password, keyId } = body
    return wechat.beginBinding(app, person(request), { ...(password && { password }), ...(keyId && { keyId }) })
  })
  serve(app, wechatTicket, async ({ query, request }) => ({
    state: await wechat.ticketState(app, person(request), query.id),
  }))
  serve(app, confirmWechat, ({ body, request }) => wechat.confirmBinding(app, person(request), body))
  serve(app, confirmVisit, ({ body, request }) => wechat.confirmVisit(app, person(request), body))
  serve(app, unbindWechat, ({ request }) => wechat.unbind(app, person(request)))
  serve(app, withdrawChange, async ({ query, values, request }) => {
    await remove(request, userupdateinfo, readIds(query.ids ?? values.ids))
  })
}
