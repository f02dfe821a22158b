import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Child, matches, permissionOf, type Resource } from '#engine'
import { person as callerOf } from '../platform/http/server/access.ts'
import { ok } from '../platform/http/server/envelope.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import type { FieldProblem } from '../platform/http/server/validation.ts'
import { checkLinks, notOffered, plainLookUps } from './checks.ts'
import { encode, settings, withoutMasks } from './encode.ts'
import { announce } from './events.ts'
import { namingRow, type RowChange, rowsGiven } from './form-rows.ts'
import { ident, join, rowsOf } from './fragment.ts'
import { keepHistory } from './history.ts'
import { askedValues, isId, readInput, type Values, withDefaults, wrongInput } from './input.ts'
import { insertion, type NewRow } from './insert.ts'
import { resourceOf } from './lookup.ts'
import { checkOwningRows, hasOwningRows } from './owning-row.ts'
import { removeIn } from './remove.ts'
import { hasWriteHooks, hooksOf, listenersOf } from './rules.ts'
import { isLimited } from './scope.ts'
import { checkTree, lockTree } from './tree-link.ts'
import { namingUnique } from './unique.ts'
import { inWrite, type Write, writeOf } from './write.ts'

const notFound = () => refuse('row.notFound')

/** True for the body of a new row: it has no id. */
export const isNew = ({ id }: Values): boolean => id === undefined || id === null || id === ''

/** Writes one row as `submit` does; the id decides between new and changed. */
async function submitIn(write: Write, body: Values): Promise<Values> {
  const row = await (isNew(body) ? insertRow(write, body) : updateRow(write, String(body.id), body))
  for (const { child, at, values, what } of rowsGiven(write.resource, body)) {
    const resource = resourceOf(child.resource)
    const own = writeOf(write.request, resource, write.trx)
    const done = submitChild(own, what, { ...withoutAliases(resource, values), [child.by]: row.id }, child)
    await namingRow(`${child.resource}.${at}`, `第${at + 1}行`, namingUnique(resource, done))
  }
  await write.hooks.afterRows?.(write, row)
  return row
}

/** Does to one row of a form what was given for it, as its own calls would. */
async function submitChild(write: Write, what: RowChange, values: Values, { by }: Child): Promise<void> {
  const { resource, trx, table, person } = write
  if (!resource.can.includes(what) || !person.permissions.has(permissionOf(resource, what)))
    throw refuse('request.forbidden')
  if (what !== 'add') {
    if (!isId(String(values.id))) throw notFound()
    const mine = sql`SELECT 1 FROM ${table} t WHERE t.id = ${values.id} AND ${sql.raw(`t.${ident(by)}`)} = ${values[by]}
      FOR NO KEY UPDATE OF t`
    if ((await rowsOf(trx, mine)).length === 0) throw notFound()
  }
  if (what === 'remove') await removeIn(write, [String(values.id)])
  else await submitIn(write, values)
}

/** Whether adding a row of a resource is more than the row: hooks, a history, listeners. */
export const isFollowed = (app: FastifyInstance, resource: Resource): boolean =>
  hasWriteHooks(hooksOf(app, resource)) || resource.entity.history || listenersOf(app, resource, 'submit').length > 0

/** Whether adding a row is one statement: nothing follows it, and no row that it belongs to is asked. */
function isOneStatement(request: FastifyRequest, resource: Resource): boolean {
  const { audit, keepsAnswer } = request.routeOptions.config
  // What else a route by hand does, and an entry of the audit log, is in one transaction with the row.
  const isPlain = keepsAnswer && !audit && !hasOwningRows(resource) && !isFollowed(request.server, resource)
  return isPlain === true && !isLimited(callerOf(request), resource)
}

/** Adds a row as one statement, which it may share with others, and keeps the answer of `submit` with it. False when it has to be done, or refused, in more. */
async function addAtOnce(request: FastifyRequest, resource: Resource, body: Values): Promise<boolean> {
  const write = writeOf(request, resource, request.server.db)
  const { values, problems } = readValues(write, body, null)
  const lookUps = problems.length === 0 ? plainLookUps(resource.entity, write, values) : null
  if (!lookUps) return false
  const row = await newRow(write, values)
  const kept = request.keptAnswer?.(ok())
  return namingUnique(resource, write.app.inserts({ ...row, lookUps, writer: write, kept }))
}

/** A body with its second names as the fields they stand for; the field itself counts where both are there. */
function withoutAliases({ aliases }: Resource, body: Values): Values {
  const given = Object.entries(aliases).filter(([wire, name]) => wire in body && !(name in body))
  return given.length === 0 ? body : { ...body, ...Object.fromEntries(given.map(([wire, name]) => [name, body[wire]])) }
}

/** Adds a row or changes one: `POST submit`. */
export async function submit(request: FastifyRequest, resource: Resource, given: Values): Promise<void> {
  const body = withoutAliases(resource, given)
  const isPlain = isNew(body) && rowsGiven(resource, body).length === 0 && isOneStatement(request, resource)
  if (isPlain && (await addAtOnce(request, resource, body))) return
  await inWrite(request, resource, write => submitIn(write, body))
}

/** Values of a body, and what is wrong with them beside what they point at. @throws input.invalid for a body against the schema */
function readValues(
  { resource, app, now }: Write,
  body: Values,
  before: Values | null,
): { values: Values; problems: readonly FieldProblem[] } {
  const { entity } = resource
  const given = before ? withoutMasks(entity, body, before, app.vault) : body
  const read = readInput(entity, given, before ? 'edit' : 'add')
  if (read.problems.length > 0) throw wrongInput(read.problems)
  const { values, problems } = askedValues(entity, read.values, before ?? withDefaults(entity, {}, now))
  if (problems.length > 0) throw wrongInput(problems)
  return { values, problems: notOffered(entity, values, before) }
}

/**
 * The values of a body, checked against the schema and against what they point at.
 * @param before the row that is changed; null for a new one
 * @throws input.invalid naming the fields
 */
export async function checked(write: Write, body: Values, before: Values | null): Promise<Values> {
  const { trx, now } = write
  const { entity } = write.resource
  const { values, problems } = readValues(write, body, before)
  const missing = [...problems, ...(await checkLinks(trx, entity, write, values, before))]
  if (missing.length > 0) throw wrongInput(missing)
  return before ? values : withDefaults(entity, values, now)
}

async function insertRow(write: Write, body: Values): Promise<Values> {
  return insertValues(write, await checked(write, body, null))
}

/** A row as it is stored: its values in their columns, and what the server fills in itself. */
export async function newRow(write: Write, given: Values): Promise<NewRow> {
  const { resource, person, now, app } = write
  const values = withDefaults(resource.entity, given, now)
  const { userId, tenantId, deptIds } = person
  const cells = await encode(resource.entity, values, { vault: app.vault, tenantId })
  if (!cells.some(({ column }) => column === 'tenantId')) cells.push({ column: 'tenantId', value: tenantId })
  cells.push({ column: 'createUser', value: userId }, { column: 'createDept', value: deptIds[0] ?? null })
  cells.push({ column: 'createTime', value: now }, { column: 'updateUser', value: userId })
  cells.push({ column: 'updateTime', value: now })
  return { entity: resource.entity.name, cells }
}

/** The values that are written: those given, and in their place or beside them those that a hook sets. */
async function decided(write: Write, given: Values, before: Values | null): Promise<Values> {
  const values = { ...given }
  const set = (more: Values) => void Object.assign(values, more)
  await write.hooks.beforeSubmit?.({ ...write, set }, given, before)
  return values
}

/** Adds a row of values that were read and checked already. */
export async function insertValues(write: Write, read: Values): Promise<Values> {
  const given = withDefaults(write.resource.entity, read, write.now)
  await checkOwningRows(write.app, write.trx, write.resource, [given])
  const values = await decided(write, given, null)
  const added = insertion([await newRow(write, values)])
  const [row] = await rowsOf(write.trx, sql`${added} RETURNING *`)
  return finish(write, row as Values, null)
}

/**
 * Changes a row by a body, with all that a submit checks.
 * @throws row.notFound, row.changed, row.wrongState, input.invalid naming the fields
 */
export async function updateRow(write: Write, id: string, body: Values): Promise<Values> {
  const { resource, trx, table, scope } = write
  const { entity } = resource
  if (!isId(id)) throw notFound()
  await lockTree(trx, resource, body)
  const [before] = await rowsOf(
    trx,
    sql`SELECT t.* FROM ${table} t WHERE t.id = ${id} AND ${scope} FOR NO KEY UPDATE OF t`,
  )
  if (!before) throw notFound()
  if (resource.sealed && matches(before, resource.sealed)) throw refuse('row.builtIn')
  if (entity.version) checkVersion(body.version, before.version)
  const given = await checked(write, body, before)
  await checkOwningRows(write.app, trx, resource, [before, given])
  await checkTree(trx, resource, before, given)
  // The hook has said what is wrong in words of its own, if it has any.
  const values = await decided(write, given, before)
  if (resource.editable && !matches(before, resource.editable)) throw refuse('row.wrongState')
  const cells = await encode(entity, values, { vault: write.app.vault, tenantId: String(before.tenantId) })
  const sets = settings(cells)
  sets.push(sql`"updateUser" = ${write.person.userId}`, sql`"updateTime" = ${write.now}`)
  if (entity.version) sets.push(sql.raw('version = t.version + 1'))
  const [row] = await rowsOf(trx, sql`UPDATE ${table} t SET ${join(sets, ', ')} WHERE t.id = ${id} RETURNING t.*`)
  return finish(write, row as Values, before)
}

function checkVersion(given: unknown, stored: unknown): void {
  if (given === undefined || given === null || given === '')
    throw wrongInput([{ field: 'version', msg: '缺少版本号，请刷新后重试' }])
  if (Number(given) !== Number(stored)) throw refuse('row.changed')
}

/** A row must be one its writer may meet: nobody gives rows to an owner whose rows are not theirs to change. */
async function finish(write: Write, row: Values, before: Values | null): Promise<Values> {
  const { resource, trx, table, scope, person } = write
  await write.hooks.afterSubmit?.(write, row, before)
  const act = before ? 'edit' : 'add'
  await keepHistory(trx, resource.entity, [[before, row]], { act, userId: person.userId, now: write.now })
  await announce({ ...write, caller: person, event: 'submit', pairs: [[before, row]] })
  if (isLimited(person, resource)) {
    const [mine] = await rowsOf(trx, sql`SELECT 1 AS hit FROM ${table} t WHERE t.id = ${row.id} AND ${scope}`)
    if (!mine) throw notFound()
  }
  return row
}
