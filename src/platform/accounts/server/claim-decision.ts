import type { Selectable } from 'kysely'
import type { idclaim } from '#resources/system/idclaim'
import { AccountStatus, AuditOutcome, AuditStatus } from '#schemas/dictionaries'
import type { ActionContext, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { numberLost } from '../../auth/server/number-claim.ts'
import { endSessions } from '../../auth/server/session.ts'
import type { Database } from '../../database/database.ts'
import { type LiveTrx, raw } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isOwnRepeat } from '../../http/server/repeated.ts'
import { holding } from './claim-holder.ts'
import './extensions.ts'
import { takingNames, writeAccount } from './register.ts'

type Claim = Selectable<Database['idclaim']>
type Outcome = 1 | 2

/**
 * The claim of a call, locked; null when the same person has decided it so before.
 * @throws row.notFound, row.wrongState
 */
type Caller = Omit<ActionContext, 'values'>

async function takeClaim({ app, person, id }: Caller, trx: LiveTrx, outcome: Outcome) {
  const claim = await scoped(app, person, 'idclaim', raw(trx))
    .where('id', '=', id)
    .selectAll()
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!claim) throw refuse('row.notFound')
  if (isOwnRepeat(claim, claim.claimStatus === outcome, person)) return null
  if (claim.claimStatus !== AuditStatus.pending) throw refuse('row.wrongState')
  return claim
}

/** Writes the decision; the password is not needed any more. @throws row.wrongState when it was decided meanwhile */
async function decide(
  { person, now, values }: ActionContext<{ remark?: string | null | undefined }>,
  trx: LiveTrx,
  claim: Claim,
  set: { claimStatus: Outcome; holderId?: string | null; userId?: string },
): Promise<void> {
  const audit = { auditUser: person.userId, auditTime: now, auditRemark: values.remark || null }
  const { numUpdatedRows } = await trx
    .updateTable('idclaim')
    .set({ ...set, ...audit, password: null })
    .where('id', '=', claim.id)
    .where('claimStatus', '=', AuditStatus.pending)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw refuse('row.wrongState')
}

/**
 * Takes the number from the account that has it, and ends what stands on it.
 * @returns the account.
 * @throws accounts.claimBlocked, signup.notWithdrawable
 */
async function takeNumber(ctx: Caller, trx: LiveTrx, claim: Claim): Promise<string | null> {
  const { app, person, now, request } = ctx
  const holder = await holding(trx, claim.idCardHash ?? '')
    .select('id')
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!holder) return null
  const caller = { app, db: trx, vault: app.vault, person, now, ip: request.ip, meter: app.meter }
  await app.extensions.identity.numberLost(trx, caller, holder.id, numberLost)
  await trx
    .updateTable('user')
    .set({
      idCard: null,
      idCardHash: null,
      idCardMask: null,
      accountStatus: AccountStatus.disabled,
      auditRemark: numberLost,
    })
    .where('id', '=', holder.id)
    .execute()
  await endSessions(raw(trx), [holder.id], 'disabled', now)
  return holder.id
}

/** The pictures of a claim are those of the new account. */
async function giveAccount(ctx: Caller, trx: LiveTrx, claim: Claim): Promise<string> {
  const { app, person } = ctx
  const { tenantId, cardFront, cardBack, realName, account: username, idType } = claim
  const [phone, idCard] = [app.vault.open(claim.phone), app.vault.open(claim.idCard)]
  const account = {
    tenantId,
    passwordHash: app.vault.open(claim.password ?? ''),
    accountStatus: AccountStatus.active,
    mustChangePwd: 0,
    by: person.userId,
  } as const
  const id = await writeAccount(app, trx, { username, realName, phone, idType, idCard }, account)
  await trx.updateTable('user').set({ cardFront, cardBack }).where('id', '=', id).execute()
  const files = [cardFront, cardBack].filter(one => one !== null)
  await raw(trx).updateTable('attach').set({ ownerId: id, createUser: id }).where('id', 'in', files).execute()
  return id
}

/**
 * Tells the claimant what was decided, by the template `claim`: `{result}` and `{account}`. Everything else, such as the
 * reason of a refusal, stands on the page of the claim.
 * @returns the message for the person who decided
 */
async function tell({ app, person, now }: Caller, trx: LiveTrx, claim: Claim, outcome: Outcome) {
  const params = { result: outcome === AuditOutcome.success ? '已通过' : '未通过', account: claim.account }
  const notice = { code: 'claim', title: '证件号认领结果', phone: app.vault.open(claim.phone), params }
  const isTold = await app.extensions.tellByText(app, trx, { person, now }, notice)
  const how = isTold
    ? '将以短信告知申请人'
    : '短信没有发出（没有名为 claim 的模板、模板缺少内容或余额不足），申请人须自行查询认领进度'
  return `${outcome === AuditOutcome.success ? '已通过认领' : '已驳回认领'}，${how}`
}

/** Deciding on claims of ID numbers. */
export const idclaimHandlers: HandlersOf<typeof idclaim> = {
  /** Gives the number to whoever claims it: the account that had it is switched off without it, another one is made with it. */
  pass: ctx =>
    takingNames(ctx.db, async trx => {
      const claim = await takeClaim(ctx, trx, AuditStatus.approved)
      if (!claim) return {}
      const holderId = await takeNumber(ctx, trx, claim)
      const userId = await giveAccount(ctx, trx, claim)
      await decide(ctx, trx, claim, { claimStatus: AuditStatus.approved, holderId, userId })
      return { msg: await tell(ctx, trx, claim, AuditStatus.approved) }
    }),

  reject: ctx =>
    ctx.db.transaction().execute(async trx => {
      const claim = await takeClaim(ctx, trx, AuditStatus.rejected)
      if (!claim) return {}
      await decide(ctx, trx, claim, { claimStatus: AuditStatus.rejected })
      return { msg: await tell(ctx, trx, claim, AuditStatus.rejected) }
    }),
}
