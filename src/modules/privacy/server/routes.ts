import { once } from 'node:events'
import type { FastifyInstance } from 'fastify'
import { TaskStatus } from '#schemas/dictionaries'
import { asFile } from '../../../crud/export.ts'
import { callerOf } from '../../../platform/access/server/caller.ts'
import { confirmPassword } from '../../../platform/auth/server/second-password.ts'
import { spendCode } from '../../../platform/auth/server/sms/code.ts'
import { type Person, person } from '../../../platform/http/server/access.ts'
import { messageFor } from '../../../platform/http/server/envelope.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { serve } from '../../../platform/http/server/serve.ts'
import {
  askAboutData,
  downloadOwn,
  erasurePreview,
  expiring,
  exportOwn,
  ownConsents,
  ownExports,
  ownKinds,
  ownLooks,
  withdrawAsking,
  withdrawConsent,
} from '../contract.ts'
import { type AccountConsent, endConsent, givenByConsent } from './consents.ts'
import { copyLimits, ownCopies, ownCopy, takeDownload } from './copy.ts'
import { countExpired, letExpire } from './expiry.ts'
import { looksAt } from './looks.ts'
import { erasureBlock, kindsOfData } from './plan.ts'
import { findDue } from './purge/rules.ts'
import { purgeWork } from './purge/work.ts'
import { askFor, takeBack } from './requests.ts'
import { tidyTraces } from './traces.ts'
import { eraseUpload, optionalUploads } from './uploads.ts'

/** Lines of the list of looks that are sent at once. */
const looksAtOnce = 20

/** What a person may do with the data that are kept of them: `/blade-system/own-data` and their requests. */
export default async function privacyRoutes(app: FastifyInstance): Promise<void> {
  readings(app)
  copies(app)
  acts(app)
  app.queue.add(purgeWork(app))
  app.jobs.every({
    name: 'data-due',
    title: '查找到期资料',
    seconds: 30 * 86_400,
    harmlessToPause: true,
    work: signal => findDue(app, signal),
  })
  app.jobs.every({
    name: 'data-expired',
    title: '清除到期资料',
    seconds: 86_400,
    harmlessToPause: true,
    work: signal => letExpire(app, signal),
  })
  app.jobs.every({ name: 'data-traces', title: '清理到期消息', seconds: 86_400, work: () => tidyTraces(app) })
}

function readings(app: FastifyInstance): void {
  serve(app, ownKinds, async ({ request }) => {
    const me = person(request)
    const kinds = await kindsOfData(liveAs(app, me), me.userId)
    return kinds.map(({ keep, ...kind }) => ({ ...kind, fields: [...kind.fields], groups: [...kind.groups], ...keep }))
  })
  serve(app, erasurePreview, async ({ request }) => {
    const { db, person: me, now } = callerOf(app, request)
    const [block, kinds] = await Promise.all([erasureBlock(db, me.userId, now), kindsOfData(db, me.userId)])
    const rows = kinds.flatMap(({ title, keep, groups }) => groups.map(one => ({ title, ...keep, ...one })))
    return { block: block ? messageFor(request, block) : '', rows }
  })
  serve(app, expiring, ({ request }) => countExpired(app, person(request).tenantId))
  serve(app, ownLooks, async ({ query, request }) => {
    const me = person(request)
    const offset = (Number(query.current ?? 1) - 1) * looksAtOnce
    const { total, rows } = await looksAt(liveAs(app, me), me.userId, { offset, limit: looksAtOnce })
    return { total, rows: [...rows] }
  })
  serve(app, ownConsents, async ({ request }) => {
    const me = person(request)
    const given = await givenByConsent(liveAs(app, me), me.userId)
    const uploads = await optionalUploads(liveAs(app, me), me.userId)
    return [
      ...(Object.keys(given) as AccountConsent[]).map(kind => ({ kind, given: given[kind] })),
      ...uploads.map(one => ({ kind: 'upload' as const, ...one })),
    ]
  })
}

interface Proof {
  password?: string | undefined
  keyId?: string | undefined
  codeId?: string | undefined
  smsCode?: string | undefined
}

/** Proves that the person at the session is whose data leave: by a code sent to the own phone, else by the password. */
async function prove(app: FastifyInstance, me: Person, { password, keyId, codeId, smsCode }: Proof): Promise<void> {
  if (!codeId) return confirmPassword(app, me, { ...(password && { password }), ...(keyId && { keyId }) })
  const { phone } = await liveAs(app, me)
    .selectFrom('user')
    .select('phone')
    .where('id', '=', me.userId)
    .executeTakeFirstOrThrow()
  const given = { id: codeId, code: smsCode ?? '', purpose: 'phone' } as const
  await spendCode(app, { ...given, tenantId: me.tenantId, address: app.vault.open(phone) })
}

function copies(app: FastifyInstance): void {
  app.exports.add(ownCopy)
  serve(app, exportOwn, async ({ body, request }) => {
    const me = person(request)
    await prove(app, me, body)
    const entry = { bizType: ownCopy.name, title: '我的数据', params: {}, sensitive: true, reason: '本人导出' }
    return { taskId: await app.exports.ask(me, ownCopy, { language: body.language }, entry) }
  })
  serve(app, ownExports, async ({ request }) => {
    const { db, person: me, now } = callerOf(app, request)
    const rows = await ownCopies(db, me.userId)
    return rows.map(({ fileId, downNum, ...row }) => {
      const left = copyLimits.downloads - (downNum ?? 0)
      const isKept = fileId !== null && row.keepUntil !== null && row.keepUntil > now
      return {
        ...row,
        left,
        isReady: isKept && left > 0 && row.taskStatus === TaskStatus.done,
      }
    })
  })
  serve(app, downloadOwn, async ({ body: { id }, request, reply }) => {
    const { db, person: me, now } = callerOf(app, request)
    const { file, isUsed } = await takeDownload(db, { id, userId: me.userId, now })
    if (isUsed) throw refuse('privacy.downloadsUsed', { n: copyLimits.downloads })
    if (!file) throw refuse('file.notFound')
    const bytes = app.storage.open(file.key)
    await once(bytes, 'readable').catch(() => {
      throw refuse('file.notFound')
    })
    return asFile(reply.header('content-length', file.attachSize), file.originalName, file.contentType).send(bytes)
  })
}

function acts(app: FastifyInstance): void {
  serve(app, withdrawConsent, async ({ body: { kind, signUpId = '', fileCode = '' }, request }) => {
    const { db, person: me, now, ip } = callerOf(app, request)
    await db
      .transaction()
      .execute(trx =>
        kind === 'upload'
          ? eraseUpload(trx, { userId: me.userId, now, ip }, { signUpId, fileCode })
          : endConsent(trx, me.userId, kind),
      )
  })
  serve(app, askAboutData, ({ body, request }) => {
    const caller = callerOf(app, request)
    return caller.db.transaction().execute(trx => askFor(trx, caller, body))
  })
  serve(app, withdrawAsking, async ({ body: { id }, request }) => {
    const caller = callerOf(app, request)
    await caller.db.transaction().execute(trx => takeBack(app, trx, caller, id))
  })
}
