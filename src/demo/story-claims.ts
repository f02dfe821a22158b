import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sm2 } from 'sm-crypto'
import { PayChannelNo, ReleaseStatus, ResultFlag, SignStatus, UserType } from '#schemas/dictionaries'
import type { Work } from '../platform/auth/server/captcha.ts'
import { makeCode } from '../platform/auth/server/sms/code.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { randomPassword } from '../platform/vault/password.ts'
import { actAs } from './caller.ts'
import { drawPicture } from './files.ts'
import { chance } from './random.ts'

/** The number that a calculation asks for, found as a browser finds it. */
function resultOf({ challenge, salt, maxnumber }: Work): number {
  const digest = (n: number) => createHash('sha256').update(`${salt}${n}`).digest('hex')
  for (let n = 0; n <= maxnumber; n++) if (digest(n) === challenge) return n
  throw new Error('The calculation has no result.')
}

/** Somebody whose ID number another account has registered claims it, as the register page does; staff have yet to decide. */
export async function playClaims(app: FastifyInstance): Promise<void> {
  const holder = await app.db
    .selectFrom('user')
    .select(['idCard', 'realName'])
    .where('tenantId', '=', firstTenant)
    .where('userType', '=', UserType.candidate)
    .where('account', '<>', 'kaosheng')
    .where('idCard', 'is not', null)
    .orderBy('account', 'desc')
    .executeTakeFirst()
  if (!holder?.idCard) return
  const { publicKey, keyId } = app.cipher.ticket(app.now())
  const password = randomPassword()
  const secret = () => sm2.doEncrypt(password, publicKey, 0)
  const phone = `199${String(Math.floor(chance(91)() * 1e8)).padStart(8, '0')}`
  const proof = await makeCode(app, { tenantId: firstTenant, address: phone, purpose: 'register' })
  const texts = {
    username: 'renling01',
    realName: holder.realName,
    idType: '1',
    idCard: app.vault.open(holder.idCard),
    phone,
    codeId: proof.id,
    smsCode: proof.code,
    consentVersion: '1',
    keyId,
    password: secret(),
    password2: secret(),
    reason: '证件遗失期间被他人冒用注册，现已补办，请核对证件照片',
  }
  const form = new FormData()
  for (const [name, text] of Object.entries(texts)) form.append(name, text)
  for (const [name, text] of Object.entries({ cardFront: '人像面（样张）', cardBack: '国徽面（样张）' }))
    form.append(name, new Blob([new Uint8Array(await drawPicture(text))], { type: 'image/jpeg' }), `${name}.jpg`)
  const body = new Response(form)
  const { key, work } = await app.captcha.work('127.0.0.1')
  const answer = await app.inject({
    method: 'POST',
    url: '/api/blade-system/user/claim',
    payload: Buffer.from(await body.arrayBuffer()),
    headers: {
      'content-type': body.headers.get('content-type') ?? '',
      'captcha-key': key,
      'captcha-code': String(resultOf(work)),
    },
  })
  const { code, msg } = answer.json<{ code: number; msg: string }>()
  if (code !== 200) throw new Error(`The demonstration's claim was refused: ${code} ${msg}`)
}

/** Before the results came out, one score that was typed wrongly was put right. */
export async function playCorrection(app: FastifyInstance): Promise<void> {
  const wrong = await app.db
    .selectFrom('result')
    .select(['id', 'version', 'score'])
    .where('tenantId', '=', firstTenant)
    .where('resultStatus', '=', ReleaseStatus.draft)
    .where('resultFlag', '=', ResultFlag.normal)
    .orderBy('ticketNo')
    .executeTakeFirst()
  if (!wrong) return
  const score = (Number(wrong.score) - 0.5).toFixed(1)
  const change = { id: wrong.id, version: wrong.version, score }
  await actAs(app, 'kaowu', ({ post }) => post('/blade-result/result/submit', change))
}

/** The sandbox as a payment channel in the list of channels. */
export async function playChannel(app: FastifyInstance): Promise<void> {
  await actAs(app, 'admin', ({ post }) =>
    post('/blade-pay/pay/submit', {
      channel: PayChannelNo.simulated,
      payName: '演示支付（沙箱，不收真钱）',
      enable: 1,
    }),
  )
}

/** The page of a reviewer noted an error, which reached the server with the log that browsers send. */
export async function playFaults(app: FastifyInstance): Promise<void> {
  await actAs(app, 'chushen', ({ post }) =>
    post('/blade-auth/oauth/logout', [
      {
        url: '/examine/list',
        time: app.now().toISOString(),
        type: 'error',
        message: 'Loading chunk failed',
        stack: 'TypeError: Failed to fetch dynamically imported module',
      },
    ]),
  )
}

/** A reviewer took the photo of a candidate along, which leaves a note. */
export async function playNotes(app: FastifyInstance): Promise<void> {
  const { photo } = await app.db
    .selectFrom('signup')
    .select('photo')
    .where('tenantId', '=', firstTenant)
    .where('photo', 'is not', null)
    .where('signStatus', '=', SignStatus.submitted)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await actAs(app, 'kaowu', ({ take }) => take(`/blade-resource/attach/download?id=${photo}`))
  await app.journal.flush()
}

/** A report that the reporting program of the office has put there. */
export async function playReports(app: FastifyInstance): Promise<void> {
  const { attachId, id: createUser } = await app.db
    .selectFrom('files')
    .innerJoin('user', 'user.id', 'files.createUser')
    .select(['files.attachId', 'user.id'])
    .where('files.tenantId', '=', firstTenant)
    .executeTakeFirstOrThrow()
  const now = app.now()
  const stamp = { tenantId: firstTenant, createUser, createTime: now, updateTime: now }
  await app.db
    .insertInto('report')
    .values({ ...stamp, name: '招聘考试月报.ureport.xml', content: attachId })
    .execute()
}
