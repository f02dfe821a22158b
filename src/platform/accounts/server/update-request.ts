import { sql } from 'kysely'
import { birthdayOf, maskSealed, type Row, sexOf } from '#engine'
import { updateRequestEvents } from '#resources/system/events'
import { userupdateinfo } from '#resources/system/userupdateinfo'
import { AuditStatus, IdType } from '#schemas/dictionaries'
import { User } from '#schemas/system/user'
import type { Userupdateinfo } from '#schemas/system/userupdateinfo'
import { emit } from '../../../crud/emit.ts'
import { type EventContext, type GuardContext, guard, type HookContext, type Hooks, on } from '../../../crud/rules.ts'
import { uniqueRefusal } from '../../../crud/unique.ts'
import { isBlank, isSame } from '../../../engine/blank.ts'
import type { UserRow } from '../../auth/server/user-row.ts'
import { type Live, liveFor } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import type { Vault } from '../../vault/vault.ts'
import { cardProblem, nameProblem, wrong } from './applicant.ts'
import './approvals.ts'
import './extensions.ts'

/** What a person may ask to have changed, in the order a reader wants it. */
const asked = ['realName', 'idCard', 'cardFront', 'cardBack'] as const

type Asked = (typeof asked)[number]
type Requested = Partial<Record<Asked, string>>
type Known = Readonly<Partial<Record<Asked, string | null>>>

/** What is asked for and is not so already. */
const requestedOf = (values: Known, own: Known): Requested =>
  Object.fromEntries(
    asked
      .filter(name => !isBlank(values[name]) && !isSame(values[name], own[name]))
      .map(name => [name, String(values[name])]),
  )

/** The values of a requested as people may read them. */
const shown = (requested: Requested): Requested => ({
  ...requested,
  ...(requested.idCard && { idCard: maskSealed(requested.idCard) }),
})

function checkRequested(requested: Requested, user: Pick<UserRow, 'idType'>): void {
  if (Object.keys(requested).length === 0) throw wrong('realName', '请填写要变更的内容')
  const name = requested.realName === undefined ? null : nameProblem(requested.realName)
  if (name) throw wrong('realName', name)
  const card = requested.idCard === undefined ? null : cardProblem(Number(user.idType), requested.idCard)
  if (card) throw wrong('idCard', card)
}

/** Pictures and proofs must be one's own uploads. @throws file.notFound */
async function requireOwnFiles({ db, person }: HookContext, ids: readonly unknown[]): Promise<void> {
  const wanted = [...new Set(ids.filter(Boolean).map(String))]
  if (wanted.length === 0) return
  const rows = await db
    .selectFrom('attach')
    .select('id')
    .where('id', 'in', wanted)
    .where('createUser', '=', person.userId)
    .execute()
  if (rows.length < wanted.length) throw refuse('file.notFound')
}

/** People ask for themselves only, and one request waits at a time. */
export const updateRequestHooks: Hooks<typeof Userupdateinfo> = {
  async beforeRemove({ app, db }, rows) {
    const ids = rows.map(({ id }) => String(id))
    await app.extensions.approvals.requireFree(db, 'userUpdate', ids)
  },

  async beforeSubmit(ctx, values, before) {
    const { db, person, app } = ctx
    if (before && before.updateStatus !== AuditStatus.pending) throw refuse('row.wrongState')
    if (before) await app.extensions.approvals.requireFree(db, 'userUpdate', [String(before.id)])
    const user = await db
      .selectFrom('user')
      .selectAll()
      .where('id', '=', person.userId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const given = values.idCard ? { ...values, idCard: values.idCard.trim().toUpperCase() } : values
    const stored = before?.idCard ? { idCard: app.vault.open(before.idCard) } : {}
    const own = { ...user, idCard: user.idCard ? app.vault.open(user.idCard) : '' }
    const requested = requestedOf({ ...before, ...stored, ...given }, own)
    checkRequested(requested, user)
    await requireOwnFiles(ctx, [requested.cardFront, requested.cardBack, values.files])
    if (!before) await requireNoneWaiting(db, person.userId)
    const changing = asked.filter(name => name in requested)
    const old: Requested = Object.fromEntries(changing.map(name => [name, own[name] ?? '']))
    ctx.set({
      idCard: given.idCard,
      userId: person.userId,
      name: user.realName || user.account,
      beforeInfo: shown(old),
      afterInfo: shown(requested),
    })
  },
}

async function requireNoneWaiting(db: Live, userId: string): Promise<void> {
  const waiting = await db
    .selectFrom('userupdateinfo')
    .select('id')
    .where('userId', '=', userId)
    .where('updateStatus', '=', AuditStatus.pending)
    .executeTakeFirst()
  if (waiting) throw refuse('input.repeated')
}

type Request = Row<typeof Userupdateinfo>

/** Administrators of exams change an identity in any case. @throws what depends on the identity refuses with */
async function checkIdentity({ app, person, db, rows }: GuardContext<typeof Userupdateinfo>): Promise<void> {
  if (person?.roles.includes('exam_admin')) return
  await app.extensions.identity.checkChange(
    db,
    rows.map(row => row.userId),
  )
}

/** What a request makes of its person; null leaves what is there. */
function changeOf(vault: Vault, row: Request, idType: number | null) {
  const idCard = row.idCard ? vault.open(row.idCard) : null
  const isNational = idCard !== null && idType === IdType.residentCard
  return {
    id: row.userId,
    realName: row.realName,
    cardFront: row.cardFront,
    cardBack: row.cardBack,
    idCard: row.idCard,
    idCardHash: idCard && vault.hash(row.tenantId, idCard),
    idCardMask: idCard && maskSealed(idCard),
    sex: isNational ? sexOf(idCard) : null,
    birthday: isNational ? birthdayOf(idCard) : null,
  }
}

/** Columns of a person that requests change, with their types. */
const changed = {
  realName: 'text',
  cardFront: 'bigint',
  cardBack: 'bigint',
  idCard: 'text',
  idCardHash: 'text',
  idCardMask: 'text',
  sex: 'int',
  birthday: 'date',
}

/** Makes passed requests true, all in one statement. @throws row.notFound when a person is not there any more */
async function changeUsers({ app, db, caller, now, rows }: EventContext<typeof Userupdateinfo>): Promise<void> {
  const ids = rows.map(row => row.userId)
  const query = db.selectFrom('user').select(['id', 'idType']).where('id', 'in', ids)
  const users = await query.orderBy('id').forNoKeyUpdate().execute()
  if (users.length < ids.length) throw refuse('row.notFound')
  const kinds = new Map(users.map(user => [user.id, user.idType]))
  const changes = JSON.stringify(rows.map(row => changeOf(app.vault, row, kinds.get(row.userId) ?? null)))
  const names = Object.keys(changed)
  const sets = names.map(name => sql`${sql.ref(name)} = coalesce(${sql.ref(`c.${name}`)}, ${sql.ref(`u.${name}`)})`)
  const columns = Object.entries(changed).map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`)
  await sql`UPDATE "user" u SET ${sql.join(sets)}, "updateUser" = ${caller.userId}, "updateTime" = ${now}
    FROM jsonb_to_recordset(${changes}::jsonb) AS c(id bigint, ${sql.join(columns)}) WHERE u.id = c.id`.execute(db)
}

/** What a process decides on is not decided on by a button. */
const requireFree = async ({ app, person, db, rows }: GuardContext<typeof Userupdateinfo>): Promise<void> => {
  if (person === null) return
  const ids = rows.map(({ id }) => String(id))
  await app.extensions.approvals.requireFree(db, 'userUpdate', ids)
}

/** A new request goes to the process of its tenant, where there is one. */
async function beginApproval({ app, trx, caller, now, rows, before }: EventContext<typeof Userupdateinfo>) {
  for (const [at, row] of rows.entries()) {
    if (before[at]) continue
    const fields = asked.filter(name => !isBlank(row[name])).map(name => User.properties[name].title)
    const db = liveFor(trx, { ...caller, now: () => now })
    await app.extensions.approvals.begin(
      app,
      db,
      { ...caller, now },
      {
        kind: 'userUpdate',
        id: String(row.id),
        title: `资料变更 ${row.name ?? ''}`.trim(),
        facts: { name: row.name ?? '', fields: fields.join('、'), reason: row.reason ?? '' },
      },
    )
  }
}

/** Deciding on what people ask to have changed of them. */
export const updateRequestRules = [
  on(userupdateinfo, 'submit', beginApproval),
  guard(userupdateinfo, 'reject', requireFree),
  guard(userupdateinfo, 'pass', async ctx => {
    await requireFree(ctx)
    await checkIdentity(ctx)
  }),
  on(userupdateinfo, 'pass', async ctx => {
    try {
      await changeUsers(ctx)
    } catch (error) {
      throw uniqueRefusal(error, User) ?? error
    }
  }),
  on(userupdateinfo, 'pass', ({ db, rows }) => emit(db, updateRequestEvents.decided, rows, { result: 'passed' })),
  on(userupdateinfo, 'reject', ({ db, rows }) => emit(db, updateRequestEvents.decided, rows, { result: 'rejected' })),
]
