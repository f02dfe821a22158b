import {
  type AliasedExpression,
  AliasNode,
  AndNode,
  BinaryOperationNode,
  CastNode,
  type ColumnDataType,
  ColumnNode,
  type ColumnType,
  ColumnUpdateNode,
  DataTypeNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type Kysely,
  type KyselyPlugin,
  type MergeQueryNode,
  type OnConflictNode,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  ParensNode,
  type PrimitiveValueListNode,
  type QueryId,
  ReferenceNode,
  type RootOperationNode,
  type Selectable,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryBuilder,
  type UpdateQueryNode,
  type UpdateResult,
  type ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely'
import type { LiveTablesOf } from '#engine'
import { tableOf } from '#engine'
import { entities, type Tables } from '#schemas'
import type { Database, Reader, Trx } from './database.ts'
import type { Handle, Running, Statements, Transactions } from './handle.ts'
import { type InternalTables, type TenantTable, tenantTables } from './tables.ts'

type LiveTables = LiveTablesOf<typeof entities>
type LiveInternalTables = {
  [K in keyof InternalTables]: K extends TenantTable ? Omit<InternalTables[K], 'tenantId'> : InternalTables[K]
}

/**
 * The tables as a live handle shows them: those of entities without tenant and deletion, which the handle adds itself, and
 * with stamps that are read only. Internal tables have no tenant where they are {@link tenantTables}, and are as they are
 * elsewhere.
 */
export interface LiveDatabase extends LiveTables, LiveInternalTables {}

/**
 * A handle that meets the rows of one tenant that are not removed, and stamps what it writes. A running transaction of such a
 * handle is one too. Its limits are taken off by {@link raw} alone.
 */
export interface Live extends Handle<'live'>, Statements<LiveDatabase> {
  transaction(): Transactions<LiveTrx>
}

/** A transaction of a live handle. */
export interface LiveTrx extends Live, Running {}

interface TenantColumn {
  tenantId: ColumnType<string, string, never>
}
/** Columns of a table whose rows have a tenant, as a handle across tenants shows them. */
type WithTenant<T> = T & TenantColumn
type AcrossTables = { [K in keyof LiveTables]: WithTenant<LiveTables[K]> }

/**
 * The tables as a live handle across tenants shows them: as {@link LiveDatabase}, but the tenant of a row can be read, and a row
 * that is added says whose it is.
 */
export interface AcrossDatabase extends AcrossTables, InternalTables {}

/**
 * A handle of the program itself that meets the rows of all tenants that are not removed, and stamps the time of what it writes:
 * for jobs that take their work from one queue of all tenants.
 */
export interface Across extends Handle<'across'>, Statements<AcrossDatabase> {
  transaction(): Transactions<AcrossTrx>
}

/** A transaction of a handle across tenants. */
export interface AcrossTrx extends Across, Running {}

interface Server {
  readonly db: Reader
}

/** A running transaction of any handle. */
export type AnyTrx = Trx | LiveTrx | AcrossTrx

/** Any handle, or the server, for functions that make the handle they need of it; a running transaction is kept. */
export type AnyHandle = Server | Reader | Live | Across

/** Whose rows a live handle meets, and what it stamps them with. */
export interface LiveFor {
  readonly tenantId: string
  /** Who makes and changes rows; null for the program itself, which leaves the stamps of persons as they are. */
  readonly userId: string | null
  /** Who makes rows, where that is not who changes them; {@link userId} by default. */
  readonly authorId?: string | null
  /** Time of the stamps. */
  readonly now: () => Date
}

/** As {@link LiveFor}; without a tenant the rows of all are meant. */
type Whose = Omit<LiveFor, 'tenantId'> & { readonly tenantId: string | null }

type Stamp = 'createUser' | 'createTime' | 'updateUser' | 'updateTime'
type Column = 'tenantId' | 'isDeleted' | Stamp

/** What the handle does for a table. */
interface Limit {
  readonly hasTenant: boolean
  readonly canBeRemoved: boolean
  /** Those that no field of the entity replaces. */
  readonly stamps: ReadonlySet<Stamp>
}

const stampNames: readonly Stamp[] = ['createUser', 'createTime', 'updateUser', 'updateTime']

const limits: ReadonlyMap<string, Limit> = new Map([
  ...entities.map(({ name, tenant, properties }): [string, Limit] => [
    tableOf(name),
    {
      hasTenant: tenant,
      canBeRemoved: true,
      stamps: new Set(stampNames.filter(stamp => !(stamp in properties))),
    },
  ]),
  ...tenantTables.map((name): [string, Limit] => [name, { hasTenant: true, canBeRemoved: false, stamps: new Set() }]),
])

/** Tables of a statement whose removed rows are meant, too; marked by {@link withRemoved}. */
const removedToo = new WeakSet<OperationNode>()

/** Tables of an UPDATE that leaves their stamps as they are; marked by {@link updateUnstamped}. */
const unstamped = new WeakSet<OperationNode>()

/** Statements that are limited already: a part of a statement passes the plugin before the statement does. */
const limited = new WeakSet<OperationNode>()

const refusal = (what: string): Error =>
  new Error(`A live handle does not know which rows ${what}. Use the raw handle and say tenant and deletion yourself.`)

/** The name of a table and what it is called in its statement; null for anything but a table. */
function tableIn(node: OperationNode): { table: string; alias: string } | null {
  if (AliasNode.is(node)) {
    const inner = tableIn(node.node)
    return inner && IdentifierNode.is(node.alias) ? { table: inner.table, alias: node.alias.name } : null
  }
  if (!TableNode.is(node)) return null
  const { name } = node.table.identifier
  return { table: name, alias: name }
}

const both = (one: OperationNode | undefined, other: OperationNode): OperationNode =>
  one ? AndNode.create(other, ParensNode.create(one)) : other

const equals = (alias: string, column: Column, value: OperationNode): OperationNode =>
  BinaryOperationNode.create(
    ReferenceNode.create(ColumnNode.create(column), TableNode.create(alias)),
    OperatorNode.create('='),
    value,
  )

// A literal: a generic plan cannot use an index of the rows that are not removed when their mark is a parameter.
const notRemoved = ValueNode.createImmediate(0)

class Limiter extends OperationNodeTransformer {
  /** Whose statement is being read: that is done at once, so one reader is enough for all handles. */
  #for: Whose = { tenantId: '', userId: null, now: () => new Date(0) }
  /** Names that stand for a CTE where the statement is being read. */
  #ctes: readonly string[] = []

  limit(whose: Whose, node: RootOperationNode, id: QueryId): RootOperationNode {
    this.#for = whose
    return this.transformNode(node, id)
  }

  #limitOf(node: OperationNode): (Limit & { alias: string }) | null {
    const found = tableIn(node)
    if (!found || this.#ctes.includes(found.table)) return null
    const limit = limits.get(found.table)
    return limit ? { ...limit, alias: found.alias } : null
  }

  /** The condition that a table adds to its statement. */
  #conditionOf(node: OperationNode): OperationNode | null {
    const limit = this.#limitOf(node)
    if (!limit) return null
    const isWhole = !limit.canBeRemoved || removedToo.has(node)
    const removed = isWhole ? null : equals(limit.alias, 'isDeleted', notRemoved)
    if (!limit.hasTenant || this.#for.tenantId === null) return removed
    const own = equals(limit.alias, 'tenantId', ValueNode.create(this.#for.tenantId))
    return removed ? AndNode.create(own, removed) : own
  }

  #where(where: WhereNode | undefined, tables: readonly OperationNode[]): WhereNode | undefined {
    const added = tables.flatMap(table => this.#conditionOf(table) ?? [])
    const all = added.reduceRight<OperationNode | undefined>(
      (rest, one) => (rest ? AndNode.create(one, rest) : one),
      undefined,
    )
    return all ? WhereNode.create(both(where?.where, all)) : where
  }

  /** Reads a statement with the names of its CTEs, and once only. */
  #once<N extends OperationNode & { with?: WithNode }>(node: N, read: () => N): N {
    if (limited.has(node)) return node
    const outer = this.#ctes
    const names = node.with?.expressions.map(one => one.name.table.table.identifier.name) ?? []
    if (names.length > 0) this.#ctes = [...outer, ...names]
    try {
      const made = read()
      limited.add(made)
      return made
    } finally {
      this.#ctes = outer
    }
  }

  protected override transformSelectQuery(node: SelectQueryNode, id: QueryId): SelectQueryNode {
    return this.#once(node, () => {
      const made = super.transformSelectQuery(node, id)
      const crossed = (node.joins ?? []).filter(({ joinType }) => joinType === 'CrossJoin').map(({ table }) => table)
      const where = this.#where(made.where, [...(node.from?.froms ?? []), ...crossed])
      return where ? { ...made, where } : made
    })
  }

  protected override transformJoin(node: JoinNode, id: QueryId): JoinNode {
    const made = super.transformJoin(node, id)
    const condition = this.#conditionOf(node.table)
    if (node.joinType === 'RightJoin' || node.joinType === 'FullJoin') throw refusal(`a ${node.joinType} is to show`)
    if (!condition || node.joinType === 'CrossJoin') return made
    return { ...made, on: OnNode.create(both(made.on?.on, condition)) }
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, id: QueryId): UpdateQueryNode {
    return this.#once(node, () => {
      const made = super.transformUpdateQuery(node, id)
      const tables = [...(node.table ? [node.table] : []), ...(node.from?.froms ?? [])]
      const where = this.#where(made.where, tables)
      const limit = node.table && this.#limitOf(node.table)
      const updates = limit ? this.#changed(node, limit, made.updates ?? []) : made.updates
      return { ...made, ...(where && { where }), ...(updates && { updates }) }
    })
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, id: QueryId): DeleteQueryNode {
    return this.#once(node, () => {
      const made = super.transformDeleteQuery(node, id)
      const where = this.#where(made.where, [...node.from.froms, ...(node.using?.tables ?? [])])
      return where ? { ...made, where } : made
    })
  }

  protected override transformInsertQuery(node: InsertQueryNode, id: QueryId): InsertQueryNode {
    return this.#once(node, () => {
      const made = super.transformInsertQuery(node, id)
      const limit = node.into && this.#limitOf(node.into)
      return limit ? this.#stamped(made, limit) : made
    })
  }

  protected override transformMergeQuery(_node: MergeQueryNode): MergeQueryNode {
    throw refusal('a MERGE meets')
  }

  /** What an UPDATE changes, stamps included. */
  #changed({ table }: UpdateQueryNode, limit: Limit, given: readonly ColumnUpdateNode[]): ColumnUpdateNode[] {
    const stamps = this.#changes(limit, given)
    return table && unstamped.has(table) ? [...given] : [...given, ...stamps]
  }

  /** The stamps of a change. */
  #changes({ stamps }: Limit, given: readonly ColumnUpdateNode[]): ColumnUpdateNode[] {
    for (const { column, value } of given)
      if (ColumnNode.is(column)) refuseOwn(column, stamps, ValueNode.is(value) && value.immediate === true)
    const { userId, now } = this.#for
    const set = (column: Stamp, value: unknown) =>
      stamps.has(column) ? [ColumnUpdateNode.create(ColumnNode.create(column), ValueNode.create(value))] : []
    return [...(userId === null ? [] : set('updateUser', userId)), ...set('updateTime', now())]
  }

  #stamped(node: InsertQueryNode, limit: Limit & { alias: string }): InsertQueryNode {
    const { stamps, hasTenant, alias } = limit
    const { columns = [], values } = node
    const { tenantId, userId, authorId = userId, now } = this.#for
    const isAcross = hasTenant && tenantId === null
    const saysTenant = columns.some(({ column }) => column.name === 'tenantId')
    if (isAcross && !saysTenant)
      throw new Error(`A row of «${alias}» that is added across tenants says its «tenantId».`)
    for (const column of columns) if (!isAcross || column.column.name !== 'tenantId') refuseOwn(column, stamps)
    const time = now()
    const own: [Column, unknown][] = hasTenant && !isAcross ? [['tenantId', tenantId]] : []
    if (authorId !== null) own.push(['createUser', authorId])
    if (userId !== null) own.push(['updateUser', userId])
    own.push(['createTime', time], ['updateTime', time])
    const added = own.filter(([column]) => column === 'tenantId' || stamps.has(column as Stamp))
    return {
      ...node,
      columns: [...columns, ...added.map(([column]) => ColumnNode.create(column))],
      values: withAdded(values, added, alias),
      ...(node.onConflict && { onConflict: this.#conflict(node.onConflict, limit) }),
    }
  }

  /** Rows are unique among those of their tenant that are not removed. */
  #conflict(node: OnConflictNode, limit: Limit & { alias: string }): OnConflictNode {
    const { columns, constraint, indexExpression, indexWhere, updates } = node
    if (!columns) {
      if (constraint || indexExpression || updates) throw refusal(`an ON CONFLICT of «${limit.alias}» meets`)
      return node
    }
    const isId = columns.length === 1 && columns[0]?.column.name === 'id'
    const own = limit.hasTenant && !isId ? [ColumnNode.create('tenantId')] : []
    const removed = BinaryOperationNode.create(ColumnNode.create('isDeleted'), OperatorNode.create('='), notRemoved)
    const updateWhere = updates && this.#where(node.updateWhere, [TableNode.create(limit.alias)])
    return {
      ...node,
      columns: [...own, ...columns],
      ...(!isId && limit.canBeRemoved && { indexWhere: WhereNode.create(both(indexWhere?.where, removed)) }),
      ...(updates && { updates: [...updates, ...this.#changes(limit, updates)] }),
      ...(updateWhere && { updateWhere }),
    }
  }
}

/**
 * Types keep the handle's own columns out, but not of an object that was made elsewhere.
 * @param isLiteral as the mark of {@link removeRows} is written
 * @throws for a column that the handle fills itself
 */
function refuseOwn({ column }: ColumnNode, stamps: ReadonlySet<Stamp>, isLiteral = false): void {
  const isMark = column.name === 'isDeleted' && !isLiteral
  if (isMark || column.name === 'tenantId' || stamps.has(column.name as Stamp))
    throw new Error(`A live handle fills «${column.name}» itself.`)
}

/** Types of the columns that are added to rows which are selected: a value alone has none there. */
const columnTypes: Readonly<Record<Column, ColumnDataType>> = {
  tenantId: 'varchar',
  isDeleted: 'integer',
  createUser: 'bigint',
  createTime: 'timestamptz',
  updateUser: 'bigint',
  updateTime: 'timestamptz',
}

/** The rows of an INSERT, listed or selected, with further columns that are the same in each. */
function withAdded(rows: OperationNode | undefined, added: readonly [Column, unknown][], alias: string): OperationNode {
  if (rows && ValuesNode.is(rows)) {
    const more = added.map(([, value]) => value)
    return { ...rows, values: rows.values.map(row => withValues(row, more)) } as ValuesNode
  }
  if (!rows || !SelectQueryNode.is(rows) || rows.setOperations) throw refusal(`an INSERT adds to «${alias}»`)
  const more = added.map(([column, value]) =>
    SelectionNode.create(
      AliasNode.create(
        CastNode.create(ValueNode.create(value), DataTypeNode.create(columnTypes[column])),
        IdentifierNode.create(column),
      ),
    ),
  )
  return SelectQueryNode.cloneWithSelections(rows, more)
}

const withValues = (
  row: PrimitiveValueListNode | ValueListNode,
  values: readonly unknown[],
): PrimitiveValueListNode | ValueListNode =>
  row.kind === 'PrimitiveValueListNode'
    ? { ...row, values: [...row.values, ...values] }
    : { ...row, values: [...row.values, ...values.map(value => ValueNode.create(value))] }

const limiter = new Limiter()

/**
 * Limits every table of a statement to the rows of one tenant that are not removed: of a SELECT, a join (in its ON), a
 * subquery, a CTE, an UPDATE with its FROM, and a DELETE. Rows that are added or changed get their stamps, and an ON CONFLICT
 * its tenant and the condition of the unique rule; so do the rows of an INSERT … SELECT. What it cannot read is refused: an
 * INSERT of a UNION, RIGHT and FULL JOIN, MERGE. SQL written as text passes as it is.
 */
const live = (whose: Whose): KyselyPlugin => ({
  transformQuery: ({ node, queryId }) => limiter.limit(whose, node, queryId),
  transformResult: async ({ result }) => result,
})

function unlimited(on: AnyHandle): Kysely<Database> {
  if ('db' in on) return on.db as unknown as Kysely<Database>
  return (on as unknown as Kysely<Database>).withoutPlugins()
}

/**
 * A live handle of a tenant: of the pool, or within a running transaction.
 * @param on the server, a handle, or a running transaction, whatever it is limited to
 */
export function liveFor(on: AnyTrx, whose: LiveFor): LiveTrx
/** A live handle of a tenant, see above. */
export function liveFor(on: AnyHandle, whose: LiveFor): Live
/** A live handle of a tenant, see above. */
export function liveFor(on: AnyHandle, whose: LiveFor): Live {
  return unlimited(on).withPlugin(live(whose)) as unknown as Live
}

/**
 * A live handle across tenants: deletion and the times of stamps as anywhere, of no person, and no limit of tenant. Statements
 * that join by anything but ids compare the tenants of both rows. What is done for one tenant takes {@link liveFor} of it:
 * `for (const { id, tenantId } of due) await settle(liveFor(trx, { tenantId, userId: null, now }), id)`
 * @param on the server, a handle, or a running transaction, whatever it is limited to
 */
export function liveAcross(on: AnyTrx, whose: Pick<LiveFor, 'now'>): AcrossTrx
/** A live handle across tenants, see above. */
export function liveAcross(on: AnyHandle, whose: Pick<LiveFor, 'now'>): Across
/** A live handle across tenants, see above. */
export function liveAcross(on: AnyHandle, { now }: Pick<LiveFor, 'now'>): Across {
  return unlimited(on).withPlugin(live({ tenantId: null, userId: null, now })) as unknown as Across
}

/**
 * The handle without limits: for look-ups before a tenant is known, exports across tenants, and rows that are meant whatever
 * has become of them. Its statements say tenant, deletion and stamps themselves. `tests/limits-by-hand.txt` counts who takes it.
 * @param on the server, or a handle, whose transaction is kept
 */
export function raw(on: AnyTrx): Trx
/** The handle without limits, see above. */
export function raw(on: AnyHandle): Reader
/** The handle without limits, see above. */
export function raw(on: AnyHandle): Reader {
  return unlimited(on) as unknown as Reader
}

/** A table name of a live handle, with an alias or without. */
type TableText = keyof LiveTables | `${keyof LiveTables} as ${string}`
type NameIn<T> = T extends `${infer N} as ${string}` ? N : T
type AliasIn<T> = T extends `${string} as ${infer A}` ? A : T

/**
 * A table in a statement of a live handle with its removed rows: what they are called is shown wherever they were used.
 * `isDeleted` says which ones they are. `db.selectFrom('ticket').leftJoin(withRemoved('user as u'), 'u.id', 'ticket.userId')`
 */
export function withRemoved<const T extends TableText>(
  text: T,
): AliasedExpression<Selectable<Tables[NameIn<T> & keyof Tables]>, AliasIn<T> & string> {
  const [name = '', alias = name] = text.split(' as ')
  const node = AliasNode.create(TableNode.create(name), IdentifierNode.create(alias))
  removedToo.add(node)
  return { alias, toOperationNode: () => node } as never
}

/**
 * Removes rows of a table: they stay as removed, and no live handle meets them any more.
 * `await removeRows(db, 'seat').where('roomId', '=', id).execute()`
 */
export function removeRows<T extends keyof LiveTables & string>(
  db: Live,
  table: T,
): UpdateQueryBuilder<LiveDatabase, T, T, UpdateResult>
/** Removes rows of a table across tenants, see above. */
export function removeRows<T extends keyof LiveTables & string>(
  db: Across,
  table: T,
): UpdateQueryBuilder<AcrossDatabase, T, T, UpdateResult>
/** Removes rows of a table, see above. */
export function removeRows(db: Live | Across, table: string) {
  return (db as Live).updateTable(table as 'signup').set(eb => ({ isDeleted: eb.lit(1) }) as object) as never
}

/**
 * An UPDATE that leaves the stamps of its rows as they are, with the limits of its handle: for what the program keeps beside
 * what people have written, such as counters and times of its own.
 * `await updateUnstamped(db, 'notice').set({ readNum: 1 }).where('id', '=', id).execute()`
 */
export function updateUnstamped<T extends keyof LiveTables & string>(
  db: Live,
  table: T,
): UpdateQueryBuilder<LiveDatabase, T, T, UpdateResult>
/** An UPDATE without stamps across tenants, see above. */
export function updateUnstamped<T extends keyof LiveTables & string>(
  db: Across,
  table: T,
): UpdateQueryBuilder<AcrossDatabase, T, T, UpdateResult>
/** An UPDATE without stamps, see above. */
export function updateUnstamped(db: Live | Across, table: string) {
  const node = TableNode.create(table)
  unstamped.add(node)
  return (db as Live).updateTable({ alias: table, toOperationNode: () => node } as never) as never
}
