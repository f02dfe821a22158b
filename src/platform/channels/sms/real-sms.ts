import type { FastifyInstance } from 'fastify'
import { pauseAccount } from '../pause.ts'
import {
  type AccountRow,
  accountById,
  accountsOf,
  circuit,
  keysOf,
  noteFault,
  noteSuccess,
  passesCircuit,
} from './accounts.ts'
import { type DoubtfulSms, type NewSms, type SmsChannel, SmsError } from './channel.ts'
import type { SmsProvider } from './provider.ts'
import { providerKinds } from './providers.ts'
import { applyEarlyReceipts, noteReceipt, purgeEarlyReceipts } from './receipts.ts'
import type { SmsLedger } from './sms-ledger.ts'
import { contentOf, paramsOf, segmentsOf } from './sms-text.ts'
import { tellTrouble } from './trouble.ts'

const kinds = providerKinds()

/** The account of a row of the settings. Its keys are read each time: those that are changed count at once, in every process. */
function providerOf(app: FastifyInstance, row: AccountRow): SmsProvider {
  const kind = kinds.get(row.category)
  if (!kind) throw new SmsError('未配置短信通道', 'settings')
  const host = app.config.smsHosts[kind.key] ?? kind.host
  return kind.open(keysOf(app, row), { host, fetch, now: app.now })
}

/** The first account has two turns, each following one turn. */
const turnOf = (putOff: number, count: number): number => Math.max(putOff - 1, 0) % count

/** The accounts but the one that had a message before, where there is such a message. */
async function othersThan(ledger: SmsLedger, rows: readonly AccountRow[], doubtfulId?: string): Promise<AccountRow[]> {
  const before = doubtfulId === undefined ? null : await ledger.find(doubtfulId)
  return rows.filter(row => row.id !== before?.smsId)
}

/** Whether an account that is not paused could send what another one had before. */
async function hasReserve(app: FastifyInstance, ledger: SmsLedger, message: DoubtfulSms): Promise<boolean> {
  const others = await othersThan(ledger, await accountsOf(app, message), message.doubtfulId)
  return others.some(row => row.pausedTime === null)
}

/** The accounts that may send a message, in their order; paused ones may not. @throws SmsError when there is none */
async function candidates(app: FastifyInstance, ledger: SmsLedger, message: NewSms): Promise<AccountRow[]> {
  if (message.smsId !== undefined) {
    const row = await accountById(app, message.smsId)
    if (row?.tenantId !== message.tenantId) throw new SmsError('未配置短信通道', 'settings')
    return [row]
  }
  const rows = await othersThan(ledger, await accountsOf(app, message), message.doubtfulId)
  const usable = rows.filter(row => row.pausedTime === null)
  if (usable.length === 0) {
    const reason = rows[0]?.pauseReason
    throw new SmsError(reason ? `短信通道已暂停：${reason}` : '未配置短信通道', 'settings')
  }
  const turn = turnOf(message.putOff ?? 0, usable.length)
  return [...usable.slice(turn), ...usable.slice(0, turn)]
}

/**
 * Hands a message to one account, under our number, which the ledger has once: whatever account it went to before, it goes to no
 * second one before it is certain that the first did not take it.
 */
async function hand(app: FastifyInstance, ledger: SmsLedger, row: AccountRow, message: NewSms): Promise<string> {
  const { id, phone, params, isSpare, budget } = message
  const provider = providerOf(app, row)
  const before = await ledger.begin({ id, phone, segments: segmentsOf(contentOf(row, params)), isSpare, budget }, row)
  if (before && before.bizNo !== null) return before.bizNo
  if (before) throw new SmsError('短信此前已提交，结果待查', 'unknown')
  const named = paramsOf(row.templateContent).map(name => [name, params[name] ?? ''] as const)
  try {
    const { bizNo } = await provider.send({
      id,
      phone,
      signName: row.signName,
      templateId: row.templateId,
      params: named,
    })
    await ledger.done(id, bizNo)
    return bizNo
  } catch (error) {
    if (error instanceof SmsError && error.fault !== 'unknown') await ledger.forget(id)
    throw error
  }
}

/** What follows from a fault for the account, unless it is only tried. */
async function blame(app: FastifyInstance, row: AccountRow, { fault, message, until }: SmsError): Promise<void> {
  // What is put off to a time was not handed to it.
  if (fault === 'final' || until) return
  if (fault === 'settings') await pauseAccount(app, 'sms', row, message, { smsCode: row.smsCode })
  if (!(await noteFault(app, row))) return
  const { id: smsId, tenantId, smsCode } = row
  app.log.warn({ tenantId, smsId, smsCode, reason: message }, 'an account for text messages is left alone for a minute')
  await tellTrouble(app, row, 'down').catch(err =>
    app.log.error({ err, smsId }, 'nobody was told of an account that does not answer'),
  )
}

/**
 * Sends a message by the first account that can. A fault of the settings leads on to the next account; one that passes only where
 * somebody waits for the message. Of one whose fate is unknown no other account hears.
 */
async function send(app: FastifyInstance, ledger: SmsLedger, message: NewSms): Promise<{ bizNo: string }> {
  const isTrial = message.smsId !== undefined
  let last: SmsError | undefined
  let until = new Date(app.now().getTime() + circuit.milliseconds)
  for (const row of await candidates(app, ledger, message)) {
    if (!isTrial && !(await passesCircuit(app, row))) {
      if (row.openUntil && row.openUntil > app.now() && row.openUntil < until) until = row.openUntil
      continue
    }
    try {
      const bizNo = await hand(app, ledger, row, message)
      await noteSuccess(app, row)
      // What cannot be handed on now is by the job.
      await applyEarlyReceipts(app, message.id).catch(err => app.log.warn({ err }, 'a receipt waits'))
      return { bizNo }
    } catch (error) {
      if (!(error instanceof SmsError)) throw error
      if (!isTrial) await blame(app, row, error)
      last = error
      if (error.fault === 'settings' || (error.fault === 'later' && message.isUrgent)) continue
      throw error
    }
  }
  throw last ?? new SmsError('短信通道暂时不可用', 'later', undefined, until)
}

/** Asks the account that a message went out by. */
async function ask(app: FastifyInstance, ledger: SmsLedger, id: string): Promise<ReturnType<SmsProvider['query']>> {
  const row = await ledger.find(id)
  if (!row) return { state: 'never' }
  if (row.told) return row.problem === null ? { state: 'arrived' } : { state: 'failed', problem: row.problem }
  if (row.bizNo !== null) return { state: 'taken' }
  if (!(await ledger.ask(row))) throw new SmsError('短信结果尚不到再次查询的时间', 'unknown')
  const account = await accountById(app, row.smsId)
  // Whoever removed the account has removed the only one who could tell.
  if (!account) return { state: 'cannot' }
  const delivery = await providerOf(app, account).query(row)
  if (delivery.state === 'never') await ledger.forget(id)
  if (delivery.state === 'taken') await ledger.done(id, '')
  if (delivery.state === 'arrived' || delivery.state === 'failed')
    await noteReceipt(app, { id, bizNo: null, problem: delivery.problem ?? null })
  return delivery
}

/** Messages of a day that an account must have taken before it counts that none of their receipts has come, and after how long. */
const unheard = { least: 20, from: 24 * 3_600_000, to: 2 * 3_600_000 }

/** Tells that an account is silent: of many messages that it took hours ago no receipt has come. */
async function watchReceipts(app: FastifyInstance, { id, tenantId }: AccountRow): Promise<void> {
  const ago = (milliseconds: number) => new Date(app.now().getTime() - milliseconds)
  const { taken, told } = await app.db
    .selectFrom('sms_sent')
    .select(({ fn }) => [
      fn.countAll<string>().as('taken'),
      fn.countAll<string>().filterWhere('told', '=', true).as('told'),
    ])
    .where('smsId', '=', id)
    .where('bizNo', 'is not', null)
    .where('time', '>', ago(unheard.from))
    .where('time', '<', ago(unheard.to))
    .executeTakeFirstOrThrow()
  if (Number(taken) >= unheard.least && Number(told) === 0)
    await tellTrouble(app, { id, tenantId }, 'receipts', { taken: Number(taken) })
}

/** Asks an account for the receipts of some messages that have not told theirs. */
async function pullOf(app: FastifyInstance, ledger: SmsLedger, smsId: string): Promise<number> {
  const account = await accountById(app, smsId)
  if (!account || !kinds.has(account.category)) return 0
  const provider = providerOf(app, account)
  let count = 0
  for (const row of await ledger.waiting(smsId)) {
    const { state, problem = null } = await provider.query(row)
    if (state !== 'arrived' && state !== 'failed') continue
    if (await noteReceipt(app, { id: row.id, bizNo: row.bizNo, problem })) count++
  }
  await watchReceipts(app, account)
  return count
}

/** The accounts of all settings as one channel. */
export const realSms = (app: FastifyInstance, ledger: SmsLedger): SmsChannel => ({
  send: message => send(app, ledger, message),
  query: async id => (await ask(app, ledger, id)).state,
  hasReserve: message => hasReserve(app, ledger, message),
  async pull() {
    let count = await applyEarlyReceipts(app)
    await purgeEarlyReceipts(app)
    const used = await app.db.selectFrom('sms_sent').select('smsId').distinct().where('told', '=', false).execute()
    for (const { smsId } of used) {
      // One account that does not answer keeps nobody else's receipts away.
      count += await pullOf(app, ledger, smsId).catch(err => {
        app.log.warn({ err, smsId }, 'receipts were not answered')
        return 0
      })
    }
    return count
  },
})
