import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { maskSealed } from '#engine'
import { AuditOutcome, AuditStatus, IdType, UserType } from '#schemas/dictionaries'
import { Idclaim } from '#schemas/system/idclaim'
import { uniqueRefusal } from '../../../crud/unique.ts'
import { asksCodeToRegister, proveCode, takeCode } from '../../auth/server/sms/code.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { type Live, raw } from '../../database/live.ts'
import { readNumberParam, readParam } from '../../database/param.ts'
import { countOf, countUp } from '../../database/throttle.ts'
import { countedAddress } from '../../http/server/client-address.ts'
import { liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { hashPassword, passwordProblem } from '../../vault/password.ts'
import { type Applicant, readApplicant, wrong } from './applicant.ts'
import { holding } from './claim-holder.ts'
import { requireOpenTenant } from './open-tenant.ts'
import { keepPictures, type Picture } from './pictures.ts'
import { asPerson, type Registration } from './register.ts'

/** A claim as it arrives: what is registered with, and why the number is one's own. */
export interface Claim extends Registration {
  reason: string
}

const day = 86_400

async function openPassword({ app, given, username }: { app: FastifyInstance; given: Claim; username: string }) {
  const texts = [given.password, given.password2]
  const [password, again] = await app.cipher.open(texts, app.now(), given.keyId, given.clientKey)
  if (password === null || password === undefined || again === null) throw refuse('auth.passwordUnreadable')
  if (password !== again) throw refuse('accounts.passwordsDiffer')
  const problem = passwordProblem(password, 2, [username])
  if (problem) throw refuse('accounts.passwordTooWeak', { 要求: problem })
  return password
}

function requirePapers({ files, reason, consentVersion }: Claim, idType: number): string {
  const has = (field: Picture['field']) => files.some(file => file.field === field)
  if (!has('cardFront')) throw wrong('cardFront', '请上传证件照片：身份证人像面')
  if (idType === IdType.residentCard && !has('cardBack')) throw wrong('cardBack', '请上传证件照片：身份证国徽面')
  const why = reason.trim()
  if (!why) throw wrong('reason', '请填写认领说明')
  if (why.length > 500) throw wrong('reason', '认领说明最多500个字')
  if (!consentVersion) throw wrong('consentVersion', '请先阅读并同意《个人信息处理告知书》')
  return why
}

/** Counts a try against whoever makes it. @throws input.tooOften */
async function countTry({ db, now }: FastifyInstance, { ip, phoneKey }: { ip: string; phoneKey?: string }) {
  const perAddress = await readNumberParam(db, firstTenant, 'limit.claim.address')
  if ((await countUp(db, `claim-address:${countedAddress(ip)}`, 3600, now())) > perAddress)
    throw refuse('input.tooOften')
  if (!phoneKey) return
  const perPhone = await readNumberParam(db, firstTenant, 'limit.claim.phone')
  if ((await countUp(db, `claim-phone:${phoneKey}`, day, now())) > perPhone) throw refuse('input.tooOften')
}

/** @throws accounts.usernameTaken and accounts.phoneTaken for an account and a phone that somebody has */
async function requireFree(db: Live, { username, phoneHash }: Record<string, string>) {
  const users = db.selectFrom('user').select('id')
  if (await users.where('account', '=', username!).executeTakeFirst()) throw refuse('accounts.usernameTaken')
  const held = users.where('phoneHash', '=', phoneHash!).where('userType', '=', UserType.candidate)
  if (await held.executeTakeFirst()) throw refuse('accounts.phoneTaken')
}

/**
 * @throws accounts.idCardUnknown nobody has the number, accounts.claimPending another claim waits, input.tooOften
 * claimed too often today
 */
async function requireClaimable(app: FastifyInstance, db: Live, number: string): Promise<void> {
  if (!(await holding(db, number).select('id').executeTakeFirst())) throw refuse('accounts.idCardUnknown')
  const open = db.selectFrom('idclaim').select('id').where('idCardHash', '=', number)
  if (await open.where('claimStatus', '=', AuditStatus.pending).executeTakeFirst())
    throw refuse('accounts.claimPending')
  const most = await readNumberParam(app.db, firstTenant, 'limit.claim.number')
  // Only claims that were taken count: whoever is refused here cannot use up the tries of the number's owner.
  if ((await countOf(app.db, `claim-number:${number}`, app.now())) >= most) throw refuse('input.tooOften')
}

/** What is stored of a claim beside its pictures. */
async function rowOf(app: FastifyInstance, tenantId: string, { username, realName, phone, idType, idCard }: Applicant) {
  const { vault } = app
  return {
    account: username,
    realName,
    idType,
    phone: vault.seal(phone),
    phoneHash: vault.hash(tenantId, phone),
    phoneMask: maskSealed(phone),
    idCard: vault.seal(idCard),
    idCardHash: vault.hash(tenantId, idCard),
    idCardMask: maskSealed(idCard),
  }
}

async function requireHuman(app: FastifyInstance, given: Claim, phone: string): Promise<boolean> {
  const { tenantId, captcha, codeId, smsCode } = given
  if (!(await app.captcha.check(captcha.key, captcha.answer))) throw refuse('auth.captchaWrong')
  if (!(await asksCodeToRegister(liveIn(app, tenantId)))) return false
  await proveCode(app, { tenantId, address: phone, purpose: 'register', id: codeId, code: smsCode })
  return true
}

/**
 * Takes the claim of somebody whose number another account has. Staff compare the papers and decide. Nothing is said
 * about the account that has the number.
 * @returns the number of the claim, by which and the phone its state can be asked for
 * @throws as registering, and accounts.idCardUnknown nobody has the number, accounts.claimPending another claim of it
 * waits, input.tooOften too many claims
 */
export async function takeClaim(request: FastifyRequest, given: Claim): Promise<{ claimId: string }> {
  const app: FastifyInstance = request.server
  const { tenantId, ip } = given
  const db = liveIn(app, tenantId)
  await requireOpenTenant(app.db, tenantId, app.now())
  if ((await readParam(db, 'site.register')) !== 'true') throw refuse('accounts.registrationClosed')
  const applicant = readApplicant(given)
  const password = await openPassword({ app, given, username: applicant.username })
  const reason = requirePapers(given, applicant.idType)
  const isProved = await requireHuman(app, given, applicant.phone)
  const row = await rowOf(app, tenantId, applicant)
  await countTry(app, { ip, phoneKey: row.phoneHash })
  await requireFree(db, { username: applicant.username, phoneHash: row.phoneHash })
  await requireClaimable(app, db, row.idCardHash)
  const sealed = app.vault.seal(await hashPassword(password))
  try {
    const claimId = await db.transaction().execute(async trx => {
      if (isProved) await takeCode(raw(trx), given.codeId)
      const { rows } = await sql<{ id: string }>`SELECT next_id()::text AS id`.execute(trx)
      const id = rows[0]!.id
      const pictures = await keepPictures(
        app,
        trx,
        { person: asPerson(id, tenantId, applicant), ip },
        given.files.filter(file => file.field !== 'avatar'),
      )
      const { cardFront = '', cardBack } = pictures
      await trx
        .insertInto('idclaim')
        .values({
          ...row,
          id,
          password: sealed,
          cardFront,
          cardBack: cardBack ?? null,
          reason,
          claimStatus: AuditStatus.pending,
        })
        .execute()
      const note = {
        event: 'account',
        outcome: AuditOutcome.success,
        tenantId,
        targetType: 'idclaim',
        targetId: id,
      } as const
      await app.audit.note(request, { ...note, detail: { call: 'claim', account: applicant.username } }, raw(trx))
      return id
    })
    await countUp(app.db, `claim-number:${row.idCardHash}`, day, app.now())
    return { claimId }
  } catch (error) {
    throw uniqueRefusal(error, Idclaim) ? refuse('accounts.claimPending') : error
  }
}

/**
 * Where a claim stands, for whoever knows its number and the phone it was made with.
 * @throws row.notFound for any other number or phone, input.tooOften asked too often
 */
export async function stateOfClaim(
  app: FastifyInstance,
  asked: { tenantId: string; claimId: string; phone: string; ip: string },
) {
  const { tenantId, claimId, phone, ip } = asked
  await countTry(app, { ip })
  const found = await liveIn(app, tenantId)
    .selectFrom('idclaim')
    .select(['claimStatus', 'auditRemark', 'account'])
    .where('id', '=', claimId)
    .where('phoneHash', '=', app.vault.hash(tenantId, phone))
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  return found
}
